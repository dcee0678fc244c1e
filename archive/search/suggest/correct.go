package suggest

import (
	"slices"

	"github.com/varve-archive/varve/archive/search/query"
)

// Correct replaces each word that no document has by the most frequent of the nearest words. ok is false if nothing was replaced.
// Beginnings of words (word*) and addresses stay.
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

// maxCorrected bounds the words of a query that are corrected. Each takes some milliseconds, and a text with so many unknown words is
// hardly a query.
const maxCorrected = 8

// A Corrector corrects the words of one query.
type Corrector struct {
	words *Words
	done  int
}

// Corrector returns a corrector for one query.
func (w *Words) Corrector() *Corrector { return &Corrector{words: w} }

// Instead returns the most frequent of the words nearest to a word. It returns "" if there is none, if a document has the word, or if
// maxCorrected words were looked up.
func (c *Corrector) Instead(word string) string {
	if c.words.Documents(word) > 0 || c.done == maxCorrected {
		return ""
	}
	c.done++
	for wrong := 1; wrong <= query.MaxTypos(word); wrong++ {
		if near := c.words.Near(word, wrong); len(near) > 0 {
			return near[0].Text
		}
	}
	return ""
}
