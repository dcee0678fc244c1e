package crawl_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
	"github.com/varve-archive/varve/internal/disk"
)

// A site is a server on loopback that notes what it is asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int // by path and query
	most  int            // requests at the same time
	now   int
}

func newSite(t *testing.T, h http.HandlerFunc) *site {
	t.Helper()
	s := &site{asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.RequestURI()]++
		s.now++
		s.most = max(s.most, s.now)
		s.mu.Unlock()
		h(w, r)
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}))
	t.Cleanup(s.Close)
	return s
}

// requests returns what was asked for, without robots.txt and sitemaps, sorted.
func (s *site) requests() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, n := range s.asked {
		if path == "/robots.txt" || strings.HasPrefix(path, "/sitemap") {
			continue
		}
		for range n {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// page answers with an HTML page that links to addresses.
func page(w http.ResponseWriter, links ...string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><title>a page</title>")
	for _, l := range links {
		fmt.Fprintf(w, "<p><a href=%q>there</a></p>", l)
	}
}

// settings are those of a crawl of a site that waits for nothing.
func settings(s *site) crawl.Settings {
	c := crawl.Defaults()
	c.Name, c.Seeds, c.AllowPrivate, c.Delay, c.PerHost, c.Sitemaps = "test", []string{s.URL + "/"}, true, 0, 4, false
	c.MaxDepth, c.MaxPages = 0, 0
	return c
}

// A result is what a crawl has led to.
type result struct {
	crawl.Report
	got []string // the responses and revisits, by path and query, sorted
	dir string
}

func run(t *testing.T, s crawl.Settings) result {
	t.Helper()
	return runOn(t, t.Context(), kvtest.NewMemory(), t.TempDir(), s)
}

func runOn(t *testing.T, ctx context.Context, on kv.Store, dir string, s crawl.Settings, changes ...func(*crawl.Crawl)) result {
	t.Helper()
	c := openedOn(t, on, dir, s)
	for _, change := range changes {
		change(c)
	}
	report, err := c.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return result{report, written(t, dir), dir}
}

func opened(t *testing.T, s crawl.Settings) *crawl.Crawl {
	t.Helper()
	return openedOn(t, kvtest.NewMemory(), t.TempDir(), s)
}

func openedOn(t *testing.T, on kv.Store, dir string, s crawl.Settings) *crawl.Crawl {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	front, err := local.Open(t.Context(), on, s.Frontier())
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(t.Context(), crawl.Config{
		Settings: s, Frontier: front, Dir: dir, Software: "varve/test", Agent: "varve/test (+http://a.example)",
		Patience: 20 * time.Millisecond, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// written returns the addresses of the answers in the files of a folder, without robots.txt and sitemaps, and checks each record.
func written(t *testing.T, dir string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := warc.Local{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if findings, err := rec.Verify(); err != nil || len(findings) > 0 {
				t.Errorf("%s: %v, %v", rec.TargetURI, findings, err)
			}
			u, err := url.Parse(rec.TargetURI)
			if err != nil {
				t.Fatal(err)
			}
			if (rec.Type == "response" || rec.Type == "revisit") && u.Path != "/robots.txt" && !strings.HasPrefix(u.Path, "/sitemap") {
				list = append(list, u.RequestURI())
			}
		}
		f.Close()
	}
	slices.Sort(list)
	return list
}

// wants compares what was asked for and what was written with what should be: each once.
func wants(t *testing.T, s *site, r result, want ...string) {
	t.Helper()
	slices.Sort(want)
	if diff := cmp.Diff(want, r.got); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, s.requests()); diff != "" {
		t.Errorf("asked for (-want +got)\n%s", diff)
	}
	if r.State != crawl.Completed {
		t.Errorf("it is %s", r.State)
	}
}

func numbered(format string, from, to int) (list []string) {
	for i := from; i <= to; i++ {
		list = append(list, fmt.Sprintf(format, i))
	}
	return list
}

func TestAChainOfPages(t *testing.T) {
	chain := func(w http.ResponseWriter, r *http.Request) {
		n := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/d%d", &n)
		page(w, "/", fmt.Sprintf("/d%d", n+1), fmt.Sprintf("/d%d#there", n+1), fmt.Sprintf("/d%d", n))
	}
	for _, tt := range []struct {
		depth int
		pages int64
		skip  map[string]int64
		limit string
	}{
		{depth: 3, skip: map[string]int64{"depth": 1}},
		{pages: 5, skip: map[string]int64{}, limit: "max_pages"},
	} {
		s := newSite(t, chain)
		set := settings(s)
		set.MaxDepth, set.MaxPages = tt.depth, tt.pages
		r := run(t, set)
		wants(t, s, r, "/", "/d0", "/d1", "/d2", "/d3") // /d0 is as deep as /d1
		if diff := cmp.Diff(tt.skip, r.Skipped); diff != "" || r.Limit != tt.limit || r.Pages != 5 {
			t.Errorf("%+v\n%s", r.Report, diff)
		}
	}
}

// What goes round in circles ends.
func TestCircles(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			page(w, "/a", "/b", "/r1", "/own", "/slash", "/UP", "/to")
		case "/a":
			page(w, "/b", "/a", "/?utm_source=x", "/a?", "/a/")
		case "/b":
			page(w, "/a", "./b", "//"+r.Host+"/a")
		case "/r1":
			http.Redirect(w, r, "/r2", http.StatusFound)
		case "/r2":
			http.Redirect(w, r, "/r1", http.StatusFound)
		case "/own":
			http.Redirect(w, r, "/own", http.StatusFound)
		case "/slash":
			http.Redirect(w, r, "/slash/", http.StatusMovedPermanently)
		case "/slash/", "/UP":
			page(w, "/slash")
		case "/to":
			http.Redirect(w, r, "/To", http.StatusFound)
		case "/To":
			http.Redirect(w, r, "/to", http.StatusFound)
		}
	})
	r := run(t, settings(s))
	wants(t, s, r, "/", "/To", "/UP", "/a", "/b", "/own", "/r1", "/r2", "/slash", "/slash/", "/to")
	if diff := cmp.Diff(map[string]int64{"200": 5, "302": 5, "301": 1}, r.Status); diff != "" || r.Pages != 5 {
		t.Errorf("%d pages\n%s", r.Pages, diff)
	}
}

