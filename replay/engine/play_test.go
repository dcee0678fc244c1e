package engine_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

var nonceOf = regexp.MustCompile(`script-src 'nonce-([^']+)'`)

// A change is played in the page's own look, and none of the page's own scripts may run in it.
func TestAChangeIsPlayedInThePageItself(t *testing.T) {
	versions := func(uri, head, before, after string) []replaytest.Verbatim {
		return []replaytest.Verbatim{
			{Date: "20150101000000", URI: uri, Message: message(200, head, before)},
			{Date: "20160101000000", URI: uri, Message: message(200, head, after)},
		}
	}
	const text = "<p>The lake is deep and cold in winter, and nobody swims there before the month of June is over.</p>"
	page := func(more string) string {
		return "<!doctype html><html><head><title>Lake</title><script src=/own.js></script></head><body>" + text + more + "</body></html>"
	}
	xhtml := func(more string) string {
		return `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Lake</title></head><body>` + text + more + "</body></html>"
	}
	frames := "<html><head><title>Lake</title></head><frameset cols='1,2'><frame src=a><frame src=b></frameset></html>"
	var list []replaytest.Verbatim
	list = append(list, versions("http://a.example/page", aPage, page(""), page("<p>Boats are for hire.</p>"))...)
	list = append(list, versions("http://a.example/bare", "Content-Type: text/html\r\n", page(""), page("<p>Boats are for hire.</p>"))...)
	list = append(list, versions("http://a.example/xhtml", "Content-Type: application/xhtml+xml\r\n", xhtml(""), xhtml("<p>Boats.</p>"))...)
	const latin = "Content-Type: application/xhtml+xml; charset=iso-8859-1\r\n"
	list = append(list, versions("http://a.example/latin", latin, xhtml(""), xhtml("<p>Boats.</p>"))...)
	list = append(list, versions("http://a.example/frames", aPage, frames, strings.ReplaceAll(frames, "Lake", "Lakes"))...)
	list = append(list, versions("http://a.example/text", plainText, "The lake is deep.", "The lake is deep. Boats are for hire.")...)
	s, _ := serves(t, list)
	for _, tt := range []struct {
		name, path, kind string
		played           bool
	}{
		{"a page", "page", "text/html; charset=utf-8", true},
		{"a page without a charset", "bare", "text/html", true},
		{"a page of XHTML", "xhtml", "text/html; charset=utf-8", true},
		{"a page of XHTML in another charset", "latin", "text/html; charset=iso-8859-1", true},
		{"a page of frames", "frames", "text/html; charset=utf-8", false},
		{"what is no page", "text", "text/html; charset=utf-8", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "/web/animate/20150101000000/20160101000000/http://a.example/" + tt.path
			w := ask(s, "GET", path, "Accept", "text/html")
			h, body := w.Header(), w.Body.String()
			if w.Code != 200 || h.Get("Content-Type") != tt.kind {
				t.Fatalf("%d %v\n%.300s", w.Code, h, body)
			}
			nonce := nonceOf.FindStringSubmatch(h.Get("Content-Security-Policy"))
			if (nonce != nil) != tt.played || (h.Get("Cross-Origin-Opener-Policy") != "") != tt.played {
				t.Fatalf("played: %t, policy: %s", nonce != nil, h.Get("Content-Security-Policy"))
			}
			if !tt.played {
				return
			}
			if n := strings.Count(body, `<script nonce="`+nonce[1]+`"`); n < 3 {
				t.Errorf("%d scripts that may run\n%s", n, body)
			}
			if tt.path != "xhtml" && strings.Contains(body, `nonce="`+nonce[1]+`" src="/web/20160101000000js_/http://a.example/own.js"`) {
				t.Errorf("the page's own script may run\n%s", body)
			}
			if h.Get("Content-Length") != strconv.Itoa(len(body)) || h.Get("Memento-Datetime") != "" || h.Get("X-Robots-Tag") != "noindex" ||
				!strings.Contains(h.Get("Vary"), "Accept-Language") {
				t.Errorf("%v", h)
			}
			head := ask(s, "HEAD", path, "Accept", "text/html")
			if head.Code != 200 || head.Body.Len() > 0 || head.Header().Get("Content-Length") == "" {
				t.Errorf("HEAD: %d with %d bytes, %v", head.Code, head.Body.Len(), head.Header())
			}
			again := nonceOf.FindStringSubmatch(ask(s, "GET", path, "Accept", "text/html").Header().Get("Content-Security-Policy"))
			if again == nil || again[1] == nonce[1] {
				t.Errorf("a nonce is used twice: %v", again)
			}
		})
	}
}
