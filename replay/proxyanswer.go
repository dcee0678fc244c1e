package replay

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

// A reply is a capture on its way to a client.
type reply struct {
	tl         *timeline
	n          *memento.Neighbourhood
	a          *archived
	key        string // under which the page with its banner is kept, "" if it isn't
	generation uint64 // of the index when the request came
}

// An ask is one request to the proxy.
type ask struct {
	w        http.ResponseWriter
	r        *http.Request
	id       identity
	uriR     string // byte for byte; "" for a request to the proxy itself
	scheme   string // of uriR
	host     string // of uriR, lower-case, without port
	coll     string
	datetime cdx.Timestamp // 0 is the newest
}

// ask reads what is asked for: the request target where that is a whole URI (RFC 9112 §3.2.2), else, in a tunnel, the
// target behind the host.
func (p *Proxy) ask(w http.ResponseWriter, r *http.Request) *ask {
	a := &ask{w: w, r: r, id: identify(r)}
	t := tunnelOf(r)
	if t != nil {
		a.id = t.client
	}
	authority := r.Host
	switch {
	case r.URL.IsAbs():
		a.uriR, a.scheme = r.RequestURI, strings.ToLower(r.URL.Scheme)
	case t == nil:
		return a
	default:
		if a.scheme = "http"; r.TLS != nil {
			a.scheme = "https"
		}
		if authority == "" {
			authority = t.host
		}
		a.uriR = a.scheme + "://" + authority + "/" + strings.TrimPrefix(r.RequestURI, "/")
	}
	if host, _, err := net.SplitHostPort(authority); err == nil {
		authority = host
	}
	a.host = strings.ToLower(authority)
	return a
}

// place finds collection and datetime: Accept-Datetime, else that of the page that asks, else what the client
// chose, else the configured one, else the newest.
func (p *Proxy) place(a *ask) error {
	made := p.clients.of(a.id)
	switch a.coll = made.coll; {
	case a.coll == "" && p.Archive.Index.Has(p.Collection):
		a.coll = p.Collection
	case a.coll == "":
		if all := p.Archive.Index.Collections(); len(all) > 0 {
			a.coll = all[0]
		}
	case !p.Archive.Index.Has(a.coll):
		return notFound("there is no collection " + quoted(a.coll) + " here; the user name for this proxy is that of a collection")
	}
	var err error
	if a.datetime, err = acceptDatetime(a.r); err != nil || a.datetime != 0 {
		return err
	}
	if !fillsWindow(a.r) {
		a.datetime = p.recall(a.id, a.r.Header.Get("Referer"))
	}
	for _, ts := range []cdx.Timestamp{made.datetime, p.Datetime} {
		if a.datetime == 0 {
			a.datetime = ts
		}
	}
	return nil
}

// fillsWindow reports whether a browser asks for what is to fill a window, or a frame where it does not tell them apart.
func fillsWindow(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return r.Header.Get("Upgrade-Insecure-Requests") == "1"
}

// replay answers with the nearest capture that can be read.
func (p *Proxy) replay(a *ask) error {
	if err := p.place(a); err != nil {
		return err
	}
	key, err := requestKey(a.r, a.uriR)
	if err != nil {
		return err
	}
	tl, err := p.Archive.timeline(a.r.Context(), a.coll, key)
	if err != nil {
		return err
	}
	if a.datetime == 0 && len(tl.captures) > 0 {
		a.datetime = tl.captures[len(tl.captures)-1].Time
	}
	for near, err := range memento.Preferred(a.datetime, tl.closest(a.datetime)) {
		if err != nil {
			return err
		}
		if !usable(near) {
			continue
		}
		if done, err := p.try(a, tl, tl.stands(near.Time)); done || err != nil {
			return err
		}
	}
	return p.instead(a, key)
}

// instead answers with a capture of an address that means the same, as rewritten replay does, where there is one.
func (p *Proxy) instead(a *ask, key string) error {
	if a.r.Method != http.MethodGet && a.r.Method != http.MethodHead {
		return p.missing(a)
	}
	tl, c, err := p.Archive.fuzzy(a.r.Context(), a.coll, key, a.datetime)
	if err != nil {
		return err
	}
	if c != nil {
		a.w.Header().Set(FuzzyHeader, c.URL)
		if done, err := p.try(a, tl, c); done || err != nil {
			return err
		}
		a.w.Header().Del(FuzzyHeader)
	}
	return p.missing(a)
}

