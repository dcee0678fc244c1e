package search

import (
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// similar calls f with the terms of a field within a Levenshtein distance of w that begin with prefix, in order, until f
// returns false.
func (r reader) similar(field, w string, distance int, prefix string, f func(*index.DictEntry) bool) error {
	dict, err := r.merged(func(s *snapshot) (dictionary, error) { return s.FieldDictFuzzy(field, w, distance, prefix) })
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
