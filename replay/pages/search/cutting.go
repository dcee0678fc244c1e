package search

import (
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/searches"
)

// A cutting is a piece of a text, with an ellipsis where the text goes on.
type cutting struct {
	text       string
	start, end int // in the text that it is from, in bytes
	lead       int // code points before it
	of         *searches.WordText
}

// cutOut cuts the words from from to to (exclusive) out of a text.
func cutOut(t *searches.WordText, from, to int) cutting {
	c := cutting{start: t.At[from].Start, end: t.At[to-1].End, of: t}
	if from > 0 {
		c.text, c.lead = "… ", 2
	} else {
		c.start = 0
	}
	if to == len(t.Words) {
		c.end = len(t.Text)
	}
	c.text += t.Text[c.start:c.end]
	if to < len(t.Words) {
		c.text += " …"
	}
	return c
}

// point returns where a byte of the whole text is in the cutting, in Unicode code points.
func (c *cutting) point(at int) int { return c.lead + utf8.RuneCountInString(c.of.Text[c.start:at]) }
