package cdx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

// capture makes a capture of url whose digest is one letter, eight times.
func capture(url string, ts cdx.Timestamp, status int, digest string) cdx.Capture {
	return cdx.Capture{
		Key: cdx.Key(url), Time: ts, URL: url, MIME: "text/html", Status: status, Digest: strings.Repeat(digest, 8),
		Location: cdx.Location{File: 1, Offset: int64(ts % 100000), Length: 500}, FileName: "a.warc.gz",
	}
}

// sample is five captures of one URL, one of a page below it, one of a subdomain, and a POST.
func sample() []cdx.Capture {
	post := capture("http://example.org/", 20160101000000, 200, "P")
	post.Key = cdx.MethodKey(post.URL, "POST", []byte("q=1"), "application/x-www-form-urlencoded")
	moved := capture("http://example.org/", 20150601000000, 301, "C")
	moved.Redirect = "http://example.org/new place"
	revisit := capture("http://example.org/", 20150301000000, 200, "A")
	revisit.Kind, revisit.Origin = cdx.Revisit, cdx.Location{File: 1, Offset: 77, Length: 88}
	unknown := capture("https://www.example.org/", 20160601000000, 0, "")
	unknown.MIME, unknown.Length = "", 0
	odd := capture(`http://example.org/a "b`, 20150101000000, 200, "D")
	odd.URL = "http://example.org/a \"b\x01\xff é"
	return []cdx.Capture{
		capture("http://example.org/", 20140101000000, 200, "A"),
		capture("http://example.org/", 20150101000000, 404, "B"),
		revisit, moved, unknown, post, odd,
		capture("http://sub.example.org/x", 20150101000000, 200, "E"),
	}
}

func get(t testing.TB, src cdx.Source, note cdx.Annotator, query string) *http.Response {
	t.Helper()
	rec := httptest.NewRecorder()
	cdx.NewAPI(src, note).Serve(rec, httptest.NewRequest(http.MethodGet, "/web/cdx?"+query, nil), cdxtest.Coll)
	return rec.Result()
}

