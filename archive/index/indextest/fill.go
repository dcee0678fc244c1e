package indextest

import (
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
)

// Fill indexes captures in a collection, under the files that they name.
func Fill(t testing.TB, x *index.Index, coll string, captures []cdx.Capture) {
	t.Helper()
	counts := map[string]int64{}
	for _, c := range captures {
		counts[c.FileName]++
	}
	ids := map[string]cdx.FileID{}
	w := x.Writer(t.Context(), coll)
	for _, c := range captures {
		if ids[c.FileName] == 0 {
			id, err := x.PutFile(t.Context(), index.File{
				Collection: coll, Path: "/" + c.FileName, Name: c.FileName,
				Scanned: 1 << 40, Done: true, Captures: counts[c.FileName],
			})
			if err != nil {
				t.Fatal(err)
			}
			ids[c.FileName] = id
		}
		if c.File = ids[c.FileName]; c.Origin.File != 0 {
			c.Origin.File = c.File
		}
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}
