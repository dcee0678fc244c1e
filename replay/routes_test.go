package replay_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

func page(date, uri string) replaytest.Record {
	return replaytest.Record{Date: date, URI: uri, Status: 200, Body: "<!doctype html><title>t</title><p>" + date}
}

// twoCollections has one page in the collections web and news, at different datetimes.
func twoCollections(t *testing.T) *index.Index {
	t.Helper()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	more := replaytest.Write(t, []replaytest.Record{page("20160101000000", "http://a.example/"), page("20160101000000", "http://b.example/")})
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "news"}, []string{more}); err != nil {
		t.Fatal(err)
	}
	return x
}

func request(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, "http://varve.example"+path, nil)
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

func TestNewNamesTheWrongField(t *testing.T) {
	_, x := replaytest.Serve(t)
	a := replaytest.Archive(t, archive.Config{Index: x, Records: warc.NewStore(nil)})
	for want, cfg := range map[string]replay.Config{
		"Config.Archive": {}, "Config.PublicURL": {Archive: a, PublicURL: "varve.example"}, "Config.ReplayURL": {Archive: a, ReplayURL: "x"},
		"Config.Hub": {Archive: a, Hub: "hub.example"},
	} {
		if _, err := replay.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestRoutes(t *testing.T) {
	h := replaytest.Configured(t, twoCollections(t), nil)
	const u = "http://a.example/"
	for _, tt := range []struct {
		method, path string
		status       int
		has          string
	}{
		{"GET", "/", 200, "news"},
		{"GET", "/web/", 200, ""},
		{"GET", "/web/20140101000000mp_/" + u, 200, "20140101000000"},
		{"GET", "/web/" + u, 302, ""},
		{"GET", "/web/timemap/link/" + u, 200, "memento"},
		{"GET", "/web/cdx?url=" + u, 200, "example,a)/ 20140101000000"},
		{"POST", "/web/cdx?url=" + u, 405, "the CDX API answers GET and HEAD"},
		{"GET", "/web/cdx", 400, "url"},
		{"GET", "/web/changes/" + u, 200, "ranges"},
		{"GET", "/web/*/" + u, 200, "20140101000000"},
		{"GET", "/web/*/http://a.example/*", 200, u},
		{"GET", "/web/diff/" + u, 200, ""},
		{"GET", "/web/diff/2014/2015/" + u, 200, ""},
		{"GET", "/web/animate/2014/2015/" + u, 200, ""},
		{"GET", "/web/landing/2014/" + u, 302, ""},
		{"GET", "/web/similar/2014/" + u, 200, "results"},
		{"GET", "/web/search?q=a", 404, "no change-text search"},
		{"GET", "/web/terms", 404, "no change-text search"},
		{"GET", "/web/changes", 400, "needs an address"},
		{"GET", "/web/nothing", 400, "needs an address"},
		{"GET", "/web/feed?url=" + u, 200, "<entry>"},
		{"POST", "/web/feed?url=" + u, 405, "GET, HEAD"},
		{"GET", "/web/monitor", 200, `"changes":[]`},
		{"GET", "/web/visual?url=" + u, 400, "two datetimes"},
		{"GET", "/web/visual?from=2010&to=2015&url=" + u, 404, "no picture was made"},
		{"GET", "/web/visual?from=2010&to=2015", 400, "needs an address"},
		{"GET", "/web/thumb/2015/http://example.org/never", 404, "never archived"},
		{"GET", "/web/thumb?url=" + u, 404, "no picture was made"},
		{"GET", "/web/changes?level=visual&url=" + u, 404, "no picture was made"},
		{"GET", "/web/2014/info?url=" + u, 302, ""},
		{"GET", "/web/20140101000000/info?url=" + u, 200, `"checked":true`},
		{"GET", "/web/2014/info", 400, "needs an address"},
		{"GET", "/web/inspect?css=p&url=" + u, 200, `"versions":[`},
		{"POST", "/web/inspect?css=p&url=" + u, 405, ""},
		{"GET", "/web/still/20140101000000/" + u, 200, "data-varve-n"},
		{"GET", "/other/", 404, `no collection "other"`},
		{"GET", "/UPPER/", 404, "no such page"},
		{"GET", "/-/nothing", 404, "no such page"},
		{"OPTIONS", "/web/" + u, 204, ""},
		{"POST", "/web/changes/" + u, 405, "GET, HEAD"},
		{"PUT", "/web/", 405, "GET, HEAD"},
		{"POST", "/web/" + u, 404, "no capture"},
		{"POST", "/web/2014/" + u, 404, "no capture"},
		{"POST", "/-/healthz", 405, "GET, HEAD"},
		{"GET", "/-/healthz", 200, "ok"},
		{"GET", "/robots.txt", 200, "Disallow: /"},
		{"GET", "/favicon.ico", 200, "<svg"},
		{"GET", "/favicon.icon", 404, "no collection"},
		{"GET", "/-/readyz", 200, "ready"},
		{"GET", "/-/metrics", 200, "varve_http_requests_total"},
		{"GET", "/-/api/openapi.json", 200, `"openapi"`},
		{"GET", "/-/static/page.css", 200, "{"},
		{"GET", "/collinfo.json", 200, `"cdx-api":"http://varve.example/news/cdx"`},
		{"GET", "/cdx/search/cdx?url=" + u, 200, "example,a)/ 20140101000000"},
		{"GET", "/cdx/search/cdx?collection=news&url=" + u, 200, "example,a)/ 20160101000000"},
		{"GET", "/cdx/search/cdx?collection=other&url=" + u, 404, `no collection "other"`},
	} {
		w := request(h, tt.method, tt.path)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.has) {
			t.Errorf("%s %s: %d, want %d and %q in %.500s", tt.method, tt.path, w.Code, tt.status, tt.has, w.Body)
		}
		if tt.method != "GET" {
			continue
		}
		if w := request(h, "HEAD", tt.path); w.Code != tt.status {
			t.Errorf("HEAD %s: %d", tt.path, w.Code)
		}
	}
	if w := request(h, "HEAD", "/-/api/openapi.json"); w.Body.Len() > 0 || w.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: %d bytes, %v", w.Body.Len(), w.Header())
	}
}

