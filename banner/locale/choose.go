package locale

import "golang.org/x/text/language"

// languages are the languages of the pages. English, the fallback, comes first.
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

// maxAcceptLanguage bounds how much of a header is parsed. Browsers send well under 200 bytes.
const maxAcceptLanguage = 1000

// Choose returns the tag of the language for a page, given an Accept-Language header (RFC 9110 §12.5.4). It returns
// "en" if the header can't be parsed or names no known language.
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

// For returns the language with a tag that [Choose] returned, English for any other tag.
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