func body(t testing.TB, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The rows of one URL are asked for by the field timestamp, cut to year and month.
func TestAPISelects(t *testing.T) {
	src := cdxtest.Memory(sample())
	tests := []struct{ name, query, want string }{
		{"a URL", "", "201401 201501 201503 201506 201606"},
		{"any spelling of it", "url=HTTP://WWW.example.org:80", "201401 201501 201503 201506 201606"},
		{"not a POST to it", "filter=digest:PPPPPPPP", ""},
		{"no such URL", "url=http://example.org/none", ""},

		{"from, inclusive", "from=20150101000000", "201501 201503 201506 201606"},
		{"from, short", "from=2015", "201501 201503 201506 201606"},
		{"to, inclusive", "to=20150301000000", "201401 201501 201503"},
		{"to, short, means its end", "to=2015", "201401 201501 201503 201506"},
		{"from and to the same year", "from=2015&to=2015", "201501 201503 201506"},
		{"from after to", "from=2016&to=2015", ""},

		{"limit", "limit=2", "201401 201501"},
		{"limit above all", "limit=99", "201401 201501 201503 201506 201606"},
		{"limit 0 is none", "limit=0", "201401 201501 201503 201506 201606"},
		{"a negative limit gives the last, ascending", "limit=-2", "201506 201606"},
		{"a negative limit above all", "limit=-99", "201401 201501 201503 201506 201606"},
		{"a negative limit behind a filter", "limit=-2&filter=statuscode:200", "201401 201503"},
		{"a negative limit behind a filter, above all", "limit=-9&filter=statuscode:200", "201401 201503"},
		{"a negative limit until", "limit=-1&to=2015", "201506"},
		{"a negative limit in reverse", "limit=-2&sort=reverse", "201501 201401"},
		{"offset", "offset=1&limit=2", "201501 201503"},
		{"offset in front of the last", "offset=4&limit=-3", "201606"},
		{"fastLatest", "fastLatest=true", "201606"},
		{"fastLatest with a limit", "fastLatest=true&limit=-2", "201506 201606"},

		{"reverse", "sort=reverse", "201606 201506 201503 201501 201401"},
		{"reverse with a limit", "sort=reverse&limit=1", "201606"},
		{"closest", "closest=20150320", "201503 201506 201501 201606 201401"},
		{"closest with sort=closest", "sort=closest&closest=20150320&limit=1", "201503"},
		{"closest, the earlier of two equally far", "closest=20150416&from=201503&to=201506", "201503 201506"},
		{"closest between from and to", "closest=2010&from=201501&to=201503", "201501 201503"},
		{"closest before all", "closest=1996&limit=2", "201401 201501"},
		{"closest and a filter", "closest=20150320&filter=!statuscode:200", "201506 201501 201606"},
		{"closest left empty", "closest=&sort=closest", "201401 201501 201503 201506 201606"},

		{"filter", "filter=statuscode:200", "201401 201503"},
		{"filter matches the whole field", "filter=statuscode:20", ""},
		{"filter by a regular expression", "filter=statuscode:[23]..", "201401 201503 201506"},
		{"filter with alternatives matches the whole field", "filter=statuscode:2|.*0.", "201401 201501 201503 201506"},
		{"filter not", "filter=!statuscode:200", "201501 201506 201606"},
		{"filter by pywb's name", "filter=status:200", "201401 201503"},
		{"filter by place", "filter=4:200", "201401 201503"},
		{"filter for what is missing", "filter=statuscode:-", "201606"},
		{"filter equal", "filter==status:404", "201501"},
		{"filter not equal", "filter=!=status:404", "201401 201503 201506 201606"},
		{"filter equal is no expression", "filter==status:4.4", ""},
		{"filter at the start", "filter=~status:4", "201501"},
		{"filter not at the start", "filter=!~status:[24]", "201506 201606"},
		{"filter without a field takes the line", "filter=.* 404 .*", "201501"},
		{"filter for revisits", "filter=mimetype:warc/revisit", "201503"},
		{"several filters", "filter=statuscode:[24]..&filter=!digest:A*", "201501"},

		{"collapse", "collapse=digest", "201401 201501 201503 201506 201606"},
		{"collapse by year", "collapse=timestamp:4", "201401 201501 201606"},
		{"collapse by more than there is", "collapse=statuscode:9", "201401 201501 201503 201506 201606"},
		{"collapse to one", "collapse=urlkey", "201401"},
		{"collapse is of neighbours", "filter=!statuscode:404&collapse=digest", "201401 201506 201606"},
		{"two collapses, one behind the other", "collapse=timestamp:4&collapse=urlkey", "201401"},
		{"collapse and limit", "collapse=timestamp:4&limit=2", "201401 201501"},
		{"collapse and the last", "collapse=timestamp:4&limit=-2", "201501 201606"},

		{"the first page", "page=0&pageSize=2", "201401 201501"},
		{"the last page", "page=2&pageSize=2", "201606"},
		{"a page behind the last", "page=3&pageSize=2", ""},
		{"a negative page is no page", "page=-1&pageSize=2", "201401 201501 201503 201506 201606"},
		{"a filter in a page", "page=0&pageSize=2&filter=statuscode:404", "201501"},

		{"an unknown parameter", "foo=bar&limit=1", "201401"},
		{"parameters left empty", "from=&to=&limit=&filter=&collapse=&page=&matchType=&output=&sort=", "201401 201501 201503 201506 201606"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			query := tt.query
			if !strings.HasPrefix(query, "url=") {
				query = "url=http://example.org/&" + query
			}
			res := get(t, src, nil, strings.ReplaceAll(query, " ", "%20")+"&fl=timestamp")
			if res.StatusCode != 200 {
				t.Fatalf("status %d: %s", res.StatusCode, body(t, res))
			}
			var got []string
			for line := range strings.Lines(body(t, res)) {
				got = append(got, line[:6])
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAPIMatches(t *testing.T) {
	src := cdxtest.Memory(sample())
	const post = "org,example)/?__wb_method=post&q=1"
	tests := []struct{ name, query, want string }{
		{"prefix", "url=http://example.org/a&matchType=prefix", `org,example)/a%20"b`},
		{"prefix by wildcard", "url=http://example.org/*", "org,example)/ " + post + ` org,example)/a%20"b`},
		{"host", "url=example.org&matchType=host", "org,example)/ " + post + ` org,example)/a%20"b`},
		{"domain", "url=example.org&matchType=domain", "org,example)/ " + post + ` org,example)/a%20"b org,example,sub)/x`},
		{"domain by wildcard", "url=*.example.org/", "org,example)/ " + post + ` org,example)/a%20"b org,example,sub)/x`},
		{"domain in reverse", "url=*.example.org&sort=reverse", `org,example,sub)/x org,example)/a%20"b ` + post + " org,example)/"},
		{"everything", "url=*", "org,example)/ " + post + ` org,example)/a%20"b org,example,sub)/x`},
		{"the last of a domain", "url=*.example.org&limit=-1", "org,example,sub)/x"},
		{"a POST by its own query", "url=" + url.QueryEscape("http://example.org/?__wb_method=POST&q=1"), post},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Fields(body(t, get(t, src, nil, tt.query+"&fl=urlkey&collapse=urlkey")))
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), tt.want)
			}
		})
	}
}

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
			"text: what is missing is a dash, a revisit's type warc/revisit", "url=http://example.org/&from=2015&filter=statuscode:-|200", "text/plain; charset=utf-8",
			"org,example)/ 20150301000000 http://example.org/ warc/revisit 200 AAAAAAAA 500\n" +
				"org,example)/ 20160601000000 https://www.example.org/ - - - -\n",
		},
		{
			"text: white space can't break a column", "url=http://example.org/a*", "text/plain; charset=utf-8",
			"org,example)/a%20\"b 20150101000000 http://example.org/a%20\"b%01\xff%20é text/html 200 DDDDDDDD 500\n",
		},
		{
			"text with other fields, by any name", one + "&fl=filename,offset,url,mime,status,robotflags,redirect,nonsense", "text/plain; charset=utf-8",
			"a.warc.gz 0 http://example.org/ text/html 200 - - -\n",
		},
		{
			"text with a redirect", "url=http://example.org/&filter=statuscode:301&fields=statuscode,redirect", "text/plain; charset=utf-8",
			"301 http://example.org/new%20place\n",
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
		{"range and change", "url=http://example.org/&fl=timestamp,range,change&limit=2", "text/plain; charset=utf-8", "20140101000000 0 text\n20150101000000 1 text\n"},
		{"a filter on the range", "url=http://example.org/&fl=timestamp&filter=range:1&limit=1", "text/plain; charset=utf-8", "20150101000000\n"},
		{"a collapse on the range", "url=http://example.org/&fl=range&collapse=range", "text/plain; charset=utf-8", "0\n1\n2\n"},
		{
			"resolveRevisits adds where the original is", "url=http://example.org/&from=201503&to=201506&resolveRevisits=true", "text/plain; charset=utf-8",
			"org,example)/ 20150301000000 http://example.org/ warc/revisit 200 AAAAAAAA 500 88 77 -\n" +
				"org,example)/ 20150601000000 http://example.org/ text/html 301 CCCCCCCC 500 - - -\n",
		},
		{"the number of pages is a plain integer", "url=http://example.org/&pageSize=2&showNumPages=true&output=json", "text/plain; charset=utf-8", "3\n"},
		{"the number of pages of nothing", "url=http://none.org/&showNumPages", "text/plain; charset=utf-8", "1\n"},
		{"no resume key at the end", "url=http://example.org/&limit=5&showResumeKey=true&fl=statuscode", "text/plain; charset=utf-8", "200\n404\n200\n301\n-\n"},
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
		{"a filter that closes what it hasn't opened", "url=http://x/&filter=digest:a)|(b", "filter "},
		{"a filter on a field that is none", "url=http://x/&filter=foo:bar", "no such field"},
		{"too long a filter", "url=http://x/&filter=digest:" + strings.Repeat("a", 1001), "at most 1000"},
		{"too many filters", "url=http://x/" + strings.Repeat("&filter=digest:a", 21), "at most 20"},
		{"an unknown output", "url=http://x/&output=nope", "text, json, ndjson or cdxj"},
		{"a collapse on a field that is none", "url=http://x/&collapse=foo", "collapse "},
		{"a collapse to nothing", "url=http://x/&collapse=digest:0", "above 0"},
		{"from that is no date", "url=http://x/&from=201313", "from: "},
		{"to that is too long", "url=http://x/&to=201401010000000", "to: "},
		{"closest that is no date", "url=http://x/&closest=yesterday", "closest: "},
		{"an unknown sort", "url=http://x/&sort=up", "reverse or closest"},
		{"sort=closest without closest", "url=http://x/&sort=closest", "needs closest="},
		{"closest over many URLs", "url=http://x/*&closest=2014", "one URL only"},
		{"closest with a negative limit", "url=http://x/&closest=2014&limit=-1", "negative limit"},
		{"a page that is none", "url=http://x/&page=one", "page: "},
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

func TestAPIMethods(t *testing.T) {
	api := cdx.NewAPI(cdxtest.Memory(sample()), nil)
	for method, want := range map[string]int{"HEAD": 200, "OPTIONS": 204, "POST": 405} {
		rec := httptest.NewRecorder()
		api.Serve(rec, httptest.NewRequest(method, "/web/cdx?url=example.org", nil), cdxtest.Coll)
		if rec.Code != want || rec.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %d %v, want %d", method, rec.Code, rec.Header(), want)
		}
		if method == "HEAD" && (rec.Body.Len() > 0 || rec.Header().Get("Content-Type") == "") {
			t.Errorf("HEAD: got %q, %v", rec.Body, rec.Header())
		}
	}
}

