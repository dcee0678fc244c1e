package edit

import (
	"bytes"
	"slices"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestTextsAreGatheredBeforeTheyAreWritten(t *testing.T) {
	for _, tt := range []struct {
		size int
		want []int // bytes of each write
	}{{flushSize - 1, []int{flushSize - 1}}, {flushSize, []int{flushSize}}, {flushSize + 1, []int{flushSize + 1}}, {0, nil}} {
		var e List
		var w writes
		if err := e.Splice(&w, make([]byte, tt.size), func(refs []uses.Ref) []string { return make([]string, len(refs)) }); err != nil ||
			!slices.Equal(w.sizes, tt.want) && tt.size > 0 {
			t.Errorf("%d bytes: %v, %v", tt.size, w.sizes, err)
		}
	}
	var e List
	var w writes
	e.Insert(3, "12345", Verbatim)
	if err := e.Splice(&w, bytes.Repeat([]byte("x"), flushSize-5),
		func(refs []uses.Ref) []string { return make([]string, len(refs)) }); err != nil || !slices.Equal(w.sizes, []int{flushSize}) {
		t.Errorf("with an edit, all at once: %v, %v", w.sizes, err)
	}
	e.Insert(3, "12345", Verbatim)
	w.sizes = nil
	if err := e.Splice(&w, bytes.Repeat([]byte("x"), flushSize-4),
		func(refs []uses.Ref) []string { return make([]string, len(refs)) }); err != nil || !slices.Equal(w.sizes, []int{8, flushSize - 7}) {
		t.Errorf("with an edit, the rest as it is: %v, %v", w.sizes, err)
	}
}

// A writes notes how much is written at a time.
type writes struct{ sizes []int }

func (w *writes) Write(b []byte) (int, error) {
	w.sizes = append(w.sizes, len(b))
	return len(b), nil
}
