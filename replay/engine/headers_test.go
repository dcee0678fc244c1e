package engine_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/golden"
	"github.com/varve-archive/varve/replay/replaytest"
)

// What answers of each kind say in their headers. The tags of rewritten answers are left out; "=" is the value that the header had last.
// A page that writes document.lastModified shows what it showed when it was captured. The date is not that of the rewritten answer, which
// changes with the index.
func TestPagesKnowWhenTheyWereModified(t *testing.T) {
	const changed = "Tue, 03 Mar 2009 10:00:00 GMT"
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/", Message: message(200, aPage+"Last-Modified: "+changed+"\r\n", "<p>a")},
		{Date: "20150101000000", URI: "http://a.example/none", Message: message(200, aPage, "<p>b")},
		{Date: "20150101000000", URI: "http://a.example/wrong", Message: message(200, aPage+"Last-Modified: today\r\n", "<p>c")},
		{
			Date: "20150101000000", URI: "http://a.example/a.css",
			Message: message(200, "Content-Type: text/css\r\nLast-Modified: "+changed+"\r\n", "p{}"),
		},
	})
	for path, want := range map[string]string{
		"": changed, "none": "Thu, 01 Jan 2015 00:00:00 GMT", "wrong": "Thu, 01 Jan 2015 00:00:00 GMT", "a.css": "",
	} {
		for range 2 { // the second answer is a copy of the first
			w := ask(s, "GET", "/web/20150101000000/http://a.example/"+path, "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")
			if w.Code != 200 || w.Header().Get("Last-Modified") != want {
				t.Errorf("/%s: %d, Last-Modified %q", path, w.Code, w.Header().Get("Last-Modified"))
			}
		}
	}
}

func TestHeadersLookAsTheyDid(t *testing.T) {
	const head = "Set-Cookie: a=b; Path=/\r\nStrict-Transport-Security: max-age=9\r\nX-State: 1\r\n"
	at := func(date, path string, status int, head, body string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: date, URI: "http://a.example" + path, Message: message(status, head, body)}
	}
	s, _ := serves(t, []replaytest.Verbatim{
		at("20140101000000", "/", 200, aPage+head, "<p>one"), at("20150101000000", "/", 200, aPage+head, "<p>two"),
		at("20160101000000", "/", 200, aPage, "<p>three"),
		at("20150101000000", "/api", 200, "Content-Type: application/json\r\n"+head, `{"a":1}`),
		at("20150101000000", "/a.png", 200, "Content-Type: image/png\r\n"+head, "png"),
		at("20150101000000", "/a.css?v=1", 200, "Content-Type: text/css\r\n", "p{}"),
		at("20150101000000", "/moved", 301, "Location: /to\r\n"+head, ""), at("20150101000000", "/to", 200, aPage, "<p>to"),
		at("20140101000000", "/self", 200, aPage, "<p>self"), at("20150101000000", "/self", 302, "Location: http://a.example/self\r\n", ""),
		at("20150101000000", "/round", 302, "Location: http://a.example/round\r\n", ""),
		at("20150101000000", "/gone", 404, aPage+head, "<p>gone"),
		at("20150101000000", "/part", 206, "Content-Type: video/mp4\r\nContent-Range: bytes 2-3/9\r\n", "23"),
		at("20150101000000", "/none", 204, head, ""), at("20150101000000", "/untyped", 200, "", "x"),
	})
	const day, u = "/web/20150101000000", "/http://a.example"
	const page = "http://varve.example" + day + u + "/"
	var b strings.Builder
	last, tag := map[string]string{}, regexp.MustCompile(`W/"[^"]+"`)
	runtime := strings.NewReplacer("X-Pywb-Requested-With, Sec-Fetch-Dest, ", "") // chosen by them, if the build has it
	for _, tt := range []struct{ method, path, header string }{
		{"GET", day + u + "/", ""},
		{"GET", day + u + "/", "Prefer: raw"},
		{"GET", day + "id_" + u + "/", ""},
		{"GET", day + "bn_" + u + "/", ""},
		{"GET", day + "if_" + u + "/", "Referer: " + page},
		{"GET", day + "wkrf_" + u + "/api", "Referer: " + page},
		{"GET", day + "im_" + u + "/a.png", "Referer: " + page + " | Sec-Fetch-Dest: image"},
		{"GET", day + "cs_" + u + "/a.css?v=2", "Referer: " + page + " | Sec-Fetch-Dest: style"},
		{"GET", day + u + "/moved", ""},
		{"GET", day + u + "/moved", "Sec-Fetch-Dest: document | Sec-Fetch-Mode: navigate"},
		{"GET", day + u + "/moved", "Sec-Fetch-Dest: iframe | Sec-Fetch-Mode: navigate"},
		{"GET", day + u + "/self", ""},
		{"GET", day + u + "/round", ""},
		{"GET", day + u + "/gone", ""},
		{"GET", day + u + "/part", ""},
		{"GET", day + u + "/part", "Range: bytes=3-"},
		{"GET", day + u + "/none", ""},
		{"GET", day + "mp_" + u + "/untyped", ""},
		{"GET", day + u + "/never", ""},
		{"GET", "/web" + u + "/", ""},
		{"GET", "/web/timemap/link" + u + "/", ""},
		{"OPTIONS", day + u + "/", ""},
		{"PATCH", day + u + "/", ""},
	} {
		var header []string
		for field := range strings.SplitSeq(tt.header, " | ") {
			if name, value, ok := strings.Cut(field, ": "); ok {
				header = append(header, name, value)
			}
		}
		w := ask(s, tt.method, tt.path, header...)
		h := w.Result().Header
		fmt.Fprintf(&b, "%s %s  %s\n%d\n", tt.method, tt.path, tt.header, w.Code)
		for _, name := range slices.Sorted(maps.Keys(h)) {
			value := runtime.Replace(tag.ReplaceAllString(strings.Join(h[name], " | "), "W/…"))
			if value == last[name] {
				value = "="
			} else {
				last[name] = value
			}
			fmt.Fprintf(&b, "  %s: %s\n", name, value)
		}
	}
	golden.Check(t, "testdata/headers.txt", b.String())
}