// Resume keys walk everything without loss or repetition, in both directions, with filters and
// collapses, while other captures arrive.
func TestAPIResumes(t *testing.T) {
	captures := cdxtest.Captures()
	for _, query := range []string{
		"url=*", "url=*&sort=reverse", "url=http://many.org/", "url=*&filter=offset:.*0&collapse=urlkey", "url=*&collapse=digest", "url=*&from=2021&output=json",
	} {
		t.Run(query, func(t *testing.T) {
			captures := slices.Clone(captures)
			query += "&fl=urlkey,timestamp,filename,offset"
			want := rowsOf(t, body(t, get(t, cdxtest.Memory(captures), nil, query)), strings.Contains(query, "json"))
			var got []string
			key := ""
			for n := 0; ; n++ {
				// one more capture in front of and behind everything, each time
				captures = append(captures, capture(fmt.Sprintf("http://a.aaa/%d", n), 19990101000000, 200, "x"), capture(fmt.Sprintf("http://z.zzz/%d", n), 19990101000000, 200, "x"))
				res := body(t, get(t, cdxtest.Memory(captures), nil, query+"&limit=7&showResumeKey=true&resumeKey="+key))
				rows := rowsOf(t, res, strings.Contains(query, "json"))
				if len(rows) < 2 || rows[len(rows)-2] != "" {
					got = append(got, rows...)
					break
				}
				key = rows[len(rows)-1]
				got = append(got, rows[:len(rows)-2]...)
				if n > 1000 {
					t.Fatal("the resume keys don't end")
				}
			}
			seen := strings.Join(got, "\n")
			for _, row := range want {
				if strings.Count(seen, row) != 1 {
					t.Errorf("%s comes %d times", row, strings.Count(seen, row))
				}
			}
		})
	}
	res := get(t, cdxtest.Memory(captures), nil, "url=http://many.org/&limit=1&showResumeKey=true")
	key := strings.TrimSpace(strings.SplitAfter(body(t, res), "\n\n")[1])
	if res := get(t, cdxtest.Memory(captures), nil, "url=http://example.org/&resumeKey="+key); res.StatusCode != 400 {
		t.Errorf("a resume key of another query: got %d", res.StatusCode)
	}
	for output, want := range map[string]string{"ndjson": `{"resumeKey": "` + key + "\"}\n", "cdxj": `!meta {"resumeKey": "` + key + "\"}\n"} {
		got := body(t, get(t, cdxtest.Memory(captures), nil, "url=http://many.org/&limit=1&showResumeKey=true&output="+output))
		if !strings.HasSuffix(got, "\n"+want) {
			t.Errorf("%s: got %s, want it to end in %s", output, got, want)
		}
	}
}

