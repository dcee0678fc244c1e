package archivetest

import (
	"cmp"
	"errors"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Shown is a capture of a text of which only the sketch exists. Like says how many of the 128 values of the text's
// MinHash are those of every other text that has them, from the first on: two texts are as similar as the smaller of
// their numbers, of 128.
type Shown struct {
	URI    string
	Day    int
	Text   uint64
	Like   int
	Status int    // 0 is 200
	Key    string // "" is that of uri
}

// Sketched returns an index of captures without records.
func Sketched(t *testing.T, list ...Shown) *index.Index {
	t.Helper()
	x, err := index.New(t.Context(), kvtest.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	file := index.File{Collection: "web", Name: "a.warc", Path: "/a.warc"}
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), "web")
	for i, s := range list {
		k := sketch.Sketch{ID: s.Text, Title: fmt.Sprint("Title ", s.Text)}
		for j := range k.MinHash {
			if k.MinHash[j] = uint16(j + 1); j >= s.Like {
				k.MinHash[j] = uint16(1000 + 131*int(s.Text) + 7919*j)
			}
		}
		c := cdx.Capture{
			Key: cmp.Or(s.Key, surt.Of(s.URI)), URL: s.URI, Time: At(0) + cdx.Timestamp(s.Day)*1000000, Status: cmp.Or(s.Status, 200),
			MIME: "text/html", Text: s.Text, Digest: fmt.Sprintf("x:%d", s.Text),
			Location: cdx.Location{File: file.ID, Offset: int64(i) * 1000, Length: 900},
		}
		if s.Text != 0 {
			err = w.AddText(k.ID, k.AppendBinary(nil), k.MinHash.Bands())
		}
		if err := errors.Join(err, w.Add(&c)); err != nil {
			t.Fatal(err)
		}
	}
	file.Done, file.Scanned = true, int64(len(list))*1000
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	return x
}
