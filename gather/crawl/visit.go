package crawl

import (
	"context"
	"errors"
	"maps"
	"math"
	"net/http"
	neturl "net/url"
	"strconv"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

const (
	maxBody  = 20 << 20 // of a document that is read for its links, in bytes
	maxTries = 3        // of an address that doesn't answer, asks to come back, or whose answer is cut off
	maxLevel = 5        // nesting of parts: style sheets that import others, frames in frames
	maxChain = 20       // nesting of modules that import others
)

// Reasons of skips, beside [frontier.Trap].
const (
	skipRobots      = "robots"
	skipScope       = "scope"
	skipDepth       = "depth"
	skipExcluded    = "excluded"
	skipPrivate     = "private"
	skipUnreachable = "unreachable"
	skipMalformed   = "malformed"
)

// visit requests an item, queues the addresses in its answer, writes the answer and removes the item from the queue, in this order.
func (c *Crawl) visit(ctx context.Context, item frontier.Item) {
	err := c.visitTo(ctx, item)
	if err == nil {
		return
	}
	if back := c.front.Back(context.WithoutCancel(ctx), item); back != nil {
		c.log.Debug("an item could not be taken back", "url", item.URL, "error", back)
	}
	if ctx.Err() == nil {
		c.failed.set(err)
	}
}

func (c *Crawl) visitTo(ctx context.Context, item frontier.Item) error {
	item.Turn.Status = http.StatusOK // until there is an answer
	refused, sitemaps, err := c.refused(ctx, item)
	if later := (laterError{}); errors.As(err, &later) {
		item.Turn = politeness.Answer{
			Status: http.StatusServiceUnavailable, RetryAfter: strconv.Itoa(int(math.Ceil(later.wait.Seconds()))),
		}
		return c.askAgain(ctx, item)
	}
	if err != nil {
		return err
	}
	if refused != "" {
		c.recent.note(item, frontier.Answer{Skip: frontier.Skip{Reason: refused}}, nil)
		return c.skip(ctx, item, refused)
	}
	if c.gateway != nil && item.Kind == frontier.Page {
		return c.render(ctx, item, sitemaps)
	}
	e, err := c.ask(ctx, item)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		item.Turn.Status = 0
		return c.noAnswer(ctx, item, err)
	}
	defer e.Close()
	c.answered(&item, e)
	if comesBack(e) && item.Tries+1 < maxTries {
		return c.askAgain(ctx, item)
	}
	found := c.read(item, e)
	found.Items = append(found.Items, sitemaps...)
	if err := c.front.Found(ctx, found); err != nil {
		return err
	}
	return c.keep(ctx, item, e)
}

// ask requests an item without the browser. With a browser, the request shares its turns.
func (c *Crawl) ask(ctx context.Context, item frontier.Item) (*client.Exchange, error) {
	if c.gateway != nil {
		leave, err := c.gateway.turns.enter(ctx, item.Host)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	header := http.Header{}
	if c.cookies != nil {
		maps.Copy(header, c.cookies.Header(item.URL))
	}
	if item.Kind == frontier.Page {
		header.Set("Accept", client.AcceptPage)
	}
	e, err := c.client.Get(ctx, item.URL, header)
	if err == nil && c.cookies != nil {
		c.cookies.Set(item.URL, e.Header)
	}
	return e, err
}

func (c *Crawl) answered(item *frontier.Item, e *client.Exchange) {
	c.silent.answered(item.Host)
	item.Turn = politeness.Answer{Took: e.Took, Status: e.Status, RetryAfter: e.Header.Get("Retry-After")}
	c.recent.note(*item, frontier.Answer{Status: e.Status, Bytes: e.Response().Size()}, nil)
	if item.Kind == frontier.Page {
		c.tally.visited(item.Key, e)
	}
}

// comesBack reports whether an answer asks to repeat the request later, or its connection ended before it did.
func comesBack(e *client.Exchange) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable || e.Truncated == "disconnect"
}

