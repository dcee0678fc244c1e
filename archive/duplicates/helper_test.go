package duplicates_test

import (
	"strconv"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
)

const (
	uri   = "http://a.example/page"
	whole = 128 // Like of a text that is the same but for its ID
)

// A shown is a capture of a text of which only the sketch exists.
type shown = archivetest.Shown

// sketched returns an archive of captures without records.
func sketched(t *testing.T, list ...shown) *archive.Archive {
	t.Helper()
	return over(t, archive.Config{Index: archivetest.Sketched(t, list...), Records: archivetest.NoRecords{}})
}

// open returns an archive of records, and the shelf they are on.
func open(t *testing.T, records ...archivetest.Record) (*archive.Archive, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	return over(t, archive.Config{Index: shelf.Index, Records: shelf}), shelf
}

func over(t *testing.T, cfg archive.Config) *archive.Archive {
	t.Helper()
	a, err := archive.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// dayOf returns which day a capture is from.
func dayOf(c *cdx.Capture) string { return strconv.Itoa(c.Time.Time().Day() - 1) }
