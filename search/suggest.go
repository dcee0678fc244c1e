package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"
)

// shortWord is the greatest length in characters of a word for which only one misspelling is searched. For longer
// words it is two.
const shortWord = 5

// Suggest returns the query with a similar word of the collection in place of each word that no version has. It returns
// "" if it has nothing to suggest.
func (x *Index) Suggest(q Query) (string, error) {
	out, changed := "", false
	err := x.view(func(r reader) error {
		var parts []string
		for _, p := range q.Phrases {
			p = slices.Clone(p)
			for i, w := range p {
				better, err := r.better(w)
				if err != nil {
					return err
				}
				if better != "" {
					p[i], changed = better, true
				}
			}
			parts = append(parts, p.Typed())
		}
		out = strings.Join(parts, " ")
		return nil
	})
	if !changed {
		return "", err
	}
	return out, err
}

// better returns the indexed word most similar to w; of several, the one in most documents. It returns "" if w itself
// is indexed or nothing is similar.
func (r reader) better(w string) (string, error) {
	if len(w) > maxTerm || utf8.RuneCountInString(w) < 3 {
		return "", nil
	}
	if n, err := r.count(fieldText, w); n > 0 || err != nil {
		return "", err
	}
	most := 2
	if utf8.RuneCountInString(w) <= shortWord {
		most = 1
	}
	for distance := 1; distance <= most; distance++ {
		best, err := r.nearest(w, distance)
		if best != "" || err != nil {
			return best, err
		}
	}
	return "", nil
}

// nearest returns the word within a Levenshtein distance, in characters, that is in most documents.
func (r reader) nearest(w string, distance int) (best string, err error) {
	most := uint64(0)
	err = r.similar(fieldText, w, distance, "", func(e *index.DictEntry) bool {
		if e.Count > most {
			best, most = strings.Clone(e.Term), e.Count
		}
		return true
	})
	return best, err
}

// similar calls f with the terms of a field within a Levenshtein distance of w that begin with prefix, in order, until f
// returns false.
func (r reader) similar(field, w string, distance int, prefix string, f func(*index.DictEntry) bool) error {
	dict, err := r.FieldDictFuzzy(field, w, distance, prefix)
	if err != nil {
		return err
	}
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			return err
		}
		if strings.Contains(e.Term, clipped) {
			continue
		}
		if e.Count, err = r.count(field, e.Term); err != nil || !f(e) { // the library does not count here
			return err
		}
	}
}
