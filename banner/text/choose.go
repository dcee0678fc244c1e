package text

import "golang.org/x/text/language"

// languages is every language that the pages speak, English, the fallback, first.
var languages = []*Language{&english, &ukrainian, &russian, &persian, &chinese, &german}

var (
	byTag   = make(map[string]*Language, len(languages))
	matcher = newMatcher()
)

func newMatcher() language.Matcher {
	spoken := make([]language.Tag, len(languages))
	for i, l := range languages {
		l.tag = language.MustParse(l.Tag)
		spoken[i], byTag[l.Tag] = l.tag, l
	}
	return language.NewMatcher(spoken)
}

// maxAcceptLanguage bounds what of a header is looked at: browsers send well under 200 bytes.
const maxAcceptLanguage = 1000

// Choose finds the language of a page in an Accept-Language header (RFC 9110 §12.5.4) and returns its tag.
// What can't be read or isn't spoken gives "en".
func Choose(acceptLanguage string) string {
	if len(acceptLanguage) > maxAcceptLanguage {
		acceptLanguage = acceptLanguage[:maxAcceptLanguage]
	}
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return english.Tag
	}
	_, i, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return english.Tag
	}
	return languages[i].Tag
}

// For returns the language that [Choose] gave the tag of, English for any other tag.
func For(tag string) *Language {
	if t, ok := byTag[tag]; ok {
		return t
	}
	return &english
}

// Tags returns the tags of all languages, English first.
func Tags() []string {
	tags := make([]string, len(languages))
	for i, l := range languages {
		tags[i] = l.Tag
	}
	return tags
}
