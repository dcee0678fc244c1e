package search

import (
	"context"
	"errors"
	"iter"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A Term is a word of the collection's vocabulary.
type Term struct {
	Word      string // in the form of [Words]
	Documents int    // documents that have it in any version
}

// Vocabulary yields the words of a field that begin with prefix, in the order of their bytes; "" yields all.
func (x *Index) Vocabulary(ctx context.Context, f Field, prefix string) iter.Seq2[Term, error] {
	return x.vocabulary(ctx, func(r reader, each func(*index.DictEntry) bool) error {
		return r.terms(f.indexed(), []byte(prefix), each)
	})
}

// Similar yields the words of a field within a [query.Distance], 1 or 2, of word, in the order of their bytes. They begin with prefix.
func (x *Index) Similar(ctx context.Context, f Field, word string, distance int, prefix string) iter.Seq2[Term, error] {
	return x.vocabulary(ctx, func(r reader, each func(*index.DictEntry) bool) error {
		return r.similar(f.indexed(), word, distance, prefix, each)
	})
}

// Titles yields the titles whose words begin with prefix, ordered by their words. prefix is words in the form of [Words], joined by spaces.
// Term.Word is the title as it is written, cut if it is very long.
func (x *Index) Titles(ctx context.Context, prefix string) iter.Seq2[Term, error] {
	return func(yield func(Term, error) bool) {
		for t, err := range x.vocabulary(ctx, func(r reader, each func(*index.DictEntry) bool) error {
			return r.terms(fieldName, []byte(prefix), each)
		}) {
			_, t.Word, _ = strings.Cut(t.Word, nameMark)
			if !yield(t, err) {
				return
			}
		}
	}
}

// vocabulary yields the entries that terms passes to its callback.
func (x *Index) vocabulary(
	ctx context.Context, terms func(reader, func(*index.DictEntry) bool) error,
) iter.Seq2[Term, error] {
	return func(yield func(Term, error) bool) {
		stopped := false
		err := x.view(func(r reader) error {
			err := terms(r, func(e *index.DictEntry) bool {
				if !strings.Contains(e.Term, clipped) {
					stopped = !yield(Term{strings.Clone(e.Term), int(e.Count)}, nil)
				}
				return !stopped && ctx.Err() == nil
			})
			if err == nil && !stopped {
				err = ctx.Err()
			}
			return err
		})
		if err != nil && !stopped {
			yield(Term{}, err)
		}
	}
}

// languagesSample is the number of documents that are sampled to find the languages of a collection.
const languagesSample = 2000

// Languages returns the languages of the collection's versions by ISO 639 code, most frequent first. It counts a sample of documents from
// the whole index.
func (x *Index) Languages(ctx context.Context) (out []Count, err error) {
	counts := map[string]int{}
	err = x.view(func(r reader) error {
		facts := r.facts()
		size := r.size
		step := max(1, size/languagesSample)
		for doc := uint64(0); doc < size; doc += step {
			f, ok, err := facts.of(doc)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			for i := range f.rows {
				if lang := f.rows[i].Lang; ok && lang != "" {
					counts[lang]++
				}
			}
		}
		return nil
	})
	return MostFirst(listed(counts)), err
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
		if e.Count, err = r.count(field, e.Term); err != nil || e.Count > 0 && !f(e) { // scorch does not count here
			return err
		}
	}
}

// eachTerm calls f with the terms of a dictionary, in order, until f returns false, and closes it. Some may be of removed documents only.
func eachTerm(dict index.FieldDict, f func(*index.DictEntry) bool) error {
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil || !f(e) {
			return err
		}
	}
}

// terms calls f with the terms of a field that begin with prefix, in order, until f returns false. Removed documents don't count.
func (r reader) terms(field string, prefix []byte, f func(*index.DictEntry) bool) error {
	removed, err := r.removed(field)
	if err != nil {
		return err
	}
	dict, err := r.FieldDictPrefix(field, prefix)
	if err != nil {
		return err
	}
	var failed error
	err = eachTerm(dict, func(e *index.DictEntry) bool {
		for _, count := range removed {
			n, err := count(e.Term)
			if failed = err; err != nil {
				return false
			}
			e.Count -= n
		}
		return e.Count == 0 || f(e)
	})
	return errors.Join(err, failed)
}

// removed returns functions that count the removed documents with a term of a field, one for each segment that has such documents. Until
// it is merged, its dictionary has their terms.
func (r reader) removed(field string) (out []func(term string) (uint64, error), err error) {
	for _, s := range r.segments {
		if s.Deleted() == nil {
			continue
		}
		dict, err := s.Segment().Dictionary(field)
		if err != nil {
			return nil, err
		}
		live := s.DocNumbersLive()
		var list segment.PostingsList
		out = append(out, func(term string) (n uint64, err error) {
			if list, err = dict.PostingsList([]byte(term), live, list); err == nil {
				n = list.Count()
			}
			return n, err
		})
	}
	return out, nil
}
