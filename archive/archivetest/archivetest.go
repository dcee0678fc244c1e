package archivetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// CountedIndex returns an index with the given number of captures of each page, each with a different text, and
// counts its reads.
func CountedIndex(t *testing.T, pages map[string]int) (*index.Index, *indextest.Reads) {
	t.Helper()
	x, reads := indextest.Counting(t)
	var err error
	file := index.File{Collection: "web", Name: "pages.warc.gz", Path: "/store/pages.warc.gz"}
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w, offset := x.Writer(t.Context(), "web"), int64(0)
	for url, n := range pages {
		for i := range n {
			body := fmt.Appendf(nil, "Page %s stood here with the words of version number %d and %d.", url, i, 7*i)
			text := new(visible.Extractor).Extract(body, "text/plain")
			sketch := sketch.Of(&text)
			if err := w.AddText(sketch.ID, sketch.AppendBinary(nil), nil); err != nil {
				t.Fatal(err)
			}
			offset += 1000
			err := w.Add(&cdx.Capture{
				Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html", Digest: fmt.Sprintf("x:%d", i), Text: sketch.ID,
				Time:     cdx.FromTime(time.Date(2010, 1, 1, i, 0, 0, 0, time.UTC)),
				Location: cdx.Location{File: file.ID, Offset: offset, Length: 900},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned = true, offset+1000
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	reads.Reset()
	return x, reads
}

// PutBare indexes n captures without texts, one a second. Those from index from up to to share one second.
func PutBare(t *testing.T, x *index.Index, url string, n, from, to int) {
	t.Helper()
	file := index.File{Collection: "web", Name: "bare.warc.gz", Path: "/store/bare.warc.gz"}
	var err error
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w, begin := x.Writer(t.Context(), "web"), time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		at := i
		if i >= from && i < to {
			at = from
		}
		err := w.Add(&cdx.Capture{
			Key: surt.Of(url), URL: url + "?n=" + fmt.Sprint(i), Status: 200, MIME: "image/png", Digest: "x:1",
			Time:     cdx.FromTime(begin.Add(time.Duration(at) * time.Second)),
			Location: cdx.Location{File: file.ID, Offset: int64(i) * 1000, Length: 900},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned, file.Captures = true, int64(n)*1000, int64(n)
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
}

// NoRecords is a store of records without any.
type NoRecords struct{}

// Record implements archive.Records.
func (NoRecords) Record(context.Context, cdx.Location) (*warc.Record, error) {
	return nil, errors.New("there are no records in this test")
}
