package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

const (
	kindDocument = "Document"
	kindPrefetch = "Prefetch"
	kindFetch    = "Fetch"
	kindOther    = "Other" // scripts of shared workers, too
	// maxRequests is the largest number of requests of a page. More are a trap.
	maxRequests   = 5000
	trapRequests  = "requests"
	maxReloads    = 2
	renderedAsUTF = "text/html; charset=utf-8"
)

// A visit is a page that is open in the browser.
type visit struct {
	item    frontier.Item
	gateway *gateway
	ctx     context.Context
	cut     context.CancelCauseFunc
	flying  sync.WaitGroup // requests

	mu      sync.Mutex
	asked   map[string]use // what its tab has announced and may request
	traps   map[string]bool
	asks    int
	opens   int // navigations to the page that have not requested it yet
	reloads int
	skipped []frontier.Skip  // what it must not request
	page    *client.Exchange // the answer to its own address
	err     error            // why there is no answer
}

// take returns the use of a request, if the tab has announced it. A request for the page itself counts as such once per navigation,
// since scripts may request the same address.
func (v *visit) take(uri, method string) (use, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	u, ok := v.asked[uri]
	if u.page && (method != http.MethodGet || v.opens == 0) {
		return use{}, ok
	}
	if u.page {
		v.opens--
	}
	return u, ok
}

// announce records that the tab may request an address.
func (v *visit) announce(uri string, u use) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if u.page {
		v.opens++
	}
	u.page = u.page || v.asked[uri].page
	v.asked[uri] = u
}

// hasSharedWorker reports whether the tab has announced a request for what may be the script of a shared worker.
func (v *visit) hasSharedWorker(address string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[address].kind == kindOther
}

func (v *visit) add(s frontier.Skip) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.skipped = append(v.skipped, s)
}

func (v *visit) skip(address, reason string) {
	if v.gateway.crawl.set.secrets.in(address) {
		return
	}
	v.add(frontier.Skip{Key: keyOf(address), Reason: reason, Now: true})
}

// trap counts a kind of trap among the page's requests, once.
func (v *visit) trap(kind string) {
	v.mu.Lock()
	known := v.traps[kind]
	v.traps[kind] = true
	v.mu.Unlock()
	if !known {
		v.add(frontier.Skip{Key: v.item.Key + " " + kind, Reason: frontier.Trap, Trap: kind, Now: true})
	}
}

// answered records the answer to the address of the visit, or why there is none. The last answer counts.
func (v *visit) answered(e *client.Exchange, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.page != nil && e != nil {
		_ = v.page.Close()
	}
	if e != nil || v.page == nil {
		v.page, v.err = e, err
	}
}

// allow decides what the tab may request. It is a [browser.Guard].
func (v *visit) allow(ctx context.Context, r browser.Request) bool {
	c := v.gateway.crawl
	v.mu.Lock()
	v.asks++
	many := v.asks > maxRequests
	v.mu.Unlock()
	switch {
	case many:
		v.trap(trapRequests)
		return false
	case len(r.URL) > browser.LongestAddress:
		v.trap(trapLength)
		return false
	case r.First:
		v.announce(r.URL, use{kind: r.Kind, page: true})
		return true
	case r.Redirect, r.Kind == kindPrefetch: // a page of its own, if it belongs to the crawl
		return false
	case r.Navigation:
		return v.mayGo(ctx, r)
	case c.scope.excluded(r.URL):
		v.skip(r.URL, skipExcluded)
		return false
	}
	if !v.allowed(ctx, r.URL) {
		return false
	}
	v.announce(r.URL, use{kind: r.Kind})
	return true
}

// mayGo decides whether the tab may leave its page. The target counts as a link in any case.
func (v *visit) mayGo(ctx context.Context, r browser.Request) bool {
	c := v.gateway.crawl
	if r.URL == v.item.URL && r.Method == http.MethodGet {
		v.mu.Lock()
		v.reloads++
		many := v.reloads > maxReloads
		v.mu.Unlock()
		if !many {
			v.announce(r.URL, use{kind: r.Kind, page: true})
		}
		return !many
	}
	if !r.Acting || c.front != nil && !c.scope.holds(r.URL) || !v.allowed(ctx, r.URL) {
		return false
	}
	v.announce(r.URL, use{kind: r.Kind, pass: r.Method == http.MethodGet})
	return true
}

// trusts reports whether actions may type into a document with this address: within the scope or, for the scopes of one page and of
// any page, on the hosts of the seeds.
func (s *scope) trusts(address string) bool {
	if s.of.Scope != ScopePage && s.of.Scope != ScopeAny {
		return s.within(address)
	}
	return slices.ContainsFunc(s.of.Seeds, func(seed string) bool { return bareHost(seed) == bareHost(address) })
}

// allowed checks the robots.txt of the host.
func (v *visit) allowed(ctx context.Context, address string) bool {
	c := v.gateway.crawl
	reason, _, err := c.refused(ctx, itemOf(address, frontier.Item{Kind: frontier.Part, Tries: maxTries}))
	if reason != "" {
		v.skip(address, reason)
	}
	return err == nil && reason == ""
}

// end accepts no more requests, waits a while for open ones, and then cuts them off.
func (v *visit) end() {
	g := v.gateway
	g.mu.Lock()
	delete(g.visits, v)
	g.mu.Unlock()
	late := time.AfterFunc(g.patience/3, func() { v.cut(client.ErrEnough) })
	v.flying.Wait()
	late.Stop()
	v.cut(nil)
}

