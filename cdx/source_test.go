package cdx_test

import (
	"log/slog"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

func TestIndexIsASource(t *testing.T) {
	cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source {
		x, err := cdx.Open("", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
		fill(t, x, captures)
		return x
	})
}

// fill indexes captures as those of the files that they name.
func fill(t testing.TB, x *cdx.Index, captures []cdx.Capture) {
	t.Helper()
	ids := map[string]cdx.FileID{}
	w := x.Writer(cdxtest.Coll)
	for _, c := range captures {
		if ids[c.FileName] == 0 {
			id, err := x.PutFile(cdx.File{Collection: cdxtest.Coll, Path: "/" + c.FileName, Name: c.FileName, Scanned: 1 << 40, Done: true})
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

// Only an index can name the file that a revisit's original is in.
func TestAPINamesTheOriginalsFile(t *testing.T) {
	x, err := cdx.Open("", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	fill(t, x, sample())
	got := body(t, get(t, x, nil, "url=http://example.org/&resolveRevisits=true&filter=mimetype:warc/revisit"))
	want := "org,example)/ 20150301000000 http://example.org/ warc/revisit 200 AAAAAAAA 500 88 77 a.warc.gz\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