// Any answer from 300 to 399 with a Location leads there, and no other does.
func TestWhichAnswersLeadOn(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		var code int
		switch _, err := fmt.Sscanf(r.URL.Path, "/%d", &code); {
		case r.URL.Path == "/":
			page(w, "/201", "/299", "/300", "/301", "/308", "/399", "/400", "/404")
		case err == nil:
			w.Header().Set("Location", fmt.Sprintf("/to%d", code))
			w.WriteHeader(code)
		default:
			page(w)
		}
	})
	wants(t, s, run(t, settings(s)), "/", "/201", "/299", "/300", "/301", "/308", "/399", "/400", "/404",
		"/to300", "/to301", "/to308", "/to399")
}

// Servers that make addresses without end are recognized, and what isn't of the trap is found.
func TestTraps(t *testing.T) {
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		trap    string
		most    int // answers that are written
		found   string
	}{
		"a calendar by its arguments": {func(w http.ResponseWriter, r *http.Request) {
			y, m := 2026, 1
			_, _ = fmt.Sscanf(r.URL.RawQuery, "year=%d&month=%d", &y, &m)
			at := func(d int) string { n := y*12 + m - 1 + d; return fmt.Sprintf("/cal?year=%d&month=%d", n/12, n%12+1) }
			page(w, at(1), at(-1), "/article")
		}, "calendar", 40, "/article"},
		"a calendar by its path": {func(w http.ResponseWriter, r *http.Request) {
			d := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			if got, err := time.Parse("/2006/01/02", r.URL.Path); err == nil {
				d = got
			}
			page(w, d.AddDate(0, 0, 1).Format("/2006/01/02"), d.AddDate(0, 1, 0).Format("/2006/01/02"), "/article")
		}, "calendar", 200, "/article"},
		"a path that grows": {func(w http.ResponseWriter, r *http.Request) {
			page(w, strings.TrimSuffix(r.URL.Path, "/")+"/more/of", "/article")
		}, "path", 12, "/article"},
		"an argument that grows": {func(w http.ResponseWriter, r *http.Request) {
			page(w, "/x?q="+strings.Repeat("y", len(r.URL.RawQuery)+300), "/article")
		}, "length", 12, "/article"},
		"redirects without end": {func(w http.ResponseWriter, r *http.Request) {
			n := 0
			if _, err := fmt.Sscanf(r.URL.Path, "/n%d", &n); err == nil {
				http.Redirect(w, r, fmt.Sprintf("/n%d", n+1), http.StatusFound)
				return
			}
			page(w, "/n1", "/article")
		}, "redirects", 14, "/article"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, tt.handler)
			r := run(t, settings(s))
			if r.Traps[tt.trap] == 0 || r.Skipped["trap"] == 0 || len(r.got) > tt.most || !slices.Contains(r.got, tt.found) {
				t.Errorf("%+v\n%q", r.Report, r.got)
			}
		})
	}
}

func TestSessionIDs(t *testing.T) {
	var n int
	var mu sync.Mutex
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		n++
		id := fmt.Sprintf("%032x", n)
		mu.Unlock()
		page(w, "/a?PHPSESSID="+id, "/b;jsessionid="+id, "/c?x=1&sid="+id, "/c?sid="+id+"&x=2", "/?utm_source="+id)
	})
	r := run(t, settings(s))
	if len(r.got) != 5 || len(s.requests()) != 5 {
		t.Errorf("%q", r.got)
	}
}

// Short addresses, such as those of videos, differ in the case of letters alone.
func TestCaseOfLetters(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		page(w, "/dQw4", "/DQw4", "/dQw4/", "/v?id=aB", "/v?id=Ab")
	})
	wants(t, s, run(t, settings(s)), "/", "/DQw4", "/dQw4", "/v?id=Ab", "/v?id=aB")
}

func TestServersWithoutAValidCertificate(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { page(w, "/a") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	set := settings(&site{Server: s})
	if r := run(t, set); r.Pages != 0 || r.Skipped["unreachable"] != 1 {
		t.Errorf("%+v", r.Report)
	}
	set.InsecureTLS = true
	if r := run(t, set); r.Pages != 2 {
		t.Errorf("%+v", r.Report)
	}
}

func TestErrors(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			page(w, "/missing", "/soft", "/broken", "/cut", "/gone", "/wait", "/busy", "/slow", "/choices", "/nowhere")
		case "/choices":
			w.WriteHeader(http.StatusMultipleChoices)
			page(w, "/from-choices")
		case "/nowhere":
			w.Header().Set("Refresh", "0; url=/from-nowhere")
			w.WriteHeader(http.StatusFound)
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
			page(w, "/from-missing")
		case "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			page(w, "/from-cut")
		case "/gone":
			panic(http.ErrAbortHandler)
		case "/wait":
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/slow":
			page(w, "/from-slow")
			w.(http.Flusher).Flush()
			time.Sleep(200 * time.Millisecond)
			page(w)
		default:
			page(w)
		}
	})
	r := run(t, settings(s))
	want := []string{
		"/", "/broken", "/busy", "/choices", "/cut", "/from-choices", "/from-cut", "/from-missing", "/from-nowhere", "/from-slow",
		"/missing", "/nowhere", "/slow", "/soft", "/wait",
	}
	if diff := cmp.Diff(want, r.got); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
	if s.asked["/gone"] < 3 || s.asked["/wait"] != 3 {
		t.Errorf("asked for %v", s.asked)
	}
	if diff := cmp.Diff(map[string]int64{"unreachable": 1}, r.Skipped); diff != "" {
		t.Error(diff)
	}
}

