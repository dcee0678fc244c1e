package index

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
)

// groupsOf returns the stored groups of a collection's band and hash, by their keys.
func groupsOf(t *testing.T, x *Index, coll string, band int, hash uint32) map[string][]uint64 {
	t.Helper()
	out := map[string][]uint64{}
	err := x.store.View(t.Context(), func(s kv.Snapshot) error {
		key := bandKey(coll, hashIn(band, hash))
		c := s.Cursor(kv.Range{Prefix: key})
		defer c.Close()
		for c.Seek(key); c.Valid(); c.Next() {
			texts, err := readGroup(nil, c, key)
			if err != nil {
				return err
			}
			out[string(c.Key())] = texts
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ungroup rewrites each text as a group by itself, as files with one text leave them.
func ungroup(t *testing.T, x *Index) {
	t.Helper()
	b := x.store.Batch(t.Context())
	err := x.store.View(t.Context(), func(s kv.Snapshot) error {
		c := s.Cursor(kv.Range{Prefix: []byte{bandPrefix}})
		defer c.Close()
		for c.Seek([]byte{bandPrefix}); c.Valid(); c.Next() {
			band := slices.Clone(c.Key()[:len(c.Key())-groupLen])
			texts, err := readGroup(nil, c, band)
			if err != nil {
				return err
			}
			b.Delete(slices.Clone(c.Key()))
			for _, id := range texts {
				b.Set(binary.BigEndian.AppendUint64(slices.Clone(band), id), nil)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
}

func TestTextsOfABandAreOneKey(t *testing.T) { onEachStore(t, testTextsOfABandAreOneKey) }

func testTextsOfABandAreOneKey(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	putTexts(t, x, "web", "a", 0x0300, 2, 0x0100, 2)
	if n := entries(t, x, bandPrefix); n != 4 {
		t.Errorf("%d keys, want one of the band that three texts have and one of each other band", n)
	}
	get := func(key []byte) (value []byte) {
		if err := x.store.View(t.Context(), func(s kv.Snapshot) error {
			return s.Get(key, func(v []byte) error { value = slices.Clone(v); return nil })
		}); err != nil {
			t.Errorf("key %q: %v", key, err)
		}
		return value
	}
	if v := get([]byte("lweb\x00\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02")); len(v) != 0 {
		t.Errorf("a single text, which its key names, has the value %x", v)
	}
	want := "\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00"
	for key := range groupsOf(t, x, "web", 0, 7) {
		if v := get([]byte(key)); string(v) != want {
			t.Errorf("value %x, want %x", v, want)
		}
	}
}

func TestWritersAddToABand(t *testing.T) { onEachStore(t, testWritersAddToABand) }

func testWritersAddToABand(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	write := func(w *Writer, texts ...uint64) {
		for _, id := range texts {
			if err := w.AddText(id, nil, []uint32{7, uint32(id)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	one, two := x.Writer(t.Context(), "web"), x.Writer(t.Context(), "web")
	write(one, 3, 1, 2)
	write(two, 4, 2)
	write(one, 5)
	write(two, 3)
	for _, w := range []*Writer{one, two} {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	first := groupsOf(t, x, "web", 0, 7)
	if len(first) != 2 {
		t.Errorf("two Writers wrote %v", first)
	}
	if got := similarTo(t, x, "web", 7, 1); !slices.Equal(got, []uint64{1, 2, 3, 4, 5}) {
		t.Errorf("got %v: a text that both wrote shares no more for it", got)
	}
	for g, err := range x.Texts().Groups(context.Background(), "web") {
		if err != nil || g.Band != 0 || g.Met != 0 || !slices.Equal(g.Texts, []uint64{1, 2, 3, 4, 5}) {
			t.Errorf("got %+v, %v", g, err)
		}
	}
	again := x.Writer(t.Context(), "web")
	write(again, 1, 2, 3, 5)
	if err := again.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := groupsOf(t, x, "web", 0, 7); !maps.EqualFunc(got, first, slices.Equal) {
		t.Errorf("the same texts written again made %v of %v", got, first)
	}
}

func TestStoredGroupsAreBounded(t *testing.T) { onEachStore(t, testStoredGroupsAreBounded) }

func testStoredGroupsAreBounded(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	putTexts(t, x, "web", "a", upTo(2*MaxTextGroup+1)...)
	n := 0
	for key, texts := range groupsOf(t, x, "web", 0, 7) {
		if n += len(texts); len(texts) > MaxTextGroup {
			t.Errorf("%d texts under the key %q", len(texts), key)
		}
	}
	if n != 2*MaxTextGroup+1 {
		t.Errorf("%d texts are stored, want each once", n)
	}
}

// upTo returns the numbers from 1 to n.
func upTo(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i + 1)
	}
	return out
}

func TestABandBringsInSoManyTexts(t *testing.T) { onEachStore(t, testABandBringsInSoManyTexts) }

func testABandBringsInSoManyTexts(t *testing.T, open func(testing.TB) *Index) {
	for _, c := range []struct {
		name   string
		files  [][]uint64
		single bool // each text is a group by itself
	}{
		{"in one file", [][]uint64{upTo(maxPerBand + 50)}, false},
		{"in files that overlap", [][]uint64{upTo(maxPerBand - 10), upTo(maxPerBand - 20)[30:], upTo(maxPerBand + 50)[maxPerBand-50:]}, false},
		{"under keys of their own", [][]uint64{upTo(maxPerBand + 50)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := open(t)
			for i, texts := range c.files {
				putTexts(t, x, "web", string(rune('a'+i)), texts...)
			}
			if c.single {
				ungroup(t, x)
			}
			if got := similarTo(t, x, "web", 7); len(got) != maxPerBand {
				t.Errorf("%d texts, want %d", len(got), maxPerBand)
			}
		})
	}
}

// The same texts give the same groups, whichever files they came from and however few are sorted at a time.
func TestTextGroupsAreThoseOfAllFiles(t *testing.T) { onEachStore(t, testTextGroupsAreThoseOfAllFiles) }

func testTextGroupsAreThoseOfAllFiles(t *testing.T, open func(testing.TB) *Index) {
	all := upTo(MaxTextGroup + 3*MaxTextGroup/2 + 10)
	part := func(keep func(uint64) bool) []uint64 {
		return slices.DeleteFunc(slices.Clone(all), func(id uint64) bool { return !keep(id) })
	}
	odd, even := part(func(id uint64) bool { return id%2 == 1 }), part(func(id uint64) bool { return id%2 == 0 })
	groups := func(x *Index, most int) (out []TextGroup) {
		for g, err := range x.Texts().groups(context.Background(), "web", most) {
			if err != nil {
				t.Fatal(err)
			}
			g.Texts = slices.Clone(g.Texts)
			out = append(out, g)
		}
		return out
	}
	same := func(a, b TextGroup) bool {
		return a.Band == b.Band && a.Met == b.Met && slices.Equal(a.Texts, b.Texts)
	}
	one := open(t)
	putTexts(t, one, "web", "a", all...)
	want := groups(one, maxWindow)
	if len(want) != 5 {
		t.Fatalf("%d groups, want 5", len(want))
	}
	for _, c := range []struct {
		name   string
		files  [][]uint64
		single bool // each text is a group by itself
	}{
		{"one file", [][]uint64{all}, false},
		{"every other text", [][]uint64{odd, even}, false},
		{"texts in several files", [][]uint64{odd, all[100:900], even, all[800:], all[:10]}, false},
		{"each under a key of its own", [][]uint64{all, odd}, true},
	} {
		x := open(t)
		for i, texts := range c.files {
			putTexts(t, x, "web", string(rune('a'+i)), texts...)
		}
		if c.single {
			ungroup(t, x)
		}
		for _, most := range []int{7, 1000, maxWindow} {
			if got := groups(x, most); !slices.EqualFunc(got, want, same) {
				t.Errorf("%s, %d at a time: %d groups, others than those of one file", c.name, most, len(got))
			}
		}
	}
}

func TestCutGroupIsAnError(t *testing.T) { onEachStore(t, testCutGroupIsAnError) }

func testCutGroupIsAnError(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	key := groupKey("web", hashIn(0, 7), 1)
	for name, damage := range map[string]func(b kv.Batch){
		"value": func(b kv.Batch) { b.Set(key, []byte("123456789")) },
		"key":   func(b kv.Batch) { b.Delete(key); b.Set(key[:len(key)-1:len(key)-1], nil) },
	} {
		b := x.store.Batch(t.Context())
		damage(b)
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Texts().Similar(context.Background(), "web", []uint32{7}, 0); !errors.Is(err, errShortGroup) {
			t.Errorf("%s: similar texts: %v", name, err)
		}
		for _, err := range x.Texts().Groups(context.Background(), "web") {
			if !errors.Is(err, errShortGroup) {
				t.Errorf("%s: groups: %v", name, err)
			}
		}
	}
}

func TestOlderFormatIsRefused(t *testing.T) {
	t.Parallel()
	s, err := badger.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.Batch(t.Context())
	b.Set([]byte("mformat"), []byte("varve-1"))
	b.Flush()
	if _, err := New(t.Context(), s); err == nil || !strings.Contains(err.Error(), `format "varve-1", this varve reads "varve-9"`) {
		t.Errorf("got %v", err)
	}
}

func FuzzSplitGroup(f *testing.F) {
	f.Add([]byte("12345678"), []byte{})
	f.Add([]byte("12345678"), encodeGroup([]uint64{1, 2}))
	f.Add([]byte("1234567"), []byte("123456789"))
	f.Fuzz(func(t *testing.T, name, v []byte) {
		texts, err := splitGroup([]uint64{5}, name, v)
		if len(texts) == 0 || texts[0] != 5 {
			t.Fatalf("what was there before is gone: %v", texts)
		}
		if err != nil {
			return
		}
		if len(v) == 0 {
			v = name
		}
		if again := encodeGroup(texts[1:]); string(again) != string(v) {
			t.Errorf("%x comes back as %x", v, again)
		}
	})
}
