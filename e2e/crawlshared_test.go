package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/internal/testkit/database"
	"github.com/varve-archive/varve/internal/testkit/redistest"
)

// A labyrinth is a site of lists that go on and on to pages, which lead back and on, under addresses that mean the same too.
type labyrinth struct {
	*httptest.Server
	pages int
	slow  time.Duration

	mu    sync.Mutex
	asked map[string]int
	now   int // requests at the moment
	most  int // and at most
	total atomic.Int64
}

const eachList = 50 // pages in a list

func newLabyrinth(t *testing.T, pages int, slow time.Duration) *labyrinth {
	t.Helper()
	l := &labyrinth{pages: pages, slow: slow, asked: map[string]int{}}
	l.Server = httptest.NewServer(l)
	t.Cleanup(l.Close)
	return l
}

// ServeHTTP implements [http.Handler].
func (l *labyrinth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked[r.URL.Path]++
	l.now++
	l.most = max(l.most, l.now)
	l.mu.Unlock()
	l.total.Add(1)
	defer func() {
		l.mu.Lock()
		l.now--
		l.mu.Unlock()
	}()
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	time.Sleep(l.slow)
	w.Header().Set("Content-Type", "text/html")
	name, _ := strings.CutPrefix(r.URL.Path, "/")
	if n, ok := strings.CutPrefix(name, "list"); ok {
		l.list(w, n)
		return
	}
	n, _ := strconv.Atoi(name)
	text := fmt.Sprint("the page ", n)
	if n%10 == 0 {
		text = "what many pages have"
	}
	sid := l.total.Load() // another one each time
	fmt.Fprintf(w, "<!doctype html><title>%s</title><p>%s<a href=/list0>back</a>", text, text)
	if n%10 != 0 {
		fmt.Fprintf(w, "<a href=/%d?sid=%d>on</a><a href='/%d?PHPSESSID=%032x'>back</a>", (n+1)%l.pages, sid, (n+l.pages-1)%l.pages, sid)
	}
}

func (l *labyrinth) list(w io.Writer, number string) {
	n, _ := strconv.Atoi(number)
	for i := n * eachList; i < min((n+1)*eachList, l.pages); i++ {
		fmt.Fprintf(w, "<a href=/%d>%d</a>", i, i)
	}
	if (n+1)*eachList < l.pages {
		fmt.Fprintf(w, "<a class=next href=/list%d>more</a>", n+1)
	}
	fmt.Fprint(w, "<a href=/list0>first</a>")
}

// wanted is what a crawl of all captures, each once.
func (l *labyrinth) wanted() map[string]int {
	all := map[string]int{}
	for i := range l.pages {
		all[fmt.Sprint("/", i)] = 1
		all[fmt.Sprint("/list", i/eachList)] = 1
	}
	return all
}

func (l *labyrinth) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crawl.yaml")
	text := fmt.Sprintf("name: maze\nseeds: ['%s/list0']\nallow_private: true\ndelay: 0s\nper_host: 4\nthreads: 4\nsitemaps: false\n"+
		"max_depth: 0\nmax_pages: 0\nwalltime: 0s\npagination: ['a.next']\n", l.URL)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// twice returns how many pages were asked for more than once.
func (l *labyrinth) twice() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, times := range l.asked {
		if path != "/robots.txt" && times > 1 {
			n++
		}
	}
	return n
}

// askedFor returns how often a path was asked for.
func (l *labyrinth) askedFor(path string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[path]
}

// atATime returns how many requests there were at a time.
func (l *labyrinth) atATime() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.most
}

// A crawling process works beside the test.
type crawling struct {
	cmd      *exec.Cmd
	out, log bytes.Buffer
	ended    chan error
}

func startCrawl(t *testing.T, args ...string) *crawling {
	t.Helper()
	c := &crawling{cmd: exec.Command(binary, append([]string{"crawl"}, args...)...), ended: make(chan error, 1)}
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.log
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.ended <- c.cmd.Wait() }()
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	return c
}

// kill kills the process, which must not have ended.
func (c *crawling) kill(t *testing.T) {
	t.Helper()
	_ = c.cmd.Process.Kill()
	if err := <-c.ended; err == nil {
		t.Fatalf("it had ended: %s", c.log.String())
	}
}

