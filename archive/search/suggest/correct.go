package suggest

import (
	"slices"

	"github.com/varve-archive/varve/archive/search/query"
)

// Correct returns the query with a near word in place of each that no document has, ok if there is any. Of the nearest
// words it takes the most frequent. It leaves beginnings of words and addresses as they are.
func (w *Words) Correct(q query.Query) (better query.Query, ok bool) {
	better.Clauses = slices.Clone(q.Clauses)
	corrector := w.Corrector()
	for i := range better.Clauses {
		c := &better.Clauses[i]
		if c.Not || c.Match == query.Prefix || c.Field > query.Title {
			continue
		}
		c.Words = slices.Clone(c.Words)
		for j, word := range c.Words {
			if near := corrector.Instead(word); near != "" {
				c.Words[j], ok = near, true
			}
		}
	}
	return better, ok
}

// mostCorrected bounds the words of a query for which near ones are looked for: each takes some milliseconds, and who has so many
// words wrong typed no words.
const mostCorrected = 8

// A Corrector corrects the words of one query.
type Corrector struct {
	words *Words
	done  int
}

// Corrector returns one.
func (w *Words) Corrector() *Corrector { return &Corrector{words: w} }

// Instead returns the most frequent of the words nearest to one that no document has. It returns "" if there is none, if a
// document has the word, and if many words were looked for.
func (c *Corrector) Instead(word string) string {
	if c.words.Documents(word) > 0 || c.done == mostCorrected {
		return ""
	}
	c.done++
	for wrong := 1; wrong <= query.Wrong(word); wrong++ {
		if near := c.words.Near(word, wrong); len(near) > 0 {
			return near[0].Text
		}
	}
	return ""
}
