package gathering

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/fetch"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/testkit/s3test"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A transcript is what a command says.
type transcript struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *transcript) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// whole returns a workspace of a folder with storage, which writes down what it prints and says.
func whole(t *testing.T, data string, client *s3.Client) (w *workspace.Workspace, out, said *transcript) {
	t.Helper()
	out, said = &transcript{}, &transcript{}
	w = in(data)
	w.Stdout, w.Stderr, w.S3 = out, said, client
	var err error
	if w.Storage, err = remote.New(remote.Config{S3: client}); err != nil {
		t.Fatal(err)
	}
	return w, out, said
}

// serve returns the address of a site on loopback whose pages are those of a map. Others are missing.
func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, known := pages[r.URL.RequestURI()]
		if !known {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// settings returns those of a crawl named a, from a seed on this machine, with more lines.
func settings(t *testing.T, seed, more string) crawl.Settings {
	t.Helper()
	s, err := crawl.Parse([]byte("name: a\nallow_private: true\nseeds: ['" + seed + "']\n" + more))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// captured returns the URI-Rs of what a workspace has in its index.
func captured(t *testing.T, w *workspace.Workspace) (list []string) {
	t.Helper()
	for _, c := range inIndex(t, w) {
		list = append(list, c.URL)
	}
	return list
}

// inIndex returns the captures that a workspace has in its index.
func inIndex(t *testing.T, w *workspace.Workspace) (list []cdx.Capture) {
	t.Helper()
	arch, closeAll, err := w.OpenArchive(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	for c, err := range arch.Index.Captures(t.Context(), cdx.Span{Coll: w.Collection}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *c)
	}
	return list
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came: " + what)
		}
	}
}

// A crawl is reported, indexed, continued, begun anew, and refused with other settings; documents lie beside its captures.
func TestARunOfACrawl(t *testing.T) {
	site := serve(t, map[string]string{
		"/": "<title>Home</title><h1>one</h1><a href=/a>a</a><a href=/b>b</a>", "/a": "<h1>two</h1>", "/b": "<h1>two</h1>",
	})
	bucket := s3test.Memory(t).Make("crawls")
	client, err := s3.New(bucket.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"", "s3://crawls/p"} {
		w, out, said := whole(t, t.TempDir(), client)
		for n, step := range []struct {
			more  string // of the file
			anew  bool
			coll  string
			want  error
			state runs.State
			runs  int // before it
			says  string
		}{
			{"", false, "web", nil, runs.Completed, 0, "1 document of 3 equal an earlier one; with unique: true in the template these are left out"},
			{"max_depth: 3", false, "web", nil, runs.Completed, 1, "is complete, whatever else is set now"},
			{"", true, "web", nil, runs.Completed, 2, "1 document of 3"},
			{"", false, "news", console.ErrUsage, runs.Failed, 3, "--collection"},
			{"", true, "web", nil, runs.Completed, 3, "1 document of 3"},
		} {
			s := settings(t, site+"/", "delay: 0s\ntemplate: {fields: [{name: head, css: h1}]}\n"+step.more)
			w.Collection = step.coll
			o, err := Open(t.Context(), w, place, "a")
			if err != nil {
				t.Fatal(err)
			}
			before := said.String()
			err = (&Crawl{Output: o, Settings: s}).Run(t.Context(), step.anew)
			run, bad := w.Crawls().Get("a")
			if !errors.Is(err, step.want) || run.State != step.state || bad != nil ||
				len(run.Runs) != step.runs || (run.Error != "") != (err != nil) {
				t.Errorf("%q, run %d: %v, %+v", place, n, err, run)
			}
			if got := strings.TrimPrefix(said.String(), before); !strings.Contains(got, step.says) || strings.Contains(got, "parameter") {
				t.Errorf("%q, run %d says %s", place, n, got)
			}
			if want := filepath.Join(o.dir, "a"); run.Documents != want ||
				len(run.Recent) != 4 && step.anew || len(run.Failed) != 1 && step.anew { // the sitemap is missing
				t.Errorf("%q, run %d: its documents are %s, want %s, recent %v, failed %v", place, n, run.Documents, want, run.Recent, run.Failed)
			}
		}
		w.Collection = "web"
		if got := captured(t, w); len(got) < 9 || !slices.Contains(got, site+"/b") {
			t.Errorf("%q: it captured %q", place, got)
		}
		var report runs.Report
		if first, _, _ := strings.Cut(out.String(), "\n"); json.Unmarshal([]byte(first), &report) != nil || report.Pages != 3 {
			t.Errorf("%q: it reports %s", place, out)
		}
		var names []string
		if place == "" {
			files, err := filepath.Glob(filepath.Join(w.Data, "warcs", "web", "*"))
			if err != nil {
				t.Fatal(err)
			}
			names = files
		} else {
			names = bucket.Keys("crawls", "p/")
			if left, _ := filepath.Glob(filepath.Join(w.Data, "outgoing", "web", "*", "*.warc.gz")); len(left) > 0 {
				t.Errorf("not moved: %q", left)
			}
		}
		count := map[string]int{}
		for _, name := range names {
			count[filepath.Ext(name)]++
		}
		if count[".gz"] < 3 || count[".jsonl"] != 3 || count[".csv"] != 3 {
			t.Errorf("%q: there are %q", place, names)
		}
	}
}

