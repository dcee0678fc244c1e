package search

import (
	"testing"

	"github.com/varve-archive/varve/search/history"
)

// The number of an occurrence is one byte with the library's bit, 1 for a word that stands once, and it keeps the marks.
func TestOccurrences(t *testing.T) {
	for _, test := range []struct {
		most  int
		marks history.Marks
		want  occurrence
	}{{1, 0, 1}, {1, history.Vanished, 2}, {1, history.Dwindled, 3}, {2, 0, 5}, {1 << 30, history.Vanished | history.Dwindled, 60}} {
		got := newOccurrence(history.Word{Most: test.most, Marks: test.marks})
		if got != test.want || got.marks() != test.marks || got > 63 {
			t.Errorf("%d times, marks %b: %d with marks %b", test.most, test.marks, got, got.marks())
		}
	}
}