// wait waits until the process ends, with a report.
func (c *crawling) wait(t *testing.T) crawlReport {
	t.Helper()
	select {
	case err := <-c.ended:
		if err != nil {
			t.Fatalf("%v: %s", err, c.log.String())
		}
	case <-time.After(10 * patience):
		t.Fatalf("it does not end: %s", c.log.String())
	}
	return reportOf(t, c.out.String())
}

// together counts the answers in several folders.
func together(t *testing.T, dirs ...string) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, dir := range dirs {
		for path, n := range answersIn(t, dir) {
			path, _, _ = strings.Cut(path, "?")
			all[path] += n
		}
	}
	return all
}

// Two machines crawl a site, and one is killed. The other goes on with all that is left. When the first comes back, its files are mended:
// each page is there once.
func TestTwoMachinesCrawlASite_long(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 1000, 0)
	server := redistest.Start(t)
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	file := l.file(t)
	first := startCrawl(t, "--data", a, "--frontier", server.URL(), file)
	second := startCrawl(t, "--data", b, "--frontier", server.URL(), file)
	eventually(t, "a part of the site is crawled", func() bool { return l.total.Load() > 300 })
	stdout, stderr, code := invoke(t, "crawl", "--status", "--frontier", server.URL())
	if s := reportOf(t, stdout); code != 0 || s.State != "running" || s.Processes != 2 || s.Pages == 0 {
		t.Errorf("exit %d, %+v: %s", code, s, stderr)
	}
	first.kill(t)
	r := second.wait(t)
	pages := len(l.wanted())
	if r.State != "completed" || r.Pages != pages {
		t.Errorf("%+v", r)
	}
	stdout, stderr, code = invoke(t, "crawl", "--data", a, "--frontier", server.URL(), file)
	if r := reportOf(t, stdout); code != 0 || r.State != "completed" || r.Pages != pages {
		t.Errorf("when the first comes back: exit %d, %+v: %s", code, r, stderr)
	}
	if diff := cmp.Diff(l.wanted(), together(t, filepath.Join(a, "warcs", "web"), filepath.Join(b, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	if n := l.twice(); n > 4 || l.atATime() > 4 {
		t.Errorf("%d pages were asked for twice, and %d at a time", n, l.atATime())
	}
	t.Logf("%d pages were asked for twice", l.twice())
	names := map[string]bool{}
	for _, dir := range []string{a, b} {
		paths, _ := filepath.Glob(filepath.Join(dir, "warcs", "web", "*.warc.gz"))
		for _, path := range paths {
			if names[filepath.Base(path)] {
				t.Errorf("%s is there twice", path)
			}
			names[filepath.Base(path)] = true
		}
	}
}

// Processes that write into one folder are killed and started again, and Redis is, and no page is lost or there twice.
func TestProcessesOfACrawlAreKilled_long(t *testing.T) {
	t.Parallel()
	const pages = 1000
	l := newLabyrinth(t, pages, time.Millisecond)
	server := redistest.Start(t)
	data := filepath.Join(t.TempDir(), "data")
	args := []string{"--data", data, "--frontier", server.URL(), l.file(t)}
	at := []*crawling{startCrawl(t, args...), startCrawl(t, args...)}
	for i := range 6 {
		goal := l.total.Load() + 120
		eventually(t, "they crawl on", func() bool { return l.total.Load() > goal })
		if i == 3 {
			server.Kill()
			server.Run()
			continue
		}
		at[i%2].kill(t)
		at[i%2] = startCrawl(t, args...)
	}
	for _, c := range at {
		if r := c.wait(t); r.State != "completed" || r.Pages != len(l.wanted()) {
			t.Errorf("%+v: %s", r, c.log.String())
		}
	}
	warcs := filepath.Join(data, "warcs", "web")
	if left, _ := filepath.Glob(filepath.Join(warcs, "*.open")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if diff := cmp.Diff(l.wanted(), together(t, warcs)); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	if most := l.atATime(); most > 4+4 { // what killed processes had asked for may still be answered
		t.Errorf("%d requests at a time", most)
	}
	t.Logf("%d pages were asked for twice", l.twice())
}

// A process that is cut off from Redis stops in order after a while, and others go on. What it had written just before is there once when
// it has been started again.
func TestACrawlerThatIsCutOff_long(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 700, 4*time.Millisecond)
	server := redistest.Start(t)
	link, behind := database.NewLink(t, server.URL(), 0)
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	file := l.file(t)
	first := startCrawl(t, "--data", a, "--frontier", behind, file)
	second := startCrawl(t, "--data", b, "--frontier", server.URL(), file)
	eventually(t, "a part of the site is crawled", func() bool { return l.total.Load() > 150 })
	link.Die(true)
	if r := second.wait(t); r.State != "completed" || r.Pages != len(l.wanted()) {
		t.Errorf("%+v", r)
	}
	if err := <-first.ended; err == nil || !strings.Contains(first.log.String(), "trying again for 1m0s") ||
		reportOf(t, first.out.String()).State != "failed" {
		t.Errorf("%v: %s %s", err, first.out.String(), first.log.String())
	}
	startCrawl(t, "--data", a, "--frontier", server.URL(), file).wait(t)
	if diff := cmp.Diff(l.wanted(), together(t, filepath.Join(a, "warcs", "web"), filepath.Join(b, "warcs", "web"))); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
}

// A Redis that has lost the crawl ends it with a sentence, not as if it were completed.
func TestARedisThatForgets(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 1000, 5*time.Millisecond)
	server := redistest.Start(t)
	c := startCrawl(t, "--data", filepath.Join(t.TempDir(), "data"), "--frontier", server.URL(), l.file(t))
	eventually(t, "it crawls", func() bool { return l.total.Load() > 50 })
	server.Do("FLUSHALL")
	err := <-c.ended
	if r := reportOf(t, c.out.String()); err == nil || r.State != "failed" || strings.Count(c.log.String(), "has lost the crawl maze") != 1 {
		t.Errorf("%v, %+v: %s", err, r, c.log.String())
	}
}

// A loss of power may take the end of a file whose answers are done. They are asked for again, with or without others.
func TestALossOfPower_long(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"alone": nil, "shared": {"--frontier", redistest.Start(t).URL()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const pages = 200
			l := newLabyrinth(t, pages, 2*time.Millisecond)
			data := filepath.Join(t.TempDir(), "data")
			args := append([]string{"--data", data, l.file(t)}, args...)
			c := startCrawl(t, args...)
			eventually(t, "a part of the site is crawled", func() bool { return l.total.Load() > 100 })
			c.kill(t)
			warcs := filepath.Join(data, "warcs", "web")
			left, err := filepath.Glob(filepath.Join(warcs, "*.open"))
			if err != nil || len(left) != 1 {
				t.Fatalf("%v, %v", left, err)
			}
			info, err := os.Stat(left[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(left[0], info.Size()/2); err != nil {
				t.Fatal(err)
			}
			c = startCrawl(t, args...)
			if r := c.wait(t); r.State != "completed" || r.Pages != len(l.wanted()) ||
				!strings.Contains(c.log.String(), "answers did not get to the disk") {
				t.Errorf("%+v: %s", r, c.log.String())
			}
			if diff := cmp.Diff(l.wanted(), together(t, warcs)); diff != "" {
				t.Errorf("captured (-want +got)\n%s", diff)
			}
		})
	}
}

// A crawl that began in one collection and folder isn't taken for one in another, and those that share one have the same settings.
func TestACrawlOfTheSameName(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 3, 0)
	file := l.file(t)
	data, shared := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "shared")
	server := redistest.Start(t)
	run := func(want int, says string, args ...string) {
		t.Helper()
		stdout, stderr, code := invoke(t, append([]string{"crawl"}, args...)...)
		if code != want || !strings.Contains(stderr, says) {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
		if code == 0 && reportOf(t, stdout).Pages != 4 {
			t.Errorf("%v: %s", args, stdout)
		}
	}
	run(0, "", "--data", data, file)
	run(2, "the crawl maze: --collection: this crawl began with web and would go on with other", "--data", data, "--collection", "other", file)
	run(2, "--warcs: this crawl began with warcs/web and would go on with ", "--data", data, "--warcs", t.TempDir(), file)
	run(0, "", "--data", data, file)
	run(0, "", "--data", data, "--collection", "other", "--new", file)
	run(0, "", "--data", data, "--collection", "other", file)
	moved := data + "-moved"
	if err := os.Rename(data, moved); err != nil {
		t.Fatal(err)
	}
	run(0, "", "--data", moved, "--collection", "other", file)
	if n := l.askedFor("/list0"); n != 2 {
		t.Errorf("it was crawled %d times", n)
	}
	on := []string{"--data", shared, "--frontier", server.URL()}
	run(0, "", append(on, file)...)
	run(2, "--collection: this crawl began with web", append(on, "--collection", "other", file)...)
	run(0, "", append(on, "--new", file)...)
	if n := l.askedFor("/list0"); n != 4 {
		t.Errorf("it was crawled %d times", n)
	}
}

