package searches_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
)

// hits returns how many changes of a collection deleted a word.
func hits(t *testing.T, s *searches.Searches, coll, word string) int {
	t.Helper()
	x, err := s.Of(coll)
	if err != nil {
		t.Fatal(err)
	}
	q, err := search.Parse(word)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(t.Context(), search.Request{Query: q, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return found.Total
}

// versions returns how many versions of the pages of a collection have a word.
func versions(t *testing.T, s *searches.Searches, coll, word string) (n int) {
	t.Helper()
	x, err := s.Of(coll)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{word}}}}, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		n += h.Versions
	}
	return n
}

func TestBuildSearchTakesWhatIsNew(t *testing.T) {
	s, shelf := searchable(t, edits()...)
	if n := hits(t, s, "web", "lakes"); n != 2 {
		t.Errorf("%d hits", n)
	}
	if p := build(t, s); p.Pages.Load() != 2 || p.Indexed.Load() != 0 {
		t.Errorf("again: %d pages, %d indexed", p.Pages.Load(), p.Indexed.Load())
	}
	shelf.Add(t, on("2022", page, acid+"<p>Ponds."))
	if p := build(t, s); p.Indexed.Load() != 1 || hits(t, s, "web", "house") != 1 {
		t.Errorf("with a version more: %d indexed, %d hits", p.Indexed.Load(), hits(t, s, "web", "house"))
	}
	told := 0
	p, err := s.Build(t.Context(), "web", true, func(*search.Progress) { told++ })
	if err != nil || p.Indexed.Load() != 2 || told != 1 || hits(t, s, "web", "lakes") != 2 {
		t.Errorf("from nothing: %d indexed, told %d times, %v", p.Indexed.Load(), told, err)
	}
	if s.Size("web") == 0 || !s.Exist() {
		t.Error("the search has no size")
	}
}

// Whatever happens to the index, a search that followed it step by step answers like one that is built anew.
func TestFollowingGivesWhatBuildingAnewGives(t *testing.T) {
	const other, third = "http://b.example/other", "http://c.example/third"
	s, shelf := searchable(t, edits()...)
	again := on("2022", page, acid+"<p>Lakes and a bridge.")
	again.Type = "revisit"
	again.Fields = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\n"
	answers := func() string {
		var out strings.Builder
		for _, word := range []string{"lakes", "ponds", "meadows", "mill", "house", "tower", "bridge", "river"} {
			fmt.Fprint(&out, word, " ", hits(t, s, "web", word), " ", versions(t, s, "web", word), "\n")
		}
		return out.String()
	}
	remove := func(i int) func() {
		return func() {
			if err := shelf.Index.RemoveFiles(t.Context(), shelf.Index.Files()[i].ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		name   string
		change func()
		walks  bool // over the whole archive
	}{
		{"a version more", func() { shelf.Add(t, on("2021", page, acid+"<p>A bridge.")) }, false},
		{"a page more", func() { shelf.Add(t, on("2021", third, fog+"<p>River."), on("2022", third, fog+"<p>No more.")) }, false},
		{"a revisit without its original", func() { shelf.Add(t, again) }, false},
		{"its original", func() { shelf.Add(t, on("2016", third, again.Body)) }, false},
		{"no page any more", func() { shelf.Add(t, missing("2023", other)) }, false},
		{"a file less", remove(1), true},
		{"another file less", remove(0), true},
		{"and a page more", func() { shelf.Add(t, on("2024", other, fog+"<p>Meadows and a mill.")) }, false},
	} {
		before, err := s.Source("web").Touched(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		step.change()
		touched, err := s.Source("web").Touched(t.Context(), before.State)
		if err != nil || touched.All != step.walks {
			t.Errorf("%s: all %t, keys %q, %v", step.name, touched.All, touched.Keys, err)
		}
		build(t, s)
		followed := answers()
		if _, err := s.Build(t.Context(), "web", true, nil); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(answers(), followed); d != "" {
			t.Errorf("%s (-anew +followed):\n%s", step.name, d)
		}
	}
}

func TestEachCollectionHasASearchOfItsOwn(t *testing.T) {
	s, _ := searchable(t, edits()...)
	one, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Of("web"); err != nil || again != one {
		t.Errorf("opened twice: %v", err)
	}
	if n := hits(t, s, "other", "lakes"); n != 0 {
		t.Errorf("%d hits in another collection", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := hits(t, s, "web", "lakes"); n != 2 {
		t.Errorf("%d hits after closing and opening", n)
	}
}

func TestWithoutAFolderThereIsNoSearch(t *testing.T) {
	s, _ := open(t, edits()...)
	if _, err := s.Of("web"); s.Exist() || !errors.Is(err, searches.ErrNoSearch) {
		t.Errorf("a search without a folder: %v", err)
	}
	if _, err := s.Build(t.Context(), "web", false, nil); err == nil {
		t.Error("a search is built nowhere")
	}
	if s.Size("web") != 0 {
		t.Error("it has a size")
	}
	s.Keep(t.Context()) // returns at once
}

// New files come in bursts, so the search is built once they stop coming, and else once a minute.
func TestKeepSearchWaitsUntilTheIndexIsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t)
		defer k.Close()
		built := func() int {
			synctest.Wait()
			return strings.Count(k.log.String(), "change-text search")
		}
		stop := k.start(t)
		if n := built(); n != 1 {
			t.Fatalf("built %d times at the start", n)
		}
		time.Sleep(10 * time.Second)
		if n := built(); n != 1 {
			t.Errorf("built %d times without a change", n)
		}
		change := func(year string) { k.shelf.Add(t, on(year, page, acid+"<p>In "+year)) }
		change("2021")
		time.Sleep(2500 * time.Millisecond)
		if n := built(); n != 1 {
			t.Errorf("built %d times right after a change", n)
		}
		time.Sleep(time.Second)
		if n := built(); n != 2 {
			t.Errorf("built %d times some seconds after a change", n)
		}
		for range 65 { // seconds with changes without end
			change("2022")
			time.Sleep(time.Second)
		}
		if n := built(); n < 3 || n > 4 {
			t.Errorf("built %d times in a minute of changes", n)
		}
		stop()
	})
}

func TestABuildThatFailsIsLoggedAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t)
		defer k.Close()
		k.shelf.Store.FailAt(1)
		stop := k.start(t)
		synctest.Wait()
		if !strings.Contains(k.log.String(), "could not be updated") {
			t.Errorf("log: %q", &k.log)
		}
		k.shelf.Store.FailAt(0)
		k.shelf.Add(t, on("2022", page, acid+"<p>Ponds."))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := hits(t, k.Searches, "web", "lakes"); n != 2 {
			t.Errorf("%d hits after another change of the index", n)
		}
		stop()
	})
}

// A keeper is an archive that keeps its search up to date, with what it logs.
type keeper struct {
	*searches.Searches
	shelf *archivetest.Shelf
	log   logbuffer.Buffer
}

func newKeeper(t *testing.T) *keeper {
	k := &keeper{shelf: archivetest.Keep(t, edits()...)}
	k.Searches = over(t, archive.Config{
		Index: k.shelf.Index, Records: k.shelf, Log: k.log.Logger(),
	}, searches.Config{Dir: t.TempDir()})
	return k
}

// start begins to keep the search up to date and returns a function that ends it.
func (k *keeper) start(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { k.Keep(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}