// noAnswer queues an item without an answer again, a few times.
func (c *Crawl) noAnswer(ctx context.Context, item frontier.Item, err error) error {
	reason := skipUnreachable
	if client.IsTimeout(err) {
		c.silent.timedOut(item.Host, time.Now())
	}
	if errors.Is(err, client.ErrPrivate) {
		reason = skipPrivate
	}
	c.recent.note(item, frontier.Answer{Skip: frontier.Skip{Reason: reason}}, err)
	if reason == skipPrivate {
		return c.skip(ctx, item, reason)
	}
	if item.Tries+1 < maxTries && !client.IsTimeout(err) {
		c.log.Debug("no answer", "url", item.URL, "error", err)
		return c.askAgain(ctx, item)
	}
	c.unreachable(item, err)
	return c.skip(ctx, item, reason)
}

// unreachable logs one unreachable address of each host, so that whoever runs the crawl learns why pages are incomplete.
func (c *Crawl) unreachable(item frontier.Item, err error) {
	if !c.silent.markLogged(item.Host) {
		c.log.Debug("no answer", "url", item.URL, "error", err)
		return
	}
	c.log.Warn("no answer, so this is left out, and all else that the host does not answer", "host", item.Host, "url", item.URL, "error", err)
}

// skip removes an item from the queue that isn't requested, or doesn't answer.
func (c *Crawl) skip(ctx context.Context, item frontier.Item, reason string) error {
	c.waits(item, false)
	_, err := c.front.Done(ctx, item, frontier.Answer{Skip: frontier.Skip{Reason: reason}})
	return err
}

// keep writes the answer, with further metadata, and removes the item from the queue. steps are those that failed on the page. If
// others took this process for dead, the item now belongs to another process, which writes the answer.
func (c *Crawl) keep(ctx context.Context, item frontier.Item, e *client.Exchange, steps ...warc.Field) error {
	if mine, err := c.front.Holds(ctx, item); err != nil {
		return err
	} else if !mine {
		c.log.Warn("others took this process for dead, so it leaves an answer to them", "url", item.URL)
		return c.front.Back(ctx, item)
	}
	a, err := c.write(item, e, steps...)
	if err != nil {
		return err
	}
	a.Failed = len(steps)
	c.waits(item, false)
	isNew, err := c.front.Done(context.WithoutCancel(ctx), item, a) // only now, because it is written
	if err == nil && !isNew {
		c.log.Warn("others took this process for dead while it wrote an answer, which may be theirs", "url", item.URL)
		c.contest()
	}
	return err
}

// write writes an answer and returns what the frontier records of it.
func (c *Crawl) write(item frontier.Item, e *client.Exchange, more ...warc.Field) (frontier.Answer, error) {
	x := e.Record(item.Via)
	x.URI, x.Metadata = item.URL, append(x.Metadata, more...)
	a := frontier.Answer{Status: e.Status, Bytes: e.Response().Size()}
	if c.set.Browser {
		free, err := c.withoutSecrets(&x)
		if err != nil {
			return a, err
		}
		defer free()
	}
	written, err := c.writer.Write(x)
	a.File = write.FinalName(written.Path)
	if err == nil && e.Truncated == "" && !written.Revisit {
		a.Digest = digestKey(written.Payload)
		a.Seen = frontier.Seen{URI: item.URL, Time: e.Time, File: a.File}
	}
	return a, err
}

// digestKey returns a key that payloads share if the second need not be written.
func digestKey(p write.Payload) string { return strconv.Itoa(p.Status) + " " + p.Digest.String() }

// known returns the capture with a payload, if its file still exists. The files of other processes can't be checked; a known
// payload counts as written there.
func (c *Crawl) known(ctx context.Context, p write.Payload) (write.Original, bool) {
	seen, ok, err := c.front.Payload(ctx, digestKey(p))
	if err != nil || !ok {
		return write.Original{}, false // at worst it is written again
	}
	if c.cfg.Shared {
		return write.Original{URI: seen.URI, Time: seen.Time}, true
	}
	there := recovery{c}.isOpen(seen.File)
	if !there {
		path, err := recovery{c}.complete(ctx, seen.File)
		there = err == nil && path != ""
	}
	return write.Original{URI: seen.URI, Time: seen.Time}, there
}

// A laterError says that a host can't be asked now, because its robots.txt doesn't answer, and when to try again.
type laterError struct{ wait time.Duration }

func (e laterError) Error() string { return "the robots.txt does not answer" }

