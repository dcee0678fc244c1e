package follow

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	neturl "net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// Agent is the name of the follower in robots.txt files (RFC 9309 §2.2.1).
const Agent = "varve"

const (
	maxHops = 5
	// maxTurn is the longest wait for a turn at a host. After that the request is repeated later.
	maxTurn = 20 * time.Second
)

// Reasons why an address isn't requested.
const (
	errRobots = sentinel.Error("its robots.txt forbids to ask for it")
	errBudget = sentinel.Error("the budget of the day is spent")
)

// A restError says that a host must not be asked for a time.
type restError struct {
	host string
	wait time.Duration
}

func (e *restError) Error() string {
	return fmt.Sprintf("%s wants to be left alone for %s", e.host, e.wait.Round(time.Second))
}

// A web makes requests to the live web and writes the answers.
type web struct {
	*state
	feeds  *client.Client // for small documents that are read at once
	pages  *client.Client
	hosts  *politeness.Hosts
	robots *robots.Cache // nil if they are ignored
	writer *write.Writer
	window *window
	// writing is read-locked from the writing of an answer until the store knows of it, so that no file is finished in between. So
	// after a crash only unfinished files can contain answers unknown to the store.
	writing sync.RWMutex
	dirty   atomic.Bool // something was written since the last file was finished
}

// ask requests an address when its host is free.
func (f *web) ask(ctx context.Context, with *client.Client, address string, header http.Header) (*client.Exchange, error) {
	u, err := neturl.Parse(address)
	if err != nil {
		return nil, err
	}
	return f.askFor(ctx, u, func() (*client.Exchange, error) { return with.Get(ctx, address, header) })
}

// askFor calls do, which requests an address, when the host is free.
func (f *web) askFor(ctx context.Context, u *neturl.URL, do func() (*client.Exchange, error)) (*client.Exchange, error) {
	if f.robots != nil {
		rules, err := f.robots.For(ctx, u, f.now())
		switch {
		case err != nil:
			return nil, err
		case rules.Unreachable != nil:
			return nil, rules.Unreachable
		case !rules.Allow(u):
			return nil, errRobots
		}
		f.hosts.Crawl(u.Host, rules.Delay)
	}
	if err := f.turn(ctx, u.Host); err != nil {
		return nil, err
	}
	e, err := do()
	answer := politeness.Answer{}
	if err == nil {
		answer = politeness.Answer{Took: e.Took, Status: e.Status, RetryAfter: e.Header.Get("Retry-After")}
	}
	f.hosts.Done(u.Host, f.now(), answer)
	f.spend(e)
	return e, err
}

// turn waits for a turn at a host, which ends with [politeness.Hosts.Done].
func (f *web) turn(ctx context.Context, host string) error {
	if f.spent() {
		return errBudget
	}
	for until := time.Now().Add(maxTurn); ; {
		ok, wait := f.hosts.Take(host, f.now())
		if ok {
			return nil
		}
		if wait > maxTurn || time.Now().After(until) {
			return &restError{host, max(wait, time.Second)}
		}
		if err := sleep.For(ctx, max(wait, 10*time.Millisecond)); err != nil {
			return err
		}
	}
}

// A chain is an answer preceded by the redirects to it.
type chain []*client.Exchange

func (c chain) last() *client.Exchange { return c[len(c)-1] }

func (c chain) close() {
	for _, e := range c {
		_ = e.Close()
	}
}

// permanent returns the address to which a page has moved permanently, or "".
func (c chain) permanent() (to string) {
	for i, e := range c[:len(c)-1] {
		if e.Status != http.StatusMovedPermanently && e.Status != http.StatusPermanentRedirect {
			break
		}
		to = c[i+1].URL
	}
	return to
}

// get requests an address and follows redirects, with the cookies that these set. since, unless nil, returns the conditional header fields
// for an address.
func (f *web) get(ctx context.Context, with *client.Client, address string, since func(string) http.Header) (all chain, err error) {
	cookies := client.NewCookies()
	for range maxHops + 1 {
		header := http.Header{}
		if since != nil {
			maps.Copy(header, since(address))
		}
		maps.Copy(header, cookies.Header(address))
		e, err := f.ask(ctx, with, address, header)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, e)
		cookies.Set(address, e.Header)
		location := e.Header.Get("Location")
		if e.Status < 300 || e.Status > 399 || e.Status == http.StatusNotModified || location == "" {
			return all, nil
		}
		if address, err = feed.Resolve(address, location); err != nil {
			all.close()
			return nil, fmt.Errorf("it redirects to %.100q: %w", location, err)
		}
	}
	all.close()
	return nil, fmt.Errorf("it redirects more than %d times", maxHops)
}

// validators returns those that an answer names, else those that were known before.
func validators(h http.Header, etag, modified string) (newTag, newModified string) {
	return cmp.Or(h.Get("ETag"), etag), cmp.Or(h.Get("Last-Modified"), modified)
}

func conditional(etag, modified string) http.Header {
	h := http.Header{}
	if etag != "" {
		h.Set("If-None-Match", etag)
	}
	if modified != "" {
		h.Set("If-Modified-Since", modified)
	}
	return h
}

// fetchRobots requests a robots.txt, and writes the answer.
func (f *web) fetchRobots(ctx context.Context, address string, most int64) (robots.File, error) {
	return f.feeds.Robots(ctx, address, most, func(e *client.Exchange) error {
		f.spend(e)
		if e == nil {
			return nil
		}
		f.writing.RLock()
		defer f.writing.RUnlock()
		return f.write(ctx, e, "")
	})
}

func (f *web) writeAll(ctx context.Context, all chain, via string) error {
	for _, e := range all {
		if err := f.write(ctx, e, via); err != nil {
			return err
		}
		via = e.URL
	}
	return nil
}

// write writes an answer, as a revisit if its payload is known. via is the address of the document that named it.
func (f *web) write(ctx context.Context, e *client.Exchange, via string) error {
	x := e.Record(via)
	written, err := f.writer.Write(x)
	if err != nil {
		return f.fatal(err)
	}
	f.count(func(t *totals) { t.Captured++ })
	f.dirty.Store(true)
	if written.Revisit || e.Truncated != "" {
		return nil
	}
	return f.fatal(f.put(ctx, payloadKey(written.Payload), seen{e.URL, e.Time, write.FinalName(written.Path)}))
}
