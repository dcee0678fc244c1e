package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
)

// A gateway is the only way from the browser of a crawl to the web: a proxy on loopback. It asks for nothing but what a tab has announced
// and its visit has allowed, and writes the answers.
type gateway struct {
	crawl   *Crawl
	browser *proxied.Browser
	turns   *turns
	// patience is how long a page may take until it is there.
	patience time.Duration

	mu      sync.Mutex
	reading chan struct{} // has a place for each answer that is looked through for what it names
	visits  map[*visit]bool
	sending map[string]bool // keys of requests that send something, while they are under way
}

// readers is how many answers are looked through at a time: what a hostile one names takes a lot of memory.
const readers = 2

// openGateway starts the proxy and the browser behind it.
func (c *Crawl) openGateway(ctx context.Context) (*gateway, error) {
	g := &gateway{
		crawl: c, turns: newTurns(c.set.PerHost),
		reading: make(chan struct{}, readers), visits: map[*visit]bool{}, sending: map[string]bool{},
		patience: cmp.Or(c.cfg.PageTime, 30*time.Second),
	}
	folder, err := scratch(c.cfg.Scratch)
	if err != nil {
		return nil, err
	}
	g.browser, err = proxied.Start(ctx, g, folder, browser.Config{
		Path: c.cfg.Chromium, Show: c.cfg.Show, Cookies: c.cfg.Cookies, UserAgent: c.set.UserAgent, Patience: g.patience, Log: c.log,
	})
	return g, err
}

// scratch makes the folder of a browser: the given one, without what an earlier run left there, or a new one of which nobody else knows
// before it is there. It is for its owner alone, since who writes into it can read all traffic.
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

// visitOf returns the visit whose tab has announced a request, and what it is for; nil if none has. The visit waits for the request.
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

// begin notes that something is being sent, unless the same is being sent already.
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

// ServeHTTP implements [http.Handler].
func (g *gateway) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	uri, _, _ := forward.URI(req)
	v, u := g.visitOf(uri, req.Method)
	if v != nil {
		defer v.flying.Done()
	}
	switch {
	case req.Method == http.MethodConnect || req.Header.Get("Upgrade") != "":
		refuse(w, http.StatusNotImplemented, "sockets are not recorded, so a crawl does not connect to them")
	case v == nil:
		refuse(w, http.StatusForbidden, "no page of the crawl asks for this")
	case g.crawl.front != nil && g.crawl.reached(req.Context()) == frontier.MaxBytes:
		refuse(w, http.StatusServiceUnavailable, "the crawl has as many bytes as it may")
	default:
		g.exchange(w, req, &asking{visit: v, use: u, uri: uri, method: req.Method})
	}
}

// refuse answers what the live web isn't asked for. A page can't take it for an answer that it may read.
func refuse(w http.ResponseWriter, status int, why string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, "varve crawl: "+why)
}

// exchange asks the live web, gives the answer to the browser while it comes in, and has it kept.
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
	if err != nil { // the page gets to see what is said here
		c.log.Debug("a request of the browser was not made", "host", hostOf(a.uri), "error", err)
		refuse(w, http.StatusBadRequest, "this could not be asked for")
		return
	}
	leave, err := g.turns.enter(ctx, hostOf(a.uri))
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