// refused checks the robots.txt of the host, and returns the reason why the item must not be requested, or "". For a seed it also
// returns the sitemaps.
func (c *Crawl) refused(ctx context.Context, item frontier.Item) (reason string, sitemaps []frontier.Item, err error) {
	var rules robots.Rules
	if c.silent.isSilent(item.Host, time.Now()) {
		return skipUnreachable, nil, nil
	}
	if c.robots != nil {
		u, err := neturl.Parse(item.URL)
		if err != nil { // it parsed when it was found
			return skipUnreachable, nil, nil
		}
		rules, err = c.robots.For(ctx, u, time.Now())
		switch {
		case errors.Is(err, client.ErrPrivate):
			return skipPrivate, nil, nil
		case err != nil:
			return "", nil, err
		case rules.Again > 0 && item.Tries+1 < maxTries:
			return "", nil, laterError{rules.Again}
		case rules.Unreachable != nil:
			c.unreachable(item, rules.Unreachable)
			return skipUnreachable, nil, nil
		case !rules.Allow(u):
			return skipRobots, nil, nil
		}
		if err := c.front.Slow(ctx, item, rules.Delay); err != nil {
			return "", nil, err
		}
	}
	if c.set.Sitemaps && c.set.Scope != ScopePage && c.set.Links != LinksPagination && item.Seed && item.Hops == 0 {
		sitemaps = c.sitemaps(item, rules.Sitemaps)
	}
	return "", sitemaps, nil
}

// sitemaps returns the sitemaps of a seed's host: those in its robots.txt, or the usual one.
func (c *Crawl) sitemaps(item frontier.Item, named []string) (items []frontier.Item) {
	if len(named) == 0 {
		named = []string{defaultMap}
	}
	for _, ref := range named {
		if address, err := reference.Web(item.URL, ref); err == nil && !c.scope.excluded(address) {
			items = append(items, itemOf(address, frontier.Item{Kind: frontier.Sitemap, Via: item.URL}))
		}
	}
	return items
}

// itemOf sets the fields of an item that follow from its address.
func itemOf(address string, item frontier.Item) frontier.Item {
	if u, err := neturl.Parse(address); err == nil && u.User != nil {
		u.User = nil
		address = u.String()
	}
	item.URL, item.Host = address, reference.Host(address)
	item.Key = keyOf(address)
	return item
}

// fetchRobots requests a robots.txt, and writes the answer. It needs no turn, because the item has one at this host.
func (c *Crawl) fetchRobots(ctx context.Context, address string, most int64) (robots.File, error) {
	return c.client.Robots(ctx, address, most, func(e *client.Exchange) error {
		if e == nil {
			return nil
		}
		_, err := c.write(frontier.Item{URL: address}, e)
		return err
	})
}

// read returns what an answer contributes to the frontier.
func (c *Crawl) read(item frontier.Item, e *client.Exchange) (found frontier.Found) {
	at := &finder{crawl: c, item: item, now: time.Now(), found: &found}
	location := e.Header.Get("Location")
	if e.Status >= 300 && e.Status <= 399 && location != "" { // without it browsers show the page
		at.redirect(location, c.cookies != nil && e.Header.Get("Set-Cookie") != "")
		return found
	}
	if e.Status < 200 || e.Status > 299 && item.Kind != frontier.Page {
		return found
	}
	limit := int64(maxBody)
	if item.Kind == frontier.Sitemap {
		limit = maxSitemap
	}
	body, err := e.Body(limit)
	if err != nil {
		c.log.Debug("an answer can't be decoded", "url", item.URL, "error", err)
		return found
	}
	if item.Kind == frontier.Sitemap {
		at.sitemap(body, e.Truncated == "" && len(body) < maxSitemap)
		return found
	}
	for _, l := range headerLinks(item.URL, e.Header) {
		at.link(l, item.Kind == frontier.Page, nil)
	}
	at.document(e.ContentType(), body, e.Status, e.Time)
	return found
}

// useOf returns the use of an item, as far as it matters for reading it.
func useOf(item frontier.Item) uses.Use {
	if item.Kind == frontier.Page {
		return uses.Page
	}
	if use, ok := uses.Parse(item.Use); ok && item.Use != "" {
		return use
	}
	return uses.Object
}

// readAs returns what an item has as its use: style sheets are read as such whatever their type is, and modules import others.
func readAs(use uses.Use) string {
	if use == uses.Style || use.IsModule() {
		return use.String()
	}
	return ""
}
