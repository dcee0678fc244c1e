package crawl

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/proxied"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/rewrite/reference"
)

// A gateway is the browser's only connection to the web: a proxy on loopback. It makes only requests that a tab has announced and
// its visit allows, and writes the answers.
type gateway struct {
	crawl   *Crawl
	browser *proxied.Browser
	turns   *turns
	// patience is the time limit for loading a page.
	patience time.Duration

	mu      sync.Mutex
	reading chan struct{} // a slot for each answer that is read for links
	visits  map[*visit]bool
	sending map[string]bool // keys of requests with a body in progress
}

// maxReaders is the number of answers that are read for links at the same time, since hostile ones need a lot of memory.
const maxReaders = 2

// openGateway starts the proxy and the browser behind it.
func (c *Crawl) openGateway(ctx context.Context) (*gateway, error) {
	g := &gateway{
		crawl: c, turns: newTurns(c.set.PerHost),
		reading: make(chan struct{}, maxReaders), visits: map[*visit]bool{}, sending: map[string]bool{},
		patience: cmp.Or(c.cfg.PageTime, 30*time.Second),
	}
	folder, err := scratch(c.cfg.Scratch)
	if err != nil {
		return nil, err
	}
	g.browser, err = proxied.Start(ctx, g, folder, browser.Config{
		Path: c.cfg.Chromium, Show: c.cfg.Show, Cookies: c.cfg.Cookies, UserAgent: c.agent, Patience: g.patience, Log: c.log,
	})
	return g, err
}

// scratch creates the folder of a browser: the given one, emptied, or a new one with an unpredictable name. Only the owner may
// access it, since whoever can write there can read all traffic.
func scratch(given string) (string, error) {
	if given == "" {
		return os.MkdirTemp("", "varve-browser-")
	}
	return given, errors.Join(os.RemoveAll(given), os.MkdirAll(given, 0o700))
}

// open begins a visit. It ends with [visit.end].
func (g *gateway) open(ctx context.Context, v *visit) {
	v.gateway = g
	v.ctx, v.cut = context.WithCancelCause(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.visits[v] = true
}

// visitOf returns the visit whose tab has announced a request, and the request's use; nil if there is none. The visit waits for the
// request.
func (g *gateway) visitOf(uri, method string) (*visit, use) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for v := range g.visits {
		if u, ok := v.take(uri, method); ok {
			v.flying.Add(1)
			return v, u
		}
	}
	return nil, use{}
}

// begin records that a request is in progress, and returns false if an equal one is.
func (g *gateway) begin(key string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.sending[key] {
		return false
	}
	g.sending[key] = true
	return true
}

func (g *gateway) done(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sending, key)
}

// ofSharedWorker returns the visit that a request of a shared worker belongs to, and its use; nil if it isn't one. Such a worker is in no
// tab, so no tab announces its requests, but they name its script.
func (g *gateway) ofSharedWorker(req *http.Request, uri string) (*visit, use) {
	g.mu.Lock()
	var of *visit
	for v := range g.visits {
		if v.hasSharedWorker(req.Referer()) {
			of = v
		}
	}
	g.mu.Unlock()
	if of == nil || !of.allow(req.Context(), browser.Request{URL: uri, Method: req.Method, Kind: kindFetch}) {
		return nil, use{}
	}
	return g.visitOf(uri, req.Method)
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	uri, _, _ := forward.URI(req)
	socket := req.Method == http.MethodConnect || req.Header.Get("Upgrade") != ""
	v, u := g.visitOf(uri, req.Method)
	if v == nil && !socket {
		v, u = g.ofSharedWorker(req, uri)
	}
	if v != nil {
		defer v.flying.Done()
	}
	switch {
	case socket:
		refuse(w, http.StatusNotImplemented, "sockets are not recorded, so a crawl does not connect to them")
	case v == nil:
		refuse(w, http.StatusForbidden, "no page of the crawl asks for this")
	case g.crawl.front != nil && g.crawl.reached(req.Context()) == frontier.MaxBytes:
		refuse(w, http.StatusServiceUnavailable, "the crawl has as many bytes as it may")
	default:
		g.exchange(w, req, &asking{visit: v, use: u, uri: uri, method: req.Method})
	}
}

func refuse(w http.ResponseWriter, status int, why string) {
	record.Refuse(w, status, "varve crawl: "+why)
}

// exchange makes a request to the live web, streams the answer to the browser, and has it kept.
func (g *gateway) exchange(w http.ResponseWriter, req *http.Request, a *asking) {
	c, ctx := g.crawl, a.visit.ctx
	out, err := record.Outgoing(req, a.uri)
	if err == nil {
		if err = a.prepare(ctx, out); err != nil {
			a.failed(ctx, err)
		}
	}
	if errors.Is(err, frontier.ErrUnavailable) {
		c.failed.set(err)
	}
	if err != nil { // the page's scripts could read an error message
		c.log.Debug("a request of the browser was not made", "host", reference.Host(a.uri), "error", err)
		refuse(w, http.StatusBadRequest, "this could not be asked for")
		return
	}
	leave, err := g.turns.enter(ctx, reference.Host(a.uri))
	if err != nil {
		a.failed(ctx, err)
		return
	}
	shown := false
	e, err := c.client.Do(ctx, out, func(answer *http.Response) {
		shown = true
		a.store(answer)
		record.Show(w, answer)
	})
	leave()
	switch {
	case err == nil:
		a.answered(ctx, e)
		return
	case shown:
	case errors.Is(err, client.ErrPrivate):
		refuse(w, http.StatusForbidden, "that is on this machine or its network, and the crawl file has no allow_private")
	default:
		refuse(w, http.StatusBadGateway, "there is no answer")
	}
	a.failed(ctx, err)
}