// A connection may end before the answer does. What follows in the page would lack for good, so it is asked for again.
func TestAnswersThatAreCutOff(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			page(w, "/cut")
		case r.URL.Path == "/cut" && asked.Add(1) < 3:
			w.Header().Set("Content-Length", "1000")
			page(w, "/first")
		case r.URL.Path == "/cut":
			page(w, "/first", "/last")
		default:
			page(w)
		}
	})
	r := run(t, settings(s))
	if diff := cmp.Diff([]string{"/", "/cut", "/first", "/last"}, r.got); diff != "" || asked.Load() != 3 {
		t.Errorf("asked for it %d times; written (-want +got)\n%s", asked.Load(), diff)
	}
}

func TestRobots(t *testing.T) {
	handler := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				w.WriteHeader(status)
				fmt.Fprint(w, text)
			case "/none.txt":
				fmt.Fprint(w, "User-agent: varve\nDisallow: /a\n")
			default:
				page(w, "/a", "/b", "/private/x", "/private/open")
			}
		}
	}
	const rules = "User-agent: *\nDisallow: /private\nAllow: /private/open\n"
	for name, tt := range map[string]struct {
		status  int
		robots  string
		want    []string
		skipped int64
	}{
		"obeyed":          {200, "obey", []string{"/", "/a", "/b", "/private/open"}, 1},
		"ignored":         {200, "ignore", []string{"/", "/a", "/b", "/private/open", "/private/x"}, 0},
		"there is none":   {404, "obey", []string{"/", "/a", "/b", "/private/open", "/private/x"}, 0},
		"it can't be had": {500, "obey", nil, 1},
		"another one":     {200, "/none.txt", []string{"/", "/b", "/none.txt", "/private/open", "/private/x"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, handler(tt.status, rules))
			set := settings(s)
			if set.Robots = tt.robots; tt.robots == "/none.txt" {
				set.Robots = s.URL + tt.robots
			}
			r := run(t, set)
			wants(t, s, r, tt.want...)
			if r.Skipped["robots"]+r.Skipped["unreachable"] != tt.skipped {
				t.Errorf("%v", r.Skipped)
			}
			if asked := s.asked["/robots.txt"]; asked > 1 && tt.status < 500 || tt.robots == "ignore" && asked > 0 {
				t.Errorf("robots.txt was asked for %d times", asked)
			}
		})
	}
}

// A host whose robots.txt doesn't answer is asked again later: its pages are not lost.
func TestRobotsThatAnswersLater(t *testing.T) {
	for name, broken := range map[string]func(http.ResponseWriter){
		"trouble":   func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		"no answer": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/robots.txt" {
					page(w, "/a", "/b")
				} else if asked.Add(1) == 1 {
					broken(w)
				}
			})
			wants(t, s, run(t, settings(s)), "/", "/a", "/b")
		})
	}
}

// An address outside of the scope may be a part of a page all the same, whichever is seen first.
func TestPartsThatAreLinkedToAlso(t *testing.T) {
	other := newSite(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") })
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<a href="%s/x.png">x</a><a href=/next>next</a>`, other.URL)
		if r.URL.Path == "/next" {
			fmt.Fprintf(w, `<img src="%s/x.png">`, other.URL)
		}
	})
	run(t, settings(s))
	if other.asked["/x.png"] != 1 {
		t.Errorf("asked for %v", other.asked)
	}
}

// Browsers send a % that encodes nothing as it is. Go can't, and servers read %25 as the same. What isn't on the web is not asked for.
func TestAddressesThatGoCannotSend(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = io.WriteString(w, `<a href="/50%off">x</a><img src="/100%.png"><a href="ftp://a.example/f">f</a>`)
		}
	})
	r := run(t, settings(s))
	wants(t, s, r, "/", "/100%25.png", "/50%25off")
	if len(r.Skipped) > 0 {
		t.Errorf("skipped %v", r.Skipped)
	}
}

// A page is not complete without what its scripts import, and a style sheet is one whatever type it has.
func TestPartsAreReadAsWhatTheyAreUsedFor(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"/": `<link rel=modulepreload href=/p.js><script type=module src=/old.js></script><script src=/classic.js></script>` +
			`<link rel=stylesheet href=/none.css><link rel=stylesheet href=/text.css><img src=/i.txt>`,
		"/old.js": `import {x} from "./0.js"; export * from "/e.js"; const y = await import("./d.js")`,
		"/p.js":   `import "./p2.js"`, "/p2.js": "", "/e.js": "", "/d.js": "", "/moved.js": `import "./m.js"`, "/m.js": "",
		"/classic.js": `onclick = () => import("./c.js")`, "/c.js": "", "/i.txt": "body {background: url(/no.png)}",
		"/none.css": "@import '/more.css';", "/more.css": "body {background: url(/a.png)}", "/a.png": "",
		"/text.css": "body {background: url(/b.png)}", "/b.png": "", "/9.js": `import "/moved"`,
	}
	for i := range 9 {
		texts[fmt.Sprintf("/%d.js", i)] = fmt.Sprintf(`import "./%d.js"`, i+1)
	}
	want := []string{"/moved"}
	for at := range texts {
		want = append(want, at)
	}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		switch {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/moved.js", http.StatusFound)
			return
		case !ok:
			http.NotFound(w, r)
			return
		}
		kinds := map[string]string{"": "text/html", ".js": "text/javascript", ".png": "image/png", ".txt": "text/plain"}
		w.Header()["Content-Type"] = nil
		if kind := kinds[path.Ext(r.URL.Path)]; kind != "" {
			w.Header().Set("Content-Type", kind)
		} else if r.URL.Path == "/text.css" {
			w.Header().Set("Content-Type", "text/plain")
		}
		_, _ = io.WriteString(w, text)
	})
	wants(t, s, run(t, settings(s)), want...)
}

// Servers that have data at the address of a page, for those who accept anything, give the page to a crawl.
func TestPagesAreAskedForAsBrowsersDo(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch accepts := r.Header.Get("Accept"); {
		case r.URL.Path == "/data.json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, "%q", accepts)
		case strings.HasPrefix(accepts, "text/html,"):
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<link rel=preload as=fetch href=/data.json><a href=/in>in</a>")
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"page": "/"}`)
		}
	})
	wants(t, s, run(t, settings(s)), "/", "/data.json", "/in")
}