// A crawl that was begun anew is never said to be complete already, even if it may not ask for anything.
func TestACrawlBegunAnew(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /\n"})
	s := settings(t, site+"/", "sitemaps: false\n")
	w, _, said := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	for n, step := range []struct{ anew, complete bool }{{false, false}, {false, true}, {true, false}} {
		before := said.String()
		if err := (&Crawl{Output: o, Settings: s}).Run(t.Context(), step.anew); err != nil {
			t.Error(err)
		}
		if got := strings.TrimPrefix(said.String(), before); strings.Contains(got, "is complete, whatever") != step.complete {
			t.Errorf("run %d says %s", n, got)
		}
	}
}

// A crawl that is stopped, by a signal or by the clock, says how to go on. Only the signal makes it less than what was asked for.
func TestAStoppedCrawlSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	const how = "stopped before its end: the same command goes on with it, without --new"
	for _, tt := range []struct {
		more          string
		signal, stops bool
		want          error
	}{
		{"", false, false, nil},
		{"walltime: 100ms\ndelay: 1h\n", false, true, nil},
		{"", true, true, console.ErrStopped},
	} {
		ctx, stop := context.WithCancel(t.Context())
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if tt.signal {
				stop()
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<a href=/a>a</a>")
		}))
		w, out, said := whole(t, t.TempDir(), nil)
		o, err := Open(ctx, w, "", "a")
		if err != nil {
			t.Fatal(err)
		}
		err = (&Crawl{Output: o, Settings: settings(t, site.URL+"/", "sitemaps: false\nrobots: ignore\n"+tt.more)}).Run(ctx, false)
		if !errors.Is(err, tt.want) || strings.Contains(said.String(), how) != tt.stops ||
			strings.Contains(out.String(), `"state":"stopped"`) != tt.stops {
			t.Errorf("%+v: %v, %s, %s", tt, err, out, said)
		}
		stop()
		site.Close()
	}
}

// A crawl whose state is damaged says how to begin anew, and then does.
func TestADamagedCrawl(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": "<p>one"})
	s := settings(t, site+"/", "sitemaps: false\n")
	w, out, _ := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	run := func(anew bool) error { return (&Crawl{Output: o, Settings: s}).Run(t.Context(), anew) }
	if err := run(false); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(w.Crawls().Home(s.Name), "frontier", "MANIFEST"), 0); err != nil {
		t.Fatal(err)
	}
	if err := run(false); !errors.Is(err, kv.ErrDamaged) || !strings.Contains(err.Error(), "begin the crawl anew with --new") {
		t.Errorf("%v", err)
	}
	before := len(out.String())
	if err := run(true); err != nil || !strings.Contains(out.String()[before:], `"state":"completed","pages":1`) {
		t.Errorf("%v, %s", err, out.String()[before:])
	}
}

