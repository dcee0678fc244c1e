package crawl

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/record"
)

// A use is what a page requests an address for.
type use struct {
	kind string // see [browser.Request]
	page bool   // the page of the visit itself
	pass bool   // it isn't kept, because it will be visited as a page of its own
}

// An asking is a request of the browser. Its answer is kept if the item is claimed.
type asking struct {
	visit       *visit
	use         use
	uri, method string

	item    frontier.Item
	claimed bool
	sent    string // key of the request with its body, "" without one
}

// maxSent is the largest request body, in bytes, whose answer is kept.
const maxSent = 1 << 20

// prepare claims the item of a request, and makes the request ask for the whole resource in codings that archives can decode.
func (a *asking) prepare(ctx context.Context, out *http.Request) error {
	out.Header.Del("Range")
	out.Header.Set("Accept-Encoding", "gzip, deflate, br")
	c := a.visit.gateway.crawl
	a.item = itemOf(a.uri, frontier.Item{
		Kind: frontier.Part, Depth: a.visit.item.Depth, Level: a.visit.item.Level + 1, Via: a.visit.item.URL,
	})
	if a.use.page || a.use.pass || c.front == nil || c.set.secrets.in(a.uri) {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // the frontier must know of the claim even if the visit ends meanwhile
	switch a.method {
	case http.MethodGet:
		return a.claim(ctx)
	case http.MethodHead, http.MethodOptions: // they have no body to replay
		return nil
	}
	return a.send(ctx, out)
}

// claim claims an address, unless it is done or will be visited as a page.
func (a *asking) claim(ctx context.Context) error {
	c := a.visit.gateway.crawl
	frame := a.use.kind == kindDocument
	if frame && c.scope.holds(a.uri) && c.reached(ctx) == "" {
		a.item.Kind, a.item.Level, a.item.Run = frontier.Page, 0, runOf(a.uri, a.visit.item.Run)
	}
	keys := []string{a.item.Key}
	if exact := exactKey(a.uri); exact != a.item.Key { // for the crawl the address equals another, for a replay it doesn't
		keys = append(keys, exact)
	}
	for _, key := range keys {
		item := a.item
		item.Key = key
		claimed, ok, err := c.front.Claim(ctx, item)
		if err != nil {
			return err
		}
		if ok && (claimed.Kind != frontier.Part && !frame || claimed.Seed) { // it is visited as a page of its own
			return a.release(ctx, claimed)
		}
		if ok && claimed.URL != a.uri { // another address with the same key is queued
			if err := a.release(ctx, claimed); err != nil {
				return err
			}
			continue
		}
		if ok {
			a.item, a.claimed = claimed, true
			return nil
		}
	}
	return nil
}

// release gives back a claimed item. If that fails, this request keeps it.
func (a *asking) release(ctx context.Context, claimed frontier.Item) error {
	err := a.visit.gateway.crawl.front.Back(ctx, claimed)
	if err != nil {
		a.item, a.claimed = claimed, true
	}
	return err
}

// send records the body of a request, so that equal requests are kept once.
func (a *asking) send(ctx context.Context, out *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(out.Body, maxSent+1))
	if err != nil {
		return err
	}
	rest := out.Body
	if len(body) > maxSent {
		out.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), rest))
		return nil
	}
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) == 0 {
		out.Body = http.NoBody
	}
	c := a.visit.gateway.crawl
	key := sentKey(a.uri, a.method, record.RedactBody(body, out.Header))
	if !a.visit.gateway.begin(key) {
		return nil
	}
	known, err := c.front.Knows(ctx, key)
	if err != nil || known {
		a.visit.gateway.done(key)
		return err
	}
	a.item.Key, a.sent = key, key
	return nil
}

// sentKey returns the key of a request with a body.
func sentKey(uri, method string, body []byte) string {
	sum := sha1.Sum(body)
	return keyOf(uri) + " " + method + " " + hex.EncodeToString(sum[:])
}

// lasting reports whether the browser may reuse resources of a kind on other pages. It requests other kinds each time, so that no
// page is shown from the browser's cache.
func lasting(key string) bool {
	switch key {
	case "Stylesheet", "Script", "Image", "Font", "Media":
		return true
	}
	return false
}

// store sets the caching headers of an answer for the browser, and removes what it says about its host.
func (a *asking) store(answer *http.Response) {
	answer.Header = answer.Header.Clone()
	how := "no-store"
	if lasting(a.use.kind) && a.method == http.MethodGet && answer.StatusCode == http.StatusOK {
		how = "max-age=86400"
		answer.Header.Del("Vary") // else it is asked for again for another page
	}
	// Strict-Transport-Security would make the browser request other addresses than the crawl.
	for _, name := range []string{"Expires", "Pragma", "Age", "Strict-Transport-Security"} {
		answer.Header.Del(name)
	}
	answer.Header.Set("Cache-Control", how)
}

// failed handles a request without an answer. A claimed item stays in the queue, to be requested once more without the browser.
func (a *asking) failed(ctx context.Context, err error) {
	c := a.visit.gateway.crawl
	ctx = context.WithoutCancel(ctx)
	switch {
	case a.use.page:
		a.visit.answered(nil, err)
	case a.claimed && errors.Is(err, client.ErrPrivate):
		c.failed.unless(c.skip(ctx, a.item, skipPrivate))
	case a.claimed:
		c.failed.unless(c.front.Back(ctx, a.item))
	case a.sent != "":
		a.visit.gateway.done(a.sent)
		if errors.Is(err, client.ErrPrivate) {
			a.visit.skip(a.uri, skipPrivate)
		}
	}
}

// answered reads an answer and writes it, if it is to be kept.
func (a *asking) answered(ctx context.Context, e *client.Exchange) {
	if a.use.page {
		a.visit.answered(e, nil)
		return
	}
	defer e.Close()
	c := a.visit.gateway.crawl
	if c.front == nil {
		return
	}
	cut := ctx.Err() != nil // the visit did not wait for its end
	ctx = context.WithoutCancel(ctx)
	if a.claimed {
		c.answered(&a.item, e)
	}
	switch {
	case a.claimed && comesBack(e) && a.item.Tries+1 < maxTries:
		c.failed.unless(c.askAgain(ctx, a.item))
	case a.claimed && isCut(e):
		c.failed.unless(c.front.Back(ctx, a.item))
	case a.claimed:
		if err := a.read(ctx, e, cut); err != nil {
			c.failed.unless(errors.Join(err, c.front.Back(ctx, a.item)))
			return
		}
		c.failed.unless(c.keep(ctx, a.item, e))
	case a.sent != "":
		defer a.visit.gateway.done(a.sent)
		c.failed.unless(c.keepSent(ctx, a.item, e))
	}
}

// read queues the addresses in an answer before the item is done, so that a crash can't lose them. An answer that is cut off isn't
// read.
func (a *asking) read(ctx context.Context, e *client.Exchange, cut bool) error {
	if cut {
		return nil
	}
	g := a.visit.gateway
	g.reading <- struct{}{}
	defer func() { <-g.reading }()
	return g.crawl.front.Found(ctx, g.crawl.read(a.item, e))
}

// isCut reports whether the visit cut an answer off. Without the browser it can be requested whole.
func isCut(e *client.Exchange) bool {
	stream := strings.HasPrefix(strings.ToLower(e.ContentType()), "text/event-stream")
	return e.Truncated == "time" && e.Header.Get("Content-Length") != "" && !stream
}
