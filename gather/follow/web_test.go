package follow_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
)

// A web is a server on loopback whose documents change, and which notes what it is asked for.
type web struct {
	*httptest.Server
	mu    sync.Mutex
	now   time.Time
	pages map[string]func(w http.ResponseWriter, r *http.Request)
	asked []string // "GET /path", or "GET /path 304" where nothing was sent
}

func newWeb(t *testing.T) *web {
	t.Helper()
	s := &web{pages: map[string]func(http.ResponseWriter, *http.Request){}, now: time.Now()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		page := s.pages[r.URL.Path]
		if r.URL.Path != "/robots.txt" {
			s.asked = append(s.asked, r.Method+" "+r.URL.RequestURI())
		}
		s.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// serve has an address answer with something; HOST in it is where the server is.
func (s *web) serve(path, contentType, text string) {
	s.answer(path, func(w http.ResponseWriter, r *http.Request) {
		body := strings.ReplaceAll(text, "HOST", s.URL)
		tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(body)))
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, body)
	})
}

func (s *web) answer(path string, with func(w http.ResponseWriter, r *http.Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = with
}

// html serves a page with enough text to be one.
func (s *web) html(path, text string) {
	s.serve(path, "text/html; charset=utf-8", "<!doctype html><title>"+path+"</title><main><h1>"+path+"</h1><p>"+text+
		" This is the text of a page, long enough that nobody takes it for an empty shell of one.</p></main>")
}

// feed serves a feed with entries, each as "id" or "id=text", and their pages.
func (s *web) feed(path string, entries ...string) {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>News</title>`)
	for _, e := range entries {
		id, text, _ := strings.Cut(e, "=")
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%s</guid><title>%s</title><link>HOST/%s</link><description>%s</description></item>`,
			id, id, id, text)
	}
	s.serve(path, "application/rss+xml", b.String()+"</channel></rss>")
}

// requests returns what was asked for since the last call, sorted.
func (s *web) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.asked
	s.asked = nil
	slices.Sort(list)
	return list
}

// clock is the follower's.
func (s *web) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// pass lets time pass.
func (s *web) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// settings reads a file of sources; HOST in it is where the server is.
func (s *web) settings(t *testing.T, text string) follow.Settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), "news.yaml")
	text = "allow_private: true\ndelay: 0s\n" + strings.ReplaceAll(text, "HOST", s.URL)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := follow.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A following has what outlives a process.
type following struct {
	t     *testing.T
	web   *web
	set   follow.Settings
	store kv.Store
	dir   string

	status status.Folder
	taken  func(ctx context.Context) error
}

func (g *following) open() *follow.Follower {
	g.t.Helper()
	f, err := follow.New(g.t.Context(), follow.Config{
		Settings: g.set, Store: g.store, Dir: g.dir, Software: "varve/test",
		Agent: "varve-test", Now: g.web.clock, Status: g.status, Taken: g.taken,
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return f
}

// once does what is due, in a process of its own, and returns how it went.
func (g *following) once() status.Status {
	g.t.Helper()
	f := g.open()
	if _, err := f.Once(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
	s := f.Status()
	if err := f.Close(); err != nil {
		g.t.Fatal(err)
	}
	return s
}

// captures returns what was written since the last call: type and path, sorted, without robots.txt.
func (g *following) captures() (list []string) {
	g.t.Helper()
	paths, err := filepath.Glob(filepath.Join(g.dir, "*.warc.gz*"))
	if err != nil {
		g.t.Fatal(err)
	}
	for _, path := range paths {
		f, err := warc.Local{}.Open(g.t.Context(), path)
		if err != nil {
			g.t.Fatal(err)
		}
		for rec, err := range warc.Scan(g.t.Context(), f, path, 0) {
			if err != nil {
				g.t.Fatal(path, err)
			}
			if rec.Type == "response" || rec.Type == "revisit" {
				if at := strings.TrimPrefix(rec.TargetURI, g.web.URL); at != "/robots.txt" {
					list = append(list, rec.Type+" "+at)
				}
			}
		}
		_ = f.Close()
	}
	slices.Sort(list)
	return list
}

// bomb returns gzip of so many bytes.
func bomb(t *testing.T, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for block := make([]byte, 1<<20); size > 0; size -= len(block) {
		if _, err := z.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
