package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
	"github.com/varve-archive/varve/archive/search/wordform"
)

const (
	maxWishes = 48 // words of a question that are looked up, the rarest
	maxForms  = 24 // other forms of a word, the most frequent
	sentence  = 6  // words, or more, are a sentence, in which words such as "the" mean nothing
)

// Prepare returns the query as it is searched: without words that don't count, with synonyms, and with the forms of words that the
// collection has.
func (cs *CollectionSearch) Prepare(ctx context.Context, q query.Query) (query.Query, error) {
	return cs.known(ctx, cs.ranking.Prepare(q), &PagesAnswer{})
}

// known adds the forms of words that the collection has. Wishes of which it has none, and the most frequent ones of very many, are left
// out and put into out.
func (cs *CollectionSearch) known(ctx context.Context, q query.Query, out *PagesAnswer) (query.Query, error) {
	l, err := cs.language(ctx)
	if err != nil {
		return q, err
	}
	q.Clauses = l.telling(q)
	var counts []int // documents with each wish, each word counted for itself
	kept := q.Clauses[:0]
	for _, c := range q.Clauses {
		documents := addForms(&c, l.words, l.forms)
		if c.Wish && !q.All {
			if documents == 0 {
				out.Lost = append(out.Lost, c.String())
				continue
			}
			counts = append(counts, documents)
		}
		kept = append(kept, c)
	}
	q.Clauses = kept
	if len(counts) <= maxWishes {
		return q, nil
	}
	slices.Sort(counts)
	most, equal := counts[maxWishes-1], 0
	for _, n := range counts[:maxWishes] {
		if n == most {
			equal++
		}
	}
	q.Clauses = slices.DeleteFunc(q.Clauses, func(c query.Clause) bool {
		if !c.Wish || q.All {
			return false
		}
		n := documentsOf(&c, l.words)
		if n == most {
			equal--
		}
		if n < most || n == most && equal >= 0 {
			return false
		}
		out.Bounded = append(out.Bounded, c.String())
		return true
	})
	return q, nil
}

// telling returns the clauses of a query, of a sentence without words that mean nothing.
func (l *language) telling(q query.Query) []query.Clause {
	wishes, telling := 0, 0
	for i := range q.Clauses {
		if c := &q.Clauses[i]; c.Wish && !q.All {
			wishes++
			if !l.stop[c.Words[0]] {
				telling++
			}
		}
	}
	if wishes < sentence || telling == 0 {
		return slices.Clone(q.Clauses)
	}
	return slices.DeleteFunc(slices.Clone(q.Clauses), func(c query.Clause) bool {
		return c.Wish && len(c.Words) == 1 && l.stop[c.Words[0]]
	})
}

// addForms adds to a plain word its other forms, and returns how many documents have any. Of a phrase it returns how many have its rarest
// word.
func addForms(c *query.Clause, words *suggest.Words, forms *wordform.Index) int {
	if len(c.Words) == 1 && c.Match == query.Exact && c.Field <= query.Title && !c.Not {
		var found []suggest.Word
		for _, i := range forms.Forms(c.Words[0]) {
			if w := words.Word(i); w.Text != c.Words[0] {
				found = append(found, w)
			}
		}
		slices.SortFunc(found, func(a, b suggest.Word) int {
			return cmp.Or(b.Documents-a.Documents, strings.Compare(a.Text, b.Text))
		})
		for _, w := range found[:min(len(found), maxForms)] {
			c.Forms = append(c.Forms, w.Text)
		}
	}
	return documentsOf(c, words)
}

// documentsOf returns how many documents have a clause or another form of it at most, each wording counted for itself.
func documentsOf(c *query.Clause, words *suggest.Words) int {
	n := rarest(c.Words, words)
	for _, other := range c.Or {
		n += rarest(other, words)
	}
	for _, form := range c.Forms {
		n += words.Documents(form)
	}
	return n
}

// rarest returns how many documents have the rarest of some words.
func rarest(list []string, words *suggest.Words) (n int) {
	for i, w := range list {
		if of := words.Documents(w); i == 0 || of < n {
			n = of
		}
	}
	return n
}
