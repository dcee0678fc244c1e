package engine_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The page of 2014 has a style sheet that was captured only in 2016. What the sheet refers to was captured in both
// years.
func TestNestedResourcesUseThePagesDatetime(t *testing.T) {
	const css = "text/css"
	s, _ := replaytest.Serve(t, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20140101000000", URI: "http://a.example/", Kind: "text/html", Body: "<title>a</title><link rel=stylesheet href=/a.css><p>a page"},
		{Date: "20160101000000", URI: "http://a.example/a.css", Kind: css, Body: "@import '/b.css';p{background:url(/i.png)}"},
		{Date: "20160101000000", URI: "http://a.example/b.css", Kind: css, Body: "@import '/c.css';"},
		{Date: "20140101000000", URI: "http://a.example/c.css", Kind: css, Body: "p{background:url(/i.png)}"},
		{Date: "20160101000000", URI: "http://a.example/c.css", Kind: css, Body: "p{background:url(/j.png)}"},
		{Date: "20140101000000", URI: "http://a.example/i.png", Kind: "image/png", Body: "\x89PNG1"},
		{Date: "20160101000000", URI: "http://a.example/i.png", Kind: "image/png", Body: "\x89PNG2"},
	}))
	ask := func(path, referer string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		r.RequestURI = path
		if referer != "" {
			r.Header.Set("Referer", "http://example.com"+referer)
		}
		s.Handler().ServeHTTP(w, r)
		return w
	}
	const page = "/web/20140101000000/http://a.example/"
	const sheet = "/web/20160101000000cs_/http://a.example/a.css"
	const second = "/web/20160101000000$cs.20140101000000/http://a.example/b.css"
	tests := []struct{ name, path, referer, want string }{
		{"the page points at exact URI-Ms", page, "", `href=` + sheet + `>`},
		{"the sheet of a page", sheet, page, "url(/web/20140101000000im_/http://a.example/i.png)"},
		{"the sheet of a page passes the datetime on", sheet, page, "@import '" + second + "'"},
		{"the sheet alone", sheet, "", "url(/web/20160101000000im_/http://a.example/i.png)"},
		{"the sheet alone again, after it was kept for the page", sheet, "", "@import '/web/20160101000000cs_/http://a.example/b.css'"},
		{"the sheet in the sheet", second, sheet, "@import '/web/20140101000000$cs.20140101000000/http://a.example/c.css'"},
		{
			"the sheet of an animated page", sheet, "/web/animate/20140101000000/20150101000000/http://a.example/",
			"url(/web/20140101000000im_/http://a.example/i.png)",
		},
		{
			"a comparison says nothing", sheet, "/web/diff/20140101000000/20150101000000/http://a.example/",
			"url(/web/20160101000000im_/http://a.example/i.png)",
		},
		{"a part of a year says nothing", sheet, "/web/2014/http://a.example/", "url(/web/20160101000000im_/http://a.example/i.png)"},
		{"another page says nothing", sheet, "/web/*/http://a.example/", "url(/web/20160101000000im_/http://a.example/i.png)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := ask(tt.path, tt.referer)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("%d, want %s in\n%s", w.Code, tt.want, w.Body)
			}
			if embedded := tt.path != page; embedded != strings.Contains(w.Header().Get("Vary"), "Referer") {
				t.Errorf("Vary: %s", w.Header().Get("Vary"))
			}
		})
	}
	if w := ask(page, ""); !strings.Contains(w.Body.String(), "up to 2 years later") {
		t.Errorf("the banner says nothing of a sheet two years younger: %s", w.Body)
	}
}
