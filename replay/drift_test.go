package replay_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// A typed is a response with its media type.
type typed struct{ date, uri, kind, body string }

func writeTyped(tb testing.TB, list []typed) string {
	tb.Helper()
	var b strings.Builder
	for i, r := range list {
		ts, err := cdx.ParseTimestamp(r.date)
		if err != nil {
			tb.Fatal(err)
		}
		block := "HTTP/1.1 200 OK\r\nContent-Type: " + r.kind + "\r\n\r\n" + r.body
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: %s\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", i, ts.Time().Format(time.RFC3339), r.uri, len(block), block)
	}
	path := filepath.Join(tb.TempDir(), "typed.warc")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// The page of 2014 has a style sheet that was captured only in 2016. What the sheet refers to was captured in both
// years.
func TestNestedResourcesUseThePagesDatetime(t *testing.T) {
	const css = "text/css"
	s, _ := serverOf(t, writeTyped(t, []typed{
		{"20140101000000", "http://a.example/", "text/html", "<title>a</title><link rel=stylesheet href=/a.css><p>a page"},
		{"20160101000000", "http://a.example/a.css", css, "@import '/b.css';p{background:url(/i.png)}"},
		{"20160101000000", "http://a.example/b.css", css, "@import '/c.css';"},
		{"20140101000000", "http://a.example/c.css", css, "p{background:url(/i.png)}"},
		{"20160101000000", "http://a.example/c.css", css, "p{background:url(/j.png)}"},
		{"20140101000000", "http://a.example/i.png", "image/png", "\x89PNG1"},
		{"20160101000000", "http://a.example/i.png", "image/png", "\x89PNG2"},
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
		{"another site says nothing", sheet, "/other/20140101000000/http://a.example/", "url(/web/20160101000000im_/http://a.example/i.png)"},
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
