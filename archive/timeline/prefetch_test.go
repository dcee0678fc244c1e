package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx/surt"
)

// What was prefetched is what each page would have been asked for, and nothing is left to ask.
func TestPrefetchedPages(t *testing.T) {
	pages := map[string]int{}
	var keys []string
	for i := range 12 {
		url := fmt.Sprintf("http://site%d.example/%d", i%3, i)
		pages[url] = 3 + 5*i
		keys = append(keys, surt.Of(url))
	}
	x, reads := archivetest.CountedIndex(t, pages)
	together, alone := New(Config{View: &view.View{Whole: x}}), New(Config{View: &view.View{Whole: x}})
	if _, err := together.Get(t.Context(), "web", keys[3]); err != nil { // whose versions aren't known
		t.Fatal(err)
	}
	for _, key := range keys[:3] { // what the sites have in common
		if _, err := together.sites.Get(t.Context(), "web", key); err != nil {
			t.Fatal(err)
		}
	}
	reads.Reset()
	if err := together.Prefetch(t.Context(), "web", keys); err != nil || reads.Views.Load() != 0 {
		t.Errorf("of an index on this machine, %d snapshots are taken ahead, %v", reads.Views.Load(), err)
	}
	asked := append(keys, keys[0], "example,nowhere)/")
	if err := together.prefetch(t.Context(), "web", asked); err != nil {
		t.Fatal(err)
	}
	if n := reads.Views.Load(); n != 2 {
		t.Errorf("%d snapshots for timelines and texts, want 2", n)
	}
	if n := together.cache.Len(); n != len(keys) {
		t.Errorf("%d timelines are cached of %d pages that have captures", n, len(keys))
	}
	reads.Reset()
	if k, err := together.Sketches().Sketch(0); k != nil || err != nil || reads.Views.Load() != 0 {
		t.Errorf("what has no text: %v, %v, by %d snapshots", k, err, reads.Views.Load())
	}
	for _, key := range keys {
		reads.Reset()
		tl, err := together.Get(t.Context(), "web", key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tl.Ranges(change.LevelText)
		if err != nil {
			t.Fatal(err)
		}
		if n := reads.Views.Load(); n > 0 {
			t.Errorf("%s: %d snapshots after all was read", key, n)
		}
		other, err := alone.Get(t.Context(), "web", key)
		if err != nil {
			t.Fatal(err)
		}
		want, err := other.Ranges(change.LevelText)
		if err != nil || len(want) == 0 || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(tl.Captures, other.Captures) {
			t.Errorf("%s: %v, want %v, %v", key, got, want, err)
		}
	}
}

// Captures or texts that can't be read are an error, not pages without them.
func TestPrefetchFromAStoreThatFails(t *testing.T) {
	t.Parallel()
	s := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	a := &arrivals{t: t, rnd: rand.New(rand.NewPCG(1, 4)), x: x, days: 2, pages: []string{"http://a.example/", "http://b.example/"}}
	f := index.File{Collection: "web", Name: "1.warc", Path: "/1.warc"}
	a.put(&f)
	a.some(&f, 0)
	keys := []string{surt.Of(a.pages[0]), surt.Of(a.pages[1])}
	failed := -1
	for err := errors.New("not tried"); err != nil; failed++ {
		s.FailAt(failed + 2)
		err = New(Config{View: &view.View{Whole: x}}).prefetch(t.Context(), "web", keys)
		if err == nil && len(s.Steps()) >= failed+2 {
			t.Errorf("nobody noticed that %s failed", s.Steps()[failed+1])
		}
	}
	if s.FailAt(0); failed < 2 {
		t.Errorf("%d operations failed, want those of captures and of texts", failed)
	}
}
