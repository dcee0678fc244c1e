package archive_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/search"
)

// hits returns how many changes of a collection deleted a word.
func hits(t *testing.T, s *archive.Archive, coll, word string) int {
	t.Helper()
	x, err := s.Search(coll)
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
	p, err := s.BuildSearch(t.Context(), "web", true, func(*search.Progress) { told++ })
	if err != nil || p.Indexed.Load() != 2 || told != 1 || hits(t, s, "web", "lakes") != 2 {
		t.Errorf("from nothing: %d indexed, told %d times, %v", p.Indexed.Load(), told, err)
	}
	if s.SearchSize("web") == 0 || !s.HasSearch() {
		t.Error("the search has no size")
	}
}

func TestEachCollectionHasASearchOfItsOwn(t *testing.T) {
	s, _ := searchable(t, edits()...)
	one, err := s.Search("web")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Search("web"); err != nil || again != one {
		t.Errorf("opened twice: %v", err)
	}
	if n := hits(t, s, "other", "lakes"); n != 0 {
		t.Errorf("%d hits in another collection", n)
	}
	if err := s.CloseSearch(); err != nil {
		t.Fatal(err)
	}
	if n := hits(t, s, "web", "lakes"); n != 2 {
		t.Errorf("%d hits after closing and opening", n)
	}
}

func TestWithoutAFolderThereIsNoSearch(t *testing.T) {
	s, _ := open(t, edits()...)
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err == nil {
		t.Error("a search is built nowhere")
	}
	if s.SearchSize("web") != 0 {
		t.Error("it has a size")
	}
	s.KeepSearch(t.Context()) // returns at once
}

// New files come in bursts, so the search is built once they stop coming, and else once a minute.
func TestKeepSearchWaitsUntilTheIndexIsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log sharedBuffer
		shelf := archivetest.Keep(t, edits()...)
		s := over(t, archive.Config{
			Index: shelf.Index, Records: shelf, SearchDir: t.TempDir(), Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		defer s.CloseSearch()
		built := func() int {
			synctest.Wait()
			return strings.Count(log.String(), "change-text search")
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan bool)
		go func() { s.KeepSearch(ctx); close(ended) }()
		if n := built(); n != 1 {
			t.Fatalf("built %d times at the start", n)
		}
		time.Sleep(10 * time.Second)
		if n := built(); n != 1 {
			t.Errorf("built %d times without a change", n)
		}
		change := func(year string) { shelf.Add(t, on(year, page, acid+"<p>In "+year)) }
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
		cancel()
		<-ended
	})
}

func TestABuildThatFailsIsLoggedAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log sharedBuffer
		shelf := archivetest.Keep(t, edits()...)
		s := over(t, archive.Config{
			Index: shelf.Index, Records: shelf, SearchDir: t.TempDir(), Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		defer s.CloseSearch()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		shelf.Store.FailAt(1)
		ended := make(chan bool)
		go func() { s.KeepSearch(ctx); close(ended) }()
		synctest.Wait()
		if !strings.Contains(log.String(), "could not be updated") {
			t.Errorf("log: %q", &log)
		}
		shelf.Store.FailAt(0)
		shelf.Add(t, on("2022", page, acid+"<p>Ponds."))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := hits(t, s, "web", "lakes"); n != 2 {
			t.Errorf("%d hits after another change of the index", n)
		}
		cancel()
		<-ended
	})
}

// A sharedBuffer collects what several goroutines log.
type sharedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sharedBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sharedBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
