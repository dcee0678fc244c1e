package absent_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay/pages/absent"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

func TestFailuresAreToldAsAsked(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20150101000000", URI: replaytest.Site + "/b", Status: 200, Body: replaytest.PageOf("B", "one two three")},
	}))
	site, err := respond.NewSite("", "")
	if err != nil {
		t.Fatal(err)
	}
	box := search.New(s.Archive(), s.Searches(), site)
	h := absent.New(s.Archive(), site, box.Shared, ways.New(s.Archive(), box, site))
	failure := &respond.Failure{Status: 503, Say: "the file is gone", Header: http.Header{"Retry-After": {"120"}}}
	path := respond.ParsePath("/web/20150101000000/" + replaytest.Site + "/a")
	for _, tt := range []struct {
		name, method, accept string
		kind, has            string
	}{
		{"a browser", "GET", "text/html", "text/html; charset=utf-8", "The file is gone."},
		{"a program", "GET", "*/*", "text/plain; charset=utf-8", "the file is gone\n"},
		{"a program, by HEAD", "HEAD", "*/*", "text/plain; charset=utf-8", ""},
		{"a program that reads JSON", "GET", "application/json", "application/json", `"error":"the file is gone"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest(tt.method, "/", nil)
			r.Header.Set("Accept", tt.accept)
			h.Fail(w, r, path, failure)
			g := w.Header()
			if w.Code != 503 || g.Get("Content-Type") != tt.kind || !strings.Contains(w.Body.String(), tt.has) || tt.has == "" && w.Body.Len() > 0 {
				t.Errorf("%d %v\n%s", w.Code, g, w.Body)
			}
			if g.Get("Retry-After") != "120" || g.Get("Cache-Control") != "no-cache" || !strings.Contains(g.Get("Vary"), "Accept") {
				t.Errorf("%v", g)
			}
		})
	}
	t.Run("a page leads to what else there is", func(t *testing.T) {
		for n, want := range map[int]int{0: 0, 3: 3, respond.MaxOthers + 5: respond.MaxOthers} {
			f := *failure
			for i := range n {
				c := cdx.Capture{Time: cdx.Timestamp(20000101000000 + i), URL: replaytest.Site + "/a"}
				f.Others = append(f.Others, c)
			}
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept", "text/html")
			h.Fail(w, r, path, &f)
			body := w.Body.String()
			if got := strings.Count(body, `href="/web/200001010000`); got != want {
				t.Errorf("%d of %d captures are named\n%s", got, n, body)
			}
			if !strings.Contains(body, `/web/*/http://rain.example.org/*`) || strings.Contains(body, `"/web/*/`+replaytest.Site+`/a"`) != (n > 0) {
				t.Errorf("with %d others:\n%s", n, body)
			}
		}
	})
	t.Run("a client that is gone", func(t *testing.T) {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("panicked with %v", p)
			}
		}()
		h.Fail(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), path, &respond.Failure{Status: 499, Say: "given up"})
	})
	t.Run("what asks to wait is no error", func(t *testing.T) {
		var log logbuffer.Buffer
		s.Archive().Log = slog.New(slog.NewTextHandler(&log, nil))
		for _, err := range []error{searches.ErrSearchBehind, archive.ErrUnavailable} {
			h.Fail(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), path, err)
		}
		if lines := strings.Count(log.String(), "level=ERROR"); lines != 1 || !strings.Contains(log.String(), "can't be reached") {
			t.Errorf("%d errors:\n%s", lines, &log)
		}
	})
	t.Run("the cause stays in the log", func(t *testing.T) {
		w := httptest.NewRecorder()
		h.Fail(w, httptest.NewRequest(http.MethodGet, "/", nil), path, errors.New("secret path"))
		if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