// A crawl that is begun anew has no cookies of the one before, and doesn't begin where these can't be removed.
func TestCookiesOfTheCrawlBefore(t *testing.T) {
	t.Parallel()
	w, _, _ := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	j := &Crawl{Output: o, Settings: crawl.Settings{Name: "a"}}
	front, err := j.own(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	cookies := filepath.Join(w.Crawls().Home("a"), cookiesFile)
	if err := os.WriteFile(cookies, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{cookies, cookies, ""} { // there are some, there are none, they belong to another process
		if err := j.restart(t.Context(), &crawl.Config{Frontier: front, Cookies: path}); err != nil || exists(cookies) {
			t.Errorf("%q: %v, and they are there: %t", path, err, exists(cookies))
		}
	}
	if err := os.MkdirAll(filepath.Join(cookies, "held"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := j.restart(t.Context(), &crawl.Config{Frontier: front, Cookies: cookies}); err == nil {
		t.Error("it begins with the cookies of the crawl before")
	}
}

// A crawl goes on after it was killed, and after files that it wrote were taken away.
func TestACrawlWithoutItsFiles(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": "<title>Home</title>"})
	s := settings(t, site+"/", "delay: 0s\nsitemaps: false\n")
	w, _, _ := whole(t, t.TempDir(), nil)
	for n, change := range []func(file string) error{
		func(file string) error { return os.Rename(file, file+".open") }, // as if it had been killed
		os.Remove,
		func(string) error { return nil },
	} {
		o, err := Open(t.Context(), w, "", "a")
		if err != nil {
			t.Fatal(err)
		}
		if err := (&Crawl{Output: o, Settings: s}).Run(t.Context(), n == 2); err != nil {
			t.Errorf("run %d: %v", n, err)
		}
		files, err := filepath.Glob(filepath.Join(o.dir, "*.warc.gz"))
		if err != nil || len(files) != 1 {
			t.Fatalf("run %d: %q, %v", n, files, err)
		}
		if err := change(files[0]); err != nil {
			t.Fatal(err)
		}
	}
}

// An answer that equals an earlier one is a revisit of that while its file is in its place, and is written whole when it is gone.
func TestFollowingWithAndWithoutEarlierFiles(t *testing.T) {
	t.Parallel()
	const text = "<title>Page</title><p>The first text of it."
	site := serve(t, map[string]string{"/page": text, "/copy": text})
	for _, tt := range []struct {
		name         string
		moved, taken bool
		want         []cdx.Kind // of /copy and of /page
	}{
		{"in its folder", false, false, []cdx.Kind{cdx.Revisit, cdx.Response}},
		{"moved to its bucket", true, false, []cdx.Kind{cdx.Revisit, cdx.Response}},
		{"taken away", false, true, []cdx.Kind{cdx.Response, cdx.Response}},
	} {
		w, _, _ := whole(t, t.TempDir(), nil)
		there := t.TempDir()
		for _, page := range []string{"/page", "/copy"} {
			f := following(t, w, " - {page: "+site+page+"}\n")
			f.Once = true
			var err error
			if tt.moved {
				f.to, err = openBucket(t.Context(), nil, there, f.name)
			}
			if err := errors.Join(err, f.Run(t.Context())); err != nil {
				t.Fatal(err)
			}
			if files, _ := filepath.Glob(filepath.Join(f.dir, "*.warc.gz")); len(files) == 0 != tt.moved {
				t.Errorf("%s: here are %q", tt.name, files)
			} else if tt.taken && page == "/page" {
				if err := os.Remove(files[0]); err != nil {
					t.Fatal(err)
				}
				named := time.Now().Unix() // the seconds are in the names of files
				eventually(t, "another name", func() bool { return time.Now().Unix() != named })
			}
		}
		var got []cdx.Kind
		for _, c := range inIndex(t, w) {
			if c.URL != site+"/robots.txt" {
				got = append(got, c.Kind)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// What a run reports of those before is bounded, and nothing of it is taken for its own.
func TestARunAfterManyOthers(t *testing.T) {
	t.Parallel()
	w, _, said := whole(t, t.TempDir(), nil)
	mine, err := w.Crawls().Begin(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	before := runs.Run{Report: runs.Report{Name: "a", State: runs.Completed, Limit: "max_pages", Run: &runs.Stats{Visited: 7}}}
	before.Runs = make([]runs.Stats, runs.KeptRuns)
	broken := filepath.Join(w.Crawls().Home("a"), "frontier") // where a folder has to be
	if err := errors.Join(mine.Write(before), mine.End(), os.WriteFile(broken, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	o, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	s := crawl.Defaults()
	s.Name, s.Seeds = "a", []string{"http://a.example/"}
	job := &Crawl{Output: o, Settings: s}
	failed := job.Run(t.Context(), false)
	run, err := w.Crawls().Get("a")
	if failed == nil || err != nil || run.State != runs.Failed || run.Limit != "" || len(run.Runs) != runs.KeptRuns ||
		run.Runs[runs.KeptRuns-1].Visited != 7 || run.Run != nil {
		t.Errorf("%v, %v: %+v", failed, err, run)
	}
	job.sayLearnt(&runs.Stats{Parameters: []runs.Parameter{{Name: "sid", Host: "a.example", Equal: 9}}})
	if !strings.Contains(said.String(), "the parameter sid of a.example makes no difference: 9 pages") {
		t.Errorf("it says %s", said)
	}
}

// A running crawl takes orders, and no other has its name.
func TestOrdersToACrawl(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for n := range 2000 {
		pages["/0"] += fmt.Sprintf("<a href=/%d>%d</a>", n, n)
		pages[fmt.Sprintf("/%d", n+1)] = "<p>"
	}
	s := settings(t, serve(t, pages)+"/0", "delay: 50ms\n")
	w, _, _ := whole(t, t.TempDir(), nil)
	start := func() error {
		o, err := Open(t.Context(), w, "", "a")
		if err != nil {
			return err
		}
		return (&Crawl{Output: o, Settings: s}).Run(t.Context(), false)
	}
	ended := make(chan error, 1)
	go func() { ended <- start() }()
	becomes := func(state runs.State) {
		eventually(t, string(state), func() bool { r, err := w.Crawls().Get("a"); return err == nil && r.State == state })
	}
	becomes(runs.Running)
	if err := start(); err == nil || !strings.Contains(err.Error(), "the crawl a is running already") {
		t.Errorf("at the same time: %v", err)
	}
	for _, o := range []struct {
		order runs.Order
		state runs.State
	}{{runs.Pause, runs.Paused}, {runs.Resume, runs.Running}, {runs.Stop, runs.Stopped}} {
		if err := w.Crawls().Order(t.Context(), "a", o.order); err != nil {
			t.Fatal(err)
		}
		becomes(o.state)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Who asks to come back later than the run lasts is named at its end.
func TestACrawlThatIsAskedToComeBack(t *testing.T) {
	t.Parallel()
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(busy.Close)
	s := settings(t, busy.URL+"/", "walltime: 1s\nsitemaps: false\n")
	w, _, said := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Crawl{Output: o, Settings: s}).Run(t.Context(), false); err != nil {
		t.Error(err)
	}
	if !strings.Contains(said.String(), "1 address asked to come back, or didn't answer, and the run ended before") {
		t.Error(said)
	}
}

// A crawl goes on if the data folder moves, and not in another place.
func TestWhereACrawlWrites(t *testing.T) {
	data := t.TempDir()
	client, err := s3.New(s3test.Memory(t).Make("crawls").URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ place, shared, want string }{
		{"", "", "[{--collection web} {--warcs " + filepath.Join("warcs", "web") + "}]"},
		{"/elsewhere", "", "[{--collection web} {--warcs /elsewhere}]"},
		{"/elsewhere", "redis://h/0", "[{--collection web}]"},
		{"s3://crawls/p", "", "[{--collection web} {--warcs s3://crawls/p}]"},
	} {
		w, _, _ := whole(t, data, client)
		o, err := Open(t.Context(), w, tt.place, "a")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint((&Crawl{Output: o, Shared: tt.shared}).fixed()); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.place, got, tt.want)
		}
	}
}

// Mementos of another archive are fetched once.
func TestFetchingFromAnotherArchive(t *testing.T) {
	t.Parallel()
	of := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: "http://river.example/", Status: 200, Body: "<p>one"},
		{Date: "20160101000000", URI: "http://river.example/", Status: 200, Body: "<p>two"},
	})})
	broken := false
	archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken && strings.Contains(r.URL.Path, "20160101000000") {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		of.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(archive.Close)
	w, out, said := whole(t, t.TempDir(), nil)
	get := func(ctx context.Context) error {
		o, err := Open(ctx, w, "", FetchName)
		if err != nil {
			return err
		}
		return (&Fetch{
			Output: o, AllowPrivate: true, MaxBytes: 1,
			Question: fetch.Question{Addresses: []string{archive.URL + "/web/timemap/link/http://river.example/"}},
		}).Run(ctx)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, step := range []struct {
		ctx    context.Context
		broken bool
		want   error
		report string
	}{
		{stopped, false, context.Canceled, ""},
		{t.Context(), true, console.ErrPart, `{"mementos":2,"had":0,"written":1,"revisits":0,"missing":1`},
		{t.Context(), false, nil, `{"mementos":2,"had":1,"written":1,"revisits":0,"missing":0`},
		{t.Context(), false, nil, `{"mementos":2,"had":2,"written":0,"revisits":0,"missing":0`},
	} {
		broken = step.broken
		before, beforeSaid := out.String(), said.String()
		err := get(step.ctx)
		got := strings.TrimPrefix(out.String(), before)
		if !errors.Is(err, step.want) || !strings.HasPrefix(got, step.report) || step.report == "" && got != "" {
			t.Errorf("%+v: %v, %s", step, err, got)
		}
		now := strings.TrimPrefix(said.String(), beforeSaid)
		if strings.Contains(now, "indexed 1 capture from 1 file") != strings.Contains(step.report, `"written":1`) {
			t.Errorf("%+v says %s", step, now)
		}
	}
	if got := captured(t, w); !slices.Equal(got, []string{"http://river.example/", "http://river.example/"}) {
		t.Errorf("%q", got)
	}
}

// Who asks two archives learns that one did not answer, by the exit code too: what it has is missing.
func TestFetchingFromAnArchiveThatRefuses(t *testing.T) {
	t.Parallel()
	of := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: "http://river.example/", Status: 200, Body: "<p>one"},
		{Date: "20160101000000", URI: "http://river.example/", Status: 200, Body: "<p>two"},
	})})
	archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/refuses/"):
			http.Error(w, "no", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/lacks/"):
			http.NotFound(w, r)
		default:
			of.Handler().ServeHTTP(w, r)
		}
	}))
	t.Cleanup(archive.Close)
	for other, want := range map[string]error{"/lacks/": nil, "/refuses/": console.ErrPart} {
		w, out, said := whole(t, t.TempDir(), nil)
		o, err := Open(t.Context(), w, "", FetchName)
		if err != nil {
			t.Fatal(err)
		}
		err = (&Fetch{Output: o, AllowPrivate: true, MaxBytes: 1 << 20, Question: fetch.Question{
			Addresses: []string{"http://river.example/"}, Archives: []string{archive.URL + "/web/timemap/link/", archive.URL + other},
		}}).Run(t.Context())
		if !errors.Is(err, want) || !strings.HasPrefix(out.String(), `{"mementos":2,"had":0,"written":2,`) {
			t.Errorf("%s: %v, %s", other, err, out)
		}
		if strings.Contains(said.String(), "answers 403 Forbidden") != (want != nil) {
			t.Errorf("%s says %s", other, said)
		}
	}
}