// rowsOf splits an answer into rows; the row in front of a resume key is "".
func rowsOf(t *testing.T, answer string, isJSON bool) []string {
	t.Helper()
	if !isJSON {
		return strings.Split(strings.TrimSuffix(answer, "\n"), "\n")
	}
	var arrays [][]string
	if err := json.Unmarshal([]byte(answer), &arrays); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	var rows []string
	for i, a := range arrays {
		if i > 0 {
			rows = append(rows, strings.Join(a, " "))
		}
	}
	return rows
}

// broken fails after n captures.
type broken struct {
	cdx.Source
	n int
}

func (b broken) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		c := capture("http://example.org/", 20140101000000, 200, "A")
		for range b.n {
			if !yield(&c, nil) {
				return
			}
		}
		yield(nil, errors.New("the disk is gone"))
	}
}

func TestAPITellsThatTheIndexFailed(t *testing.T) {
	var told error
	api := cdx.NewAPI(broken{n: 1}, nil)
	api.Failed = func(err error) { told = err }
	rec := httptest.NewRecorder()
	api.Serve(rec, httptest.NewRequest("GET", "/?url=example.org", nil), cdxtest.Coll)
	if rec.Code != 500 || told == nil || strings.Contains(rec.Body.String(), "disk") {
		t.Errorf("got %d %q, told %v; want 500 and the cause in the log only", rec.Code, rec.Body, told)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cdx.NewAPI(broken{n: 10_000}, nil).Serve(w, r, cdxtest.Coll)
	}))
	defer srv.Close()
	res, err := http.Get(srv.URL + "/?url=example.org")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("an answer that broke off looks whole")
	}
}

func ExampleAPI() {
	api := cdx.NewAPI(cdxtest.Memory(sample()), nil)
	rec := httptest.NewRecorder()
	api.Serve(rec, httptest.NewRequest("GET", "/web/cdx?url=example.org&limit=1&output=json&fl=timestamp,statuscode", nil), "web")
	fmt.Print(rec.Body)
	// Output:
	// [["timestamp","statuscode"],
	// ["20140101000000","200"]]
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		"url=http://example.org/*&from=2014&to=2015&filter=!statuscode:200&collapse=digest&limit=-3&output=json",
		"url=example.org&closest=2014&sort=closest&fl=urlkey,range", "url=*.org&showResumeKey&resumeKey=AAAA&limit=1", "url=%zz", "&&=&url", "url=x&filter=~4:a|b&page=1&pageSize=2&offset=1",
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
		if err := api.Write(t.Context(), &b, cdxtest.Coll, q); err != nil {
			t.Fatalf("%q: %v", query, err)
		}
		if q.Output() == cdx.OutputJSON && !json.Valid([]byte(b.String())) {
			t.Fatalf("%q: no JSON: %s", query, b.String())
		}
	})
}

// nullWriter measures the API without a connection.
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
