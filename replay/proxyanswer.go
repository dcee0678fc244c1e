package replay

import (
	"bufio"
	"net"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

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
	case a.coll == "" && p.server.Index.Has(p.Collection):
		a.coll = p.Collection
	case a.coll == "":
		if all := p.server.Index.Collections(); len(all) > 0 {
			a.coll = all[0]
		}
	case !p.server.Index.Has(a.coll):
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
	tl, err := p.server.timelines.get(a.r.Context(), a.coll, key)
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
	tl, c, err := p.server.fuzzy(a.r.Context(), a.coll, key, a.datetime)
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
	m := &answer{s: p.server, w: a.w, r: a.r, p: Path{Coll: a.coll, URIR: a.uriR}, tl: tl, use: rewrite.BannerOnly}
	if p.wantsBanner(a) {
		m.key, m.generation = p.pageKey(a, c), p.server.Index.Generation()
		if p.server.pages.send(a.w, m.key, m.generation) {
			p.remember(a.id, a.uriR, c.Time, true)
			return true, nil
		}
	}
	if m.a, err = p.server.open(a.r.Context(), c); err != nil {
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
func (p *Proxy) answer(a *ask, m *answer) error {
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
	if m.key != "" && !m.bodyless() {
		if done, err := p.withBanner(a, m); done || err != nil {
			return err
		}
	}
	body, changed := m.a.body, false
	if coding := m.a.coding(); coding != "" && !m.bodyless() && p.Banner && !accepts(a.r, coding) {
		if decoded, err := m.decoded(); err == nil {
			body, changed = decoded, true
		}
	}
	p.head(a, m, changed)
	if p.unchanged(a, m, changed) {
		return nil
	}
	return m.send(body, m.a.length)
}

// refers reports whether a body may refer to others, which then are shown at its page's datetime.
func (p *Proxy) refers(m *answer) bool {
	kind, _, _ := strings.Cut(strings.ToLower(m.a.header.Get("Content-Type")), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

// withBanner answers a reader with the page and its banner. done is false where the capture is no page; the
// body is then as if it had not been looked at.
func (p *Proxy) withBanner(a *ask, m *answer) (done bool, err error) {
	body, err := m.decoded()
	if err != nil {
		m.key = ""
		return false, nil // a coding nobody can undo is passed on
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.a.header.Get("Content-Type"), rewrite.Link, start) != rewrite.FormatHTML {
		return false, p.unread(m)
	}
	p.head(a, m, true)
	h := a.w.Header()
	h.Del("Etag") // the banner changes with the archive
	vary(h, "Accept-Language")
	text, err := m.asHTML(peek, h)
	if err != nil {
		return true, unreadable(m.a.capture, err)
	}
	if a.r.Method == http.MethodHead {
		a.w.WriteHeader(m.a.status)
		return true, nil
	}
	w := &keeper{ResponseWriter: a.w}
	w.WriteHeader(m.a.status)
	o := rewrite.Options{
		Base: m.a.capture.URL, Use: rewrite.BannerOnly, Resolve: asIs, Charset: charset(m.a.header.Get("Content-Type")), Banner: p.banner(a, m),
	}
	if err := rewrite.HTML(w, text, o); err != nil {
		return true, m.brokeOff(err)
	}
	if page := w.page(m.generation); page != nil {
		p.server.pages.keep(m.key, page)
	}
	return true, nil
}

// asIs is the resolver of a page whose URIs stay what they are.
func asIs(refs []rewrite.Ref) []string { return make([]string, len(refs)) }

// unread opens the record anew.
func (p *Proxy) unread(m *answer) error {
	m.key = ""
	again, err := p.server.open(m.r.Context(), m.a.capture)
	if err != nil {
		return err
	}
	m.a.closers = append(m.a.closers, again.closers...)
	m.a.body, m.a.length = again.body, again.length
	return nil
}

// accepts reports whether a client takes a content coding (RFC 9110 §12.5.3). One that says nothing gets none.
func accepts(r *http.Request, coding string) bool {
	for _, c := range strings.Split(coding, ",") {
		if !acceptsOne(r.Header.Get("Accept-Encoding"), strings.TrimPrefix(strings.TrimSpace(c), "x-")) {
			return false
		}
	}
	return true
}

func acceptsOne(accept, coding string) bool {
	for item := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(item, " ", ""), ";")
		if strings.EqualFold(name, coding) || name == "*" {
			return weight == "" || strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != ""
		}
	}
	return false
}