// Of a film in pieces (RFC 8216) the best variant is asked for, with its languages and whole: players choose by the reader's line.
func TestFilmsInPieces(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"/": `<video src=/film.m3u8></video>`,
		"/film.m3u8": "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"de/list.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=100\nlow/list.m3u8\n" +
			"#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO=\"a\"\nhigh/list.m3u8\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"skim.m3u8\"\n",
		"/high/list.m3u8": "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"../key\"\n#EXT-X-MAP:URI=\"begin.mp4\"\n" +
			"#EXTINF:4,\n1.m4s\n#EXTINF:4,\n2.m4s\n",
		"/de/list.m3u8": "#EXTM3U\n#EXTINF:4,\n1.aac\n",
		"/key":          "0123456789abcdef", "/high/begin.mp4": "x", "/high/1.m4s": "x", "/high/2.m4s": "x", "/de/1.aac": "x",
	}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kinds := map[string]string{"": "text/html", ".m3u8": "application/vnd.apple.mpegurl", ".m4s": "video/iso.segment"}
		w.Header().Set("Content-Type", kinds[path.Ext(r.URL.Path)])
		_, _ = io.WriteString(w, text)
	})
	wants(t, s, run(t, settings(s)), slices.Collect(maps.Keys(texts))...)
}

// What is framed in a seed, or continues it, is no seed: where it redirects to doesn't belong to the crawl.
func TestFramesOfSeedsDoNotWidenTheScope(t *testing.T) {
	ads := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w, "/more") })
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ad" {
			http.Redirect(w, r, ads.URL+"/ad", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<iframe src=/ad></iframe>")
	})
	run(t, settings(s))
	if ads.asked["/more"] != 0 {
		t.Errorf("asked for %v", ads.asked)
	}
}

// A crawl that has ended goes on if it is given another seed.
func TestSeedsThatAreAddedLater(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w) })
	on, dir, set := kvtest.NewMemory(), t.TempDir(), settings(s)
	wants(t, s, runOn(t, t.Context(), on, dir, set), "/")
	set.Seeds = append(set.Seeds, s.URL+"/another")
	r := runOn(t, t.Context(), on, dir, set)
	wants(t, s, r, "/", "/another")
	if r.State != crawl.Completed || r.Pages != 2 {
		t.Errorf("%+v", r.Report)
	}
}

func TestSitemaps(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/from-gz</loc></url>
<url><loc>http://other.example/x</loc></url></urlset>`)
	_ = z.Close()
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: /sitemap-index.xml\n")
		case "/sitemap-index.xml":
			fmt.Fprint(w, `<?xml version="1.0"?><sitemapindex><sitemap><loc> /sitemap-1.xml.gz </loc></sitemap>
<sitemap><loc>/sitemap.txt</loc></sitemap></sitemapindex>`)
		case "/sitemap-1.xml.gz":
			_, _ = w.Write(packed.Bytes())
		case "/sitemap.txt":
			fmt.Fprintf(w, "http://%s/from-text\n", r.Host)
		default:
			page(w)
		}
	}
	s := newSite(t, handler)
	set := settings(s)
	set.Sitemaps = true
	r := run(t, set)
	wants(t, s, r, "/", "/from-gz", "/from-text")
	if diff := cmp.Diff(map[string]int64{"scope": 1}, r.Skipped); diff != "" {
		t.Error(diff)
	}
	s = newSite(t, handler)
	wants(t, s, run(t, settings(s)), "/")
}

