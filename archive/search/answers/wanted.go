package answers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
	"github.com/varve-archive/varve/archive/search/wordform"
)

const (
	maxOptional = 48 // words of a question that are looked up, the rarest first
	maxForms    = 24 // other forms of a word, the most frequent first
	sentence    = 6  // a query of so many words is a sentence, in which stop words are ignored
)

// known adds to each clause the word forms that the collection has. It drops optional clauses without any, and the most frequent of very
// many, and notes these in out.
func (s *Collection) known(ctx context.Context, q query.Query, out *PagesAnswer) (query.Query, error) {
	l, err := s.lexicon(ctx)
	if err != nil {
		return q, err
	}
	type word struct{ at, documents int }
	var optional []word
	var kept []query.Clause
	for _, c := range l.significant(q) {
		addForms(&c, l.words, l.forms)
		addDivisions(&c, l.words)
		if c.Optional && !q.All {
			documents := documentsOf(&c, l.words)
			if documents == 0 {
				out.Lost = append(out.Lost, c.String())
				continue
			}
			optional = append(optional, word{len(kept), documents})
		}
		kept = append(kept, c)
	}
	slices.SortStableFunc(optional, func(a, b word) int { return a.documents - b.documents })
	common := map[int]bool{}
	for _, w := range optional[min(len(optional), maxOptional):] {
		common[w.at] = true
	}
	q.Clauses = nil
	for i, c := range kept {
		if common[i] {
			out.Bounded = append(out.Bounded, c.String())
		} else {
			q.Clauses = append(q.Clauses, c)
		}
	}
	return q, nil
}

// significant returns the clauses of a query. If the query is a sentence, stop words are left out.
func (l *lexicon) significant(q query.Query) []query.Clause {
	optional, significant := 0, 0
	for i := range q.Clauses {
		if c := &q.Clauses[i]; c.Optional && !q.All {
			optional++
			if !l.stop[c.Words[0]] {
				significant++
			}
		}
	}
	if optional < sentence || significant == 0 {
		return slices.Clone(q.Clauses)
	}
	return slices.DeleteFunc(slices.Clone(q.Clauses), func(c query.Clause) bool {
		return c.Optional && len(c.Words) == 1 && l.stop[c.Words[0]]
	})
}

// addForms adds its other forms to a plain word, and to the beginning of words the others that are typed so without accents.
func addForms(c *query.Clause, words *suggest.Words, forms *wordform.Index) {
	if len(c.Words) != 1 || c.Match == query.Near || c.Field > query.Title || c.Not {
		return
	}
	if c.Match == query.Prefix {
		c.Forms = wordform.Beginnings(words, c.Words[0])
		return
	}
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

// addDivisions adds to a word in which letters and digits meet the same in several words, and to words that were typed without white space
// the same in one: F16 and F-16, COVID19 and COVID-19, email and e-mail, 12kg and 12 kg.
func addDivisions(c *query.Clause, words *suggest.Words) {
	if c.Match != query.Exact || c.Field > query.Title || c.Not {
		return
	}
	if len(c.Words) > 1 {
		if joined := strings.Join(c.Words, ""); c.Optional && words.Documents(joined) > 0 {
			c.Forms = append(slices.Clone(c.Forms), joined)
		}
		return
	}
	if parts := divided(c.Words[0]); len(parts) > 1 && rarest(parts, words) > 0 {
		c.Or = append(slices.Clone(c.Or), parts)
	}
}

// divided divides a word where letters and digits meet, unless it has other signs.
func divided(word string) (parts []string) {
	from := 0
	var before rune
	for i, r := range word {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return []string{word}
		case i > 0 && unicode.IsDigit(r) != unicode.IsDigit(before):
			parts, from = append(parts, word[from:i]), i
		}
		before = r
	}
	return append(parts, word[from:])
}

// documentsOf returns an upper bound of the documents that have a clause or another form of it: the sum over the wordings. For a phrase it
// counts those with its rarest word.
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

// rarest returns the smallest document count among some words.
func rarest(list []string, words *suggest.Words) (n int) {
	for i, w := range list {
		if of := words.Documents(w); i == 0 || of < n {
			n = of
		}
	}
	return n
}
