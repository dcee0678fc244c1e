package locale

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

//go:embed messages
var messages embed.FS

// spoken returns all languages, which it reads when it is first called.
var spoken = sync.OnceValue(func() *languages {
	folder, err := fs.Sub(messages, "messages")
	if err != nil {
		panic(err)
	}
	all, err := load(folder)
	if err != nil {
		panic(err) // the tests of this package load the same files
	}
	return newLanguages(all)
})

// languages are the languages of the pages. English, the fallback, comes first.
type languages struct {
	all     []*Language
	matcher language.Matcher
}

func newLanguages(all []*Language) *languages {
	tags := make([]language.Tag, len(all))
	for i, l := range all {
		tags[i] = l.tag
	}
	return &languages{all, language.NewMatcher(tags)}
}

// maxAcceptLanguage bounds how much of a header is parsed. Browsers send well under 200 bytes.
const maxAcceptLanguage = 1000

// Choose returns the tag of the language for a page, given an Accept-Language header (RFC 9110 §12.5.4). It passes over what it doesn't
// understand, and returns "en" if the header names no known language.
func Choose(acceptLanguage string) string {
	l := spoken()
	if len(acceptLanguage) > maxAcceptLanguage {
		acceptLanguage = acceptLanguage[:maxAcceptLanguage]
	}
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		wanted = understood(acceptLanguage)
	}
	_, i, confidence := l.matcher.Match(wanted...)
	if confidence == language.No {
		return l.all[0].Tag
	}
	return l.all[i].Tag
}

// understood returns the languages of a header that has others too, in their order of preference.
func understood(acceptLanguage string) []language.Tag {
	var parts []string
	for part := range strings.SplitSeq(acceptLanguage, ",") {
		if _, _, err := language.ParseAcceptLanguage(part); err == nil {
			parts = append(parts, part)
		}
	}
	wanted, _, _ := language.ParseAcceptLanguage(strings.Join(parts, ","))
	return wanted
}

// For returns the language with a tag that [Choose] returned, English for any other tag.
func For(tag string) *Language {
	all := spoken().all
	for _, l := range all {
		if l.Tag == tag {
			return l
		}
	}
	return all[0]
}

// Tags returns the tags of all languages, English first.
func Tags() []string {
	all := spoken().all
	tags := make([]string, len(all))
	for i, l := range all {
		tags[i] = l.Tag
	}
	return tags
}