// Pages stay in the scope, parts of them come from anywhere.
func TestScopes(t *testing.T) {
	other := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".css") {
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, `@import "more.css"; @font-face { src: url(font.woff2) }`)
			return
		}
		page(w, "/further")
	})
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/dir/" && r.URL.Path != "/" {
			page(w)
			return
		}
		page(w, "/dir/in", "/out", other.URL+"/page", "/dir/secret")
		fmt.Fprintf(w, `<link rel=stylesheet href="%[1]s/style.css">
<img src="%[1]s/a.png" srcset="/s1.png 1x, /s2.png 2x"><script src=/s.js></script>
<iframe src="%[1]s/frame"></iframe><style>body { background: url(/bg.png) }</style><div style="background: url('/inline.png')"></div>
<meta http-equiv=refresh content="9; url=/dir/next"><map><area href=/dir/area></map><a href="mailto:a@b.example">x</a>
<base href="/late/">`, other.URL)
	}
	parts := []string{"/s1.png", "/s2.png", "/s.js", "/bg.png", "/inline.png"}
	foreign := []string{"/style.css", "/more.css", "/font.woff2", "/a.png", "/frame"}
	for name, tt := range map[string]struct {
		scope   crawl.Scope
		include []string
		pages   []string
	}{
		"page":    {crawl.ScopePage, nil, nil},
		"prefix":  {crawl.ScopePrefix, nil, []string{"/dir/in", "/dir/next", "/dir/area"}},
		"host":    {crawl.ScopeHost, nil, []string{"/dir/in", "/out", "/dir/next", "/dir/area"}},
		"include": {crawl.ScopeHost, []string{"/dir/in$", "nowhere"}, []string{"/dir/in"}},
	} {
		t.Run(name, func(t *testing.T) {
			clear(other.asked)
			s := newSite(t, handler)
			set := settings(s)
			set.Seeds, set.Scope, set.Include, set.Exclude = []string{s.URL + "/dir/"}, tt.scope, tt.include, []string{"/secret"}
			r := run(t, set)
			if diff := cmp.Diff(sorted(append(append([]string{"/dir/"}, parts...), tt.pages...)), s.requests()); diff != "" {
				t.Errorf("asked for (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(sorted(foreign), other.requests()); diff != "" {
				t.Errorf("of the other host (-want +got)\n%s", diff)
			}
			if r.Parts != int64(len(parts)+len(foreign)) || r.Pages != int64(1+len(tt.pages)) {
				t.Errorf("%+v", r.Report)
			}
		})
	}
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}

// Nothing on this machine or its network is asked unless the file says so, whatever leads there.
func TestPrivateAddresses(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w, "/a") })
	set := settings(s)
	set.AllowPrivate = false
	for _, same := range []string{"localhost", "[::ffff:127.0.0.1]"} {
		set.Seeds = append(set.Seeds, strings.Replace(s.URL, "127.0.0.1", same, 1)+"/")
	}
	for _, robots := range []string{"obey", "ignore", s.URL + "/robots.txt"} {
		set.Robots = robots
		r := run(t, set)
		if len(s.asked) != 0 || len(r.got) != 0 || r.Skipped["private"] != int64(len(set.Seeds)) {
			t.Errorf("%s: asked for %v, %+v", robots, s.asked, r.Report)
		}
	}
}

func TestPaginationIsNoDepth(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		n := 0
		_, _ = fmt.Sscanf(r.URL.RawQuery, "p=%d", &n)
		page(w, "/item"+fmt.Sprint(n), "/item")
		if n < 30 && !strings.HasPrefix(r.URL.Path, "/item") {
			fmt.Fprintf(w, `<a class="next" href="/?p=%d">next</a>`, n+1)
		}
		if strings.HasPrefix(r.URL.Path, "/item") {
			page(w, r.URL.Path+"/deep")
		}
	})
	for _, selector := range []string{"a.next", "//a[@class='next']"} {
		clear(s.asked)
		set := settings(s)
		set.MaxDepth, set.Pagination = 1, []string{selector}
		want := append(append(numbered("/?p=%d", 1, 30), numbered("/item%d", 0, 30)...), "/", "/item")
		wants(t, s, run(t, set), want...)
	}
}

func TestOrderOfPages(t *testing.T) {
	tree := func(w http.ResponseWriter, r *http.Request) {
		if len(r.URL.Path) < 4 {
			page(w, r.URL.Path+"a", r.URL.Path+"b")
			return
		}
		page(w)
	}
	for order, want := range map[frontier.Order]string{
		frontier.Breadth: "/ /a /b /aa /ab /ba /bb /aaa /aab /aba /abb /baa /bab /bba /bbb",
		frontier.Depth:   "/ /b /bb /bbb /bba /ba /bab /baa /a /ab /abb /aba /aa /aab /aaa",
	} {
		var asked []string
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/robots.txt" {
				asked = append(asked, r.URL.Path)
			}
			tree(w, r)
		})
		set := settings(s)
		set.Order, set.Threads = order, 1
		run(t, set)
		if got := strings.Join(asked, " "); got != want {
			t.Errorf("%s: %s", order, got)
		}
	}
}

func TestTurnsAtAHost(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		page(w, numbered("/%d", 1, 20)...)
	})
	set := settings(s)
	set.Threads, set.PerHost = 8, 1
	wants(t, s, run(t, set), append(numbered("/%d", 1, 20), "/")...)
	if s.most != 1 {
		t.Errorf("%d requests at a time", s.most)
	}
}

