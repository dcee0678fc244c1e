package answer_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

func TestFuzzyAnswers(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/api?id=1&_=1388534400000", Status: 200, Location: "", Body: "first"},
		{Date: "20150101000000", URI: "http://a.example/api?id=1&_=1420070400000", Status: 200, Location: "", Body: "second"},
		{Date: "20140101000000", URI: "http://a.example/style.css?v=3", Status: 200, Location: "", Body: "css"},
		{Date: "20140101000000", URI: "http://a.example/page", Status: 200, Location: "", Body: "page"},
		{Date: "20140101000000", URI: "http://a.example/circle", Status: 302, Location: "http://a.example/circle?utm_source=a", Body: ""},
		{Date: "20140101000000", URI: "http://a.example/exact?_=1", Status: 200, Location: "", Body: "one"},
		{Date: "20140101000000", URI: "http://a.example/exact?_=2", Status: 200, Location: "", Body: "two"},
	}))
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
		{"what was captured exactly is not fuzzy", "/web/20140101000000im_/http://a.example/exact?_=2", 200, "", "", "", "two"},
		{"never in a circle", "/web/20140101000000mp_/http://a.example/circle?utm_source=a", 404, "", "", "", ""},
		{"not for archived bytes", "/web/20140101000000id_/http://a.example/style.css", 404, "", "", "", ""},
		{"not for the TimeGate", "/web/http://a.example/style.css", 404, "", "", "", ""},
		{"not for the TimeMap", "/web/timemap/link/http://a.example/style.css", 404, "", "", "", ""},
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
