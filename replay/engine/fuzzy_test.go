package engine_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

func TestFuzzyAnswers(t *testing.T) {
	lost := replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: "http://lost.example/api?_=1", Status: 200, Body: "lost"}})
	s, _ := replaytest.Serve(t, lost, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/api?id=1&_=1388534400000", Status: 200, Location: "", Body: "first"},
		{Date: "20150101000000", URI: "http://a.example/api?id=1&_=1420070400000", Status: 200, Location: "", Body: "second"},
		{Date: "20140101000000", URI: "http://a.example/style.css?v=3", Status: 200, Location: "", Body: "css"},
		{Date: "20140101000000", URI: "http://a.example/page", Status: 200, Location: "", Body: "page"},
		{Date: "20140101000000", URI: "http://a.example/circle", Status: 302, Location: "http://a.example/circle?utm_source=a", Body: ""},
		{Date: "20140101000000", URI: "http://a.example/exact?_=1", Status: 200, Location: "", Body: "one"},
		{Date: "20140101000000", URI: "http://a.example/exact?_=2", Status: 200, Location: "", Body: "two"},
		{Date: "20140101000000", URI: "http://a.example/frame.html", Status: 200, Location: "", Body: "frame"},
		{Date: "20140101000000", URI: "http://a.example/turn.html", Status: 302, Location: "http://a.example/turn.html?a=b", Body: ""},
		{Date: "20070101000000", URI: "http://strasse.example/old", Status: 200, Location: "", Body: "old rules"},
		{Date: "20070101000000", URI: "http://strasse.example/both", Status: 200, Location: "", Body: "other owner"},
		{Date: "20240101000000", URI: "http://xn--strae-oqa.example/both", Status: 200, Location: "", Body: "punycode"},
		{Date: "20240101000000", URI: "http://xn--strae-oqa.example/new", Status: 200, Location: "", Body: "new rules"},
		{Date: "20240101000000", URI: "http://stra%C3%9Fe.example/letters", Status: 200, Location: "", Body: "letters"},
		{Date: "20070101000000", URI: "http://strasse.example/moved", Status: 301, Location: "http://straße.example/moved", Body: ""},
	}))
	const sharpS, punycode = "http://stra%C3%9Fe.example/", "http://xn--strae-oqa.example/"
	replaytest.Remove(t, lost)
	tests := []struct {
		name, path                 string
		status                     int
		fuzzy, contentLocation, to string
		body                       string
	}{
		{
			"a resource under another cache buster, the nearest", "/web/20141001000000js_/http://a.example/api?id=1&_=5", 200,
			"http://a.example/api?id=1&_=1420070400000", "/web/20150101000000js_/http://a.example/api?id=1&_=1420070400000",
			"", "second",
		},
		{
			"a resource without the query it was captured with", "/web/20140101000000cs_/http://a.example/style.css", 200,
			"http://a.example/style.css?v=3", "/web/20140101000000cs_/http://a.example/style.css?v=3", "", "css",
		},
		{
			"a page leads to its own address", "/web/20140101000000/http://a.example/page?utm_source=mail", 302,
			"http://a.example/page", "", "/web/20140101000000/http://a.example/page", "",
		},
		{
			"a page in a file, whatever its arguments", "/web/20140101000000if_/http://a.example/frame.html?id=7", 200,
			"http://a.example/frame.html", "/web/20140101000000if_/http://a.example/frame.html", "", "frame",
		},
		{
			"for readers too, so that its scripts see them", "/web/20140101000000/http://a.example/frame.html?id=7", 200,
			"http://a.example/frame.html", "/web/20140101000000/http://a.example/frame.html", "", "frame",
		},
		{
			"but not without need", "/web/20140101000000/http://a.example/frame.html?utm_source=mail", 302,
			"http://a.example/frame.html", "", "/web/20140101000000/http://a.example/frame.html", "",
		},
		{"but not another page of a list", "/web/20140101000000if_/http://a.example/frame.html?page=7", 404, "", "", "", ""},
		{"nor in a circle", "/web/20140101000000if_/http://a.example/turn.html?a=b", 404, "", "", "", ""},
		{"what was captured exactly is not fuzzy", "/web/20140101000000im_/http://a.example/exact?_=2", 200, "", "", "", "two"},
		{"never in a circle", "/web/20140101000000mp_/http://a.example/circle?utm_source=a", 404, "", "", "", ""},
		{"not for archived bytes", "/web/20140101000000id_/http://a.example/style.css", 404, "", "", "", ""},
		{"not for the TimeGate", "/web/http://a.example/style.css", 404, "", "", "", ""},
		{"not for the TimeMap", "/web/timemap/link/http://a.example/style.css", 404, "", "", "", ""},
		{
			"ß in a host, if nothing else is there, under the name that old clients asked for", "/web/20140101000000/" + sharpS + "old", 302,
			"http://strasse.example/old", "", "/web/20070101000000/http://strasse.example/old", "",
		},
		{
			"its punycode the same", "/web/20140101000000/" + punycode + "old", 302,
			"http://strasse.example/old", "", "/web/20070101000000/http://strasse.example/old", "",
		},
		{"ß finds its punycode, not the other owner's page", "/web/20240101000000mp_/" + sharpS + "both", 200, "", "", "", "punycode"},
		{"punycode finds ß", "/web/20240101000000mp_/" + punycode + "letters", 200, "", "", "", "letters"},
		{"ss finds no ß", "/web/20240101000000mp_/http://strasse.example/new", 404, "", "", "", ""},
		{"never in a circle between ß and ss", "/web/20070101000000mp_/" + sharpS + "moved", 404, "", "", "", ""},
		{"a failure names no answer", "/web/20140101000000js_/http://lost.example/api?_=5", 503, "", "", "", ""},
		{"another identifier is another resource", "/web/20140101000000js_/http://a.example/api?id=2&_=5", 404, "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", tt.path, nil)
			r.RequestURI = tt.path
			s.Handler().ServeHTTP(w, r)
			h := w.Header()
			if w.Code != tt.status || h.Get("X-Varve-Fuzzy") != tt.fuzzy ||
				strings.TrimPrefix(h.Get("Content-Location"), "http://example.com") != tt.contentLocation ||
				h.Get("Location") != tt.to && tt.status == 302 || tt.body != "" && !strings.Contains(w.Body.String(), tt.body) {
				t.Errorf("%d %v\n%s", w.Code, h, w.Body)
			}
		})
	}
	t.Run("not for the CDX API", func(t *testing.T) {
		if got := replaytest.Fetch(t, s.Handler(), "/web/cdx?url=http://a.example/style.css"); len(got) > 0 {
			t.Errorf("%s", got)
		}
	})
}
