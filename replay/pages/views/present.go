package views

import (
	"strings"

	"github.com/varve-archive/varve/banner/locale"
)

// An operator of the query language, with an example.
type operator struct{ label, example string }

// operators lists the operators of the query language.
func operators(t texts) []operator {
	p, words := &t.Present, strings.Fields(t.Find.Example)
	word := words[len(words)-1]
	return []operator{
		{p.AskAll, "+" + words[0] + " +" + word + "  (" + words[0] + " OR " + word + ")"},
		{p.AskWithout, "-" + word},
		{p.AskBegin, word + "*"},
		{p.AskNear, word + "~"},
		{p.AskField, "title:" + word + "  url:" + word + "  site:example.org"},
	}
}

// fieldFrom labels the field for the earliest datetime.
func (c TextChange) fieldFrom(t texts) string {
	if c == TextPresent {
		return t.Present.FieldFrom
	}
	return t.Find.FieldFrom
}

// sortLabel names an order by what it is in addresses.
func sortLabel(t texts, name string) string {
	p := &t.Present
	return map[string]string{
		"": p.Best, "newest": p.Newest, "oldest": p.Oldest, "title": p.ByTitle, "url": p.ByAddress, "versions": p.ByVersions, "size": p.BySize,
	}[name]
}

// goneSince says since which day the text has been gone.
func (r *PageResult) goneSince(t texts) string {
	return locale.Fill(t.Present.GoneSince, t.Day(r.Gone.Time))
}