func TestDocuments(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		page(w, "/1", "/2", "/none")
		if len(r.URL.Path) == 2 {
			fmt.Fprintf(w, `<h1>Ladder, "long" %s</h1><b>€ %s.50</b><i>a</i><i>b</i>`, r.URL.Path, r.URL.Path[1:])
		}
	})
	text := fmt.Sprintf(`{name: test, seeds: ["%s/"], allow_private: true, delay: 0s, sitemaps: false, template: {fields: [
  {name: title, css: h1}, {name: price, css: b, type: number, clean: ["[^0-9.]"]}, {name: by, xpath: //i, all: true}]}}`, s.URL)
	set, err := crawl.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	dir, old := t.TempDir(), time.Now().Add(-48*time.Hour)
	half := filepath.Join(dir, disk.HalfWritten+"1") // by a process that was killed
	if err := errors.Join(os.WriteFile(half, nil, 0o600), os.Chtimes(half, old, old)); err != nil {
		t.Fatal(err)
	}
	r := runOn(t, t.Context(), kvtest.NewMemory(), dir, set)
	if _, err := os.Stat(half); r.Docs != 2 || err == nil {
		t.Errorf("%+v; what was half-written is left: %v", r.Report, err == nil)
	}
	csv, err := os.ReadFile(filepath.Join(r.dir, "test.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if len(lines) != 3 || lines[0] != "url,datetime,title,price,by" || !strings.HasPrefix(lines[1], s.URL+"/1,") ||
		!strings.HasSuffix(lines[1], `,"Ladder, ""long"" /1",1.5,a | b`) {
		t.Errorf("%s", csv)
	}
	jsonl, err := os.ReadFile(filepath.Join(r.dir, "test.jsonl"))
	if err != nil || strings.Count(string(jsonl), "\n") != 2 || !strings.Contains(string(jsonl), `"by":["a","b"]`) {
		t.Errorf("%s, %v", jsonl, err)
	}
	rules, err := os.ReadFile(filepath.Join(r.dir, "test.fields.yaml")) // by which searches find the values
	if err != nil || !strings.Contains(string(rules), "price") {
		t.Errorf("%s, %v", rules, err)
	}
	got, err := crawl.Try(t.Context(), crawl.Config{Settings: set, Agent: "varve/test"}, s.URL+"/2")
	if err != nil || strings.Join(got.Rows[0].Values["price"], "") != "2.5" {
		t.Errorf("%v, %v", got.Rows, err)
	}
	if set.MaxDocs = 1; run(t, set).Limit != "max_docs" {
		t.Error("the limit of documents isn't reached")
	}
	if err := crawl.KeepDocuments(r.dir, "test", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "test-19700101000000.000.csv")); err != nil {
		t.Error(err)
	}
}

// Each row of a page is a document: a missing value stays empty, a row with none is left out, and one in another is its own.
func TestDocumentsOfRows(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		page(w, "/1")
		fmt.Fprint(w, `<h1>Offers</h1><ul><li class=item><b>=Ladder</b> <i>€ 2.50</i>
			<li class=item><b>Chair</b><ul><li class=item><b>Cushion</b> <i>€ 1.00</i></ul>
			<li class=item>sold out<li class=item><b>Table</b> <i>€ 40</i></ul>`)
	})
	text := fmt.Sprintf(`{name: test, seeds: ["%s/1"], allow_private: true, delay: 0s, sitemaps: false, scope: page,
  template: {each: li.item, fields: [{name: title, css: b}, {name: price, css: i, type: number, clean: ["[^0-9.]"]}]}}`, s.URL)
	set, err := crawl.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, set)
	if r.Docs != 4 || r.Pages != 1 {
		t.Errorf("%+v", r.Report)
	}
	csv, err := os.ReadFile(filepath.Join(r.dir, "test.csv"))
	got := regexp.MustCompile(`(?m)^http.*?Z`).ReplaceAllString(string(csv), "*")
	if want := "url,datetime,row,title,price\n*,1,'=Ladder,2.5\n*,2,Chair,\n*,3,Cushion,1\n*,5,Table,40\n"; got != want || err != nil {
		t.Errorf("%s, %v", csv, err)
	}
	jsonl, err := os.ReadFile(filepath.Join(r.dir, "test.jsonl"))
	if err != nil || strings.Count(string(jsonl), "\n") != 4 || !strings.Contains(string(jsonl), `"row":2,"values":{"title":["Chair"]}}`) {
		t.Errorf("%s, %v", jsonl, err)
	}
	tried, err := crawl.Try(t.Context(), crawl.Config{Settings: set, Agent: "varve/test"}, s.URL+"/1")
	if err != nil || len(tried.Rows) != 4 || tried.Rows[3].Number != 5 {
		t.Errorf("%+v, %v", tried, err)
	}
	if set.MaxDocs = 2; run(t, set).Limit != "max_docs" {
		t.Error("the limit of documents isn't reached")
	}
	_, err = crawl.Parse([]byte(strings.Replace(text, "li.item", "'li['", 1)))
	if err == nil || !strings.Contains(err.Error(), "template.each") {
		t.Errorf("%v", err)
	}
}

// A crawl that is stopped again and again goes on each time where it was.
func TestStoppedAndGoneOnWith(t *testing.T) {
	var stop context.CancelFunc
	var mu sync.Mutex
	n := 0
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if n++; n%7 == 0 {
			stop()
		}
		mu.Unlock()
		page(w, numbered("/%d", 1, 60)...)
	})
	set := settings(s)
	on, dir := kvtest.NewMemory(), t.TempDir()
	runs := 0
	var r result
	for r.State != crawl.Completed && runs < 100 {
		ctx, cancel := context.WithCancel(t.Context())
		mu.Lock()
		stop = cancel
		mu.Unlock()
		r = runOn(t, ctx, on, dir, set)
		runs++
		cancel()
	}
	if diff := cmp.Diff(sorted(append(numbered("/%d", 1, 60), "/")), r.got); diff != "" || runs < 3 || r.Pages != 61 {
		t.Errorf("%d runs, %d pages\n%s", runs, r.Pages, diff)
	}
	again := runOn(t, t.Context(), on, dir, set)
	if again.State != crawl.Completed || again.Pages != 61 || len(again.got) != 61 {
		t.Errorf("once more: %+v", again.Report)
	}
}

