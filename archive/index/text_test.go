package index

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// putTexts indexes a finished file whose captures have these texts, each with one band of its own and a common one.
func putTexts(t *testing.T, x *Index, coll, name string, texts ...uint64) cdx.FileID {
	t.Helper()
	id, err := x.PutFile(t.Context(), File{Collection: coll, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), coll)
	for i, text := range texts {
		if err := w.AddText(text, []byte("sketch"), []uint32{7, uint32(text)}); err != nil {
			t.Fatal(err)
		}
		c := page("http://example.com/"+name, cdx.Timestamp(20140101+i))
		c.Key, c.File, c.Offset, c.Text = surt.Of(c.URL), id, int64(i), text
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.PutFile(t.Context(), File{ID: id, Collection: coll, Name: name, Done: true, Scanned: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	return id
}

func similarTo(t *testing.T, x *Index, coll string, bands ...uint32) []uint64 {
	t.Helper()
	ids, err := x.Texts().Similar(context.Background(), coll, bands, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// entries counts the keys that begin with a prefix.
func entries(t *testing.T, x *Index, prefix byte) (n int) {
	t.Helper()
	err := x.store.View(t.Context(), func(s kv.Snapshot) error {
		c := s.Cursor(kv.Range{Prefix: []byte{prefix}})
		defer c.Close()
		for c.Seek([]byte{prefix}); c.Valid(); c.Next() {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTextsAreFoundByTheirBands(t *testing.T) { onEachStore(t, testTextsAreFoundByTheirBands) }

func testTextsAreFoundByTheirBands(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	putTexts(t, x, "web", "a", 0x0100, 2, 2)
	putTexts(t, x, "web", "b", 3)
	putTexts(t, x, "other", "c", 4)
	if got := similarTo(t, x, "web", 7, 3); !slices.Equal(got, []uint64{3, 2, 0x0100}) {
		t.Errorf("got %v, want those that share most first", got)
	}
	if got := similarTo(t, x, "web", 8, 9); len(got) != 0 {
		t.Errorf("got %v, which share nothing", got)
	}
	two, _ := x.Texts().Similar(context.Background(), "web", []uint32{7, 3}, 2)
	if !slices.Equal(two, []uint64{3, 2}) {
		t.Errorf("got %v, want two", two)
	}
	if got := stamps(collect(t, x.Texts().Captures(context.Background(), "web", 2))); !slices.Equal(got, []string{"20140102a", "20140103a"}) {
		t.Errorf("text 2 stands at %v", got)
	}
	if got := stamps(collect(t, x.Texts().ByText(context.Background(), "web"))); !slices.Equal(got, []string{
		"20140102a", "20140103a",
		"20140101b", "20140101a",
	}) {
		t.Errorf("by text: %v", got)
	}
	for i := range 2 {
		if err := x.Texts().Get(t.Context(), 2, func(b []byte) error {
			if string(b) != "sketch" {
				t.Errorf("try %d: sketch %q", i, b)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
}

// Of a payload that several addresses have, each address yields its first capture; of one that only one address has, none.
func TestPayloadsOfSeveralAddresses(t *testing.T) { onEachStore(t, testPayloadsOfSeveralAddresses) }

func testPayloadsOfSeveralAddresses(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	of := func(digest, path string, day int) cdx.Capture {
		c := page("http://example.com/"+path, cdx.Timestamp(20140100+day))
		c.Digest = strings.Repeat(digest, 32)
		return c
	}
	again := of("B", "e", 9)
	again.Kind = cdx.Revisit
	put(t, x, "f", of("A", "a", 2), of("A", "a", 3), of("A", "b", 1), of("A", "c", 4), of("B", "d", 5), of("B", "d", 6), again,
		of("C", "a", 7), of("C", "d", 8), of("D", "e", 1))
	var got []string
	for c, err := range x.Texts().SameDigest(t.Context(), "web", nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Digest[:1]+strings.TrimPrefix(c.URL, "http://example.com/")+c.Time.String()[7:8])
	}
	slices.Sort(got)
	if want := []string{"Aa2", "Ab1", "Ac4", "Ca7", "Cd8"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for c := range x.Texts().SameDigest(t.Context(), "other", nil) {
		t.Errorf("of another collection: %s", c.URL)
	}
}

func TestTextGroupsHoldEachPairOnceInABand(t *testing.T) {
	t.Parallel()
	onEachStore(t, testTextGroupsHoldEachPairOnceInABand)
}

func testTextGroupsHoldEachPairOnceInABand(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	const n = MaxTextGroup + MaxTextGroup/2 + 10
	putTexts(t, x, "web", "a", upTo(n)...)
	var met [n + 1][n + 1]bool
	for g, err := range x.Texts().Groups(context.Background(), "web") {
		if err != nil {
			t.Fatal(err)
		}
		if g.Band != 0 || len(g.Texts) > MaxTextGroup {
			t.Fatalf("band %d, %d texts", g.Band, len(g.Texts))
		}
		for i, a := range g.Texts {
			for _, b := range g.Texts[max(i+1, g.Met):] {
				if met[a][b] {
					t.Fatalf("%d and %d meet twice", a, b)
				}
				met[a][b] = true
			}
		}
	}
	for i := 1; i <= n; i++ {
		for j := i + 1; j < min(n+1, i+MaxTextGroup/2); j++ {
			if !met[i][j] {
				t.Fatalf("%d and %d never meet", i, j)
			}
		}
	}
}

func TestRemovedFileTakesItsTextsAlong(t *testing.T) {
	t.Parallel()
	onEachStore(t, testRemovedFileTakesItsTextsAlong)
}

func testRemovedFileTakesItsTextsAlong(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	a := putTexts(t, x, "web", "a", 1, 2)
	putTexts(t, x, "web", "b", 2)
	putTexts(t, x, "other", "c", 1)
	w := x.Writer(t.Context(), "web") // at work: its texts may be among the doubtful ones
	if err := x.RemoveFiles(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got := collect(t, x.Texts().Captures(context.Background(), "web", 1)); len(got) != 0 {
		t.Errorf("a removed capture is found by its text: %v", stamps(got))
	}
	if n := entries(t, x, bandPrefix); n != 6 {
		t.Errorf("%d bands while a Writer is at work, want all 6", n)
	}
	w.Cancel()
	if _, _, err := x.Resolve(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := similarTo(t, x, "web", 7, 0); !slices.Equal(got, []uint64{2}) {
		t.Errorf("left are %v, want what another file has too", got)
	}
	if got := similarTo(t, x, "other", 7, 0); !slices.Equal(got, []uint64{1}) {
		t.Errorf("in the other collection %v are left", got)
	}
	if n, o := entries(t, x, textPrefix), entries(t, x, sweepPrefix); n != 2 || o != 0 {
		t.Errorf("%d sketches and %d doubts are left, want 2 and none", n, o)
	}
	for _, f := range x.Files() {
		if err := x.RemoveFiles(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	if l, n, o := entries(t, x, bandPrefix), entries(t, x, textPrefix), entries(t, x, wherePrefix); l+n+o != 0 {
		t.Errorf("%d bands, %d sketches, %d places are left of nothing", l, n, o)
	}
}

func FuzzSplitText(f *testing.F) {
	f.Add(encodeText([]uint32{1, 2}, []byte("sketch")))
	f.Add([]byte{3, 0})
	f.Fuzz(func(t *testing.T, v []byte) {
		bands, sketch, err := splitText(v)
		if err == nil && string(encodeText(bands, sketch)) != string(v) {
			t.Errorf("%x comes back as %x", v, encodeText(bands, sketch))
		}
	})
}
