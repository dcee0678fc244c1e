package opensearch

import (
	"context"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/search"
)

// statistics returns the number of pages, the mean length of their versions, and how many pages have each of some clauses. As for an index
// in a folder, phrases are estimated by their rarest word, and several phrases by their sum.
func (x *Index) statistics(ctx context.Context, clauses []search.Clause) (s search.Statistics, err error) {
	single := map[string][]string{} // words, by field
	aggs := object{
		"all":  object{"filter": term("kind", kindPage)},
		"mean": object{"filter": from("length", 1), "aggs": object{"pages": object{"avg": object{"field": "length"}}}},
	}
	for i := range clauses {
		c := &clauses[i]
		field := countFields[c.Field]
		if field == "" {
			aggs[fmt.Sprint("named", i)] = object{
				"filter": object{"bool": object{"filter": []object{term("kind", kindVersion), clause(c, unrated)}}}, "aggs": object{"pages": pagesOf()},
			}
			continue
		}
		for j, list := range [][]search.Phrase{c.Any, c.Forms} {
			if words := plainWords(list); len(words) > 1 {
				aggs[fmt.Sprint("many", i, "/", j)] = object{"filter": terms(field, words)}
				continue
			}
			for _, p := range list {
				for _, w := range p {
					single[field] = append(single[field], search.Clip(w))
				}
			}
		}
	}
	answer, err := x.aggregate(ctx, object{"match_all": object{}}, aggs)
	if err != nil {
		return s, err
	}
	s.Documents = answer["all"].DocCount
	if mean := answer["mean"].Pages; mean != nil {
		s.MeanWords = mean.Value
	}
	known := map[string]map[string]int{}
	for field, words := range single {
		slices.Sort(words)
		if known[field], err = x.exact(ctx, field, slices.Compact(words)); err != nil {
			return s, err
		}
	}
	for i := range clauses {
		c, n := &clauses[i], 0
		if a, ok := answer[fmt.Sprint("named", i)]; ok && a.Pages != nil {
			n = int(a.Pages.Value)
		}
		for j, list := range [][]search.Phrase{c.Any, c.Forms} {
			if a, ok := answer[fmt.Sprint("many", i, "/", j)]; ok {
				n += a.DocCount
				continue
			}
			for _, p := range list {
				n += rarest(known[countFields[c.Field]], p)
			}
		}
		s.Having = append(s.Having, min(n, s.Documents))
	}
	return s, nil
}

// countFields are the fields of page documents in which the pages that have a word are counted.
var countFields = [...]string{
	search.FieldText: "words", search.FieldTitle: "titlewords", search.FieldURL: "addresswords", search.FieldNamed: "",
}

// plainWords returns the words of one-word phrases, nil if a phrase has several words.
func plainWords(list []search.Phrase) (words []string) {
	for _, p := range list {
		if len(p) != 1 {
			return nil
		}
		words = append(words, search.Clip(p[0]))
	}
	return words
}

// rarest returns the page count of the rarest word of a phrase.
func rarest(of map[string]int, p search.Phrase) (n int) {
	for i, w := range p {
		if m := of[search.Clip(w)]; i == 0 || m < n {
			n = m
		}
	}
	return n
}
