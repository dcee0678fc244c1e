package replay

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/index/indextest"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// countedIndex has pages of so many captures, each with a text of its own.
func countedIndex(t *testing.T, pages map[string]int) (*index.Index, *indextest.Reads) {
	t.Helper()
	x, reads := indextest.Counting(t)
	var err error
	file := index.File{Collection: "web", Name: "pages.warc.gz", Path: "/store/pages.warc.gz"}
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w, offset := x.Writer(t.Context(), "web"), int64(0)
	for url, n := range pages {
		for i := range n {
			text := new(change.Extractor).Extract(fmt.Appendf(nil, "Page %s stood here with the words of version number %d and %d.", url, i, 7*i), "text/plain")
			sketch := text.Sketch()
			if err := w.AddText(sketch.ID, sketch.AppendBinary(nil), nil); err != nil {
				t.Fatal(err)
			}
			offset += 1000
			err := w.Add(&cdx.Capture{
				Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html", Digest: fmt.Sprintf("x:%d", i), Text: sketch.ID,
				Time:     cdx.FromTime(time.Date(2010, 1, 1, i, 0, 0, 0, time.UTC)),
				Location: cdx.Location{File: file.ID, Offset: offset, Length: 900},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned = true, offset+1000
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	reads.Reset()
	return x, reads
}

// A page with very many captures takes seconds to read: those who ask meanwhile wait for the first, instead of
// reading it as many times side by side.
func TestATimelineIsReadOnceForAllWhoAskAtOnce(t *testing.T) {
	const url, n = "http://example.org/", 5000
	x, reads := countedIndex(t, map[string]int{url: n})
	lines := newTimelines(x, newSites(x))
	got := make([]*timeline, 8)
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
		if tl != got[0] || len(tl.captures) != n {
			t.Fatalf("askers have timelines of their own")
		}
	}
	if v := reads.Values.Load(); v != n {
		t.Errorf("%d entries read for %d captures", v, n)
	}
}

func TestWaitingForATimelineEndsWithTheAsker(t *testing.T) {
	x, _ := countedIndex(t, map[string]int{"http://example.org/": 1})
	lines := newTimelines(x, newSites(x))
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
	if tl, err := lines.get(context.Background(), "web", surt.Of("http://example.org/")); err != nil || len(tl.captures) != 1 {
		t.Errorf("afterwards: %v, %v", tl, err)
	}
}

// What the CDX API says of changes needs the ranges at all levels, and each of them all texts.
func TestTheTextsOfAPageAreReadOnceForAllLevels(t *testing.T) {
	const url, n = "http://example.org/", 300
	x, reads := countedIndex(t, map[string]int{url: n})
	s, err := New(Config{Index: x, Records: noRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.annotate(context.Background(), "web", surt.Of(url)); err != nil {
		t.Fatal(err)
	}
	// The site is learnt from some of the texts too.
	if gets := reads.Gets.Load(); gets > n+sampledCaptures {
		t.Errorf("%d look-ups for %d texts", gets, n)
	}
}

func TestTheTextsOfAPageAreReadTogether(t *testing.T) {
	const url, n = "http://example.org/", 300
	x, reads := countedIndex(t, map[string]int{url: n})
	tl, err := newTimelines(x, newSites(x)).get(context.Background(), "web", surt.Of(url))
	if err != nil {
		t.Fatal(err)
	}
	reads.Reset()
	ranges, err := tl.levels(change.LevelAny)
	if err != nil || len(ranges) != n || ranges[n-1].Change == nil {
		t.Fatalf("%d ranges, %v", len(ranges), err)
	}
	if v := reads.Views.Load(); v != 1 {
		t.Errorf("%d snapshots for the texts of one page", v)
	}
}

type noRecords struct{ Records }

// A page as large as all that is kept neither pushes all others out nor is pushed out by the next.
func TestAHugeTimelineStaysBesideSmallOnes(t *testing.T) {
	x, reads := countedIndex(t, map[string]int{"http://example.org/": 500, "http://example.org/a": 3, "http://example.org/b": 3})
	lines := newTimelines(x, newSites(x))
	lines.most = 400
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

// A host with very many pages is learnt slowly; whoever asks for another doesn't wait for it.
func TestASiteIsKnownWhileAnotherIsLearnt(t *testing.T) {
	x, reads := countedIndex(t, map[string]int{"http://example.org/": 3, "http://example.com/": 3})
	s := newSites(x)
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
	if gets := reads.Gets.Load(); gets > 3 {
		t.Errorf("%d texts read of 3", gets)
	}
}

func TestWhatHasNoTextIsNotReadToItsEndToLearnASite(t *testing.T) {
	x, reads := countedIndex(t, map[string]int{"http://example.org/": 3})
	putBare(t, x, "http://example.org/counter.png", 5000, 0, 0)
	reads.Reset()
	if _, err := newSites(x).get(context.Background(), "web", surt.Of("http://example.org/")); err != nil {
		t.Fatal(err)
	}
	if v := reads.Values.Load(); v > sampledLooks+100 {
		t.Errorf("%d captures read", v)
	}
}

// However few of its captures are drawn, the life of a page goes from the first to the last.
func TestTheBannersTimelineEndsWithTheLastCapture(t *testing.T) {
	const n = 1999
	x, _ := countedIndex(t, nil)
	putBare(t, x, "http://example.org/counter.png", n, 0, 0)
	tl, err := newTimelines(x, newSites(x)).get(context.Background(), "web", surt.Of("http://example.org/counter.png"))
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := tl.levels(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	ticks := tl.ticks(ranges, memento.URIs{Coll: "web"})
	if first, last := ticks[0].Time, ticks[len(ticks)-1].Time; first != tl.captures[0].Time || last != tl.captures[n-1].Time {
		t.Errorf("drawn from %s to %s, captured from %s to %s", first, last, tl.captures[0].Time, tl.captures[n-1].Time)
	}
	if len(ticks) > maxTicks+2 {
		t.Errorf("%d ticks", len(ticks))
	}
}
