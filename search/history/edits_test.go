package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

// sampleEdits is the list of two edits.
func sampleEdits() []byte {
	b := NewBuilder(DefaultSizes, DefaultLimits)
	var l EditList
	for i, text := range []string{"acid rain and rain", "acid fog and fog", "snow"} {
		step := b.Add(Version{}, Text{Blocks: []string{text}})
		if i > 0 {
			l.Add(cdx.Timestamp(2000+i), &step, func(w string) bool { return w != "and" })
		}
	}
	return l.Packed()
}

func TestEditsAreReadBack(t *testing.T) {
	for added, want := range map[bool][]string{
		false: {"2001", "rain ×2", "2002", "acid ×1", "fog ×2"},
		true:  {"2001", "fog ×2", "2002", "snow ×1"},
	} {
		var got []string
		err := EachEdit(sampleEdits(), added, func(after cdx.Timestamp) bool {
			got = append(got, fmt.Sprint(uint64(after)))
			return true
		}, func(w []byte, times int) { got = append(got, fmt.Sprintf("%s ×%d", w, times)) })
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("added %t: %v (-want +got):\n%s", added, err, d)
		}
	}
	skipped := 0
	err := EachEdit(sampleEdits(), false, func(after cdx.Timestamp) bool { return after > 2001 }, func([]byte, int) { skipped++ })
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
		_ = EachEdit(packed, false, func(cdx.Timestamp) bool { edits++; return true }, func([]byte, int) {})
		if edits > len(packed) {
			t.Errorf("%d edits in %d bytes", edits, len(packed))
		}
	})
}
