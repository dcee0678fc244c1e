package banner

import "golang.org/x/text/language"

// languages is every language the pages speak, English, the fallback, first.
var languages = []*texts{&english, &ukrainian, &russian, &persian, &chinese, &german}

var (
	byTag   = indexByTag()
	tagOf   = indexTags()
	matcher = language.NewMatcher(tags())
)

func tags() []language.Tag {
	var ts []language.Tag
	for _, t := range languages {
		ts = append(ts, language.MustParse(t.Tag))
	}
	return ts
}

func indexByTag() map[string]*texts {
	m := make(map[string]*texts, len(languages))
	for _, t := range languages {
		m[t.Tag] = t
	}
	return m
}

func indexTags() map[*texts]language.Tag {
	m := make(map[*texts]language.Tag, len(languages))
	for i, tag := range tags() {
		m[languages[i]] = tag
	}
	return m
}

// maxAcceptLanguage bounds what of a header is looked at: browsers send well under 200 bytes.
const maxAcceptLanguage = 1000

// Language chooses the language of a page from an Accept-Language header (RFC 9110 §12.5.4) and returns
// its tag, as the views' Lang takes it. What can't be read or isn't spoken gives "en".
func Language(acceptLanguage string) string {
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

// textsFor returns the texts of a language chosen by [Language], English for any other tag.
func textsFor(tag string) *texts {
	if t, ok := byTag[tag]; ok {
		return t
	}
	return &english
}
