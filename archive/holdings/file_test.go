package holdings

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/internal/disk"
)

func over(tb testing.TB, cfg archive.Config, of Config) *Counts {
	tb.Helper()
	a, err := archive.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	of.Archive = a
	return New(of)
}

// A setting is what matters for stored lists.
type setting struct {
	dir, software string
	readOnly      bool
	access        *access.Policy
}

func (s *setting) over(t *testing.T, x *index.Index, log *slog.Logger) *Counts {
	return over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Log: log, Software: s.software, Access: s.access},
		Config{Dir: s.dir, ReadOnly: s.readOnly})
}

// countedIn counts with a folder, as another process, and returns what was said.
func countedIn(t *testing.T, x *index.Index, cfg setting) (*Counts, *List, string) {
	t.Helper()
	var said bytes.Buffer
	a := cfg.over(t, x, slog.New(slog.NewTextHandler(&said, nil)))
	c, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
	if err != nil {
		t.Fatal(err)
	}
	return a, c, said.String()
}

// What was counted is there after a restart, without a read of captures, and says the same.
func TestCountsOutliveTheProcess(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4, "http://a.example/b": 1, "http://b.example/": 9})
	cfg := setting{dir: filepath.Join(t.TempDir(), "counts"), software: "one"}
	_, first, _ := countedIn(t, x, cfg)
	reads.Reset()
	a, again, said := countedIn(t, x, cfg)
	if n := reads.Values.Load(); n > 1 || said != "" { // one for the identity
		t.Errorf("%d reads, and it says %q", n, said)
	}
	if !reflect.DeepEqual(first.Overview, again.Overview) || first.Generation != again.Generation || again.Len() != 3 {
		t.Errorf("before %+v, after %+v", first.Overview, again.Overview)
	}
	for i, e := range first.All() {
		if now := again.At(i); !reflect.DeepEqual(*e, now) {
			t.Errorf("before %+v, after %+v", *e, now)
		}
	}
	if held, _, err := a.Of(t.Context(), "web", change.LevelContent, false); held != again || err != nil {
		t.Errorf("it is read again: %v", err)
	}
	if got, err := a.Entries(t.Context(), "web", again, 5); err != nil || len(got) == 0 {
		t.Errorf("pages to begin with: %v %v", got, err)
	}
	// A change of the index is counted on top of it, and kept.
	archivetest.PutBare(t, x, "http://c.example/", 3, 0, 0)
	if _, c, _ := countedIn(t, x, cfg); c.Len() != 4 {
		t.Errorf("%d addresses after a change", c.Len())
	}
	reads.Reset()
	if _, c, _ := countedIn(t, x, cfg); c.Len() != 4 || reads.Values.Load() > 1 {
		t.Errorf("%d addresses with %d reads after a change and a restart", c.Len(), reads.Values.Load())
	}
}

// What an overview names is in the list.
func TestOverviewsOfOtherLists(t *testing.T) {
	for _, tt := range []struct {
		o       Overview
		entries []int
		want    bool
	}{
		{Overview{Changed: []int{0}, Recent: []int{1}, Longest: []int{1}}, []int{1}, true},
		{Overview{Changed: []int{2}}, nil, false},
		{Overview{Recent: []int{0, -1}}, nil, false},
		{Overview{Longest: []int{2}}, nil, false},
		{Overview{}, []int{2}, false},
	} {
		if got := tt.o.within(2, tt.entries); got != tt.want {
			t.Errorf("%+v %v: %t", tt.o, tt.entries, got)
		}
	}
}

// A list that is kept and of now isn't read before somebody asks for it.
func TestAStartReadsNoCountsThatAreOfNow(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	cfg := setting{dir: t.TempDir(), software: "one"}
	countedIn(t, x, cfg)
	start := func() *Counts {
		a := cfg.over(t, x, nil)
		a.wantOutdated()
		return a
	}
	if a := start(); a.isWanted() || a.counted.lists.Len() != 0 {
		t.Error("a list of now is read, or counted again")
	}
	archivetest.PutBare(t, x, "http://b.example/", 3, 0, 0)
	if a := start(); !a.isWanted() {
		t.Error("a list of before a change is not counted again")
	}
	countedIn(t, x, cfg)
	cfg.access = rules(t, `rules: [{url: "http://b.example/", access: exclude}]`, time.Now())
	if a := start(); !a.isWanted() {
		t.Error("a list under other rules is not counted again")
	}
	cfg.access = nil
	cfg.software = "two"
	if a := start(); !a.isWanted() {
		t.Error("a list of another version of the program is taken for its own")
	}
}

