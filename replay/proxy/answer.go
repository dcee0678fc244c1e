package proxy

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/rewrite"
)

// A reply is a capture on its way to a client.
type reply struct {
	tl         *archive.Timeline
	n          *memento.Neighbourhood
	a          *archive.Response
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
		return web.NotFound("there is no collection " + quoted(a.coll) + " here; the user name for this proxy is that of a collection")
	}
	var err error
	if a.datetime, err = web.AcceptDatetime(a.r); err != nil || a.datetime != 0 {
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
	key, err := web.RequestKey(a.r, a.uriR)
	if err != nil {
		return err
	}
	tl, err := p.Archive.Timeline(a.r.Context(), a.coll, key)
	if err != nil {
		return err
	}
	if a.datetime == 0 && len(tl.Captures) > 0 {
		a.datetime = tl.Captures[len(tl.Captures)-1].Time
	}
	for near, err := range memento.Preferred(a.datetime, tl.Closest(a.datetime)) {
		if err != nil {
			return err
		}
		if !archive.Usable(near) {
			continue
		}
		if done, err := p.try(a, tl, tl.Memento(near.Time)); done || err != nil {
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
	tl, c, err := p.Archive.Fuzzy(a.r.Context(), a.coll, key, a.datetime)
	if err != nil {
		return err
	}
	if c != nil {
		a.w.Header().Set(web.FuzzyHeader, c.URL)
		if done, err := p.try(a, tl, c); done || err != nil {
			return err
		}
		a.w.Header().Del(web.FuzzyHeader)
	}
	return p.missing(a)
}

// try answers with a capture. done is false where its record can't be read.
func (p *Proxy) try(a *ask, tl *archive.Timeline, c *cdx.Capture) (done bool, err error) {
	if p.toLanding(a, tl, c) {
		return true, nil
	}
	m := &reply{tl: tl}
	if p.wantsBanner(a) {
		m.key, m.generation = p.pageKey(a, c), p.Archive.Index.Generation()
		if p.cache.Send(a.w, m.key, m.generation) {
			p.remember(a.id, a.uriR, c.Time, true)
			return true, nil
		}
	}
	if m.a, err = p.Archive.Open(a.r.Context(), c); err != nil {
		if gone := a.r.Context().Err(); gone != nil {
			return false, gone
		}
		p.Log.Warn("passed over", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return false, nil
	}
	defer m.a.Close()
	if m.n, err = tl.Neighbourhood(c); err != nil {
		return false, err
	}
	m.n.Original = a.uriR
	return true, p.answer(a, m)
}

// answer decides completely, then writes the head, then streams.
func (p *Proxy) answer(a *ask, m *reply) error {
	if m.a.Status < 200 || m.a.Status > 599 {
		return &web.Failure{Status: http.StatusBadGateway, Say: "the archived status is one that HTTP can't send"}
	}
	if p.refers(m) {
		ts := a.datetime
		if fillsWindow(a.r) {
			ts = m.a.Capture.Time
		}
		p.remember(a.id, a.uriR, ts, fillsWindow(a.r))
	}
	if m.key != "" && !web.Bodyless(m.a.Status) {
		if done, err := p.withBanner(a, m); done || err != nil {
			return err
		}
	}
	body, changed := m.a.Body, false
	if coding := m.a.Coding(); coding != "" && !web.Bodyless(m.a.Status) && p.Banner && !web.Accepts(a.r, coding) {
		if decoded, err := m.a.Decoded(); err == nil {
			body, changed = decoded, true
		}
	}
	p.head(a, m, changed)
	if p.unchanged(a, m, changed) {
		return nil
	}
	c := m.a.Capture
	out := web.Sending{
		W: a.w, R: a.r, Status: m.a.Status, Length: m.a.Length, Broke: func(err error) { p.broke(a, m, err) },
		Again:  func() (io.ReadCloser, error) { return p.Archive.Reread(a.r.Context(), c, changed) },
		Failed: func(err error) error { return archive.Unreadable(c, err) },
	}
	return out.Send(body)
}

// broke notes why an answer ends before its body does.
func (p *Proxy) broke(a *ask, m *reply, err error) {
	if c := m.a.Capture; a.r.Context().Err() == nil {
		p.Log.Warn("replay broke off", "target", a.uriR, "file", c.FileName, "offset", c.Offset, "error", err)
	}
}

// refers reports whether a body may refer to others, which then are shown at its page's datetime.
func (p *Proxy) refers(m *reply) bool {
	kind, _, _ := strings.Cut(strings.ToLower(m.a.Header.Get("Content-Type")), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

// withBanner answers a reader with the page and its banner. done is false where the capture is no page; the
// body is then as if it had not been looked at.
func (p *Proxy) withBanner(a *ask, m *reply) (done bool, err error) {
	body, err := m.a.Decoded()
	if err != nil {
		m.key = ""
		return false, nil // a coding nobody can undo is passed on
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.a.Header.Get("Content-Type"), rewrite.Link, start) != rewrite.FormatHTML {
		m.key = ""
		return false, p.Archive.Reopen(a.r.Context(), m.a)
	}
	p.head(a, m, true)
	h := a.w.Header()
	h.Del("Etag") // the banner changes with the archive
	web.Vary(h, "Accept-Language")
	text, err := web.AsHTML(peek, m.a.Header.Get("Content-Type"), h)
	if err != nil {
		return true, archive.Unreadable(m.a.Capture, err)
	}
	if a.r.Method == http.MethodHead {
		a.w.WriteHeader(m.a.Status)
		return true, nil
	}
	w := web.NewKeeper(a.w, true)
	w.WriteHeader(m.a.Status)
	o := rewrite.Options{
		Base: m.a.Capture.URL, Use: rewrite.BannerOnly, Resolve: asIs, Charset: web.Charset(m.a.Header.Get("Content-Type")), Banner: p.banner(a, m),
	}
	if err := rewrite.HTML(w, text, o); err != nil {
		p.broke(a, m, err)
		panic(http.ErrAbortHandler)
	}
	p.cache.Keep(m.key, w.Page(m.generation))
	return true, nil
}

// asIs is the resolver of a page whose URIs stay what they are.
func asIs(refs []rewrite.Ref) []string { return make([]string, len(refs)) }