// What is followed is captured, indexed and told of once; only one process follows.
func TestFollowing(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/page": "<title>Page</title><p>The first text of it."}
	site := serve(t, pages)
	w, _, said := whole(t, t.TempDir(), nil)
	run := func(more string, change func(*Follow)) (string, error) {
		f, before := following(t, w, strings.ReplaceAll(more, "HOST", site)), said.String()
		f.Once = true
		if change != nil {
			change(f)
		}
		err := f.Run(t.Context())
		return strings.TrimPrefix(said.String(), before), err
	}
	const page, none = " - {page: HOST/page}\n", " - {page: HOST/none}\n"
	for _, step := range []struct {
		name, more, says string
		want             error
	}{
		{"at first", page, "follow news: 1 source, 1 new, 0 changed", nil},
		{"one that fails", page + none, "follow news: 2 sources", console.ErrPart},
		{"without an archive to tell of", page + "notify: [{url: HOST/page, to: webhook, address: HOST/hook}]\n", "nobody is told", nil},
		{"with a small budget", page + " - {page: HOST/other}\nbudget: 1\n", "the budget of the day is spent", nil},
	} {
		if got, err := run(step.more, nil); !errors.Is(err, step.want) || !strings.Contains(got, step.says) ||
			strings.Contains(got, "budget") != strings.Contains(step.more, "budget") ||
			strings.Contains(got, "told") != strings.Contains(step.more, "notify") {
			t.Errorf("%s: %v, %s", step.name, err, got)
		}
	}
	if got := captured(t, w); !slices.Contains(got, site+"/page") {
		t.Errorf("%q", got)
	}
	if got, err := run(page, func(f *Follow) { f.TakeBack = "http://unknown.example/" }); err == nil || strings.Contains(got, "follow news") {
		t.Errorf("a source that it hasn't is taken back: %v, %s", err, got)
	}
}

