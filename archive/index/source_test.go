package index_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
	"github.com/varve-archive/varve/cdx/surt"
)

func TestIndexIsASource(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func() *index.Index{
		"badger": func() *index.Index { return indextest.Open(t, "") },
		"memory": func() *index.Index {
			x, err := index.New(t.Context(), kvtest.NewMemory())
			if err != nil {
				t.Fatal(err)
			}
			return x
		},
	} {
		t.Run(name, func(t *testing.T) {
			cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source {
				x := open()
				indextest.Fill(t, x, cdxtest.Coll, captures)
				return x
			})
		})
	}
}

// Only an index can name the file of a revisit's original.
func TestAPINamesTheOriginalsFile(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, "")
	page := cdx.Capture{
		URL: "http://example.org/", Key: surt.Of("http://example.org/"), Time: 20140101000000, MIME: "text/html", Status: 200, Digest: "AAAAAAAA",
		Location: cdx.Location{Offset: 88, Length: 500}, FileName: "a.warc.gz",
	}
	revisit := page
	revisit.Time, revisit.Kind, revisit.Offset, revisit.Length = 20150301000000, cdx.Revisit, 900, 77
	revisit.Origin = cdx.Location{File: 1, Offset: 88, Length: 500}
	indextest.Fill(t, x, cdxtest.Coll, []cdx.Capture{page, revisit})
	w := httptest.NewRecorder()
	q := "/?url=http://example.org/&fl=timestamp,mimetype,orig.length,orig.offset,orig.filename&filter=mimetype:warc/revisit"
	cdx.NewAPI(x, nil).Serve(w, httptest.NewRequest(http.MethodGet, q, nil), cdxtest.Coll)
	want := "20150301000000 warc/revisit 500 88 a.warc.gz\n"
	if got := w.Body.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
