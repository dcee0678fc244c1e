package cdx_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

func TestAPIRefuses(t *testing.T) {
	src := cdxtest.Memory(sample())
	tests := []struct{ name, query, sentence string }{
		{"nothing", "", "url: "},
		{"an empty url", "url=", "url: "},
		{"a blank url", "url=%20", "url: "},
		{"an unknown matchType", "url=http://x/&matchType=nope", "exact, prefix, host or domain"},
		{"a host that is none", "url=dns:x&matchType=host", "needs a url with a host"},
		{"a limit of letters", "url=http://x/&limit=abc", "limit: "},
		{"too large a limit", "url=http://x/&limit=99999999999", "limit: "},
		{"too negative a limit over many URLs", "url=http://x/*&limit=-10001", "limit: want -10000 or more"},
		{"a broken filter", "url=http://x/&filter=(", "filter "},
		{"a broken filter of two lines", "url=http://x/&filter=(%0A", "missing closing )"},
		{"a filter that closes what it hasn't opened", "url=http://x/&filter=digest:a)|(b", "filter "},
		{"a filter on a field that is none", "url=http://x/&filter=foo:bar", "no such field"},
		{"too long a filter", "url=http://x/&filter=digest:" + strings.Repeat("a", 1001), "at most 1000"},
		{"too many filters", "url=http://x/" + strings.Repeat("&filter=digest:a", 21), "at most 20"},
		{"an unknown output", "url=http://x/&output=nope", "text, json, ndjson or cdxj"},
		{"a collapse on a field that is none", "url=http://x/&collapse=foo", "collapse "},
		{"a collapse to nothing", "url=http://x/&collapse=digest:0", "above 0"},
		{"from that is no date", "url=http://x/&from=2013-13", "from: "},
		{"to that is too long", "url=http://x/&to=201401010000000", "to: "},
		{"closest that is no date", "url=http://x/&closest=yesterday", "closest: "},
		{"an unknown sort", "url=http://x/&sort=up", "reverse or closest"},
		{"sort=closest without closest", "url=http://x/&sort=closest", "needs closest="},
		{"closest over many URLs", "url=http://x/*&closest=2014", "one URL only"},
		{"a resume key beside closest", "url=http://x/&closest=2014&resumeKey=AAAA", "resumeKey: "},
		{"a page behind the last", "url=http://example.org/&page=3&pageSize=2", "none behind the last"},
		{"a page far behind the last", "url=http://example.org/&page=999", "none behind the last"},
		{"a second page of nothing", "url=http://x/&page=1", "none behind the last"},
		{"a page behind the last of the nearest", "url=http://example.org/&closest=2014&page=3&pageSize=2", "none behind the last"},
		{"a match of a range", "url=http://x/&matchType=range", "exact, prefix, host or domain; url=* is everything"},
		{"links as output", "url=http://x/&output=link", "text, json, ndjson or cdxj; links are in the TimeMap, timemap/link/"},
		{"OutbackCDX's dictionaries", "url=http://x/&output=jsondict", "ndjson has one object a line"},
		{"a filter on what is counted later", "url=http://x/&filter=dupecount:0", "no such field"},
		{"a collapse by what is counted later", "url=http://x/&collapse=skipcount", "collapse "},
		{"a time of no digits", "url=http://x/&collapseTime=0", "1 to 14"},
		{"a page that is none", "url=http://x/&page=one", "page: "},
		{"a page before the first", "url=http://x/&page=-2", "page: want a whole number from 0"},
		{"a page of nothing", "url=http://x/&pageSize=0", "pageSize"},
		{"a negative offset", "url=http://x/&offset=-1", "offset"},
		{"a flag that is none", "url=http://x/&showNumPages=maybe", "true or false"},
		{"a resume key that is none", "url=http://x/&resumeKey=abc", "resumeKey: "},
		{"a query string that isn't percent-encoded", "url=http://x/%zz", "percent-encoded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := get(t, src, nil, tt.query)
			got := body(t, res)
			if res.StatusCode != http.StatusBadRequest || !strings.Contains(got, tt.sentence) {
				t.Errorf("got %d %q, want 400 with %q", res.StatusCode, got, tt.sentence)
			}
			if strings.Count(got, "\n") != 1 || res.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("got %q, %v", got, res.Header)
			}
		})
	}
}

// A client that asks for JSON gets errors as JSON.
func TestAPIRefusesInJSON(t *testing.T) {
	src := cdxtest.Memory(sample())
	for _, tt := range []struct {
		name, query, accept string
		json                bool
	}{
		{"an array", "url=http://x/&output=json&page=x", "", true},
		{"objects", "url=http://x/&output=ndjson&page=x", "", true},
		{"a page behind the last", "url=http://x/&output=json&page=1", "", true},
		{"a filter that can't be read", "url=http://x/&filter=(&output=json", "", true},
		{"OutbackCDX's dictionaries", "url=http://x/&output=jsondict", "", true},
		{"the last output counts", "url=http://x/&output=text&output=json&page=x", "", true},
		{"an empty one doesn't", "url=http://x/&output=json&output=&page=x", "", true},
		{"JSON by Accept", "url=http://x/&page=x", "application/json", true},
		{"JSON by Accept, beside an output that isn't there", "url=http://x/&output=link", "application/json", true},
		{"text", "url=http://x/&output=text&page=x", "application/json", false},
		{"nothing said", "url=http://x/&page=x", "*/*", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/web/cdx?"+tt.query, nil)
			r.Header.Set("Accept", tt.accept)
			rec := httptest.NewRecorder()
			cdx.NewAPI(src, nil).Serve(rec, r, cdxtest.Coll)
			var said struct{ Error string }
			err := json.Unmarshal(rec.Body.Bytes(), &said)
			isJSON := err == nil && said.Error != "" && rec.Header().Get("Content-Type") == "application/json"
			if rec.Code != http.StatusBadRequest || isJSON != tt.json {
				t.Errorf("got %d %s %q", rec.Code, rec.Header().Get("Content-Type"), rec.Body)
			}
		})
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		"url=http://example.org/*&from=2014&to=2015&filter=!statuscode:200&collapse=digest&limit=-3&output=json",
		"url=example.org&closest=2014&sort=closest&fl=urlkey,range", "url=*.org&showResumeKey&resumeKey=AAAA&limit=1", "url=%zz", "&&=&url",
		"url=x&filter=~4:a|b&page=1&pageSize=2&offset=1",
		"url=*.org&showDupeCount&showSkipCount&lastSkipTimestamp&collapseToLast=digest&limit=1&showResumeKey",
		"url=x&collapseTime=4&closest=2014&page=0",
	} {
		f.Add(s)
	}
	api := cdx.NewAPI(cdxtest.Memory(sample()), nil)
	f.Fuzz(func(t *testing.T, query string) {
		q, err := cdx.ParseQuery(query)
		if err != nil {
			if msg := err.Error(); msg == "" || strings.Contains(msg, "\n") {
				t.Fatalf("%q: the error is %q", query, msg)
			}
			return
		}
		var b strings.Builder
		if err := api.Write(t.Context(), &b, cdxtest.Coll, q); errors.As(err, new(*cdx.QueryError)) {
			return
		} else if err != nil {
			t.Fatalf("%q: %v", query, err)
		}
		if q.Output() == cdx.OutputJSON && !json.Valid([]byte(b.String())) {
			t.Fatalf("%q: no JSON: %s", query, b.String())
		}
	})
}
