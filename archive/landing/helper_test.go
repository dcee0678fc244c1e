package landing_test

import (
	"strconv"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

const page = "http://a.example/page"

// uris are those of the collection in which the records of a test are.
var uris = memento.URIs{Coll: "web"}

// open returns the timelines of records.
func open(t *testing.T, records ...archivetest.Record) *timeline.Timelines {
	t.Helper()
	return timeline.New(timeline.Config{View: &view.View{Whole: archivetest.Keep(t, records...).Index}})
}

// dayOf returns which day a capture is from, "none" for no capture.
func dayOf(c *cdx.Capture) string {
	if c == nil {
		return "none"
	}
	return strconv.Itoa(c.Time.Time().Day() - 1)
}

func on(date, uri, body string) archivetest.Record { return archivetest.On(date, uri, body) }

func missing(date, uri string) archivetest.Record { return archivetest.Missing(date, uri) }

func days(uriR string, words ...string) []archivetest.Record { return archivetest.Days(uriR, words...) }

func prose(seed string) string { return archivetest.Prose(seed) }
