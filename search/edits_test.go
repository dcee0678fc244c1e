package search

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/search/history"
)

// sampleEdits is the list of two edits.
func sampleEdits() []byte {
	b := history.NewBuilder(history.DefaultSizes, history.DefaultLimits)
	var l editList
	for i, text := range []string{"acid rain and rain", "acid fog and fog", "snow"} {
		step := b.Add(Version{}, Text{Blocks: []string{text}})
		if i > 0 {
			l.add(cdx.Timestamp(2000+i), &step, func(w string) bool { return w != "and" })
		}
	}
	return l.packed
}

func TestEditsAreReadBack(t *testing.T) {
	for k, want := range map[Kind][]string{
		Deleted: {"2001", "rain ×2", "2002", "acid ×1", "fog ×2"},
		Added:   {"2001", "fog ×2", "2002", "snow ×1"},
	} {
		var got []string
		err := eachEdit(sampleEdits(), k, func(after cdx.Timestamp) bool {
			got = append(got, fmt.Sprint(uint64(after)))
			return true
		}, func(w []byte, times int) { got = append(got, fmt.Sprintf("%s ×%d", w, times)) })
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", k, err, d)
		}
	}
	skipped := 0
	err := eachEdit(sampleEdits(), Deleted, func(after cdx.Timestamp) bool { return after > 2001 }, func([]byte, int) { skipped++ })
	if err != nil || skipped != 2 {
		t.Errorf("without the first edit: %d words, %v", skipped, err)
	}
}

func FuzzEdits(f *testing.F) {
	whole := sampleEdits()
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(slices.Concat([]byte{2, 255, 255, 255, 255, 15}, whole))
	f.Fuzz(func(t *testing.T, packed []byte) {
		edits := 0
		_ = eachEdit(packed, Deleted, func(cdx.Timestamp) bool { edits++; return true }, func([]byte, int) {})
		if edits > len(packed) {
			t.Errorf("%d edits in %d bytes", edits, len(packed))
		}
	})
}

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
