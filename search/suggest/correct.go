package suggest

import (
	"slices"

	"github.com/varve-archive/varve/search/query"
)

// Correct returns the query with a near word in place of each that no document has, ok if there is any. Of the nearest
// words it takes the most frequent. It leaves beginnings of words and addresses as they are.
func (w *Words) Correct(q query.Query) (better query.Query, ok bool) {
	better.Clauses = slices.Clone(q.Clauses)
	for i := range better.Clauses {
		c := &better.Clauses[i]
		if c.Not || c.Match == query.Prefix || c.Field > query.Title {
			continue
		}
		c.Words = slices.Clone(c.Words)
		for j, word := range c.Words {
			if near := w.instead(word); near != "" {
				c.Words[j], ok = near, true
			}
		}
	}
	return better, ok
}

// instead returns the most frequent of the words nearest to one that no document has, or "".
func (w *Words) instead(word string) string {
	if w.Documents(word) > 0 {
		return ""
	}
	for wrong := 1; wrong <= query.Wrong(word); wrong++ {
		if near := w.Near(word, wrong); len(near) > 0 {
			return near[0].Text
		}
	}
	return ""
}