// routes returns which routes of a page may be opened, nil if none: they are jumps from it, as its links are.
func (g *gateway) routes(item frontier.Item) func(address string) bool {
	set := g.crawl.set
	if g.crawl.front == nil || set.Links == LinksPagination || set.MaxDepth > 0 && item.Depth >= set.MaxDepth {
		return nil
	}
	return func(address string) bool { return !g.crawl.scope.excluded(address) }
}

// browse opens an item in the browser. The visit has the answers when it returns.
func (g *gateway) browse(ctx context.Context, item frontier.Item) (*visit, browser.Shown, error) {
	v := &visit{item: item, asked: map[string]use{}, traps: map[string]bool{}}
	g.open(ctx, v)
	began := time.Now()
	shown, err := g.browser.Visit(ctx, browser.Visit{
		URL: item.URL, Steps: g.crawl.set.Actions, Guard: v.allow, Trusts: g.crawl.scope.trusts, Scrolls: true,
		Routes: g.routes(item),
	}, maxBody)
	if shown.MoreRoutes {
		v.trap(trapLinks)
	}
	g.crawl.tally.rendered(time.Since(began))
	v.end()
	if v.page == nil && v.err == nil && err == nil {
		// The browser turns some addresses into https, or finds their port unsafe; the request without it shows what the server
		// answers.
		v.page, v.err = g.crawl.ask(ctx, item)
	}
	return v, shown, err
}

// render visits a page in the browser, as [Crawl.visitTo] does without one.
func (c *Crawl) render(ctx context.Context, item frontier.Item, sitemaps []frontier.Item) error {
	v, shown, err := c.gateway.browse(ctx, item)
	e := v.page
	if e != nil {
		defer e.Close()
		c.answered(&item, e)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, browser.ErrCrashed):
		c.log.Warn("the browser crashed on a page", "url", item.URL, "times", item.Tries+1)
		if item.Tries+1 < maxTries {
			return c.askAgain(ctx, item)
		}
		if v.err == nil {
			v.err = err
		}
	case err != nil:
		return err
	}
	if e == nil {
		item.Turn.Status = 0
		return c.noAnswer(ctx, item, v.err)
	}
	if comesBack(e) && item.Tries+1 < maxTries {
		return c.askAgain(ctx, item)
	}
	return c.keepRendered(ctx, item, v, shown, sitemaps)
}

// keepRendered queues the links and parts of a page, and then writes the page.
func (c *Crawl) keepRendered(ctx context.Context, item frontier.Item, v *visit, shown browser.Shown, sitemaps []frontier.Item) error {
	e := v.page
	found := c.read(item, e)
	at := &finder{crawl: c, item: item, now: time.Now(), found: &found}
	at.rendered(shown, e.Status, e.Time)
	found.Items = append(found.Items, sitemaps...)
	v.mu.Lock() // a guard may still run
	found.Skipped = append(found.Skipped, v.skipped...)
	v.mu.Unlock()
	if err := c.front.Found(ctx, found); err != nil {
		return err
	}
	var more warc.Fields
	for _, f := range shown.Failed {
		c.log.Warn("an action failed", "url", item.URL, "line", f.Step.Line, "action", f.Step.String(), "error", f.Err)
		more = append(more, warc.Field{Name: "action-failed", Value: fmt.Sprintf("line %d, %s", f.Step.Line, f.Error())})
	}
	return c.keep(ctx, item, e, more...)
}

// rendered takes links and values from the resulting documents of a page.
func (f *finder) rendered(shown browser.Shown, status int, t time.Time) {
	for i, frame := range shown.Frames {
		body := []byte(frame.HTML)
		further := map[string]bool{}
		if i == 0 {
			page := fields.Page{Body: body, ContentType: renderedAsUTF, URL: frame.URL}
			further = f.pagination(page)
			if !shown.Elsewhere {
				f.found.DocKey, f.found.Doc = "", nil // what was read of the page as it was served
				f.values(page, status, t)
				if status == 200 && !f.crawl.set.secrets.in(f.item.URL) {
					f.crawl.tally.learn(f.item.URL, textOf(body, renderedAsUTF))
				}
			}
		}
		links, _ := linksOf(frame.URL, "", renderedAsUTF, body, uses.Page)
		for _, l := range links {
			f.link(l, true, further)
		}
		f.went(frame.Links)
	}
	f.went(shown.Navigated)
	if shown.Elsewhere && f.item.Hops > 0 {
		f.again(f.item.Via)
		f.again(shown.Frames[0].URL)
	}
}

// again queues a page once more. If a redirect led to the page where steps were performed, such as a login, what redirected may now
// answer with what it has, and so may the page to which the steps led.
func (f *finder) again(address string) {
	next := f.item
	next.Hops, next.Via, next.Tries = 0, f.item.URL, 0
	next = itemOf(address, next)
	next.Key = ownKey(address) + " again"
	f.page(next)
}

// went handles addresses that scripts navigated to as links.
func (f *finder) went(addresses []string) {
	if f.crawl.set.Links == LinksPagination {
		return
	}
	for _, a := range addresses {
		if address, err := reference.Web("", a); err == nil && !strings.HasPrefix(a, "blob:") {
			f.linked(address, 1)
		}
	}
}