// Those that work together have the same settings.
func TestOthersWithOtherSettings(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 500, 5*time.Millisecond)
	server := redistest.Start(t)
	file := l.file(t)
	args := func() []string {
		return []string{"--data", filepath.Join(t.TempDir(), "data"), "--frontier", server.URL()}
	}
	c := startCrawl(t, append(args(), file)...)
	eventually(t, "it crawls", func() bool { return l.total.Load() > 20 })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for change, says := range map[string]string{
		"delay: 0s=delay: 1s":       "delay: others are at work on this crawl with",
		"per_host: 4=per_host: 1":   "per_host: others",
		"max_depth: 0=max_depth: 2": "max_depth: others",
	} {
		was, is, _ := strings.Cut(change, "=")
		other := filepath.Join(t.TempDir(), "other.yaml")
		if err := os.WriteFile(other, bytes.ReplaceAll(text, []byte(was), []byte(is)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := invoke(t, append([]string{"crawl"}, append(args(), other)...)...); code != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d: %s", change, code, stderr)
		}
	}
	if _, stderr, code := invoke(t, append([]string{"crawl"}, append(args(), "--new", file)...)...); code != 1 ||
		!strings.Contains(stderr, "can't begin anew while others are at work") {
		t.Errorf("anew: exit %d: %s", code, stderr)
	}
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	<-c.ended
	if r := reportOf(t, c.out.String()); r.State != "stopped" || c.cmd.ProcessState.ExitCode() != 143 {
		t.Errorf("%s, %+v", c.cmd.ProcessState, r)
	}
}