// A heavy list that nobody has asked for is in the folder alone, until somebody asks: then it is read from there, and held.
func TestHeavyCountsAreHeldFromWhenSomebodyAsks(t *testing.T) {
	key := countKey{"web", change.LevelContent}
	for name, c := range map[string]struct {
		folder string
		light  int
		held   bool
	}{
		"heavy":            {t.TempDir(), 0, false},
		"light":            {t.TempDir(), lightList, true},
		"without a folder": {"", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
			a := (&setting{dir: c.folder, software: "one"}).over(t, x, nil)
			a.counted.light = c.light
			if _, err := a.count(t.Context(), key, nil); err != nil {
				t.Fatal(err)
			}
			if _, held := a.counted.lists.Get(key); held != c.held {
				t.Errorf("it is held: %t, want %t", held, c.held)
			}
			reads.Reset()
			list, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
			if err != nil || list == nil || list.Len() != 1 || reads.Values.Load() > 1 { // one for the identity
				t.Fatalf("%v %v after %d reads", list, err, reads.Values.Load())
			}
			archivetest.PutBare(t, x, "http://b.example/", 3, 0, 0)
			if _, err := a.count(t.Context(), key, nil); err != nil {
				t.Fatal(err)
			}
			if again, held := a.counted.lists.Get(key); !held || again.Len() != 2 {
				t.Error("the list of a change isn't held, although somebody has asked")
			}
		})
	}
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	grows := (&setting{dir: t.TempDir(), software: "one"}).over(t, x, nil)
	for i, light := range []int{lightList, 0} { // the same list is light at first, and then heavy
		grows.counted.light = light
		archivetest.PutBare(t, x, fmt.Sprintf("http://%d.example/", i), 3, 0, 0)
		if _, err := grows.count(t.Context(), key, nil); err != nil {
			t.Fatal(err)
		}
		if list, held := grows.counted.lists.Get(key); held != (light > 0) {
			t.Errorf("when a list of up to %d bytes is light: %+v is held", light, list)
		}
	}
}

// What another version counted, of another index, under other rules, or what is damaged, is not used.
func TestCountsOfOthersAreNotUsed(t *testing.T) {
	pages := map[string]int{"http://a.example/": 4, "http://b.example/": 2}
	x, reads := archivetest.CountedIndex(t, pages)
	other, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 1})
	cfg := setting{dir: t.TempDir(), software: "one"}
	path := filepath.Join(cfg.dir, "web", change.LevelContent.String())
	blocking := rules(t, `rules: [{url: "http://b.example/", access: exclude}]`, time.Now())
	for name, spoil := range map[string]func(*setting){
		"another version": func(c *setting) { c.software = "two" },
		"another index": func(c *setting) {
			if _, list, _ := countedIn(t, other, *c); list.Len() != 1 {
				t.Errorf("another index has %d addresses", list.Len())
			}
		},
		"cut":     func(*setting) { rewrite(t, path, func(b []byte) []byte { return b[:len(b)-9] }) },
		"empty":   func(*setting) { rewrite(t, path, func([]byte) []byte { return nil }) },
		"flipped": func(*setting) { rewrite(t, path, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }) },
		"sum":     func(*setting) { rewrite(t, path, func(b []byte) []byte { b[len(b)-1] ^= 1; return b }) },
		"longer":  func(*setting) { rewrite(t, path, func(b []byte) []byte { return append(b, "more"...) }) },
		"longer, as its sum says": func(*setting) {
			rewrite(t, path, func(b []byte) []byte {
				b = append(b[:len(b)-8], "more"...)
				return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b))
			})
		},
		"rules": func(c *setting) { c.access = blocking },
	} {
		t.Run(name, func(t *testing.T) {
			countedIn(t, x, cfg)
			now := cfg
			spoil(&now)
			reads.Reset()
			_, c, said := countedIn(t, x, now)
			want := 2
			if name == "rules" {
				want = 1
			}
			if c.Len() != want || reads.Values.Load() < 2 {
				t.Errorf("%d addresses with %d reads", c.Len(), reads.Values.Load())
			}
			isDamaged := strings.Contains("cut empty flipped sum longer, as its sum says", name)
			if isDamaged != strings.Contains(said, "counted anew") {
				t.Errorf("it says %q", said)
			}
		})
	}
}

func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(b), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A reader of an index that may not be written to writes nothing, and a folder that can't be written stops nobody.
func TestCountsThatCannotBeStored(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	dir := filepath.Join(t.TempDir(), "counts")
	if _, c, _ := countedIn(t, x, setting{dir: dir, readOnly: true}); c.Len() != 1 {
		t.Errorf("%d addresses", c.Len())
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, c, said := countedIn(t, x, setting{dir: dir}); c.Len() != 1 || !strings.Contains(said, "could not be stored") {
		t.Errorf("%d addresses; it says %q", c.Len(), said)
	}
}

// The folder holds what is of use: nothing of collections that are gone, nothing half written.
func TestTheFolderOfCountsIsTidied(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	dir := t.TempDir()
	countedIn(t, x, setting{dir: dir})
	for _, path := range []string{"gone/content", "web/" + disk.HalfWritten + "123"} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	for _, of := range []string{dir, filepath.Join(dir, "none"), ""} {
		(&setting{dir: of}).over(t, x, slog.New(slog.NewTextHandler(&said, nil))).removeOldLists()
	}
	if said.Len() > 0 {
		t.Errorf("it says %s", &said)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	want := []string{filepath.Join(dir, "web", change.LevelContent.String())}
	if diff := cmp.Diff(want, left); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
