package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/warc"
)

// A crawled site is served on loopback, and notes what it is asked for.
type crawledSite struct {
	*httptest.Server
	mu     sync.Mutex
	asked  map[string]int
	slow   time.Duration
	silent int // from how many requests on it doesn't answer, 0 for never
}

// crawled returns a site of so many pages, each of which links to some others, with a picture and a place that robots may not see.
func crawled(t *testing.T, pages int, slow time.Duration) *crawledSite {
	t.Helper()
	s := &crawledSite{asked: map[string]int{}, slow: slow}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		silent, slow := s.silent > 0 && len(s.asked) > s.silent, s.slow
		s.mu.Unlock()
		if silent {
			<-r.Context().Done()
			return
		}
		time.Sleep(slow)
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
		case r.URL.Path == "/a.png":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "\x89PNG\r\n\x1a\n")
		default:
			n := 0
			_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<!doctype html><title>page %d</title><h1>The gauge %d</h1><img src=/a.png><a href=/secret/%d>no</a>", n, n, n)
			for i := range 5 {
				fmt.Fprintf(w, "<a href=/%d>there</a>", (n*3+i)%pages)
			}
			fmt.Fprintf(w, "<a href=http://elsewhere.example/%d>out</a>", n)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// file writes a crawl file for the site.
func (s *crawledSite) file(t *testing.T, more string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crawl.yaml")
	text := fmt.Sprintf("name: river\nseeds: ['%s/0']\nallow_private: true\ndelay: 0s\nper_host: 4\nsitemaps: false\nmax_depth: 0\n"+
		"max_pages: 0\n%s", s.URL, more)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

type crawlReport struct {
	Name, State               string
	Pages, Docs, Parts, Bytes int
	Processes                 int
	Skipped, Status           map[string]int
	Seconds                   float64
}

func reportOf(t *testing.T, stdout string) (r crawlReport) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatalf("%v: %q", err, stdout)
	}
	return r
}

// answersIn counts the answers in the WARC files of a folder, by path.
func answersIn(t *testing.T, dir string) map[string]int {
	t.Helper()
	found := map[string]int{}
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
			if rec.Type == "response" || rec.Type == "revisit" {
				found[rec.TargetURI[strings.LastIndex(rec.TargetURI, "/"):]]++
			}
		}
		f.Close()
	}
	delete(found, "/robots.txt")
	return found
}

func wantedPages(pages int) map[string]int {
	want := map[string]int{"/a.png": 1}
	for i := range pages {
		want[fmt.Sprintf("/%d", i)] = 1
	}
	return want
}

// What is wanted is got, once; nothing else is asked for; documents are written; and what was captured replays.
func TestCrawlIsReplayed(t *testing.T) {
	s := crawled(t, 40, 0)
	data := filepath.Join(t.TempDir(), "data")
	file := s.file(t, "template:\n  fields:\n    - {name: title, css: h1, type: text}\n")
	stdout, stderr, code := invoke(t, "crawl", "--data", data, file)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	r := reportOf(t, stdout)
	if r.Name != "river" || r.State != "completed" || r.Pages != 40 || r.Docs != 40 || r.Parts != 1 || r.Bytes == 0 ||
		r.Skipped["robots"] != 40 || r.Skipped["scope"] != 40 || r.Status["200"] != 41 {
		t.Errorf("%+v", r)
	}
	warcs := filepath.Join(data, "warcs", "web")
	if diff := cmp.Diff(wantedPages(40), answersIn(t, warcs)); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	asked := wantedPages(40)
	asked["/robots.txt"] = 1
	if diff := cmp.Diff(asked, s.asked); diff != "" {
		t.Errorf("asked for (-want +got)\n%s", diff)
	}
	csv, err := os.ReadFile(filepath.Join(warcs, "river.csv"))
	if err != nil || strings.Count(string(csv), "\n") != 41 || !strings.Contains(string(csv), ",The gauge 7\n") {
		t.Errorf("%s, %v", csv, err)
	}
	if stdout, _, _ := invoke(t, "crawl", "--data", data, "--status"); reportOf(t, stdout).State != "completed" {
		t.Errorf("status: %s", stdout)
	}
	stdout, stderr, code = invoke(t, "crawl", "--data", data, file)
	if again := reportOf(t, stdout); code != 0 || again.Pages != 40 || s.asked["/0"] != 1 {
		t.Errorf("a second run: exit %d, %+v: %s", code, again, stderr)
	}
	stdout, stderr, code = invoke(t, "crawl", "--data", data, "--try", s.URL+"/7", file)
	if code != 0 || strings.TrimSpace(stdout) != `{"title":["The gauge 7"]}` {
		t.Errorf("try: exit %d, %s, %s", code, stdout, stderr)
	}
	server, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.stop(); err != nil {
			t.Error(err)
		}
	}()
	for path, want := range map[string]string{"/7": "The gauge 7", "/a.png": "\x89PNG"} {
		a := server.get(t, "/web/2id_/"+s.URL+path)
		for a.status/100 == 3 {
			a = server.get(t, strings.TrimPrefix(a.header.Get("Location"), server.url))
		}
		if a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %.200q", path, a.status, a.body)
		}
	}
}