// following returns a follower of sources.
func following(t *testing.T, w *workspace.Workspace, sources string) *Follow {
	t.Helper()
	path := filepath.Join(t.TempDir(), "news.yaml")
	if err := os.WriteFile(path, []byte("allow_private: true\ndelay: 0s\nsources:\n"+sources), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := follow.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Open(t.Context(), w, "", s.Name)
	if err != nil {
		t.Fatal(err)
	}
	return &Follow{Output: o, Settings: s}
}

// A follower runs until it is told to end; hubs reach it, an archive is asked what changed, and no other follows under its name.
func TestFollowingUntilToldToEnd(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/page": "<title>Page</title><p>The first text of it."})
	asked := make(chan string, 100)
	archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		http.NotFound(w, r)
	}))
	t.Cleanup(archive.Close)
	w, out, said := whole(t, t.TempDir(), nil)
	sources := " - {page: " + site + "/page}\narchive: " + archive.URL + "/web/\nnotify: [{url: " + site +
		"/page, to: webhook, address: " + site + "/hook}]\npush: {public_url: 'http://hub.example/', listen: "
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- following(t, w, sources+"'127.0.0.1:0'}\n").Run(ctx) }()
	eventually(t, "its address", func() bool { return strings.Contains(out.String(), "reach this at http://") })
	_, at, _ := strings.Cut(out.String(), "http://")
	at, _, _ = strings.Cut(at, "/")
	resp, err := http.Get("http://" + at + "/unknown")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if got := <-asked; !strings.HasPrefix(got, "/web/") || resp.StatusCode != http.StatusNotFound {
		t.Errorf("the archive is asked for %s, a hub is told %d", got, resp.StatusCode)
	}
	if err := following(t, w, sources+"'127.0.0.1:0'}\n").Run(ctx); err == nil || !strings.Contains(err.Error(), "is followed already") {
		t.Errorf("by another: %v", err)
	}
	other, _, _ := whole(t, t.TempDir(), nil)
	if err := following(t, other, sources+at+"}\n").Run(ctx); err == nil || !strings.Contains(err.Error(), "push: can't listen on "+at) {
		t.Errorf("at an address that is taken: %v", err)
	}
	eventually(t, "the page", func() bool {
		s, err := w.Follows().Get("news")
		return err == nil && s.Running && s.New == 1
	})
	stop()
	if err := <-ended; err != nil || !strings.Contains(said.String(), "follow news: 1 source, 1 new") {
		t.Errorf("%v, %s", err, said)
	}
	for len(asked) > 0 {
		<-asked
	}
	once := following(t, w, sources+"'127.0.0.1:0'}\n")
	once.Once = true
	if err := once.Run(t.Context()); err == nil || len(asked) == 0 { // it has no feed
		t.Errorf("once: %v, the archive is asked %d times", err, len(asked))
	}
	if s, err := w.Follows().Get("news"); err != nil || s.Running || !slices.Contains(captured(t, w), site+"/page") {
		t.Errorf("%+v, %v, captured %q", s, err, captured(t, w))
	}
}

