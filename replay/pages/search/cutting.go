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

// maxBeside is how much text is shown on each side of what was found, in bytes: twelve words of a language that has long ones.
const maxBeside = 600

// around returns which words to show for those from i to end (exclusive): these, and on each side as many as are near, from lowest on.
func around(t *searches.WordText, i, end, lowest int) (from, to int) {
	from, to = i, end
	for from > max(lowest, i-snippetWords) && t.At[i].Start-t.At[from-1].Start <= maxBeside {
		from--
	}
	for to < min(len(t.Words), end+snippetWords) && t.At[to].End-t.At[end-1].End <= maxBeside {
		to++
	}
	return from, to
}

// cutOut cuts the words from from to to (exclusive) out of a text.
func cutOut(t *searches.WordText, from, to int) cutting {
	c := cutting{start: t.At[from].Start, end: t.At[to-1].End, of: t}
	if from > 0 || c.start > maxBeside {
		c.text, c.lead = "… ", 2
	} else {
		c.start = 0
	}
	more := to < len(t.Words) || len(t.Text)-c.end > maxBeside
	if !more {
		c.end = len(t.Text)
	}
	c.text += t.Text[c.start:c.end]
	if more {
		c.text += " …"
	}
	return c
}

// point returns where a byte of the whole text is in the cutting, in Unicode code points.
func (c *cutting) point(at int) int { return c.lead + utf8.RuneCountInString(c.of.Text[c.start:at]) }
