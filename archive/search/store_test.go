package search

import (
	"context"
	"strings"
	"testing"
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
