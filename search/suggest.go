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

// Suggest returns the query with a similar word of the collection in place of each word that has no change of the
// kind. It returns "" if it has nothing to suggest.
func (x *Index) Suggest(q Query, k Kind) (string, error) {
	out, changed := "", false
	err := x.view(func(r reader) error {
		var parts []string
		for _, p := range q.Phrases {
			p = slices.Clone(p)
			for i, w := range p {
				better, err := r.better(w, k)
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

// better returns the indexed word most similar to w; of several, the one in most changes. It returns "" if w itself
// is indexed or nothing is similar.
func (r reader) better(w string, k Kind) (string, error) {
	fuzzy, ok := r.IndexReader.(index.IndexReaderFuzzy)
	if !ok || len(w) > maxTerm || utf8.RuneCountInString(w) < 3 {
		return "", nil
	}
	for _, f := range []string{k.String(), fieldAdded} {
		if n, err := r.count(f, w); n > 0 || err != nil {
			return "", err
		}
	}
	most := 2
	if utf8.RuneCountInString(w) <= shortWord {
		most = 1
	}
	for distance := 1; distance <= most; distance++ {
		best, err := r.nearest(fuzzy, w, k, distance)
		if best != "" || err != nil {
			return best, err
		}
	}
	return "", nil
}

// nearest returns the word within a Levenshtein distance, in characters, that is in most changes.
func (r reader) nearest(fuzzy index.IndexReaderFuzzy, w string, k Kind, distance int) (string, error) {
	dict, err := fuzzy.FieldDictFuzzy(k.String(), w, distance, "")
	if err != nil {
		return "", err
	}
	defer dict.Close()
	best, most := "", uint64(0)
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			return best, err
		}
		if strings.ContainsAny(e.Term, " \x01") {
			continue
		}
		n, err := r.count(k.String(), e.Term)
		if err != nil {
			return "", err
		}
		if n > most {
			best, most = strings.Clone(e.Term), n
		}
	}
}
