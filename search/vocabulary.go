package search

import (
	"context"
	"iter"
)

// A Term is a word of the collection's vocabulary.
type Term struct {
	Word      string // in the form of [Words]
	Documents int    // how many have it in any version; a little too many after pages were indexed again
}

// Vocabulary yields the words of a field that begin with prefix, in the order of their bytes; "" yields all.
func (x *Index) Vocabulary(ctx context.Context, f Field, prefix string) iter.Seq2[Term, error] {
	return func(yield func(Term, error) bool) {}
}

// Similar yields the words of a field that differ from word in at most distance characters (Levenshtein, 1 or 2), in
// the order of their bytes. They begin with prefix.
func (x *Index) Similar(ctx context.Context, f Field, word string, distance int, prefix string) iter.Seq2[Term, error] {
	return func(yield func(Term, error) bool) {}
}

// Titles yields the titles whose words begin with prefix, which is in the form of [Words] joined by spaces, in the order
// of their words. Term.Word is the title as it is written, cut if it is very long.
func (x *Index) Titles(ctx context.Context, prefix string) iter.Seq2[Term, error] {
	return func(yield func(Term, error) bool) {}
}
