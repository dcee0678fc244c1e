package history

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

// sampleEdits returns a list of two edits and its table. The page of a list by places changes whole; else much of it stays.
func sampleEdits(form byte) (packed, table []byte) {
	b := NewBuilder(DefaultSizes, DefaultLimits)
	var l EditList
	rest := ""
	if form == editsInWords {
		for i := range 200 {
			rest += fmt.Sprintf("word%d ", i)
		}
	}
	for i, text := range []string{"acid rain and rain", "acid fog and fog", "snow"} {
		step := b.Add(Version{}, Text{Blocks: []string{rest, text}})
		if i > 0 {
			l.Add(cdx.Timestamp(2000+i), &step, func(w string) bool { return w != "and" })
		}
	}
	p := b.Take()
	return l.Pack(&p), p.Table
}

func given(table []byte) func() ([]byte, error) { return func() ([]byte, error) { return table, nil } }

func TestEditsAreReadBack(t *testing.T) {
	var r EditReader
	for _, form := range []byte{editsInWords, editsByPlaces, editsInWords} {
		packed, table := sampleEdits(form)
		if packed[0] != form {
			t.Errorf("form %d, want %d", packed[0], form)
		}
		for added, want := range map[bool][]string{
			false: {"2001", "rain ×2", "2002", "acid ×1", "fog ×2"},
			true:  {"2001", "fog ×2", "2002", "snow ×1"},
		} {
			var got []string
			err := r.Each(packed, given(table), added, func(after cdx.Timestamp) bool {
				got = append(got, fmt.Sprint(uint64(after)))
				return true
			}, func(w []byte, times int) { got = append(got, fmt.Sprintf("%s ×%d", w, times)) })
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("form %d, added %t: %v (-want +got):\n%s", form, added, err, d)
			}
		}
		skipped := 0
		err := r.Each(packed, given(table), false, func(after cdx.Timestamp) bool { return after > 2001 }, func([]byte, int) { skipped++ })
		if err != nil || skipped != 2 {
			t.Errorf("form %d, without the first edit: %d words, %v", form, skipped, err)
		}
		err = r.Each(packed, nil, false, func(cdx.Timestamp) bool { return false }, nil)
		if err != nil {
			t.Errorf("form %d, no edit: %v", form, err)
		}
	}
}

// A list by places that does not fit its table is an error, and so is one whose table can't be read.
func TestEditsOfAnotherTable(t *testing.T) {
	packed, table := sampleEdits(editsByPlaces)
	all := func(cdx.Timestamp) bool { return true }
	var r EditReader
	away := errors.New("away")
	for name, test := range map[string]struct {
		table func() ([]byte, error)
		want  error
	}{
		"short": {given(table[:4]), errEdits},
		"other": {given(bytes.Repeat([]byte{'x'}, len(table))), errEdits},
		"away":  {func() ([]byte, error) { return nil, away }, away},
	} {
		if err := r.Each(packed, test.table, false, all, func([]byte, int) {}); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Parts of random histories have the same words in both forms, each with the part that it belongs to.
func TestBothFormsOfEditsSayTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	b := NewBuilder(Sizes{Least: 2, Often: 2, Most: 5}, Limits{Bytes: 300, Lists: 1 << 20})
	var l EditList
	parts := 0
	compare := func() {
		p := b.Take()
		inWords, byPlaces := l.Pack(&Part{words: p.words, Table: make([]byte, 1<<20)}), l.packPlaces(&p)
		l = EditList{}
		parts++
		var got [2][]string
		for form, packed := range [][]byte{inWords, byPlaces} {
			for _, added := range []bool{false, true} {
				from := 0
				err := new(EditReader).Each(packed, given(p.Table), added, func(after cdx.Timestamp) bool {
					slices.Sort(got[form][from:])
					got[form] = append(got[form], fmt.Sprint(uint64(after)))
					from = len(got[form])
					return true
				}, func(w []byte, times int) { got[form] = append(got[form], fmt.Sprintf("%s ×%d", w, times)) })
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(got[form][from:])
			}
		}
		if d := cmp.Diff(got[editsInWords], got[editsByPlaces]); d != "" {
			t.Fatalf("part %d (-in words +by places):\n%s", parts, d)
		}
	}
	for i := range 400 {
		if b.Full() {
			compare()
		}
		var words []string
		for range random.IntN(30) {
			words = append(words, fmt.Sprintf("w%d", random.IntN(60)))
		}
		step := b.Add(Version{First: cdx.Timestamp(i)}, Text{Blocks: []string{strings.Join(words, " ")}})
		if i > 0 {
			l.Add(cdx.Timestamp(i), &step, func(string) bool { return true })
		}
	}
	compare()
	if parts < 10 {
		t.Errorf("%d parts", parts)
	}
}

func FuzzEdits(f *testing.F) {
	for _, form := range []byte{editsInWords, editsByPlaces} {
		whole, table := sampleEdits(form)
		f.Add(whole, table)
		f.Add(whole[:len(whole)-1], table)
		f.Add(whole, table[1:])
		f.Add(slices.Concat([]byte{form, 20, 2, 255, 255, 255, 255, 15}, whole), table)
	}
	f.Fuzz(func(t *testing.T, packed, table []byte) {
		edits := 0
		var r EditReader
		_ = r.Each(packed, given(table), false, func(cdx.Timestamp) bool { edits++; return true }, func([]byte, int) {})
		if edits > len(packed) {
			t.Errorf("%d edits in %d bytes", edits, len(packed))
		}
	})
}