// try answers with a capture. done is false where its record can't be read.
func (p *Proxy) try(a *ask, tl *timeline, c *cdx.Capture) (done bool, err error) {
	if p.toLanding(a, tl, c) {
		return true, nil
	}
	m := &reply{tl: tl}
	if p.wantsBanner(a) {
		m.key, m.generation = p.pageKey(a, c), p.Archive.Index.Generation()
		if p.cache.send(a.w, m.key, m.generation) {
			p.remember(a.id, a.uriR, c.Time, true)
			return true, nil
		}
	}
	if m.a, err = p.Archive.open(a.r.Context(), c); err != nil {
		if gone := a.r.Context().Err(); gone != nil {
			return false, gone
		}
		p.Log.Warn("passed over", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return false, nil
	}
	defer m.a.Close()
	if m.n, err = tl.neighbourhood(c); err != nil {
		return false, err
	}
	m.n.Original = a.uriR
	return true, p.answer(a, m)
}

// answer decides completely, then writes the head, then streams.
func (p *Proxy) answer(a *ask, m *reply) error {
	if m.a.status < 200 || m.a.status > 599 {
		return &failure{status: http.StatusBadGateway, say: "the archived status is one that HTTP can't send"}
	}
	if p.refers(m) {
		ts := a.datetime
		if fillsWindow(a.r) {
			ts = m.a.capture.Time
		}
		p.remember(a.id, a.uriR, ts, fillsWindow(a.r))
	}
	if m.key != "" && !bodyless(m.a.status) {
		if done, err := p.withBanner(a, m); done || err != nil {
			return err
		}
	}
	body, changed := m.a.body, false
	if coding := m.a.coding(); coding != "" && !bodyless(m.a.status) && p.Banner && !accepts(a.r, coding) {
		if decoded, err := m.a.decoded(); err == nil {
			body, changed = decoded, true
		}
	}
	p.head(a, m, changed)
	if p.unchanged(a, m, changed) {
		return nil
	}
	c := m.a.capture
	out := sending{
		w: a.w, r: a.r, status: m.a.status, length: m.a.length, broke: func(err error) { p.broke(a, m, err) },
		again:  func() (io.ReadCloser, error) { return p.Archive.reread(a.r.Context(), c, changed) },
		failed: func(err error) error { return unreadable(c, err) },
	}
	return out.send(body)
}

// broke notes why an answer ends before its body does.
func (p *Proxy) broke(a *ask, m *reply, err error) {
	if c := m.a.capture; a.r.Context().Err() == nil {
		p.Log.Warn("replay broke off", "target", a.uriR, "file", c.FileName, "offset", c.Offset, "error", err)
	}
}

// refers reports whether a body may refer to others, which then are shown at its page's datetime.
func (p *Proxy) refers(m *reply) bool {
	kind, _, _ := strings.Cut(strings.ToLower(m.a.header.Get("Content-Type")), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

// withBanner answers a reader with the page and its banner. done is false where the capture is no page; the
// body is then as if it had not been looked at.
func (p *Proxy) withBanner(a *ask, m *reply) (done bool, err error) {
	body, err := m.a.decoded()
	if err != nil {
		m.key = ""
		return false, nil // a coding nobody can undo is passed on
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.a.header.Get("Content-Type"), rewrite.Link, start) != rewrite.FormatHTML {
		m.key = ""
		return false, p.Archive.reopen(a.r.Context(), m.a)
	}
	p.head(a, m, true)
	h := a.w.Header()
	h.Del("Etag") // the banner changes with the archive
	vary(h, "Accept-Language")
	text, err := asHTML(peek, m.a.header.Get("Content-Type"), h)
	if err != nil {
		return true, unreadable(m.a.capture, err)
	}
	if a.r.Method == http.MethodHead {
		a.w.WriteHeader(m.a.status)
		return true, nil
	}
	w := newKeeper(a.w, true)
	w.WriteHeader(m.a.status)
	o := rewrite.Options{
		Base: m.a.capture.URL, Use: rewrite.BannerOnly, Resolve: asIs, Charset: charset(m.a.header.Get("Content-Type")), Banner: p.banner(a, m),
	}
	if err := rewrite.HTML(w, text, o); err != nil {
		p.broke(a, m, err)
		panic(http.ErrAbortHandler)
	}
	p.cache.keep(m.key, w.page(m.generation))
	return true, nil
}

// asIs is the resolver of a page whose URIs stay what they are.
func asIs(refs []rewrite.Ref) []string { return make([]string, len(refs)) }
