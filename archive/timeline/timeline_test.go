package timeline

import (
	"context"
	"sync"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx/surt"
)

// A page with very many captures takes seconds to read. Callers that arrive meanwhile must wait for the first one
// instead of reading it again side by side.
func TestConcurrentCallersShareOneReadOfATimeline(t *testing.T) {
	const url, n = "http://example.org/", 5000
	x, reads := archivetest.CountedIndex(t, map[string]int{url: n})
	lines := New(Config{View: &view.View{Whole: x}})
	got := make([]*Timeline, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			tl, err := lines.Get(context.Background(), "web", surt.Of(url))
			if err != nil {
				t.Error(err)
			}
			got[i] = tl
		})
	}
	wg.Wait()
	for _, tl := range got {
		if tl != got[0] || len(tl.Captures) != n {
			t.Fatalf("concurrent callers got different timelines")
		}
	}
	if v := reads.Values.Load(); v != n {
		t.Errorf("%d entries read for %d captures", v, n)
	}
}

func TestWaitingForATimelineEndsWithItsContext(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 1})
	lines := New(Config{View: &view.View{Whole: x}})
	done, err := lines.reading.Begin(context.Background(), "web\x00"+surt.Of("http://example.org/"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lines.Get(ctx, "web", surt.Of("http://example.org/")); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	done()
	if tl, err := lines.Get(context.Background(), "web", surt.Of("http://example.org/")); err != nil || len(tl.Captures) != 1 {
		t.Errorf("afterwards: %v, %v", tl, err)
	}
}

// The CDX API needs the ranges at all levels, and each level needs all texts.
func TestAllLevelsReadEachTextOnce(t *testing.T) {
	const url, n = "http://example.org/", 300
	x, reads := archivetest.CountedIndex(t, map[string]int{url: n})
	s := New(Config{View: &view.View{Whole: x}, CacheSites: true})
	if _, err := s.Annotate(context.Background(), "web", surt.Of(url)); err != nil {
		t.Fatal(err)
	}
	// Learning the site reads some of the texts as well, after a look at what is kept of it.
	if gets := reads.Gets.Load(); gets > n+sampledCaptures+4 {
		t.Errorf("%d look-ups for %d texts", gets, n)
	}
}

func TestTextsOfAPageAreReadInOneBatch(t *testing.T) {
	const url, n = "http://example.org/", 300
	x, reads := archivetest.CountedIndex(t, map[string]int{url: n})
	tl, err := New(Config{View: &view.View{Whole: x}}).Get(context.Background(), "web", surt.Of(url))
	if err != nil {
		t.Fatal(err)
	}
	reads.Reset()
	ranges, err := tl.Ranges(change.LevelAny)
	if err != nil || len(ranges) != n || ranges[n-1].Change == nil {
		t.Fatalf("%d ranges, %v", len(ranges), err)
	}
	if v := reads.Views.Load(); v != 1 {
		t.Errorf("%d snapshots for the texts of one page", v)
	}
}

// A page as large as the whole cache neither displaces all others nor is displaced by the next.
func TestAHugeTimelineDisplacesNoSmallOnes(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 500, "http://example.org/a": 3, "http://example.org/b": 3})
	lines := boundTo(x, 400)
	for range 3 {
		for _, url := range []string{"http://example.org/", "http://example.org/a", "http://example.org/b"} {
			if _, err := lines.Get(context.Background(), "web", surt.Of(url)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if v := reads.Values.Load(); v != 506 {
		t.Errorf("%d entries read of 506 captures", v)
	}
}

// Learning a host with very many pages is slow. Callers for another host must not wait for it.
func TestLearningASiteBlocksNoOtherSite(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 3, "http://example.com/": 3})
	s := New(Config{View: &view.View{Whole: x}}).sites
	done, err := s.learning.Begin(context.Background(), "web\x00com,example")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(context.Background(), "web", surt.Of("http://example.org/")); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Get(ctx, "web", surt.Of("http://example.com/")); err != context.Canceled {
		t.Errorf("the one that is being learnt: %v", err)
	}
	done()
	reads.Reset()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.Get(context.Background(), "web", surt.Of("http://example.com/")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if gets := reads.Gets.Load(); gets > 3+4 { // and what is kept of the host, which is asked for with what says whether it counts
		t.Errorf("%d texts read of 3", gets-4)
	}
}

func TestLearningASiteReadsFewCapturesWithoutText(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 3})
	archivetest.PutBare(t, x, "http://example.org/counter.png", 5000, 0, 0)
	reads.Reset()
	if _, err := New(Config{View: &view.View{Whole: x}}).sites.Get(context.Background(), "web", surt.Of("http://example.org/")); err != nil {
		t.Fatal(err)
	}
	if v := reads.Values.Load(); v > sampledReads+100 {
		t.Errorf("%d captures read", v)
	}
}

// The versions of a page that is read once must not be learnt anew at each question.
func TestTimelinesAreKeptUntilTheIndexChanges(t *testing.T) {
	shelf := archivetest.Keep(t, archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one"})
	lines := New(Config{View: &view.View{Whole: shelf.Index}})
	get := func() *Timeline {
		t.Helper()
		tl, err := lines.Get(context.Background(), "web", "example,a)/")
		if err != nil {
			t.Fatal(err)
		}
		return tl
	}
	first := get()
	if get() != first {
		t.Error("read twice")
	}
	if tl, g, err := lines.short(t.Context(), "web", "example,a)/", 2020); tl != first || g != nil || err != nil {
		t.Errorf("a part was read again of what is known: %v, %v, %v", tl, g, err)
	}
	shelf.Add(t, archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>two"})
	if second := get(); second == first || len(second.Captures) != 2 {
		t.Errorf("%d captures after a second one was indexed", len(second.Captures))
	}
}

// Addresses that were never captured must not displace those that were.
func TestEmptyTimelinesAreNotKept(t *testing.T) {
	shelf := archivetest.Keep(t, archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one"})
	lines := New(Config{View: &view.View{Whole: shelf.Index}})
	if tl, err := lines.Get(context.Background(), "web", "example,a)/never"); err != nil || len(tl.Captures) != 0 {
		t.Fatal(tl, err)
	}
	if n := lines.cache.Len(); n != 0 {
		t.Errorf("%d timelines are kept", n)
	}
}

func TestATimelineWeighsOneMoreThanItsCaptures(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	lines := boundTo(x, 100)
	if _, err := lines.Get(context.Background(), "web", "example,a)/"); err != nil {
		t.Fatal(err)
	}
	if held := lines.cache.Held(); held != 5 {
		t.Errorf("weighs %d", held)
	}
}

// boundTo returns timelines of an index that cache so many captures.
func boundTo(x *index.Index, captures int) *Timelines {
	t := New(Config{View: &view.View{Whole: x}})
	t.bound(captures)
	return t
}
