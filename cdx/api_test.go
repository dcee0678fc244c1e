package cdx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
	"github.com/varve-archive/varve/cdx/surt"
)

// capture returns a capture of url whose digest is one letter, eight times.
func capture(url string, ts cdx.Timestamp, status int, digest string) cdx.Capture {
	return cdx.Capture{
		Key: surt.Of(url), Time: ts, URL: url, MIME: "text/html", Status: status, Digest: strings.Repeat(digest, 8),
		Location: cdx.Location{File: 1, Offset: int64(ts % 100000), Length: 500}, FileName: "a.warc.gz",
	}
}

// sample is five captures of one URL, one of a page below it, one of a subdomain, and a POST.
func sample() []cdx.Capture {
	post := capture("http://example.org/", 20160101000000, 200, "P")
	post.Key = surt.OfRequest(post.URL, "POST", []byte("q=1"), "application/x-www-form-urlencoded")
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

// The rows of one URL are compared by their timestamps, cut to year and month.
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
		{"the last of a page", "page=1&pageSize=2&limit=-1", "201506"},
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
		{"filter by the first column's index", "filter=!0:org,.*", ""},
		{"filter by the last one's", "filter=!6:.*", ""},
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
		{"the first page of nothing", "url=http://example.org/none&page=0", ""},
		{"a page of the nearest", "closest=20150320&page=1&pageSize=2", "201501 201606"},
		{"the last of the nearest are the farthest", "closest=20150320&limit=-2", "201606 201401"},

		{"a key that can't be given beside closest", "closest=20150320&limit=1&showResumeKey=true", "201503"},
		{"a key that can't be given beside a negative limit", "limit=-2&fastLatest=true&showResumeKey=true", "201506 201606"},

		{"pywb's reverse", "reverse=true", "201606 201506 201503 201501 201401"},
		{"pywb's collapse by time and status", "collapseTime=4&filter=!digest:C*", "201401 201501 201503 201606"},
		{"collapse by all digits of the time", "collapseTime=14", "201401 201501 201503 201506 201606"},
		{"OutbackCDX's collapse", "collapseToFirst=timestamp:4", "201401 201501 201606"},
		{"OutbackCDX's collapse to the last", "collapseToLast=timestamp:4", "201401 201506 201606"},
		{"a collapse to the last, and limit", "collapseToLast=timestamp:4&limit=2", "201401 201506"},
		{"a collapse to the last, and the last", "collapseToLast=timestamp:4&limit=-2", "201506 201606"},
		{"a collapse to the last, in reverse", "collapseToLast=timestamp:4&sort=reverse", "201606 201501 201401"},
		{"redirects elsewhere are no self redirects", "omitSelfRedirects=true", "201401 201501 201503 201506 201606"},
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

// A folder is one of the URLs that begin with it, though its key lacks the slash.
func TestAPIMatchesFolders(t *testing.T) {
	var all []cdx.Capture
	for _, path := range []string{"f/", "f-2/", "f/x", "f/?y=1", "f/;v=1", "f2", "fold/"} {
		all = append(all, capture("http://example.org/"+path, 20150101000000, 200, "A"))
	}
	src := cdxtest.Memory(all)
	for query, want := range map[string]string{
		"url=http://example.org/f/*":                            "/f/ /f/;v=1 /f/x /f/?y=1",
		"url=http://example.org/f/*&sort=reverse":               "/f/?y=1 /f/x /f/;v=1 /f/",
		"url=http://example.org/f/&matchType=prefix&limit=2":    "/f/ /f/;v=1",
		"url=http://example.org/f/&matchType=prefix&limit=-1":   "/f/?y=1",
		"url=http://example.org/f/*&filter=!original:.*x":       "/f/ /f/;v=1 /f/?y=1",
		"url=http://example.org/f/x/*":                          "/f/x",
		"url=http://example.org/f/*&collapse=timestamp&limit=9": "/f/",
	} {
		got := strings.Fields(strings.ReplaceAll(body(t, get(t, src, nil, query+"&fl=original")), "http://example.org", ""))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestAPIMethods(t *testing.T) {
	api := cdx.NewAPI(cdxtest.Memory(sample()), nil)
	for method, want := range map[string]int{"HEAD": 200, "OPTIONS": 204, "POST": 405} {
		rec := httptest.NewRecorder()
		api.Serve(rec, httptest.NewRequest(method, "/web/cdx?url=example.org", nil), cdxtest.Coll)
		header := http.Header{
			"Access-Control-Allow-Origin": {"*"}, "Access-Control-Expose-Headers": {"Link, Memento-Datetime, Location, Vary"},
		}
		switch method {
		case "OPTIONS":
			header.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
			header.Set("Access-Control-Allow-Headers", "*")
		case "POST":
			header.Set("Allow", "GET, HEAD, OPTIONS")
			header.Set("Content-Type", "text/plain; charset=utf-8")
			header.Set("X-Content-Type-Options", "nosniff")
		default:
			header.Set("Content-Type", "text/plain; charset=utf-8")
			header.Set("X-Content-Type-Options", "nosniff")
		}
		if diff := cmp.Diff(header, rec.Header()); rec.Code != want || diff != "" || method == "HEAD" && rec.Body.Len() > 0 {
			t.Errorf("%s: got %d, want %d, %q %s", method, rec.Code, want, rec.Body, diff)
		}
	}
}

// broken fails after n captures.
type broken struct {
	cdx.Source
	n   int
	err error
}

// away is the error of an index that will be back.
type away struct{ back bool }

func (away) Error() string     { return "the disk is gone" }
func (a away) Temporary() bool { return a.back }

func (b broken) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		c := capture("http://example.org/", 20140101000000, 200, "A")
		for range b.n {
			if !yield(&c, nil) {
				return
			}
		}
		yield(nil, b.err)
	}
}

func TestAPITellsThatTheIndexFailed(t *testing.T) {
	var failed error
	for _, tt := range []struct {
		err   error
		want  int
		after string
	}{{errors.New("the disk is gone"), 500, ""}, {away{}, 500, ""}, {away{back: true}, 503, "5"}} {
		api := cdx.NewAPI(broken{n: 1, err: tt.err}, nil)
		api.Failed = func(err error) { failed = err }
		rec := httptest.NewRecorder()
		api.Serve(rec, httptest.NewRequest("GET", "/?url=example.org", nil), cdxtest.Coll)
		if rec.Code != tt.want || rec.Header().Get("Retry-After") != tt.after || failed != tt.err || strings.Contains(rec.Body.String(), "disk") {
			t.Errorf("got %d %q, failed %v; want %d and the cause in the log only", rec.Code, rec.Body, failed, tt.want)
		}
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cdx.NewAPI(broken{n: 10_000, err: away{}}, nil).Serve(w, r, cdxtest.Coll)
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

// waiting yields captures, the last one only once the client has received the first.
type waiting struct {
	cdx.Source
	arrived chan struct{}
}

func (s waiting) Captures(ctx context.Context, _ cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		c := capture("http://example.org/", 20140101000000, 200, "A")
		for range 1000 {
			if !yield(&c, nil) {
				return
			}
		}
		select {
		case <-s.arrived:
			yield(&c, nil)
		case <-ctx.Done():
			yield(nil, ctx.Err())
		}
	}
}

func TestAPIStreams(t *testing.T) {
	src := waiting{arrived: make(chan struct{})}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cdx.NewAPI(src, nil).Serve(w, r, cdxtest.Coll)
	}))
	defer srv.Close()
	res, err := http.Get(srv.URL + "/?url=*.org")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	close(src.arrived)
	rest := body(t, res)
	if n := strings.Count(rest, "\n"); n != 1001 {
		t.Errorf("got %d lines, want 1001", n)
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

// The last rows are the same whether the index finds them, the scan walks back from the end, or a ring keeps them.
func TestAPILastRowsAreTheSameEitherWay(t *testing.T) {
	src := cdxtest.Memory(cdxtest.Captures())
	all := strings.SplitAfter(body(t, get(t, src, nil, "url=http://many.org/")), "\n")
	all = all[:len(all)-1]
	for n := 1; n <= len(all)+1; n += 13 {
		want := strings.Join(all[max(0, len(all)-n):], "")
		for _, how := range []string{"", "&filter=!digest:x", "&collapse=offset", "&collapse=offset&offset=1", "&collapse=offset&page=0"} {
			if strings.Contains(how, "offset=1") && n >= len(all) {
				continue
			}
			if got := body(t, get(t, src, nil, fmt.Sprintf("url=http://many.org/&limit=-%d%s", n, how))); got != want {
				t.Errorf("limit=-%d%s: got\n%s\nwant\n%s", n, how, got, want)
			}
		}
	}
}

func TestAPIOmitsSelfRedirects(t *testing.T) {
	self := capture("http://example.org/", 20150701000000, 302, "S")
	self.Redirect = "https://www.example.org/"
	said := capture("http://example.org/", 20150401000000, 200, "T") // a page that names an address, as some indexes have it
	said.Redirect = "http://example.org/"
	src := cdxtest.Memory(append(sample(), self, said))
	for query, want := range map[string]string{
		"": "200 301 302", "&omitSelfRedirects=true": "200 301", "&omitSelfRedirects=true&limit=-1": "301",
		"&omitSelfRedirects=false": "200 301 302",
	} {
		got := strings.Fields(body(t, get(t, src, nil, "url=http://example.org/&fl=statuscode&from=201504&filter=statuscode:..."+query)))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// A failing source and its annotator fail at one of their steps.
type failing struct {
	cdx.Source
	left   int
	failed bool
}

func (f *failing) fail() bool {
	f.failed = f.failed || f.left == 0
	f.left--
	return f.failed
}

func (f *failing) walk(all iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		for c, err := range all {
			if f.fail() {
				yield(nil, io.ErrUnexpectedEOF)
				return
			}
			if !yield(c, err) {
				return
			}
		}
		if f.fail() {
			yield(nil, io.ErrUnexpectedEOF)
		}
	}
}

func (f *failing) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return f.walk(f.Source.Captures(ctx, s))
}

func (f *failing) Closest(ctx context.Context, coll, key string, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return f.walk(f.Source.Closest(ctx, coll, key, ts))
}

func (f *failing) Count(ctx context.Context, s cdx.Span) (int64, error) {
	if f.fail() {
		return 0, io.ErrUnexpectedEOF
	}
	return f.Source.Count(ctx, s)
}

func (f *failing) annotate(context.Context, string, string) (func(*cdx.Capture) (int, string), error) {
	if f.fail() {
		return nil, io.ErrUnexpectedEOF
	}
	return func(*cdx.Capture) (int, string) { return 0, "any" }, nil
}

// Wherever an index fails, the answer is an error or, if that wasn't needed, the whole one.
func TestAPINeverTakesAPartForTheWhole(t *testing.T) {
	for _, query := range []string{
		"url=example.org", "url=*.example.org", "url=*&limit=2", "url=*&limit=-2", "url=*&limit=-2&sort=reverse", "url=*&offset=1&limit=-2",
		"url=example.org&limit=-2", "url=example.org&fastLatest=true", "url=*&page=1&pageSize=2", "url=*&page=9&pageSize=2",
		"url=*&showNumPages=true&pageSize=2", "url=example.org&closest=2015", "url=example.org&closest=2015&page=1&pageSize=2",
		"url=*&collapse=urlkey", "url=*&collapseToLast=urlkey", "url=*&showDupeCount=true", "url=*&showSkipCount=true&collapse=urlkey",
		"url=*&fl=timestamp,range,change", "url=*&filter=change:any&limit=-1", "url=*&limit=2&showResumeKey=true", "url=*&output=json",
		"url=*&filter=statuscode:404", "url=*&resolveRevisits=true",
	} {
		none := &failing{Source: cdxtest.Memory(sample()), left: -1}
		whole := get(t, none, none.annotate, query)
		want := body(t, whole)
		fails := 0
		for step := 0; ; step++ {
			src := &failing{Source: cdxtest.Memory(sample()), left: step}
			res := get(t, src, src.annotate, query)
			got := body(t, res)
			if !src.failed {
				if got != want || res.StatusCode != whole.StatusCode {
					t.Errorf("%s: %d %s without a fault, then %d %s", query, whole.StatusCode, want, res.StatusCode, got)
				}
				break
			}
			if fails++; res.StatusCode != 500 || !strings.Contains(got, "the index can't be read") {
				t.Errorf("%s, step %d fails: %d %s", query, step, res.StatusCode, got)
			}
		}
		if fails == 0 {
			t.Errorf("%s asks the index for nothing", query)
		}
	}
}

// A writer that takes only so many bytes.
type narrow int

func (n *narrow) Write(p []byte) (int, error) {
	if *n -= narrow(len(p)); *n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// If an answer can't be sent, writing it ends with that error, wherever that happens.
func TestAPIWritesToSomebodyWhoLeaves(t *testing.T) {
	var captures []cdx.Capture
	for i := range 2000 {
		captures = append(captures, capture("http://example.org/"+strings.Repeat("x", 100), cdx.Timestamp(20140101000000+i%60), 200, "A"))
		captures[i].Offset = int64(i)
	}
	for _, query := range []string{"url=*", "url=*&limit=-1500", "url=*&output=json", "url=*&output=cdxj"} {
		q, err := cdx.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		api := cdx.NewAPI(cdxtest.Memory(captures), nil)
		all := narrow(1 << 30)
		if err := api.Write(t.Context(), &all, cdxtest.Coll, q); err != nil {
			t.Fatal(err)
		}
		size := 1<<30 - all
		if size < 200_000 {
			t.Fatalf("%s: only %d bytes", query, size)
		}
		for _, takes := range []narrow{0, 50_000, 150_000, size - 1, size} {
			n := takes
			if err := api.Write(t.Context(), &n, cdxtest.Coll, q); errors.Is(err, io.ErrShortWrite) != (takes < size) {
				t.Errorf("%s, of %d bytes %d are taken: %v", query, size, takes, err)
			}
		}
	}
}