func TestTheCDXAPIWithoutACollectionMeansTheOnlyOne(t *testing.T) {
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	file := replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")})
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "news"}, []string{file}); err != nil {
		t.Fatal(err)
	}
	if w := request(replaytest.Configured(t, x, nil), "GET", "/cdx/search/cdx?url=http://a.example/"); w.Code != 200 || w.Body.Len() == 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestReadiness(t *testing.T) {
	missing := errors.New("the object storage can't be reached")
	h := replaytest.Configured(t, twoCollections(t), func(c *replay.Config) { c.Ready = func() error { return missing } })
	w := request(h, "GET", "/-/readyz")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), missing.Error()) || w.Header().Get("Retry-After") == "" {
		t.Errorf("without storage: %d %s", w.Code, w.Body)
	}
	if w := request(h, "GET", "/-/healthz"); w.Code != http.StatusOK {
		t.Errorf("without storage it doesn't live: %d", w.Code)
	}
	missing = nil
	s := replaytest.Searchable(t)
	add := func(date string) {
		t.Helper()
		file := replaytest.Write(t, []replaytest.Record{page(date, "http://a.example/")})
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.Archive().Index.Whole, Collection: "web"}, []string{file}); err != nil {
			t.Fatal(err)
		}
	}
	add("20140101000000")
	for _, tt := range []struct {
		when string
		h    http.Handler
		want string
	}{{"without a search", h, "ready\n"}, {"while the search is built", s.Handler(), "ready, but "}} {
		if w := request(tt.h, "GET", "/-/readyz"); w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), tt.want) {
			t.Errorf("%s: %d %s", tt.when, w.Code, w.Body)
		}
	}
}

