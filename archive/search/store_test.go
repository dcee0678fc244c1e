package search

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	index "github.com/blevesearch/bleve_index_api"
)

// scorch panics on segments that are damaged. That is an error, in all goroutines, and the index can still be closed.
func TestPanicsOfScorchAreErrors(t *testing.T) {
	t.Parallel()
	x, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	broken := func(uint64) (bool, []placeCounts, error) { panic("slice bounds out of range") }
	for what, f := range map[string]func(reader) error{
		"a snapshot": func(reader) error { panic("slice bounds out of range") },
		"a walk": func(r reader) error {
			e := x.evaluation(r, &documentList{0}, nil, nil)
			e.preview = broken
			return e.run(context.Background())
		},
		"a history": func(r reader) error {
			e := x.evaluation(r, &documentList{}, nil, func(*candidate) error { panic("slice bounds out of range") })
			all := make(chan unread, 1)
			all <- unread{}
			close(all)
			r.segments = nil // there is no document
			e.reader = r
			return e.evaluate(all)
		},
	} {
		if err := x.view(f); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// unreadable are postings that can't be read.
type unreadable struct{ index.TermFieldReader }

func (unreadable) Next(*index.TermFieldDoc) (*index.TermFieldDoc, error) {
	return nil, errors.New("a read failed")
}

// Postings that can't be read are an error, not words that are nowhere. Only so many are open at once.
func TestPostingsOfManyPhrases(t *testing.T) {
	t.Parallel()
	if n, err := least([]*posting{{reader: unreadable{}}}, 0); err == nil {
		t.Errorf("read %d times", n)
	}
	x, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{maxSpots: 2, maxSpots + 1: 0} {
		if err := x.view(func(r reader) error {
			spots, err := r.spots([]condition{{phrases: []Phrase{{"a"}}}, {phrases: slices.Repeat([]Phrase{{"b"}}, n-1)}}, false)
			if len(spots) != want {
				t.Errorf("postings of %d conditions for %d phrases", len(spots), n)
			}
			closeSpots(spots)
			return err
		}); err != nil {
			t.Error(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
