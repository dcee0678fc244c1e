package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

// sampleEdits is the list of two edits, and the words of their part.
func sampleEdits(tb testing.TB) (packed []byte, distinct func() ([]string, error)) {
	tb.Helper()
	b := NewBuilder(DefaultSizes, DefaultLimits)
	var l EditList
	for i, text := range []string{"acid rain and rain", "acid fog and fog", "snow"} {
		step := b.Add(Version{}, Text{Blocks: []string{text}})
		if i > 0 {
			l.Add(cdx.Timestamp(2000+i), &step, func(w string) bool { return w != "and" })
		}
	}
	table, err := ParseTable(b.Take().Table)
	if err != nil {
		tb.Fatal(err)
	}
	return l.Packed(), func() ([]string, error) { return table.Distinct(), nil }
}

func TestEditsAreReadBack(t *testing.T) {
	packed, distinct := sampleEdits(t)
	for added, want := range map[bool][]string{
		false: {"2001", "rain ×2", "2002", "acid ×1", "fog ×2"},
		true:  {"2001", "fog ×2", "2002", "snow ×1"},
	} {
		var got []string
		err := EachEdit(packed, distinct, added, func(after cdx.Timestamp) bool {
			got = append(got, fmt.Sprint(uint64(after)))
			return true
		}, func(w string, times int) { got = append(got, fmt.Sprintf("%s ×%d", w, times)) })
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("added %t: %v (-want +got):\n%s", added, err, d)
		}
	}
	skipped := 0
	err := EachEdit(packed, distinct, false, func(after cdx.Timestamp) bool { return after > 2001 }, func(string, int) { skipped++ })
	if err != nil || skipped != 2 {
		t.Errorf("without the first edit: %d words, %v", skipped, err)
	}
}

// The numbers in lists of edits are those of the table, whatever was read before and however a history is cut into parts.
func TestWordsOfATableAreNumberedAsTheBuilderDoes(t *testing.T) {
	b := NewBuilder(Sizes{Least: 2, Often: 2, Most: 8}, Limits{Bytes: 200, Lists: 60})
	for page := range 3 {
		b.Reset()
		r := rand.New(rand.NewPCG(5, uint64(page)))
		for v := range 40 {
			if b.Full() {
				numbersAreThoseOfTheTable(t, b)
			}
			text := Text{Blocks: make([]string, 4)}
			for i := range text.Blocks {
				for range 6 {
					text.Blocks[i] += fmt.Sprint("w", r.IntN(50), " ")
				}
			}
			text.Blocks[0] += strings.Repeat("x", 100+r.IntN(40)) // some are clipped
			b.Add(Version{First: cdx.Timestamp(v)}, text)
		}
		numbersAreThoseOfTheTable(t, b)
	}
}

func numbersAreThoseOfTheTable(t *testing.T, b *Builder) {
	t.Helper()
	part := b.Take()
	table, err := ParseTable(part.Table)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for w := range part.Words() {
		want = append(want, w.Text)
	}
	if d := cmp.Diff(want, table.Distinct()); d != "" {
		t.Errorf("(-builder +table):\n%s", d)
	}
}

func FuzzEdits(f *testing.F) {
	whole, distinct := sampleEdits(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(slices.Concat([]byte{2, 255, 255, 255, 255, 15}, whole))
	f.Fuzz(func(t *testing.T, packed []byte) {
		edits := 0
		_ = EachEdit(packed, distinct, false, func(cdx.Timestamp) bool { edits++; return true }, func(string, int) {})
		if edits > len(packed) {
			t.Errorf("%d edits in %d bytes", edits, len(packed))
		}
	})
}
