package pages

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// The drawn life of a page must go from the first capture to the last, however few captures are drawn.
func TestTheBannersTimelineEndsWithTheLastCapture(t *testing.T) {
	const n = 1999
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://example.org/counter.png", n, 0, 0)
	tl, err := openArchive(t, x).Timelines.Get(context.Background(), "web", surt.Of("http://example.org/counter.png"))
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	ticks := ticks(tl, ranges, memento.URIs{Coll: "web"})
	if first, last := ticks[0].Time, ticks[len(ticks)-1].Time; first != tl.Captures[0].Time || last != tl.Captures[n-1].Time {
		t.Errorf("drawn from %s to %s, captured from %s to %s", first, last, tl.Captures[0].Time, tl.Captures[n-1].Time)
	}
	if len(ticks) > maxTicks+2 {
		t.Errorf("%d ticks", len(ticks))
	}
}

// openArchive opens an archive of captures whose records are never read.
func openArchive(t *testing.T, x *index.Index) *archive.Archive {
	t.Helper()
	a, err := archive.New(archive.Config{Index: x, Records: archivetest.NoRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
