package archive_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

const page = "http://a.example/page"

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

// on returns the record of a page.
func on(date, uri, body string) archivetest.Record { return archivetest.On(date, uri, body) }

func days(uriR string, words ...string) []archivetest.Record { return archivetest.Days(uriR, words...) }

func day(i int) string { return archivetest.Day(i) }

func at(i int) cdx.Timestamp { return archivetest.At(i) }