// Crawled anew, what is the same becomes revisits.
func TestAnew(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { page(w, "/a", "/b?"+r.URL.Path) })
	set := settings(s)
	set.MaxDepth = 1
	on, dir := kvtest.NewMemory(), t.TempDir()
	first := runOn(t, t.Context(), on, dir, set)
	front, err := local.Open(t.Context(), on, set.Frontier())
	if err != nil {
		t.Fatal(err)
	}
	if err := front.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := runOn(t, t.Context(), on, dir, set)
	if len(first.got) != 3 || len(second.got) != 6 || second.Pages != 3 {
		t.Errorf("%q, then %q", first.got, second.got)
	}
	kinds := map[string]int{}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, path := range paths {
		f, err := warc.Local{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(err)
			}
			kinds[rec.Type]++
		}
		f.Close()
	}
	if kinds["revisit"] < 3 {
		t.Errorf("%v", kinds)
	}
}

func TestWalltime(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	})
	set := settings(s)
	set.Walltime, set.Robots = 50*time.Millisecond, "ignore"
	if r := run(t, set); r.State != crawl.Stopped || r.Limit != "walltime" {
		t.Errorf("%+v", r.Report)
	}
}

// begun returns a crawl of a site into a folder, over what through makes of its frontier.
func begun(t *testing.T, s *site, dir string, through func(frontier.Frontier) frontier.Frontier) *crawl.Crawl {
	t.Helper()
	set := settings(s)
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	front, err := local.Open(t.Context(), kvtest.NewMemory(), set.Frontier())
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(t.Context(), crawl.Config{Settings: set, Frontier: through(front), Dir: dir, Mark: "m1"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestADiskThatFails(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { page(w, "/a") })
	dir := filepath.Join(t.TempDir(), "warcs")
	c := begun(t, s, dir, func(f frontier.Frontier) frontier.Frontier { return f })
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	r, err := c.Run(t.Context())
	if !errors.Is(err, os.ErrNotExist) || r.State != crawl.Failed || r.Pages != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func BenchmarkCrawl(b *testing.B) {
	const pages = 200
	body := strings.Repeat("<p>Some text of a page, and more of it.</p>\n", 200)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		page(w, numbered("/%d", 1, pages)...)
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	b.Run("the server's own limit", func(b *testing.B) {
		for b.Loop() {
			for _, path := range numbered("/%d", 1, pages) {
				resp, err := http.Get(s.URL + path)
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}
		b.ReportMetric(float64(b.N*pages)/b.Elapsed().Seconds(), "pages/s")
	})
	for _, threads := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d threads", threads), func(b *testing.B) {
			for b.Loop() {
				set := settings(&site{Server: s})
				set.Threads, set.PerHost, set.Robots = threads, threads, "ignore"
				if err := set.Check(); err != nil {
					b.Fatal(err)
				}
				on, err := badger.Open(b.TempDir(), slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				front, err := local.Open(b.Context(), on, set.Frontier())
				if err != nil {
					b.Fatal(err)
				}
				c, err := crawl.New(b.Context(), crawl.Config{Settings: set, Frontier: front, Dir: b.TempDir(), Agent: "varve/test"})
				if err != nil {
					b.Fatal(err)
				}
				if r, err := c.Run(b.Context()); err != nil || r.Pages != pages+1 {
					b.Fatalf("%+v, %v", r, err)
				}
				if err := front.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*(pages+1))/b.Elapsed().Seconds(), "pages/s")
		})
	}
}

// A doubting frontier says of one page, after it was written, that others have written it meanwhile.
type doubting struct {
	frontier.Frontier
	path string // with which its key ends

	mu       sync.Mutex
	repeated []string
}

func (d *doubting) Done(ctx context.Context, item frontier.Item, a frontier.Answer) (bool, error) {
	if !strings.HasSuffix(item.Key, d.path) || a.Status == 0 {
		return d.Frontier.Done(ctx, item, a)
	}
	d.mu.Lock()
	d.repeated = []string{item.Key}
	d.mu.Unlock()
	_, err := d.Frontier.Done(ctx, item, frontier.Answer{Skip: frontier.Skip{Reason: "others"}})
	return false, err
}

func (d *doubting) Repeated(context.Context) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.repeated, nil
}

func (d *doubting) Mended(_ context.Context, repeated, _ []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.repeated = slices.DeleteFunc(d.repeated, func(k string) bool { return slices.Contains(repeated, k) })
	return nil
}

// What others have written meanwhile is taken out of the file again, and nothing else.
func TestAnAnswerOfOthers(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w, numbered("/%d", 1, 20)...) })
	front, dir := &doubting{path: ")/5"}, t.TempDir()
	c := begun(t, s, dir, func(f frontier.Frontier) frontier.Frontier { front.Frontier = f; return front })
	r, err := c.Run(t.Context())
	if err != nil || r.State != crawl.Completed || r.Skipped["others"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	want := slices.DeleteFunc(append(numbered("/%d", 1, 20), "/"), func(path string) bool { return path == "/5" })
	slices.Sort(want)
	if diff := cmp.Diff(want, written(t, dir)); diff != "" || len(front.repeated) > 0 {
		t.Errorf("written (-want +got)\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// An unsure frontier can't say whether this process still holds an item.
type unsure struct {
	frontier.Frontier
	err error
}

func (u unsure) Holds(context.Context, frontier.Item) (bool, error) { return false, u.err }

// A crawl whose frontier can't say whether a page is still its own ends with that, and writes nothing.
func TestAFrontierThatCannotSay(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { page(w) })
	dir, gone := t.TempDir(), errors.New("the frontier is gone")
	c := begun(t, s, dir, func(f frontier.Frontier) frontier.Frontier { return unsure{f, gone} })
	if _, err := c.Run(t.Context()); !errors.Is(err, gone) {
		t.Errorf("%v, want %v", err, gone)
	}
	if got := written(t, dir); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
}

// A crawl that can't write an answer ends with that, and the page stays in its queue.
func TestAnAnswerThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			if err := os.RemoveAll(dir); err != nil {
				t.Error(err)
			}
		}
		page(w)
	})
	c := begun(t, s, dir, func(f frontier.Frontier) frontier.Frontier { return f })
	if r, err := c.Run(t.Context()); err == nil || r.State != crawl.Failed || r.Pages > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A crawl that is paused takes in what it asked for and asks for nothing more; resumed, it gets everything.
