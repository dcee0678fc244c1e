package follow

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	neturl "net/url"
	"strings"
	"time"

	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/follow/push"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/rewrite/reference"
)

const (
	// pushInterval is the shortest time between two requests that a hub or a cloud triggers.
	pushInterval = time.Minute
	// pingInterval is the same for pings, which anybody can send.
	pingInterval = 5 * time.Minute
	// hubTime is the time limit for a request to a hub.
	hubTime = 20 * time.Second
)

// announce records the hub or cloud that a document names, if this process has a public URL.
func (f *poller) announce(s *source, doc *feed.Document, all chain) {
	if f.set.Push.PublicURL == "" || len(all) == 0 {
		return
	}
	e := all.last()
	hubs, self := push.Discover(e.Header)
	if len(hubs) == 0 {
		hubs = doc.Hubs
	}
	topic, err := feed.Resolve(e.URL, cmp.Or(self, doc.Self))
	if err != nil {
		topic = e.URL
	}
	hub, cloud := "", ""
	if len(hubs) > 0 {
		hub, _ = feed.Resolve(e.URL, hubs[0])
	}
	if doc.Cloud != nil && doc.Cloud.Protocol == "http-post" {
		cloud = doc.Cloud.URL
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Push.Found(hub, topic, cloud)
}

// subscribe requests a subscription from a hub or a cloud, which calls [Follower.Verify] back.
func (f *poller) subscribe(ctx context.Context, s *source) {
	f.mu.Lock()
	now, base := f.now(), f.set.Push.PublicURL
	to, isCloud := s.Push.Hub, s.Push.Hub == ""
	var form neturl.Values
	var err error
	if isCloud {
		to = s.Push.Cloud
		form, err = s.Push.Register(base, s.url, now)
	} else {
		form = s.Push.Subscribe(base, now)
	}
	f.mu.Unlock()
	_ = f.fatal(f.remember(ctx, s)) // before the hub calls back
	if err == nil {
		err = f.post(ctx, to, form)
	}
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	switch {
	case err != nil:
		s.Push.Fail(f.now(), err.Error())
	case isCloud:
		s.Push.Registered(f.now())
	}
	f.mu.Unlock()
	if err != nil {
		f.log.Info("no subscription, so the source is polled", "source", s.url, "hub", to, "error", err)
	}
	_ = f.fatal(f.remember(ctx, s))
}

// post sends a form, and sends it again to where a hub redirects (WebSub §5.1.2). The answers aren't archived: they concern only the hub
// and this process.
func (f *poller) post(ctx context.Context, to string, form neturl.Values) (err error) {
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	for range maxHops + 1 {
		if to, err = f.postTo(ctx, to, form); to == "" || err != nil {
			return err
		}
	}
	return fmt.Errorf("it redirects more than %d times", maxHops)
}

// postTo sends a form to one address, and returns where it redirects, "" if it takes the form.
func (f *poller) postTo(ctx context.Context, to string, form neturl.Values) (next string, err error) {
	req, err := http.NewRequest(http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	host := reference.Host(to)
	if err := f.turn(ctx, host); err != nil {
		return "", err
	}
	req.Header = http.Header{"User-Agent": {f.set.UserAgent}, "Content-Type": {"application/x-www-form-urlencoded"}}
	e, err := f.feeds.Do(ctx, req, nil)
	f.spend(e)
	if err != nil {
		f.hosts.Done(host, f.now(), politeness.Answer{})
		return "", err
	}
	defer e.Close()
	f.hosts.Done(host, f.now(), politeness.Answer{Took: e.Took, Status: e.Status, RetryAfter: e.Header.Get("Retry-After")})
	switch {
	case e.Status >= 200 && e.Status <= 299:
		return "", nil
	case e.Status == http.StatusTemporaryRedirect, e.Status == http.StatusPermanentRedirect:
		return feed.Resolve(to, e.Header.Get("Location"))
	}
	said, _ := e.Body(200)
	return "", fmt.Errorf("status %d: %q", e.Status, bytes.TrimSpace(said))
}

// A receiver handles messages from hubs and sites. It implements [push.Sink].
type receiver struct{ *state }

// Handler returns the handler for messages from hubs, clouds and sites.
func (f *Follower) Handler() http.Handler {
	prefix := ""
	if u, err := neturl.Parse(f.set.Push.PublicURL); err == nil {
		prefix = u.Path
	}
	return push.Handler(prefix, &receiver{f.state})
}

func (f *receiver) Verify(token string, q neturl.Values) (challenge string, ok bool) {
	f.mu.Lock()
	s := f.byToken(token)
	if s == nil {
		f.mu.Unlock()
		return "", false
	}
	challenge, ok = s.Push.Verify(q, f.now())
	f.mu.Unlock()
	if ok {
		_ = f.fatal(f.remember(context.Background(), s))
	}
	return challenge, ok
}

// Deliver implements [push.Sink]. A fat ping contains the feed, whose entries are processed at once. The feed's own server is
// polled too, because a copy from a hub is no capture of the feed.
func (f *receiver) Deliver(token, signature, contentType string, body []byte) bool {
	f.mu.Lock()
	s := f.byToken(token)
	isMine := s != nil && s.Push.Hub != "" && s.Push.Until.After(f.now())
	var err error
	if isMine {
		err = s.Push.Signed(signature, body)
	}
	if !isMine || err != nil {
		f.totals.Forged++
		f.mu.Unlock()
		if err != nil {
			f.log.Info("a delivery is not taken", "source", s.url, "error", err)
		}
		return isMine
	}
	f.totals.Pushed++
	s.Push.Notified(f.now())
	topic := s.Push.Topic
	f.mu.Unlock()
	doc, err := feed.Read(body, contentType, topic) // it can't read a thin ping
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && s.Aside == "" && len(s.fat) < maxFat {
		s.fat = append(s.fat, doc)
	}
	f.soon(s, pushInterval)
	return true
}

// maxFat is the number of deliveries of a source that are queued. Polling the source brings the rest.
const maxFat = 4

// fatTask returns a task that processes the deliveries of hubs, without any request. f.mu is held.
func (f *Follower) fatTask(s *source) *task {
	docs := s.fat
	s.fat = nil
	return f.taskAt("", s, func(ctx context.Context) {
		for _, doc := range docs {
			if err := f.poller.take(ctx, s, doc, nil, ""); err != nil {
				f.log.Warn("a delivery could not be taken in", "source", s.url, "error", err)
			}
		}
	})
}

func (f *receiver) Challenged(token, feed string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.byToken(token)
	return s != nil && s.url == feed && s.Push.Challenged(f.now())
}

func (f *receiver) Changed(token, feed string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.byToken(token)
	if s == nil || s.Push.Cloud == "" || s.url != feed {
		f.totals.Forged++
		return false
	}
	f.totals.Pushed++
	s.Push.Notified(f.now())
	f.soon(s, pushInterval)
	return true
}

// Ping implements [push.Sink]. The site of a ping is that of a followed feed, or a source itself.
func (f *receiver) Ping(p push.Ping) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := false
	for _, s := range f.sources {
		for _, u := range p.URLs {
			if isSame(u, s.url) || s.Site != "" && isSame(u, s.Site) {
				f.soon(s, pingInterval)
				found = true
			}
		}
	}
	if found {
		f.totals.Pushed++
	} else {
		f.totals.Forged++
	}
	return found
}

// isSame reports whether two addresses differ only in scheme, "www." and a final slash.
func isSame(a, b string) bool {
	plain := func(s string) string {
		_, rest, _ := strings.Cut(s, "://")
		return strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(rest), "www."), "/")
	}
	return plain(a) == plain(b)
}