// A server that is running takes in what is captured beside it.
func TestCrawlBesideAServer(t *testing.T) {
	t.Parallel()
	s := crawled(t, 3, 0)
	server := start(t, "serve")
	stdout, stderr, code := invoke(t, "crawl", "--data", server.data, s.file(t, ""))
	if r := reportOf(t, stdout); code != 0 || r.Pages != 3 || !strings.Contains(stderr, "the server has indexed 1 file") {
		t.Errorf("exit %d, %+v: %s", code, r, stderr)
	}
	eventually(t, "what was captured is served", func() bool {
		return strings.Count(server.get(t, "/web/cdx?url="+s.URL+"/*").body, "\n") == 5 // with robots.txt and the picture
	})
}

// stillCrawled waits until a crawl has asked for some pages more, and reports whether it still runs then. It fails the test if it ended
// badly.
func (s *crawledSite) stillCrawled(t *testing.T, more int, ended <-chan error, log fmt.Stringer) bool {
	t.Helper()
	before := s.pages()
	for end := time.Now().Add(patience); s.pages() < before+more && time.Now().Before(end); {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, log)
			}
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// Killed at any moment and gone on with, a crawl captures each page once and loses none that was written.
func TestKilledCrawlGoesOn(t *testing.T) {
	t.Parallel()
	const pages = 150
	s := crawled(t, pages, 3*time.Millisecond)
	data := filepath.Join(t.TempDir(), "data")
	file := s.file(t, "")
	kills := 0
	for ; kills < 40; kills++ {
		var out, log bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", data, file)
		cmd.Stdout, cmd.Stderr = &out, &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if !s.stillCrawled(t, 10+7*(kills%5), ended, &log) {
			if r := reportOf(t, out.String()); r.State != "completed" || r.Pages != pages {
				t.Errorf("%+v", r)
			}
			break
		}
		_ = cmd.Process.Kill()
		<-ended
		if stdout, stderr, code := invoke(t, "crawl", "--data", data, "--status"); code != 0 || reportOf(t, stdout).State != "stopped" {
			t.Errorf("status of a killed crawl: exit %d: %s %s", code, stdout, stderr)
		}
	}
	if kills < 2 {
		t.Errorf("it was killed %d times", kills)
	}
	if diff := cmp.Diff(wantedPages(pages), answersIn(t, filepath.Join(data, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	_, stderr, _ := invoke(t, "index", "--data", data, filepath.Join(data, "warcs", "web"))
	if stdout, _, _ := invoke(t, "cdx", "--data", data); strings.Count(stdout, "\n") < pages+1 {
		t.Errorf("%d captures are indexed: %s", strings.Count(stdout, "\n"), stderr)
	}
}

// Stopped as an administrator would, a crawl ends in order, and says so; another of its name can't run beside it.
func TestStoppedCrawl(t *testing.T) {
	t.Parallel()
	s := crawled(t, 60, 0)
	s.silent = 20
	data := filepath.Join(t.TempDir(), "data")
	file := s.file(t, "")
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", data, file)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the crawl asks", func() bool { return s.pages() > s.silent })
	if _, stderr, code := invoke(t, "crawl", "--data", data, file); code != 1 || !strings.Contains(stderr, "running already") {
		t.Errorf("beside itself: exit %d: %s", code, stderr)
	}
	if stdout, _, _ := invoke(t, "crawl", "--data", data, "--status"); reportOf(t, stdout).State != "running" {
		t.Errorf("status: %s", stdout)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
		t.Fatal(err)
	}
	if r := reportOf(t, out.String()); r.State != "stopped" || r.Pages == 0 || r.Pages >= 60 {
		t.Errorf("%+v", r)
	}
	s.mu.Lock()
	s.silent = 0
	s.mu.Unlock()
	stdout, stderr, code := invoke(t, "crawl", "--data", data, file)
	if r := reportOf(t, stdout); code != 0 || r.State != "completed" || r.Pages != 60 {
		t.Errorf("exit %d, %+v: %s", code, r, stderr)
	}
	if diff := cmp.Diff(wantedPages(60), answersIn(t, filepath.Join(data, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
}

// Others pause, resume and stop a crawl that runs, and are told if none does.
func TestSteeredCrawl(t *testing.T) {
	t.Parallel()
	s := crawled(t, 300, 40*time.Millisecond) // which takes three seconds: more than it takes to stop it
	data := filepath.Join(t.TempDir(), "data")
	file := s.file(t, "")
	steer := func(order string) (string, int) {
		_, stderr, code := invoke(t, "crawl", "--data", data, order, "river")
		return stderr, code
	}
	state := func() string {
		stdout, _, _ := invoke(t, "crawl", "--data", data, "--status")
		return reportOf(t, stdout).State
	}
	if stderr, code := steer("--pause"); code != 1 || !strings.Contains(stderr, "no crawl of the name river") {
		t.Errorf("to none: exit %d: %s", code, stderr)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", data, file)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the crawl asks", func() bool { return s.pages() > 10 })
	if stderr, code := steer("--pause"); code != 0 || state() != "paused" {
		t.Errorf("pause: exit %d: %s", code, stderr)
	}
	var before int
	eventually(t, "what was asked for is answered", func() bool {
		last := before
		before = s.pages()
		time.Sleep(50 * time.Millisecond)
		return last == before
	})
	time.Sleep(200 * time.Millisecond)
	if now := s.pages(); now != before || now >= 300 {
		t.Errorf("it asked for %d, and while it was paused for %d", before, now-before)
	}
	if stderr, code := steer("--resume"); code != 0 || state() != "running" {
		t.Errorf("resume: exit %d: %s", code, stderr)
	}
	eventually(t, "it goes on", func() bool { return s.pages() > before })
	if stderr, code := steer("--stop"); code != 0 {
		t.Errorf("stop: exit %d: %s", code, stderr)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if r := reportOf(t, out.String()); r.State != "stopped" || r.Pages >= 300 || state() != "stopped" {
		t.Errorf("%+v, %s", r, state())
	}
	if stderr, code := steer("--resume"); code != 1 || !strings.Contains(stderr, "the crawl river isn't running") {
		t.Errorf("to one that has ended: exit %d: %s", code, stderr)
	}
	if _, stderr, code := invoke(t, "crawl", "--data", data, "--pause", "river", file); code != 2 {
		t.Errorf("beside a file: exit %d: %s", code, stderr)
	}
	s.mu.Lock()
	s.slow = 0
	s.mu.Unlock()
	stdout, stderr, code := invoke(t, "crawl", "--data", data, file)
	if r := reportOf(t, stdout); code != 0 || r.State != "completed" || r.Pages != 300 {
		t.Errorf("gone on with: exit %d, %+v: %s", code, r, stderr)
	}
	if diff := cmp.Diff(wantedPages(300), answersIn(t, filepath.Join(data, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
}

// pages returns how many requests for pages there were.
func (s *crawledSite) pages() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, times := range s.asked {
		if path != "/robots.txt" {
			n += times
		}
	}
	return n
}

// Bad input is refused whole, with the line.
func TestFaultyCrawlFiles(t *testing.T) {
	s := crawled(t, 1, 0)
	data := filepath.Join(t.TempDir(), "data")
	for more, want := range map[string]string{
		"depth: 3\n":              "unknown key depth",
		"scope: world\n":          "line 9: scope:",
		"threads: 0\n":            "line 9: threads:",
		"max_bytes: lots\n":       "line 9",
		"exclude: ['(']\n":        "line 9: exclude:",
		"actions: [{wait: 1s}]\n": "line 9: actions: only a browser",

		"browser: true\nactions: [{wait: soon}]\n":                             "line 10: actions: wait:",
		"browser: true\nactions:\n  - {wait: 1s}\n  - {click: 'a['}\n":         "line 12: actions: click:",
		"browser: true\nactions: [{fill: a, with: $VARVE_SECRET_NOT_THERE}]\n": "line 10: actions: with: there is no environment variable",
		"template: {fields: [{name: a}]}\n":                                    "line 9: template.fields:",
		"robots: sometimes\n":                                                  "line 9: robots:",
		"pagination: ['a[']\n":                                                 "line 9: pagination:",
		"template:\n  fields:\n    - {x: 1}\n":                                 "line 11",
	} {
		file := s.file(t, more)
		_, stderr, code := invoke(t, "crawl", "--data", data, file)
		if code != 2 || !strings.Contains(stderr, want) || !strings.Contains(stderr, file) {
			t.Errorf("%q: exit %d: %s", more, code, stderr)
		}
	}
	if _, stderr, code := invoke(t, "crawl", "--data", data, "--scope", "page", s.file(t, "")); code != 2 {
		t.Errorf("flags beside a file: exit %d: %s", code, stderr)
	}
	one := []string{"crawl", "--data", data, "--name", "one", "--delay", "0s", "--no-sitemaps", s.URL + "/0"}
	if _, stderr, code := invoke(t, one...); code != 1 || !strings.Contains(stderr, "--allow-private") || len(s.asked) != 0 {
		t.Errorf("loopback: exit %d, asked for %v: %s", code, s.asked, stderr)
	}
	stdout, stderr, code := invoke(t, append(one, "--allow-private")...)
	if r := reportOf(t, stdout); code != 0 || r.Pages != 1 {
		t.Errorf("loopback that is allowed then: exit %d, %+v: %s", code, r, stderr)
	}
	stdout, stderr, code = invoke(t, "crawl", "--data", data, "--name", "two", "--allow-private", "--delay", "0s", "--no-sitemaps", s.URL+"/0")
	if r := reportOf(t, stdout); code != 0 || r.Pages != 1 {
		t.Errorf("by flags: exit %d, %+v: %s", code, r, stderr)
	}
	stdout, _, _ = invoke(t, "crawl", "--data", data, "--status")
	var names []string
	for line := range strings.Lines(stdout) {
		names = append(names, reportOf(t, line).Name)
	}
	if !slices.Equal(names, []string{"one", "two"}) {
		t.Errorf("the crawls are %v", names)
	}
}
