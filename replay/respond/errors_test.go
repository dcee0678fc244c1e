package respond

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestWantsJSON(t *testing.T) {
	for _, tt := range []struct {
		name, target string
		accept       string
		want         bool
	}{
		{"by nothing", "/web/cdx?url=a.example", "*/*", false},
		{"by Accept", "/web/cdx?url=a.example", "application/json", true},
		{"by Accept, among others", "/web/http://a.example/", "text/plain;q=0.5, Application/JSON ; q=0.9", true},
		{"by Accept of some JSON", "/web/http://a.example/", "application/ld+json", true},
		{"by Accept of what is called alike", "/web/http://a.example/", "application/jsonp, application/json-seq", false},
		{"by Accept that refuses it", "/web/http://a.example/", "text/plain, application/json;q=0.0", false},
		{"by output", "/web/cdx?url=a.example&output=json", "", true},
		{"by output of lines", "/web/cdx?url=a.example&output=ndjson", "", true},
		{"by the last output, which counts", "/web/cdx?output=text&output=json", "", true},
		{"by another output", "/web/cdx?url=a.example&output=cdxj", "", false},
		{"by a TimeMap's format", "/web/timemap/json/http://a.example/", "", true},
		{"by a TimeMap's parameter", "/web/timemap?format=json&url=a.example", "", true},
		{"by another TimeMap", "/web/timemap/link/http://a.example/", "", false},
		{"by an output of the archived address", "/web/2014/http://a.example/?output=json", "", false},
		{"at the availability API", "/-/available?timestamp=x", "", true},
		{"at the availability API's other name", "/wayback/available?timestamp=x", "*/*", true},
		{"at the availability API, by a script element", "/wayback/available?callback=f", "", false},
		{"at the list of collections", "/collinfo.json", "", true},
		{"elsewhere below /-/", "/-/nothing", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &http.Request{Header: http.Header{"Accept": {tt.accept}}}
			if got := WantsJSON(r, ParsePath(tt.target)); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestWhatAPageLoadsIsToldInItsType(t *testing.T) {
	for _, tt := range []struct{ path, dest, kind, line string }{
		{"/web/20200101000000js_/http://a.example/a.js", "script", "text/javascript", "/* gone */"},
		{"/web/20200101000000js_/http://a.example/a.js", "", "text/javascript", "/* gone */"},
		{"/web/20200101000000esm_/http://a.example/a.js", "", "text/javascript", "/* gone */"},
		{"/web/20200101000000cs_/http://a.example/a.css", "style", "text/css", "/* gone */"},
		{"/web/20200101000000cs_/http://a.example/a.css", "", "text/css", "/* gone */"},
		{"/web/20200101000000js_/http://a.example/a.js", "empty", "text/plain", "gone"},
		{"/web/20200101000000/http://a.example/", "", "text/plain", "gone"},
		{"/web/changes?url=http://a.example/", "script", "text/plain", "gone"},
	} {
		r := httptest.NewRequest("GET", "http://archive.test/", nil)
		if tt.dest != "" {
			r.Header.Set("Sec-Fetch-Dest", tt.dest)
		}
		if kind, line := FailureLine(r, ParsePath(tt.path), "gone"); kind != tt.kind || line != tt.line {
			t.Errorf("%s for %q: %s %q", tt.path, tt.dest, kind, line)
		}
	}
	r := httptest.NewRequest("GET", "http://archive.test/", nil)
	if _, line := FailureLine(r, ParsePath("/web/2020js_/http://a.example/"), "no */alert(1)/* here"); line != "/* no * /alert(1)/* here */" {
		t.Errorf("a comment ends early: %s", line)
	}
}
