package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/proxied"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/forward"
)

// pageTime is the time limit for loading a page in the browser.
const pageTime = 30 * time.Second

// A window is the browser for sources that need one, together with its connection to the web. It is opened for the first page that
// needs it.
type window struct {
	path string // of Chromium, "" for the first in the path
	log  *slog.Logger

	mu      sync.Mutex
	browser *proxied.Browser // nil until the first page needs it
	shown   map[*showing]bool
}

// open starts the browser, unless it runs.
func (w *window) open(ctx context.Context, agent string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.browser != nil {
		return nil
	}
	folder, err := os.MkdirTemp("", "varve-browser-")
	if err != nil {
		return err
	}
	b, err := proxied.Start(ctx, w, folder, browser.Config{Path: w.path, UserAgent: agent, Patience: pageTime, Log: w.log})
	if err != nil {
		return err
	}
	w.browser, w.shown = b, map[*showing]bool{}
	return nil
}

// close ends the browser, if it runs.
func (w *window) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.browser == nil {
		return nil
	}
	return w.browser.Close()
}

// A showing is a page that is open in the window. Its own answer was requested before; its other resources are requested when the
// browser asks for them.
type showing struct {
	web  *web
	ctx  context.Context
	page *client.Exchange

	mu     sync.Mutex
	asked  map[string]bool // what its tab has announced and may request
	parts  []*client.Exchange
	budget bool // the budget is spent
	flying sync.WaitGroup
}

// show opens a page that was requested before, and returns its text in the browser and the browser's other requests. The text is
// nil if the browser can't show the page. The caller closes the parts.
func (f *web) show(ctx context.Context, page *client.Exchange) (text []byte, parts []*client.Exchange, err error) {
	if err := f.window.open(ctx, f.set.UserAgent); err != nil {
		return nil, nil, f.fatal(err)
	}
	s := &showing{web: f, ctx: ctx, page: page, asked: map[string]bool{}}
	f.window.mu.Lock()
	f.window.shown[s] = true
	f.window.mu.Unlock()
	seen, err := f.window.browser.Visit(ctx, browser.Visit{URL: page.URL, Guard: s.allow}, maxPage)
	f.window.mu.Lock()
	delete(f.window.shown, s)
	f.window.mu.Unlock()
	s.flying.Wait()
	if s.budget {
		err = errBudget
	}
	if err == nil && len(seen.Frames) > 0 && !seen.Elsewhere {
		text = []byte(seen.Frames[0].HTML)
	}
	if errors.Is(err, browser.ErrCrashed) { // what was requested before the crash is kept
		f.log.Warn("the browser crashed on a page", "url", page.URL)
		err = nil
	}
	return text, s.parts, err
}

// allow decides what the tab may request: the page, once, and then its resources. It is a [browser.Guard].
func (s *showing) allow(_ context.Context, r browser.Request) bool {
	if r.Redirect || r.Navigation && !r.First || r.Method != http.MethodGet || len(r.URL) > browser.LongestAddress {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) > maxParts {
		return false
	}
	s.asked[r.URL] = true
	return true
}

// takes reports whether the tab has announced a request, and registers the request so that the showing waits for it.
func (s *showing) takes(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked[uri] {
		s.flying.Add(1)
	}
	return s.asked[uri]
}

// of returns the showing that has announced a request, or nil.
func (w *window) of(uri string) *showing {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := range w.shown {
		if s.takes(uri) {
			return s
		}
	}
	return nil
}

func (w *window) ServeHTTP(out http.ResponseWriter, req *http.Request) {
	var s *showing
	uri, _, _ := forward.URI(req)
	if req.Method == http.MethodGet && req.Header.Get("Upgrade") == "" {
		s = w.of(uri)
	}
	if s == nil {
		http.Error(out, "varve follow: no page asks for this", http.StatusForbidden)
		return
	}
	defer s.flying.Done()
	if uri == s.page.URL {
		s.give(out)
		return
	}
	s.part(out, req, uri)
}

// give answers with the page itself.
func (s *showing) give(out http.ResponseWriter) {
	body, err := s.page.Body(maxPage)
	if err != nil {
		http.Error(out, "varve follow: the answer can't be decoded", http.StatusBadGateway)
		return
	}
	h := out.Header()
	for name, values := range s.page.Header {
		switch name {
		case "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive":
		default:
			h[name] = values
		}
	}
	out.WriteHeader(s.page.Status)
	_, _ = out.Write(body)
}

// part requests a resource of the page from the live web, within the limits of politeness, and keeps the answer.
func (s *showing) part(out http.ResponseWriter, req *http.Request, uri string) {
	f := s.web
	going, err := record.Outgoing(req, uri)
	if err != nil {
		http.Error(out, "varve follow: this can't be asked for", http.StatusBadRequest)
		return
	}
	shown := false
	e, err := f.askFor(s.ctx, going.URL, func() (*client.Exchange, error) {
		return f.pages.Do(s.ctx, going, func(answer *http.Response) {
			shown = true
			record.Show(out, answer)
		})
	})
	if err != nil {
		if !shown {
			http.Error(out, fmt.Sprint("varve follow: ", err), http.StatusBadGateway)
		}
		s.mu.Lock()
		s.budget = s.budget || errors.Is(err, errBudget)
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = append(s.parts, e)
}
