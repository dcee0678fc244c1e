package similar_test

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

// uris are those of the collection in which the captures of a test are.
var uris = memento.URIs{Coll: "web"}

// A shown is a capture of a text of which only the sketch exists.
type shown = archivetest.Shown

// sketched returns the timelines of captures without records.
func sketched(t *testing.T, list ...shown) *timeline.Timelines {
	t.Helper()
	return timeline.New(timeline.Config{View: &view.View{Whole: archivetest.Sketched(t, list...)}})
}

// dayOf returns which day a capture is from.
func dayOf(c *cdx.Capture) string { return strconv.Itoa(c.Time.Time().Day() - 1) }