// What a browser asks through the recorder is written once and indexed when somebody looks.
func TestRecording(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": "<title>Home</title>", "/a": "<title>A</title>"})
	w, out, said := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", RecordName)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	rec := &Record{Output: o, Listen: "127.0.0.1:0", AllowPrivate: true, MaxBytes: 1 << 20, Replay: "http://varve.example"}
	go func() { ended <- rec.Run(ctx) }()
	eventually(t, "its address", func() bool { return strings.Contains(out.String(), "into") })
	_, at, _ := strings.Cut(out.String(), "the proxy ")
	at, _, _ = strings.Cut(at, "/ into")
	proxy, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	by := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	get := func(c *http.Client, uri string, head ...string) (int, string) {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", uri, nil)
		for i := 0; i < len(head); i += 2 {
			req.Header.Set(head[i], head[i+1])
		}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	for _, uri := range []string{"/", "/a", "/", "/"} {
		if status, body := get(by, site+uri, "Sec-Fetch-Dest", "document"); status != 200 || !strings.Contains(body, "<title>") {
			t.Fatalf("%s: %d %s", uri, status, body)
		}
	}
	// An answer is written after it was shown. The next one on its connection waits for that.
	if status, _ := get(by, "http://"+record.Host+"/nothing"); status != 404 {
		t.Errorf("another page: %d", status)
	}
	finished := func() int {
		files, err := filepath.Glob(filepath.Join(o.dir, "*.warc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	get(http.DefaultClient, at+"/", "Sec-Fetch-Dest", "image")
	if n := finished(); n != 0 {
		t.Errorf("a picture of the page finishes %d files", n)
	}
	_, page := get(http.DefaultClient, at+"/")
	a, home := strings.Index(page, "/"+site+"/a"), strings.LastIndex(page, "/"+site+"/\"")
	if !strings.Contains(page, `"http://varve.example/web/`) || a < 0 || home < a || finished() != 1 || len(captured(t, w)) != 4 {
		t.Errorf("%d files, %q; /a at %d, / at %d of\n%s", finished(), captured(t, w), a, home, page)
	}
	const how = `<p class="note">` // to make it the proxy of the browser
	if _, through := get(by, "http://"+record.Host+"/"); !strings.Contains(page, how) || strings.Contains(through, how) {
		t.Errorf("it says how to reach it: to a browser that does\n%s\nto others\n%s", through, page)
	}
	by.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil || !strings.Contains(said.String(), "recorded 4 answers") {
		t.Errorf("%v: %s", err, said)
	}
	files, err := filepath.Glob(filepath.Join(o.dir, "*.warc.gz"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	file, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	records, err := io.ReadAll(unpacked)
	if n := strings.Count(string(records), "WARC-Type: revisit"); n != 2 || err != nil {
		t.Errorf("it wrote %d revisits, %v", n, err)
	}
}

// Revisits refer to the capture with the body. An incomplete answer is none, even if only the end of its transfer is missing.
func TestWhatARecordingRemembers(t *testing.T) {
	t.Parallel()
	w, _, _ := whole(t, t.TempDir(), nil)
	o, err := Open(t.Context(), w, "", RecordName)
	if err != nil {
		t.Fatal(err)
	}
	s := &Record{Output: o}
	if s.recent, err = lru.New[write.Payload, write.Original](maxRemembered); err != nil {
		t.Fatal(err)
	}
	at := func(second int) write.Exchange {
		return write.Exchange{URI: "http://a.example/", Time: time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC)}
	}
	cut := at(1)
	cut.Truncated = "disconnect"
	page := write.Payload{URI: "http://a.example/", Status: 200}
	for n, tt := range []struct {
		of      write.Exchange
		written write.Written
		want    int // the second of the capture that later answers refer to, 0 for none
	}{
		{cut, write.Written{Payload: page}, 0},
		{at(2), write.Written{Payload: page}, 2},
		{at(3), write.Written{Payload: page, Revisit: true}, 2},
	} {
		s.wrote(tt.of, tt.written)
		if got, ok := s.known(t.Context(), page); ok != (tt.want > 0) || ok && got.Time.Second() != tt.want {
			t.Errorf("after %d: %+v, %t, want second %d", n, got, ok, tt.want)
		}
	}
}