func TestAvailability(t *testing.T) {
	h := replaytest.Configured(t, twoCollections(t), nil)
	for _, tt := range []struct {
		name, query string
		status      int
		closest     string // "" for none
		coll        string
	}{
		{"the newest of all collections", "url=a.example", 200, "20160101000000", "news"},
		{"the nearest", "url=a.example&timestamp=2014", 200, "20140101000000", "web"},
		{"nearer to the later", "url=a.example&timestamp=20150801", 200, "20160101000000", "news"},
		{"nearer to the earlier", "url=a.example&timestamp=20141201", 200, "20140101000000", "web"},
		{"in one collection", "url=a.example&timestamp=2014&collection=news", 200, "20160101000000", "news"},
		{"in a collection that isn't there", "url=a.example&collection=other", 404, "", ""},
		{"only in one", "url=b.example", 200, "20160101000000", "news"},
		{"nowhere", "url=c.example", 200, "", ""},
		{"no address", "", 200, "", ""},
		{"no datetime", "url=a.example&timestamp=then", 400, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := request(h, "GET", "/wayback/available?"+tt.query)
			var got struct {
				URL       string `json:"url"`
				Snapshots struct {
					Closest *struct {
						Status, URL, Timestamp string
						Available              bool
					} `json:"closest"`
				} `json:"archived_snapshots"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != tt.status {
				t.Fatalf("%d %v %s", w.Code, err, w.Body)
			}
			c := got.Snapshots.Closest
			if (c != nil) != (tt.closest != "") {
				t.Fatalf("%s", w.Body)
			}
			if c != nil && (c.Timestamp != tt.closest || c.Status != "200" || !c.Available ||
				!strings.HasPrefix(c.URL, "http://varve.example/"+tt.coll+"/"+tt.closest+"/http://")) {
				t.Errorf("%s", w.Body)
			}
		})
	}
	for callback, status := range map[string]int{"f": 200, "a.b$_9": 200, "1f": 400, "f(": 400, strings.Repeat("f", 101): 400} {
		w := request(h, "GET", "/wayback/available?url=a.example&callback="+callback)
		isScript := strings.HasPrefix(w.Body.String(), "/**/"+callback+"({") && strings.HasSuffix(w.Body.String(), "});") &&
			w.Header().Get("Content-Type") == "application/javascript; charset=utf-8"
		if w.Code != status || isScript != (status == 200) {
			t.Errorf("callback %.20s: %d %s %s", callback, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
	if w := request(h, "GET", "/wayback/available?url=a.example/caf%E9"); !strings.Contains(w.Body.String(), `"a.example/caf%E9"`) {
		t.Errorf("bytes that are no UTF-8: %s", w.Body)
	}
	w := request(h, "HEAD", "/wayback/available?url=a.example")
	if w.Code != 200 || w.Body.Len() > 0 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %d with %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

// A script that puts an address together by itself asks the server's root; the Referer says for which page.
func TestStrayRequestsAreLedIntoTheirPage(t *testing.T) {
	h := replaytest.Configured(t, twoCollections(t), nil)
	const from = "http://varve.example/web/20140101000000"
	for _, tt := range []struct {
		name, path, referer, dest string
		to                        string // "" for none
	}{
		{"no collection", "/Style.css?a", from + "/http://a.example/b/", "style", "/web/20140101000000cs_/http://a.example/Style.css?a"},
		{"a collection that isn't there", "/i/a.png", from + "/http://a.example/", "image", "/web/20140101000000im_/http://a.example/i/a.png"},
		{"a script", "/s/a.js", from + "/https://a.example:8443/", "script", "/web/20140101000000js_/https://a.example:8443/s/a.js"},
		{"a window", "/other/", from + "/http://a.example/", "document", "/web/20140101000000/http://a.example/other/"},
		{"a frame", "/other/", from + "/http://a.example/", "iframe", "/web/20140101000000if_/http://a.example/other/"},
		{"a frame of a frameset", "/other/", from + "/http://a.example/", "frame", "/web/20140101000000if_/http://a.example/other/"},
		{"data", "/api/x", from + "/http://a.example/", "empty", "/web/20140101000000mp_/http://a.example/api/x"},
		{"nobody knows what", "/api/x", from + "/http://a.example/", "", "/web/20140101000000/http://a.example/api/x"},
		{"for archived bytes", "/api/x", from + "id_/http://a.example/", "", "/web/20140101000000id_/http://a.example/api/x"},
		{"for a page without its banner", "/api/x", from + "mp_/http://a.example/", "", "/web/20140101000000mp_/http://a.example/api/x"},
		{"for a page in a frame", "/api/x", from + "if_/http://a.example/", "", "/web/20140101000000if_/http://a.example/api/x"},
		{"for a style sheet", "/i/x.png", from + "cs_/http://a.example/a.css", "", "/web/20140101000000mp_/http://a.example/i/x.png"},
		{"a collection that is there", "/news/x", from + "/http://a.example/", "empty", ""},
		{"the server's own", "/-/nothing", from + "/http://a.example/", "empty", ""},
		{"of another origin", "/other/x", "http://other.example/web/20140101000000/http://a.example/", "empty", ""},
		{"of no page", "/other/x", "http://varve.example/web/", "empty", ""},
		{"of a calendar", "/other/x", "http://varve.example/web/*/http://a.example/", "empty", ""},
		{"of a page of a collection that isn't there", "/other/x", "http://varve.example/gone/20140101000000/http://a.example/", "empty", ""},
		{"of a page without a host", "/other/x", from + "/urn:isbn:1", "empty", ""},
		{"without a Referer", "/other/x", "", "empty", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := request(h, "GET", tt.path, "Referer", tt.referer, "Sec-Fetch-Dest", tt.dest)
			if (w.Code == http.StatusTemporaryRedirect) != (tt.to != "") || w.Header().Get("Location") != tt.to {
				t.Errorf("%d, Location: %s", w.Code, w.Header().Get("Location"))
			}
			if tt.to != "" && w.Header().Get("Vary") != "Referer, Sec-Fetch-Dest" {
				t.Errorf("Vary: %s", w.Header().Get("Vary"))
			}
		})
	}
}

// A server in front leaves the path of the public address in requests, or removes it; others only look as if they had it.
func TestBelowThePathOfThePublicAddress(t *testing.T) {
	h := replaytest.Configured(t, twoCollections(t), func(c *replay.Config) { c.PublicURL = "http://varve.example/sub" })
	for _, front := range []string{"/sub", "", "http://varve.example/sub"} {
		for path, status := range map[string]int{
			"/-/static/page.css": 200, "/-/static/page%2Ecss": 200, "/-/static/none": 404, "/-/healthz": 200, "/web/": 200,
			"/web/20140101000000/http://a.example/": 200,
		} {
			if w := request(h, "GET", front+path); w.Code != status {
				t.Errorf("%s%s: %d, want %d", front, path, w.Code, status)
			}
		}
	}
	const page = "http://varve.example/sub/web/20140101000000/http://a.example/"
	const want = "/sub/web/20140101000000cs_/http://a.example/subway.css"
	w := request(h, "GET", "/subway.css", "Referer", page, "Sec-Fetch-Dest", "style")
	if to := w.Header().Get("Location"); to != want {
		t.Errorf("/subway.css leads to %s", to)
	}
}

// Whether the server is healthy is asked at its own address only, not at an archived one that ends like it.
func TestAddressesThatAskForHealth(t *testing.T) {
	_, x := replaytest.Serve(t)
	a := replaytest.Archive(t, archive.Config{Index: x, Records: warc.NewStore(nil)})
	s, err := replay.New(replay.Config{Archive: a, PublicURL: "https://archive.example/sub"})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]bool{
		"/-/healthz": true, "/sub/-/healthz": true, "/-/healthz?from=balancer": true, "http://archive.example/sub/-/healthz": true,
		"/web/-/healthz": false, "/-/readyz": false, "/-/healthz/": false, "/web/?url=/-/healthz": false,
		"/web/2014/http://varve.example/-/healthz": false, "/web/http://varve.example/sub/-/healthz": false,
	} {
		if got := s.AsksForHealth(httptest.NewRequest(http.MethodGet, target, nil)); got != want {
			t.Errorf("%s: %t", target, got)
		}
	}
}

// The metrics say how far the search is, and how long that has waited for requests.
func TestMetricsSayHowFarTheSearchIs(t *testing.T) {
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")})}).Handler()
	body := request(h, "GET", "/-/metrics").Body.String()
	for _, want := range []string{
		`varve_search_pages{collection="web"} 1`, `varve_search_pages_done{collection="web"} 1`, `varve_search_building{collection="web"} 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("want %s in\n%s", want, body)
		}
	}
	var gate loadlimit.Gate
	store := warc.NewStore(nil)
	defer store.Close()
	_, x := replaytest.Serve(t)
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{Dir: t.TempDir()})
	cfg.Gate = &gate
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if body := request(s.Handler(), "GET", "/-/metrics").Body.String(); !strings.Contains(body, "varve_search_waited_seconds_total 0") {
		t.Errorf("no waiting in\n%s", body)
	}
	if gate.Idle() {
		t.Error("the server's requests don't pass the gate")
	}
}

func TestRequestsAreCounted(t *testing.T) {
	h := replaytest.Configured(t, twoCollections(t), nil)
	for _, path := range []string{"/-/healthz", "/-/healthz", "/other/"} {
		request(h, "GET", path)
	}
	body := request(h, "GET", "/-/metrics").Body.String()
	for _, want := range []string{
		`varve_http_requests_total{route="internal",status="200"} 2`, `varve_http_requests_total{route="collection",status="404"} 1`,
		`varve_http_request_seconds_count{route="internal"} 2`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("want %s in\n%s", want, body)
		}
	}
}
