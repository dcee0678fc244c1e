package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/atom"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// A Notifier reads feeds and reports new entries. Only one Notifier may use its store.
type Notifier struct {
	*Settings
	Store     kv.Store
	UserAgent string
	Log       *slog.Logger
	Now       func() time.Time // nil is [time.Now]
}

// Counts say what one pass over the feeds did.
type Counts struct {
	New       int `json:"new"`       // entries
	Delivered int `json:"delivered"` // deliveries
	Failed    int `json:"failed"`    // attempts that are repeated
	GivenUp   int `json:"given_up"`  // deliveries
	Waiting   int `json:"waiting"`   // deliveries
}

func (c *Counts) add(more Counts) {
	c.New += more.New
	c.Delivered += more.Delivered
	c.Failed += more.Failed
	c.GivenUp += more.GivenUp
	c.Waiting += more.Waiting
}

func (n *Notifier) now() time.Time {
	if n.Now == nil {
		return time.Now()
	}
	return n.Now()
}

// Run passes over the feeds until ctx ends.
func (n *Notifier) Run(ctx context.Context) error {
	poll := func() {
		if _, err := n.Once(ctx); err != nil && ctx.Err() == nil {
			n.Log.Error("not all feeds could be polled; the next poll tries again", "error", err)
		}
	}
	poll()
	for range sleep.Every(ctx, n.Every) {
		poll()
	}
	return nil
}

// Once reads all feeds and makes the deliveries that are due. A feed that can't be read doesn't keep the others from being
// reported.
func (n *Notifier) Once(ctx context.Context) (c Counts, err error) {
	for i := range n.Notify {
		r := &n.Notify[i]
		if bad := n.poll(ctx, r, &c); bad != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", public(r.feed(n.Archive)), bad))
		}
		if ctx.Err() != nil {
			return c, err
		}
	}
	return c, errors.Join(err, n.deliverAll(ctx, &c))
}

// receiversAtOnce is the number of receivers to which deliveries are made at the same time.
const receiversAtOnce = 16

// deliverAll makes the deliveries that are due: to each receiver in order, to several at the same time, since one may take long to
// answer.
func (n *Notifier) deliverAll(ctx context.Context, c *Counts) error {
	byReceiver := map[string][]*Rule{}
	for i := range n.Notify {
		r := &n.Notify[i]
		to := string(r.To) // there is one mail server
		if r.To != ByMail {
			to += " " + r.Address
		}
		byReceiver[to] = append(byReceiver[to], r)
	}
	var receivers errgroup.Group
	receivers.SetLimit(receiversAtOnce)
	var mu sync.Mutex
	var failed error
	for _, rules := range byReceiver {
		receivers.Go(func() error {
			for _, r := range rules {
				var of Counts
				err := n.deliver(ctx, r, &of)
				mu.Lock()
				c.add(of)
				failed = errors.Join(failed, err)
				mu.Unlock()
				if ctx.Err() != nil {
					break
				}
			}
			return nil
		})
	}
	_ = receivers.Wait()
	return failed
}

const (
	maxFeed  = 16 << 20 // bytes of a document
	maxPages = 50       // documents of a feed that are read in one pass
	feedTime = 2 * time.Minute
	// pageEntries is the number of entries requested per document.
	pageEntries = "100"
	// maxEntries is the number of entries in one delivery, and maxDeliverySize their size in bytes: a value in the store must be less than
	// 1 MiB.
	maxEntries      = 50
	maxDeliverySize = 256 << 10
)

// poll reads a feed from its newest entry to the first known one, and queues new entries. The entries at the first poll only become
// known.
func (n *Notifier) poll(ctx context.Context, r *Rule, c *Counts) error {
	rule := n.idOf(r)
	at, known, err := n.place(ctx, rule)
	if err != nil {
		return err
	}
	var fresh []atom.Entry
	title, next := "", limited(r.feed(n.Archive))
	for page := 0; next != ""; page++ {
		if page == maxPages {
			n.Log.Warn("a feed has more new entries than are read at once; those before are not reported", "feed", public(r.feed(n.Archive)),
				"entries", len(fresh))
			break
		}
		tag := ""
		if page == 0 {
			tag = at.Tag
		}
		doc, tag, err := n.read(ctx, next, tag)
		if errors.Is(err, errNoFeed) && !known { // what comes later is new
			return errors.Join(err, n.keep(ctx, rule, at, nil, nil))
		}
		if err != nil || doc == nil { // unchanged or failed
			return err
		}
		if page == 0 {
			at.Tag, title = tag, doc.Title
		}
		if !known {
			if last := len(doc.Entries) - 1; doc.Next() != "" && last >= 0 {
				at.Since = doc.Entries[last].Updated.Time
			}
			return n.keep(ctx, rule, at, doc.Entries, nil)
		}
		unknown, err := n.unknown(ctx, rule, doc.Entries)
		if err != nil {
			return err
		}
		for i := range unknown {
			if !unknown[i].Updated.Before(at.Since) {
				fresh = append(fresh, unknown[i])
			}
		}
		if next = doc.Next(); len(unknown) < len(doc.Entries) {
			break
		}
	}
	c.New += len(fresh)
	return n.queue(ctx, r, at, title, fresh)
}

