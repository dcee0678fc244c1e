package index

import (
	"fmt"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// most is more than the captures of these tests.
const most = 1 << 20

// touched returns what has changed since a state, and the state of now.
func touched(t *testing.T, x *Index, state string) (got, now string) {
	t.Helper()
	answer, err := x.Touched(t.Context(), "web", state, most)
	if err != nil {
		t.Fatal(err)
	}
	if answer.All {
		return "all", answer.State
	}
	return fmt.Sprint(answer.Keys), answer.State
}

// grow adds captures behind those of a file.
func grow(t *testing.T, x *Index, id cdx.FileID, from int64, captures ...cdx.Capture) {
	t.Helper()
	f, _ := x.File(id)
	w := x.Writer(t.Context(), f.Collection)
	for i, c := range captures {
		c.Key, c.File, c.Offset, c.Length = surt.Of(c.URL), id, from+int64(i)*1000, 900
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Done, f.Scanned = true, from+int64(len(captures))*1000
	if _, err := x.PutFile(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func empty(t *testing.T, x *Index, name, coll string) cdx.FileID {
	t.Helper()
	id, err := x.PutFile(t.Context(), File{Collection: coll, Name: name, Path: "/store/" + name})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestTouchedNamesWhatChanged(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		a := page("http://example.com/a", 20140101)
		got, state := touched(t, x, "")
		if got != "all" {
			t.Errorf("without a state: %s", got)
		}
		check := func(what, want string) {
			t.Helper()
			if got, state = touched(t, x, state); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
			if got, _ := touched(t, x, state); got != "[]" {
				t.Errorf("%s, asked again: %s", what, got)
			}
		}
		check("nothing", "[]")
		first := empty(t, x, "first", "web")
		grow(t, x, first, 0, page("http://example.org/", 20140101), a, a)
		check("a new file", "[com,example)/a org,example)/]")
		grow(t, x, first, 3000, page("http://example.com/b", 20140101))
		check("a file that grew", "[com,example)/b]")
		f, _ := x.File(first)
		f.Path = "/elsewhere/first"
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		check("a file that moved", "[]")
		grow(t, x, empty(t, x, "other", "other"), 0, page("http://example.net/", 20140101))
		check("a file of another collection", "[]")
		for i := range rememberedChanges + 3 {
			grow(t, x, first, 4000+int64(i)*1000, page(fmt.Sprintf("http://example.com/%c", 'c'+i), 20140101))
		}
		check("many small steps", "[com,example)/a com,example)/b com,example)/c com,example)/d com,example)/e com,example)/f "+
			"com,example)/g com,example)/h com,example)/i com,example)/j com,example)/k com,example)/l com,example)/m org,example)/]")
		if answer, err := x.Touched(t.Context(), "web", state[:len(state)-1]+"0", 1); err != nil || !answer.All {
			t.Errorf("more than the most: %v, %v", answer, err)
		}
		if err := x.RemoveFiles(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		check("a removed file", "all")
		if n := entries(t, x, listPrefix); n != 1 {
			t.Errorf("%d lists are left, want that of the other file", n)
		}
	})
}

// A revisit is where its original decides what it is: it counts as changed when the original is found, in whatever file.
func TestTouchedNamesResolvedRevisits(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		revisit := page("http://example.com/b", 20150101)
		revisit.Kind = cdx.Revisit
		two := empty(t, x, "two", "web")
		grow(t, x, empty(t, x, "one", "web"), 0, page("http://example.com/a", 20150101), revisit)
		before, behind := revisit, revisit
		before.URL, behind.URL = "http://example.com/0", "http://example.com/c"
		grow(t, x, two, 0, behind) // in another order than the keys
		grow(t, x, two, 3000, before)
		_, state := touched(t, x, "")
		original := page("http://example.org/", 20140101)
		original.Digest = revisit.Digest
		grow(t, x, empty(t, x, "original", "web"), 0, original)
		_, state = touched(t, x, state)
		if found, _, err := x.Resolve(t.Context()); err != nil || found != 3 {
			t.Fatal(found, err)
		}
		if got, _ := touched(t, x, state); got != "[com,example)/0 com,example)/a com,example)/b com,example)/c]" { // of three lists
			t.Errorf("resolved: %s", got)
		}
		if f, _ := x.File(two); f.Changed != x.Generation() && f.Changed != x.Generation()-1 {
			t.Errorf("file two changed in %d of %d", f.Changed, x.Generation())
		}
	})
}

// Where originals of many files were found, or a run was killed before it told of what it found, any page may have
// changed.
func TestTouchedKnowsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	revisit := page("http://example.com/b", 20150101)
	revisit.Kind = cdx.Revisit
	t.Run("many files", func(t *testing.T) {
		x := openOn(t, stores["badger"](t))
		for i := range manyTouched + 1 {
			grow(t, x, empty(t, x, fmt.Sprint(i), "web"), 0, revisit)
		}
		put(t, x, "original", page("http://example.org/", 20140101))
		_, state := touched(t, x, "")
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, now := touched(t, x, state)
		if again, _ := touched(t, x, now); got != "all" || again != "[]" {
			t.Errorf("%s, then %s", got, again)
		}
	})
	t.Run("killed", func(t *testing.T) {
		s := kvtest.NewMemory()
		x := openOn(t, s)
		if err := s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set(resolvedKey.key(), nil) }); err != nil {
			t.Fatal(err)
		}
		_, state := touched(t, x, "")
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, _ := touched(t, x, state); got != "all" {
			t.Errorf("after a killed run: %s", got)
		}
		before := x.Generation()
		if _, _, err := x.Resolve(t.Context()); err != nil || x.Generation() != before {
			t.Errorf("the run after it changes something: %v", err)
		}
	})
	t.Run("another index", func(t *testing.T) {
		_, state := touched(t, openOn(t, kvtest.NewMemory()), "")
		x := openOn(t, kvtest.NewMemory())
		for _, s := range []string{state, "", "rubbish", "1", " 1", stateOf(x.Identity(), x.Generation()+1)} {
			if got, _ := touched(t, x, s); got != "all" {
				t.Errorf("%q: %s", s, got)
			}
		}
	})
}

func TestJournalEntries(t *testing.T) {
	t.Parallel()
	var e journalEntry
	for i := range uint64(rememberedChanges) {
		e.add(fileChange{10 + i, int64(100 - i)})
	}
	for generation, want := range map[uint64]int64{9: 0, 10: 93, 16: 93, 17: 0} {
		if got := e.from(generation); got != want {
			t.Errorf("after %d: from %d, want %d", generation, got, want)
		}
	}
	back, err := parseJournal(e.pack())
	if err != nil || !slices.Equal(back.changes, e.changes) || back.file != e.file {
		t.Errorf("read back: %v, %v", back, err)
	}
	for _, v := range [][]byte{nil, {1, 2, 3}, make([]byte, 5), make([]byte, 16)} {
		if _, err := parseJournal(v); err == nil {
			t.Errorf("%d bytes are an entry", len(v))
		}
	}
}
