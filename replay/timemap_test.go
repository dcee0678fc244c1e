package replay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// putBare indexes captures without texts: one in each second, but for those between from and to, which stand in one.
func putBare(t *testing.T, x *index.Index, url string, n, from, to int) {
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
	file.Done, file.Scanned = true, int64(n)*1000
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
}

// A page of a TimeMap begins where the one before ends, also in the middle of a second, and reads nothing before.
func TestAPageOfATimeMapIsReadFromItsFirstMemento(t *testing.T) {
	const n = 3*memento.PageSize + 40
	for name, run := range map[string][2]int{
		"a second each":                       {0, 0},
		"a page that begins within a second":  {memento.PageSize - 5, memento.PageSize + 5},
		"a second that has a page and more":   {memento.PageSize + 5, 2*memento.PageSize + 50},
		"a page that begins with such second": {2 * memento.PageSize, 2*memento.PageSize + 7},
	} {
		t.Run(name, func(t *testing.T) {
			x, reads := countedIndex(t, nil)
			putBare(t, x, "http://example.org/", n, run[0], run[1])
			s, err := New(Config{Index: x, Records: noRecords{}})
			if err != nil {
				t.Fatal(err)
			}
			next := 0
			for page := 1; page <= 4; page++ {
				reads.Reset()
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/web/timemap/link/%d/http://example.org/", page), nil))
				for _, line := range strings.Split(w.Body.String(), "\n") {
					if !strings.Contains(line, `memento";`) {
						continue
					}
					if !strings.Contains(line, fmt.Sprintf("?n=%d>", next)) {
						t.Fatalf("page %d: want ?n=%d, got %s", page, next, line)
					}
					next++
				}
				if most := int64(memento.PageSize + (run[1] - run[0]) + 10); reads.Values.Load() > most {
					t.Errorf("page %d: %d captures read", page, reads.Values.Load())
				}
			}
			if next != n {
				t.Errorf("%d mementos on the pages, want %d", next, n)
			}
		})
	}
}

// A list of addresses says how often each was captured: their number is counted, not read.
func TestAListOfAddressesReadsOneCaptureOfEach(t *testing.T) {
	x, reads := countedIndex(t, map[string]int{"http://example.org/": 400, "http://example.org/a": 1})
	s, err := New(Config{Index: x, Records: noRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/web/*/http://example.org/*", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "400") {
		t.Errorf("status %d\n%s", w.Code, w.Body)
	}
	if v := reads.Values.Load(); v > 4+3 {
		t.Errorf("%d captures read for two addresses", v)
	}
}