func TestPause(t *testing.T) {
	asked, answer := make(chan bool, 1), make(chan bool)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			page(w, "/1", "/2", "/3")
		case "/robots.txt":
			http.NotFound(w, r)
		case "/1":
			asked <- true
			<-answer
			page(w)
		default:
			http.Error(w, "gone", http.StatusGone)
		}
	})
	set := settings(s)
	set.Threads, set.PerHost = 1, 1
	c := opened(t, set)
	ended := make(chan result, 1)
	go func() {
		r, err := c.Run(t.Context())
		if err != nil {
			t.Error(err)
		}
		ended <- result{Report: r}
	}()
	<-asked
	c.Pause()
	close(answer)
	for c.Report().Pages < 2 { // the one that was asked for
		time.Sleep(time.Millisecond)
	}
	if r := c.Report(); r.State != crawl.Paused || r.Pages != 2 {
		t.Errorf("paused: %+v", r)
	}
	select {
	case r := <-ended:
		t.Errorf("it has ended: %+v", r)
	case <-time.After(50 * time.Millisecond): // a crawl that did not heed the pause would have asked by now
	}
	if got := len(s.requests()); got != 2 {
		t.Errorf("it asked %d times", got)
	}
	c.Resume()
	if r := <-ended; r.State != crawl.Completed || r.Pages != 4 {
		t.Errorf("%+v", r)
	}
	recent, failed := c.Recent()
	if len(recent) != 4 || recent[0].Status != http.StatusGone || recent[3].URL != s.URL+"/" || recent[3].Bytes == 0 {
		t.Errorf("asked for: %+v", recent)
	}
	if len(failed) != 2 || failed[0].Status != http.StatusGone || failed[0].URL == failed[1].URL {
		t.Errorf("failed: %+v", failed)
	}
}

// What fails is named with its reason, and only so much of it.
func TestFailures(t *testing.T) {
	var links []string
	for i := range 120 {
		links = append(links, fmt.Sprintf("/secret/%d", i))
	}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			page(w, append(links, "/broken")...)
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /secret")
		default:
			panic(http.ErrAbortHandler)
		}
	})
	c := opened(t, settings(s))
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	recent, failed := c.Recent()
	if len(recent) != 100 || len(failed) != 100 {
		t.Errorf("%d and %d", len(recent), len(failed))
	}
	reasons := map[string]int{}
	for _, f := range failed {
		reasons[f.Reason]++
		if (f.Error == "") != (f.Reason == "robots") || f.Status != 0 {
			t.Errorf("%+v", f)
		}
	}
	if reasons["robots"] < 90 || reasons["unreachable"] == 0 || len(reasons) != 2 {
		t.Errorf("%v", reasons)
	}
}

// Who tries a template sees the page to which an address leads, over as many redirects as a crawl follows.
func TestATrialOfATemplate(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		left := 0
		switch _, err := fmt.Sscanf(r.URL.Path, "/to/%d", &left); {
		case r.URL.Path == "/lost":
			w.Header().Set("Location", "http://[")
			w.WriteHeader(http.StatusFound)
		case r.URL.Path == "/choices", r.URL.Path == "/odd":
			w.Header().Set("Location", "/missing")
			w.WriteHeader(map[string]int{"/choices": 300, "/odd": 399}[r.URL.Path])
		case r.URL.Path == "/missing", r.URL.Path == "/list":
			w.WriteHeader(map[string]int{"/missing": 404, "/list": 300}[r.URL.Path])
			page(w)
			fmt.Fprint(w, "<h1>Missing</h1>")
		case err == nil && left > 0:
			http.Redirect(w, r, fmt.Sprintf("/to/%d", left-1), http.StatusFound)
		default:
			page(w)
			fmt.Fprint(w, "<h1>Here</h1>")
		}
	})
	set, err := crawl.Parse([]byte(fmt.Sprintf(
		`{name: test, seeds: ["%s/"], allow_private: true, delay: 0s, template: {fields: [{name: title, css: h1}]}}`, s.URL)))
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		s.URL + "/to/0": "Here", s.URL + "/to/10": "Here",
		s.URL + "/missing": "Missing", s.URL + "/choices": "Missing", s.URL + "/odd": "Missing", s.URL + "/list": "Missing",
		s.URL + "/to/11": "error: it redirects again and again", s.URL + "/lost": "error", "http://[": "error",
		"http://127.0.0.1:1/": "error",
	} {
		got, err := crawl.Try(t.Context(), crawl.Config{Settings: set, Agent: "varve/test"}, address)
		title := ""
		if err != nil {
			title = "error: " + err.Error()
		}
		for _, row := range got.Rows {
			title += strings.Join(row.Values["title"], " ")
		}
		if title != want && (want != "error" || !strings.HasPrefix(title, "error: ")) {
			t.Errorf("%s: %q, want %q", address, title, want)
		}
	}
}
