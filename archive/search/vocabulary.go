package search

import (
	"context"
	"iter"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// A Term is a word of the collection's vocabulary.
type Term struct {
	Word      string // in the form of [Words]
	Documents int    // how many have it in any version; a little too many after pages were indexed again
}

// Vocabulary yields the words of a field that begin with prefix, in the order of their bytes; "" yields all.
func (x *Index) Vocabulary(ctx context.Context, f Field, prefix string) iter.Seq2[Term, error] {
	return x.vocabulary(ctx, func(r reader, each func(*index.DictEntry) bool) error {
		return r.terms(fieldNames[f], []byte(prefix), each)
	})
}

// Similar yields the words of a field that differ from word in at most distance characters (Levenshtein, 1 or 2), in
// the order of their bytes. They begin with prefix.
func (x *Index) Similar(ctx context.Context, f Field, word string, distance int, prefix string) iter.Seq2[Term, error] {
	return x.vocabulary(ctx, func(r reader, each func(*index.DictEntry) bool) error {
		return r.similar(fieldNames[f], word, distance, prefix, each)
	})
}

// Titles yields the titles whose words begin with prefix, which is in the form of [Words] joined by spaces, in the order
// of their words. Term.Word is the title as it is written, cut if it is very long.
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

// vocabulary yields the terms with which terms calls its function.
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