// queue queues deliveries of the entries, the oldest first.
func (n *Notifier) queue(ctx context.Context, r *Rule, at place, title string, fresh []atom.Entry) error {
	rule := n.idOf(r)
	tag := at.Tag
	at.Tag = "" // until all are queued
	for len(fresh) > 0 {
		some := oneDelivery(fresh)
		fresh = fresh[:len(fresh)-len(some)]
		d := &Delivery{Feed: public(r.feed(n.Archive)), Title: title, Entries: some, Made: n.now(), Due: n.now()}
		if err := n.keep(ctx, rule, at, some, d); err != nil {
			return err
		}
		at.Last++
	}
	at.Tag = tag
	return n.keep(ctx, rule, at, nil, nil)
}

// oneDelivery returns the oldest entries that fit into one delivery.
func oneDelivery(fresh []atom.Entry) []atom.Entry {
	from, size := len(fresh), 0
	for from > 0 && len(fresh)-from < maxEntries {
		e := &fresh[from-1]
		size += len(e.ID) + len(e.Title) + len(e.Summary.Body)
		for _, l := range e.Links {
			size += len(l.Href)
		}
		if size > maxDeliverySize && from < len(fresh) {
			break
		}
		from--
	}
	return fresh[from:]
}

// public returns an address without user and password, which are ours and not for those who are notified.
func public(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.String()
}

// limited adds the number of entries to the address of a feed.
func limited(feed string) string {
	u, err := url.Parse(feed)
	if err != nil {
		return feed
	}
	q := u.Query()
	q.Set("limit", pageEntries)
	u.RawQuery = q.Encode()
	return u.String()
}

// userOf returns the name and password that an address of the archive needs, which links to further documents lack. Others get none: also
// not the archive without TLS, if it is known with it.
func userOf(archive string, address *url.URL) *url.Userinfo {
	u, err := url.Parse(archive)
	if err != nil || u.Scheme != address.Scheme || u.Host != address.Host {
		return nil
	}
	return u.User
}

// read reads a document of a feed. It returns nil if the entity tag is still the same.
func (n *Notifier) read(ctx context.Context, address, tag string) (*atom.Page, string, error) {
	ctx, cancel := context.WithTimeout(ctx, feedTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	r.URL.User = userOf(n.Archive, r.URL)
	r.Header.Set("User-Agent", n.UserAgent)
	r.Header.Set("Accept", atom.Type)
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotModified:
		return nil, tag, nil
	case http.StatusNotFound:
		return nil, "", fmt.Errorf("%w: %s", errNoFeed, firstLine(answer.Body))
	default:
		return nil, "", fmt.Errorf("the archive answers %s: %s", answer.Status, firstLine(answer.Body))
	}
	page, err := atom.Read(answer.Body, maxFeed)
	return page, answer.Header.Get("ETag"), err
}

// errNoFeed says that a feed is of nothing that is in the archive.
const errNoFeed = sentinel.Error("the archive answers 404 Not Found")

// firstLine returns the sentence in which an answer says what is wrong.
func firstLine(answer io.Reader) string {
	const longest = 500
	text, _ := io.ReadAll(io.LimitReader(answer, longest)) // what could be read counts
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

const (
	firstPause = time.Minute
	maxPause   = 6 * time.Hour
)

// pause returns the pause after a failed attempt.
func pause(tries int) time.Duration {
	if tries > 10 {
		return maxPause
	}
	return min(firstPause<<max(tries-1, 0), maxPause)
}

// A finalError says that a delivery will never succeed.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// A laterError says that a receiver wants to be asked again after a wait (RFC 9110 §10.2.3).
type laterError struct {
	error
	wait time.Duration
}

func (e laterError) Unwrap() error { return e.error }

// deliver makes the deliveries of a rule in order. A failed one blocks those behind it until it succeeds or is given up.
func (n *Notifier) deliver(ctx context.Context, r *Rule, c *Counts) error {
	rule := n.idOf(r)
	for {
		d, waiting, err := n.first(ctx, rule)
		if err != nil {
			return err
		}
		if d == nil || d.Due.After(n.now()) {
			c.Waiting += waiting
			return nil
		}
		failed := n.send(ctx, r, rule, d)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var final finalError
		switch {
		case failed == nil:
			c.Delivered++
			err = n.done(ctx, rule, d)
		case errors.As(failed, &final) || n.now().Sub(d.Made) >= n.GiveUp:
			c.GivenUp++
			n.Log.Error("a notification is given up", "to", r.To, "address", public(r.Address), "feed", d.Feed, "entries", len(d.Entries),
				"tries", d.Tries+1, "error", failed)
			err = n.done(ctx, rule, d)
		default:
			c.Failed++
			d.Tries++
			var later laterError
			errors.As(failed, &later)
			d.Due, d.Error = n.now().Add(min(max(pause(d.Tries), later.wait), maxPause)), failed.Error()
			n.Log.Warn("a notification could not be delivered, and is tried again", "to", r.To, "address", public(r.Address), "at", d.Due,
				"error", failed)
			err = n.later(ctx, rule, d)
		}
		if err != nil {
			return err
		}
	}
}

func (n *Notifier) send(ctx context.Context, r *Rule, rule ruleID, d *Delivery) error {
	switch r.To {
	case ByMail:
		return n.mail(ctx, r, rule, d)
	case Hub:
		return n.publish(ctx, r)
	}
	return n.post(ctx, r, rule, d)
}

// Waiting returns the number of queued deliveries.
func (n *Notifier) Waiting(ctx context.Context) (all int, err error) {
	for i := range n.Notify {
		_, waiting, err := n.first(ctx, n.idOf(&n.Notify[i]))
		if err != nil {
			return 0, err
		}
		all += waiting
	}
	return all, nil
}
