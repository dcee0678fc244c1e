package index_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
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

// The keys of a range end before its end, and each comes once.
func TestKeys(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, "")
	for coll, keys := range map[string][]string{
		"web": {"com,a)/", "com,a)/b", "com,a)/b", "com,a)/b?c", "com,ab)/"}, "webs": {"com,a)/", "com,z)/"},
	} {
		var captures []cdx.Capture
		for i, key := range keys {
			captures = append(captures, cdx.Capture{Key: key, URL: key, Time: 20140101000000 + cdx.Timestamp(i), FileName: coll + ".warc"})
		}
		indextest.Fill(t, x, coll, captures)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"", "", "com,a)/ com,a)/b com,a)/b?c com,ab)/"},
		{"com,a)/b", "", "com,a)/b com,a)/b?c com,ab)/"},
		{"com,a)/", "com,a)/b?c", "com,a)/ com,a)/b"},
		{"com,a)/c", "com,ab)/", ""},
		{"com,a)/b", "com,a)/b", ""},
		{"d", "", ""},
	} {
		var got []string
		for key, err := range x.Keys(t.Context(), "web", tt.from, tt.to) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, key)
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("from %q to %q: %s, want %s", tt.from, tt.to, all, tt.want)
		}
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