// What is wrong with a frontier is said in a sentence, and nothing is asked for.
func TestFaultyFrontiers(t *testing.T) {
	t.Parallel()
	l := newLabyrinth(t, 3, 0)
	file := l.file(t)
	locked := redistest.Start(t, "--requirepass", "secret")
	forgetful := redistest.Start(t, "--maxmemory-policy", "allkeys-lru")
	plain := redistest.Start(t)
	with := func(user string) string { return strings.Replace(locked.URL(), "redis://", "redis://"+user+"@", 1) }
	for frontier, want := range map[string]struct {
		code int
		says string
	}{
		locked.URL():            {1, "wants a password: write redis://:PASSWORD@HOST:PORT/DB"},
		with(":wrong"):          {1, "refuses the user or password"},
		with("nobody:s"):        {1, "refuses the user or password"},
		forgetful.URL():         {1, "set maxmemory-policy noeviction"},
		plain.URL() + "99":      {1, "has no database of this number"},
		"redis://127.0.0.1:1/0": {1, "does not answer"},
		strings.Replace(l.URL, "http", "redis", 1) + "/0": {1, "does not answer as Redis does"},
		"http://a.example/":        {2, "--frontier: want redis://"},
		"redis://u:hidden@a:b:c/0": {2, "--frontier: want redis://"},
	} {
		_, stderr, code := invoke(t, "crawl", "--data", filepath.Join(t.TempDir(), "data"), "--frontier", frontier, file)
		if code != want.code || !strings.Contains(stderr, want.says) || strings.Contains(stderr, "wrong@") || strings.Contains(stderr, "hidden") {
			t.Errorf("%s: exit %d: %s", frontier, code, stderr)
		}
	}
	if n := l.total.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
	stdout, stderr, code := invoke(t, "crawl", "--data", filepath.Join(t.TempDir(), "data"), "--frontier", with(":secret"), file)
	if r := reportOf(t, stdout); code != 0 || r.Pages != 4 {
		t.Errorf("with the password: exit %d, %+v: %s", code, r, stderr)
	}
}
