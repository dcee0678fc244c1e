package archive

import (
	"context"
	"sync"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx/surt"
)

// A page with very many captures takes seconds to read. Callers that arrive meanwhile must wait for the first one
// instead of reading it again side by side.
func TestConcurrentCallersShareOneReadOfATimeline(t *testing.T) {
	const url, n = "http://example.org/", 5000
	x, reads := archivetest.CountedIndex(t, map[string]int{url: n})
	lines := newTimelines(&view.View{Whole: x}, newSites(&view.View{Whole: x}))
	got := make([]*Timeline, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			tl, err := lines.get(context.Background(), "web", surt.Of(url))
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
	lines := newTimelines(&view.View{Whole: x}, newSites(&view.View{Whole: x}))
	done, err := lines.reading.begin(context.Background(), "web\x00"+surt.Of("http://example.org/"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lines.get(ctx, "web", surt.Of("http://example.org/")); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	done()
	if tl, err := lines.get(context.Background(), "web", surt.Of("http://example.org/")); err != nil || len(tl.Captures) != 1 {
		t.Errorf("afterwards: %v, %v", tl, err)
	}
}

// The CDX API needs the ranges at all levels, and each level needs all texts.
func TestAllLevelsReadEachTextOnce(t *testing.T) {
	const url, n = "http://example.org/", 300
	x, reads := archivetest.CountedIndex(t, map[string]int{url: n})
	s, err := New(Config{Index: x, Records: archivetest.NoRecords{}})
	if err != nil {
		t.Fatal(err)
	}
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
	tl, err := newTimelines(&view.View{Whole: x}, newSites(&view.View{Whole: x})).get(context.Background(), "web", surt.Of(url))
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
	lines := newTimelinesOf(&view.View{Whole: x}, newSites(&view.View{Whole: x}), 400)
	for range 3 {
		for _, url := range []string{"http://example.org/", "http://example.org/a", "http://example.org/b"} {
			if _, err := lines.get(context.Background(), "web", surt.Of(url)); err != nil {
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
	s := newSites(&view.View{Whole: x})
	done, err := s.learning.begin(context.Background(), "web\x00com,example")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.get(context.Background(), "web", surt.Of("http://example.org/")); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.get(ctx, "web", surt.Of("http://example.com/")); err != context.Canceled {
		t.Errorf("the one that is being learnt: %v", err)
	}
	done()
	reads.Reset()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.get(context.Background(), "web", surt.Of("http://example.com/")); err != nil {
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
	if _, err := newSites(&view.View{Whole: x}).get(context.Background(), "web", surt.Of("http://example.org/")); err != nil {
		t.Fatal(err)
	}
	if v := reads.Values.Load(); v > sampledLooks+100 {
		t.Errorf("%d captures read", v)
	}
}
