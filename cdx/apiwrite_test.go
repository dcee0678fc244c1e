package cdx_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

func TestAPIWrites(t *testing.T) {
	src := cdxtest.Memory(sample())
	notes := func(_ context.Context, coll, key string) (func(*cdx.Capture) (int, string), error) {
		return func(c *cdx.Capture) (int, string) { return int(c.Time/1e10) - 2014, "text" }, nil
	}
	const one = "url=http://example.org/&to=2014"
	tests := []struct{ name, query, contentType, want string }{
		{
			"text with seven fields", one, "text/plain; charset=utf-8",
			"org,example)/ 20140101000000 http://example.org/ text/html 200 AAAAAAAA 500\n",
		},
		{
			"text: what is missing is a dash, a revisit's type warc/revisit", "url=http://example.org/&from=2015&filter=statuscode:-|200",
			"text/plain; charset=utf-8",
			"org,example)/ 20150301000000 http://example.org/ warc/revisit 200 AAAAAAAA 500\n" +
				"org,example)/ 20160601000000 https://www.example.org/ - - - -\n",
		},
		{
			"text: white space can't break a column", "url=http://example.org/a*", "text/plain; charset=utf-8",
			"org,example)/a%20\"b 20150101000000 http://example.org/a%20\"b%01\xff%20é text/html 200 DDDDDDDD 500\n",
		},
		{
			"text with other fields, by any name", one + "&fl=filename,offset,url,mime,status,robotflags,redirect,nonsense",
			"text/plain; charset=utf-8",
			"a.warc.gz 0 http://example.org/ text/html 200 - - -\n",
		},
		{
			"text with a redirect", "url=http://example.org/&filter=statuscode:301&fields=statuscode,redirect", "text/plain; charset=utf-8",
			"301 http://example.org/new%20place\n",
		},
		{
			"text with a redirect, by OutbackCDX's name", "url=http://example.org/&filter=statuscode:301&fl=redirecturl,robotflags",
			"text/plain; charset=utf-8", "http://example.org/new%20place -\n",
		},
		{
			"JSON is an array of arrays with a header row", one + "&output=json", "application/json",
			`[["urlkey","timestamp","original","mimetype","statuscode","digest","length"],` + "\n" +
				`["org,example)/","20140101000000","http://example.org/","text/html","200","AAAAAAAA","500"]]` + "\n",
		},
		{
			"JSON with two rows and missing fields", "url=http://example.org/&limit=-2&output=json&fl=timestamp,digest", "application/json",
			"[[\"timestamp\",\"digest\"],\n[\"20150601000000\",\"CCCCCCCC\"],\n[\"20160601000000\",\"-\"]]\n",
		},
		{"JSON without rows", "url=http://none.org/&output=json", "application/json", "[]\n"},
		{
			"NDJSON is pywb's objects", one + "&output=ndjson", "application/x-ndjson",
			`{"urlkey": "org,example)/", "timestamp": "20140101000000", "url": "http://example.org/", "mime": "text/html", "status": "200", ` +
				`"digest": "AAAAAAAA", "length": "500", "offset": "0", "filename": "a.warc.gz", "range": "0", "change": "text"}` + "\n",
		},
		{
			"NDJSON with fields by the names asked for", one + "&output=ndjson&fl=original,statuscode,redirect,nonsense", "application/x-ndjson",
			`{"original": "http://example.org/", "statuscode": "200"}` + "\n",
		},
		{
			"CDXJ", one + "&output=cdxj", "text/x-cdxj; charset=utf-8",
			`org,example)/ 20140101000000 {"url": "http://example.org/", "mime": "text/html", "status": "200", "digest": "AAAAAAAA", ` +
				`"length": "500", "offset": "0", "filename": "a.warc.gz", "range": "0", "change": "text"}` + "\n",
		},
		{
			"CDXJ: odd signs in strings", "url=http://example.org/a*&output=cdxj&fl=url", "text/x-cdxj; charset=utf-8",
			`org,example)/a%20"b 20150101000000 {"url": "http://example.org/a \"b\u0001` + "\uFFFD" + ` é"}` + "\n",
		},
		{
			"range and change", "url=http://example.org/&fl=timestamp,range,change&limit=2", "text/plain; charset=utf-8",
			"20140101000000 0 text\n20150101000000 1 text\n",
		},
		{"a filter on the range", "url=http://example.org/&fl=timestamp&filter=range:1&limit=1", "text/plain; charset=utf-8", "20150101000000\n"},
		{"a collapse on the range", "url=http://example.org/&fl=range&collapse=range", "text/plain; charset=utf-8", "0\n1\n2\n"},
		{
			"resolveRevisits gives a revisit the type of its original, in seven fields",
			"url=http://example.org/&from=201503&to=201506&resolveRevisits=true", "text/plain; charset=utf-8",
			"org,example)/ 20150301000000 http://example.org/ text/html 200 AAAAAAAA 500\n" +
				"org,example)/ 20150601000000 http://example.org/ text/html 301 CCCCCCCC 500\n",
		},
		{
			"resolveRevisits, a filter sees what is archived",
			"url=http://example.org/&filter=mimetype:warc/revisit&resolveRevisits=true&fl=timestamp,mimetype", "text/plain; charset=utf-8",
			"20150301000000 text/html\n",
		},
		{
			"where a revisit's original is, by fl", "url=http://example.org/&from=201503&to=201506&fl=orig.length,orig.offset,orig.filename",
			"text/plain; charset=utf-8", "88 77 -\n- - -\n",
		},
		{
			"resolveRevisits in objects says where the original is",
			"url=http://example.org/&from=201503&to=201503&resolveRevisits=true&output=ndjson", "application/x-ndjson",
			`{"urlkey": "org,example)/", "timestamp": "20150301000000", "url": "http://example.org/", "mime": "text/html", "status": "200", ` +
				`"digest": "AAAAAAAA", "length": "500", "offset": "0", "filename": "a.warc.gz", "range": "1", "change": "text", ` +
				`"orig.length": "88", "orig.offset": "77"}` + "\n",
		},
		{
			"dupes get the type of the original", "url=http://example.org/&to=201503&showDupeCount=true&fl=timestamp,mimetype,dupecount",
			"text/plain; charset=utf-8", "20140101000000 text/html 0\n20150101000000 text/html 0\n20150301000000 text/html 1\n",
		},
		{
			"the number of pages is a plain integer", "url=http://example.org/&pageSize=2&showNumPages=true&output=json",
			"text/plain; charset=utf-8", "3\n",
		},
		{"the number of pages of nothing", "url=http://none.org/&showNumPages", "text/plain; charset=utf-8", "1\n"},
		{
			"no resume key at the end", "url=http://example.org/&limit=5&showResumeKey=true&fl=statuscode", "text/plain; charset=utf-8",
			"200\n404\n200\n301\n-\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := get(t, src, notes, tt.query)
			if got := res.Header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("Content-Type %q, want %q", got, tt.contentType)
			}
			if got := body(t, res); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Counts come after the usual columns, or where fl names them (wayback CDX server, "Counters").
func TestAPICounts(t *testing.T) {
	src := cdxtest.Memory(sample())
	const one, all = "url=http://example.org/&output=json", "20140101000000 20150101000000 20150301000000 20150601000000 20160601000000"
	for _, tt := range []struct{ name, query, fields, want string }{
		{"dupes", one + "&showDupeCount=true", "dupecount", "0 0 1 0 0"},
		{"dupes, by fl", one + "&fl=timestamp,dupecount", "dupecount", "0 0 1 0 0"},
		{"dupes behind a filter", one + "&showDupeCount=true&filter=timestamp:201[56].*", "dupecount", "0 0 0 0"},
		{"dupes of the last", one + "&showDupeCount=true&limit=-3", "dupecount", "1 0 0"},
		{"dupes of the last, the fast way", one + "&showDupeCount=true&limit=-3&fastLatest=true", "dupecount", "1 0 0"},
		{"dupes in reverse", one + "&showDupeCount=true&sort=reverse", "dupecount", "0 0 0 0 1"},
		{"fl leaves them out", one + "&fl=timestamp&showDupeCount=true", "timestamp", all},
		{"skipped by a collapse", one + "&collapse=timestamp:4&showSkipCount=true", "skipcount", "0 2 0"},
		{"skipped by a filter", one + "&filter=statuscode:200&showSkipCount=true", "skipcount", "1 2"},
		{"what is skipped in front of the first row", one + "&filter=statuscode:404&showSkipCount=true", "skipcount", "3"},
		{"nothing skipped", one + "&showSkipCount=true", "skipcount", "0 0 0 0 0"},
		{
			"the last that was skipped", one + "&collapse=timestamp:4&lastSkipTimestamp=true", "endtimestamp",
			"20140101000000 20150601000000 20160601000000",
		},
		{"of the last row", one + "&showSkipCount=true&filter=statuscode:200&limit=-1", "skipcount", "2"},
		{"with a limit", one + "&collapse=timestamp:4&showSkipCount=true&limit=2", "skipcount", "0 2"},
		{"skipped by a collapse to the last", one + "&collapseToLast=timestamp:4&showSkipCount=true", "skipcount", "0 2 0"},
		{
			"a collapse to the last has the last", one + "&collapseToLast=timestamp:4&showSkipCount=true", "timestamp",
			"20140101000000 20150601000000 20160601000000",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var rows [][]string
			if err := json.Unmarshal([]byte(body(t, get(t, src, nil, tt.query))), &rows); err != nil || len(rows) == 0 {
				t.Fatal(rows, err)
			}
			at := slices.Index(rows[0], tt.fields)
			if at < 0 {
				t.Fatalf("the header row is %v", rows[0])
			}
			var got []string
			for _, row := range rows[1:] {
				got = append(got, row[at])
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	res := body(t, get(t, src, nil, "url=http://example.org/&output=json&showDupeCount=true&showSkipCount=true&lastSkipTimestamp=true"))
	if want := `"length","dupecount","skipcount","endtimestamp"]`; !strings.Contains(res, want) {
		t.Errorf("got %s, want columns %s", res, want)
	}
}

// nullWriter discards the answer, to measure the API without a connection.
type nullWriter struct{ h http.Header }

func (w nullWriter) Header() http.Header         { return w.h }
func (w nullWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w nullWriter) WriteHeader(int)             {}

func BenchmarkAPI(b *testing.B) {
	var captures []cdx.Capture
	for i := range 100_000 {
		captures = append(captures, capture(fmt.Sprintf("http://example.org/page/%d.html", i/10), 20140101000000+cdx.Timestamp(i%10), 200, "A"))
	}
	api := cdx.NewAPI(cdxtest.Memory(captures), nil)
	for name, query := range map[string]string{
		"exact":        "url=http%3A%2F%2Fexample.org%2Fpage%2F777.html",
		"exact-json":   "url=http%3A%2F%2Fexample.org%2Fpage%2F777.html&output=json",
		"exact-1":      "url=http%3A%2F%2Fexample.org%2Fpage%2F777.html&limit=1",
		"prefix-100":   "url=http://example.org/page/*&limit=100",
		"domain-all":   "url=*.example.org",
		"domain-regex": "url=*.example.org&filter=original:.*99.*",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			req := httptest.NewRequest("GET", "/web/cdx?"+query, nil)
			for b.Loop() {
				rec := nullWriter{http.Header{}}
				api.Serve(rec, req, cdxtest.Coll)
			}
		})
	}
}
