package searches_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

const page = "http://a.example/page"

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

const notFound = archivetest.NotFound

// Some texts that share nothing.
var (
	acid = archivetest.Prose("acid rain harms lakes forests fish soils and stone")
	fog  = archivetest.Prose("fog is a cloud that touches ground near cold water")
)

// open returns searches of records without a place of their own, and the shelf the records are on.
func open(t *testing.T, records ...archivetest.Record) (*searches.Searches, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	return over(t, archive.Config{Index: shelf.Index, Records: shelf}, searches.Config{}), shelf
}

// over returns the searches of an archive.
func over(tb testing.TB, cfg archive.Config, of searches.Config) *searches.Searches {
	tb.Helper()
	a, err := archive.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	of.Archive = a
	return searches.New(of)
}

func timelineOf(t *testing.T, s *archive.Archive, uriR string) *timeline.Timeline {
	t.Helper()
	tl, err := s.Timelines.Get(t.Context(), "web", surt.Of(uriR))
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

func on(date, uri, body string) archivetest.Record { return archivetest.On(date, uri, body) }

func missing(date, uri string) archivetest.Record { return archivetest.Missing(date, uri) }

func days(uriR string, words ...string) []archivetest.Record { return archivetest.Days(uriR, words...) }

func at(i int) cdx.Timestamp { return archivetest.At(i) }

// uris are those of the collection in which the records of a test are.
func uris() memento.URIs { return memento.URIs{Coll: "web"} }
