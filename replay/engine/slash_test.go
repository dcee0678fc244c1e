package engine_test

import (
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// What is relative in a page's scripts depends on the slash at the end of its address.
func TestPagesAreShownWithTheirSlash(t *testing.T) {
	const day = "20180101000000"
	server, _ := replaytest.Serve(t, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: day, URI: "http://a.example/sub/", Kind: "text/html", Body: "sub"},
		{Date: day, URI: "http://a.example/q/?a=b", Kind: "text/html", Body: "query"},
		{Date: day, URI: "http://a.example/file", Kind: "text/html", Body: "file"},
		{Date: day, URI: "http://a.example/", Kind: "text/html", Body: "root"},
	}))
	s := server.Handler()
	for _, tt := range []struct{ asked, mod, mode, to string }{
		{"http://a.example/sub", "", "navigate", "/web/" + day + "/http://a.example/sub/"},
		{"http://a.example/sub", "if_", "navigate", "/web/" + day + "if_/http://a.example/sub/"},
		{"https://www.a.example/sub", "mp_", "navigate", "/web/" + day + "mp_/http://a.example/sub/"},
		{"http://a.example/q?a=b", "mp_", "navigate", "/web/" + day + "mp_/http://a.example/q/?a=b"},
		{"http://a.example/sub/", "", "navigate", ""},
		{"http://a.example/sub", "", "cors", ""},
		{"http://a.example/sub", "", "", ""},
		{"http://a.example/file/", "", "navigate", ""},
		{"http://a.example", "", "navigate", ""},
	} {
		w := replaytest.Get(t, s, "/web/"+day+tt.mod+"/"+tt.asked, "Sec-Fetch-Mode", tt.mode, "Sec-Fetch-Dest", "document")
		if want := map[bool]int{true: 302, false: 200}[tt.to != ""]; w.Code != want || w.Header().Get("Location") != tt.to {
			t.Errorf("%s %s: %d %s, want %d %s", tt.asked, tt.mode, w.Code, w.Header().Get("Location"), want, tt.to)
		}
	}
}

// A style sheet that was sent without a type is none of text, which browsers would refuse.
func TestNoTypeIsMadeUp(t *testing.T) {
	const day = "20180101000000"
	verbatim := func(uri, body string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: day, URI: uri, Message: "HTTP/1.1 200 OK\r\n\r\n" + body}
	}
	server, _ := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		verbatim("http://a.example/css", "b{background:url(/a.png)}"), verbatim("http://a.example/js", "location = 1"),
		verbatim("http://a.example/page", "<html><p>caf\xe9"), verbatim("http://a.example/text", "text"),
	}))
	s := server.Handler()
	for path, want := range map[string]string{
		"cs_/http://a.example/css": "", "js_/http://a.example/js": "", "mp_/http://a.example/text": "", "id_/http://a.example/page": "",
		"mp_/http://a.example/page": "text/html",
	} {
		w := replaytest.Get(t, s, "/web/"+day+path)
		if got := w.Result().Header.Get("Content-Type"); w.Code != 200 || got != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, got, want)
		}
	}
}
