package crawl

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/rewrite/reference"
)

// A Trial is the result of applying a template to one page.
type Trial struct {
	Rows   []fields.Row      // one if the template has no rows
	Cut    bool              // there are more
	Failed []browser.Failure // actions that could not be performed
}

// Try requests one page, with the browser if the settings require it, and applies the template to it. It writes nothing. Of cfg it
// uses only Settings, Agent, Chromium, Scratch and Log.
func Try(ctx context.Context, cfg Config, address string) (t Trial, err error) {
	address, err = reference.Web("", address)
	if err != nil {
		return t, err
	}
	c := &Crawl{cfg: cfg, set: &cfg.Settings, log: cfg.Log, tally: newTally(time.Now())}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.agent, err = agentOf(cfg); err != nil {
		return t, err
	}
	c.scope, c.silent = newScope(c.set), newSilentHosts()
	c.client = client.New(client.Config{
		UserAgent: c.agent, AllowPrivate: c.set.AllowPrivate, InsecureTLS: c.set.InsecureTLS,
		MaxBytes: math.MaxInt64, HeadTime: headTime,
	})
	defer c.client.Close()
	if c.set.Browser {
		if c.gateway, err = c.openGateway(ctx); err != nil {
			return t, err
		}
		defer func() { err = errors.Join(err, c.gateway.browser.Close()) }()
	}
	for range maxHops + 1 {
		next, err := (trial{c}).tryOnce(ctx, address, &t)
		if err != nil || next == "" {
			return t, err
		}
		address = next
	}
	return t, errors.New("it redirects again and again")
}

// A trial requests one page and writes nothing.
type trial struct{ *Crawl }

// tryOnce requests a page. next is the target of a redirect, or "".
func (c trial) tryOnce(ctx context.Context, address string, t *Trial) (next string, err error) {
	e, shown, err := c.tryAsk(ctx, address)
	if err != nil {
		return "", err
	}
	defer e.Close()
	if location := e.Header.Get("Location"); e.Status >= 300 && e.Status <= 399 && location != "" {
		return reference.Web(address, location)
	}
	page := fields.Page{ContentType: e.ContentType(), URL: address}
	if len(shown.Frames) > 0 {
		page = fields.Page{Body: []byte(shown.Frames[0].HTML), ContentType: renderedAsUTF, URL: shown.Frames[0].URL}
	} else if page.Body, err = e.Body(maxBody); err != nil {
		return "", err
	}
	t.Failed = shown.Failed
	parsed, err := fields.Parse(page)
	if err != nil {
		return "", nil // a document that can't be parsed has no values
	}
	t.Rows, t.Cut, err = c.set.template.Rows(ctx, parsed)
	return "", err
}

// tryAsk requests a page, and opens it in the browser if there is one.
func (c trial) tryAsk(ctx context.Context, address string) (*client.Exchange, browser.Shown, error) {
	if c.gateway == nil {
		e, err := c.client.Get(ctx, address, http.Header{"Accept": {client.AcceptPage}})
		return e, browser.Shown{}, err
	}
	v, shown, err := c.gateway.browse(ctx, frontier.Item{URL: address})
	if v.page != nil && err == nil {
		return v.page, shown, nil
	}
	if v.page != nil {
		err = errors.Join(err, v.page.Close())
	}
	return nil, shown, cmp.Or(err, v.err)
}
