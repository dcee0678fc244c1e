package timeline_test

import (
	"strconv"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

const page = "http://a.example/page"

// uris are those of the collection in which the records of a test are.
var uris = memento.URIs{Coll: "web"}

// open returns an archive of records, and the shelf they are on.
func open(t *testing.T, records ...archivetest.Record) (*archive.Archive, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	return over(t, archive.Config{Index: shelf.Index, Records: shelf}), shelf
}

func over(t *testing.T, cfg archive.Config) *archive.Archive {
	t.Helper()
	s, err := archive.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func timelineOf(t *testing.T, s *archive.Archive, uriR string) *timeline.Timeline {
	t.Helper()
	tl, err := s.Timelines.Get(t.Context(), "web", surt.Of(uriR))
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// Some texts that share nothing.
var (
	acid = prose("acid rain harms lakes forests fish soils and stone")
	fog  = prose("fog is a cloud that touches ground near cold water")
)

func days(uriR string, words ...string) []archivetest.Record { return archivetest.Days(uriR, words...) }

func day(i int) string { return archivetest.Day(i) }

func at(i int) cdx.Timestamp { return archivetest.At(i) }

func prose(seed string) string { return archivetest.Prose(seed) }

// dayOf returns which day a capture is from, "none" for no capture.
func dayOf(c *cdx.Capture) string {
	if c == nil {
		return "none"
	}
	return strconv.Itoa(c.Time.Time().Day() - 1)
}
