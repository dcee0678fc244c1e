package inspect

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// Who would parse a page waits for a place, is told to come again after a while, and leaves with the client.
func TestPagesAreParsedInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Handler{busy: make(chan struct{}, 1)}
		s.busy <- struct{}{}
		for _, a := range []*ask{{element: 3}, {element: -1, text: "- {name: a, css: b}"}} {
			err := s.point(t.Context(), &inspection{ask: a, capture: &cdx.Capture{MIME: "text/html"}})
			if f := respond.AsFailure(err); f.Status != http.StatusServiceUnavailable || f.Header.Get("Retry-After") == "" {
				t.Errorf("%v", err)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		err := s.point(gone, &inspection{ask: &ask{element: 3}, capture: &cdx.Capture{MIME: "text/html"}})
		if !errors.Is(err, context.Canceled) || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := s.point(t.Context(), &inspection{ask: &ask{element: -1}, capture: &cdx.Capture{}}); err != nil {
			t.Errorf("without a question: %v", err)
		}
	})
}

// A place is given back while a version is sent. If there is none, the rest is told to be asked for again.
func TestVersionsAreReadInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Handler{busy: make(chan struct{}, 1)}
		r := change.Range{Kind: change.Redirect}
		rd := &reading{s: s, tl: &timeline.Timeline{Captures: make([]cdx.Capture, 1)}, ranges: []change.Range{r, r, r}}
		var got []note
		err := rd.rows(t.Context(), 0, 0, func(r *row) bool {
			got = append(got, r.note)
			if len(s.busy) > 0 && len(got) == 1 {
				t.Error("a place is held while a version is sent")
				return false
			}
			if len(got) == 1 {
				s.busy <- struct{}{} // another has it from now on
			}
			return true
		})
		if err != nil || len(got) != 2 || got[0] != isRedirect || got[1] != isAhead {
			t.Errorf("%v: %v", got, err)
		}
	})
}

// Where others read for so long that the time is up, each form of an answer leads to the versions that were not read.
func TestVersionsThatWereNotRead(t *testing.T) {
	const page = "http://a.example/"
	shelf := archivetest.Keep(t, archivetest.Days(page, "The mill stands.", "The mill burns.")...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	tl, err := a.Timelines.Spelled(t.Context(), "web", page)
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil || len(ranges) != 2 {
		t.Fatal(ranges, err)
	}
	for _, level := range []change.Level{change.LevelContent, change.LevelAny} { // known before time stands still
		if _, err := tl.Ranges(level); err != nil {
			t.Fatal(err)
		}
	}
	const rest = "/web/inspect?at=20200101000000&css=p&from=20200101000000&name=text&url=http%3A%2F%2Fa.example%2F"
	for name, tt := range map[string]struct {
		write func(*Handler, http.ResponseWriter, *http.Request, *inspection) error
		says  string
	}{
		"JSON": {(*Handler).writeJSON, `"versions":[],"next":"http://example.com` + rest + "\"\n}\n"},
		"CSV":  {(*Handler).writeCSV, "20200101000000,20200101000000,http://example.com/web/20200101000000/http://a.example/,not read,,\r\n"},
		"page": {(*Handler).writePage, `href="` + html.EscapeString(rest) + `"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := New(a, &respond.Site{}, func(*http.Request, respond.Path) layout.Page { return layout.Page{} }, make(Slots, 1),
				func(*http.Request, string, string) string { return "" })
			s.busy <- struct{}{}
			in := &inspection{
				ask: &ask{
					params: url.Values{"css": {"p"}, "name": {"text"}}, field: fields.Field{Name: "text", CSS: "p"}, element: -1, level: change.LevelText,
				},
				p: respond.Path{Coll: "web", URIR: page}, tl: tl, capture: &tl.Captures[0], ranges: ranges,
			}
			if in.check(); in.err != nil {
				t.Fatal(in.err)
			}
			w := httptest.NewRecorder()
			if err := tt.write(s, w, httptest.NewRequest("GET", "/", nil), in); err != nil || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("%s: %v, no %q in %s", name, err, tt.says, w.Body)
			}
		})
	}
}
