package requests_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
)

// open returns an archive of records, and the shelf they are on.
func open(t *testing.T, records ...archivetest.Record) (*archive.Archive, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	return over(t, shelf), shelf
}

func over(t *testing.T, shelf *archivetest.Shelf) *archive.Archive {
	t.Helper()
	s, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
