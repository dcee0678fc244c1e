package search

import (
	"slices"

	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
)

// A Snippet is a piece of a version in which the searched text was deleted ("-", of the older version) or added ("+",
// of the newer one). Marks are the places of the searched words in Text, Changed the parts of Text that were deleted or
// added: from and to (exclusive), in Unicode code points.
type Snippet struct {
	Op      string   `json:"op"`
	Text    string   `json:"text"`
	Marks   [][2]int `json:"marks"`
	Changed [][2]int `json:"changed"`
}

const (
	maxSnippets  = 3
	snippetWords = 12 // on each side of the text
)

// snippets shows where the text of a query is deleted from the older version (or, for additions, added to the newer
// one).
func snippets(q *search.Query, k search.Kind, older, newer *searches.WordText) []Snippet {
	hunks := diff.Align(numbered(older, newer))
	side, op := older, "-"
	stretch := func(h diff.Hunk) (int, int) { return h.A, h.AEnd }
	if k == search.Added {
		side, op = newer, "+"
		stretch = func(h diff.Hunk) (int, int) { return h.B, h.BEnd }
	}
	out := []Snippet{}
	changed := make([]bool, len(side.Words)) // this word was deleted or added
	cuts := make([]bool, len(side.Words)+1)  // something was deleted or added before this word
	for _, h := range hunks {
		from, to := stretch(h)
		cuts[from], cuts[to] = true, true
		for i := from; i < to; i++ {
			changed[i] = true
		}
	}
	end := 0 // end of what is shown already
	for i := range side.Words {
		for _, p := range q.Phrases {
			if i < end || !p.At(side.Words, i) ||
				!slices.Contains(changed[i:i+len(p)], true) && !slices.Contains(cuts[i+1:i+len(p)], true) {
				continue
			}
			from, to := around(side, i, i+len(p), end)
			out = append(out, snippet(side, op, q, changed, from, to))
			if end = to; len(out) == maxSnippets {
				return out
			}
		}
	}
	return out
}

// numbered gives each distinct word of two texts a number.
func numbered(a, b *searches.WordText) (x, y []uint32) {
	numbers := map[string]uint32{}
	of := func(words []string) []uint32 {
		out := make([]uint32, len(words))
		for i, w := range words {
			n, ok := numbers[w]
			if !ok {
				n = uint32(len(numbers))
				numbers[w] = n
			}
			out[i] = n
		}
		return out
	}
	return of(a.Words), of(b.Words)
}

// snippet cuts the words from from to to (exclusive) out of a text, with an ellipsis where the text goes on.
func snippet(t *searches.WordText, op string, q *search.Query, changed []bool, from, to int) Snippet {
	cut := cutOut(t, from, to)
	out := Snippet{Op: op, Text: cut.text, Marks: [][2]int{}, Changed: [][2]int{}}
	for i := from; i < to; {
		if !changed[i] {
			i++
			continue
		}
		j := i
		for j < to && changed[j] {
			j++
		}
		out.Changed = append(out.Changed, [2]int{cut.point(t.At[i].Start), cut.point(t.At[j-1].End)})
		i = j
	}
	for _, p := range q.Places(t.Text[cut.start:cut.end]) {
		out.Marks = append(out.Marks, [2]int{cut.point(cut.start + p.Start), cut.point(cut.start + p.End)})
	}
	return out
}
