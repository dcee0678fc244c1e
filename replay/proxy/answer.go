package proxy

import (
	"bufio"
	"cmp"
	"io"
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A reply is a capture that is about to be sent to a client.
type reply struct {
	timeline   *timeline.Timeline
	near       *memento.Neighbourhood
	response   *archive.Response
	key        string // cache key of the page with its banner; "" if it is not cached
	generation uint64 // of the index when the request arrived
}

type request struct {
	w        http.ResponseWriter
	r        *http.Request
	id       identity
	uriR     string // byte for byte as requested; "" for a request to the proxy's own address
	scheme   string // of uriR
	host     string // of uriR, in lower case, without port
	coll     string
	datetime cdx.Timestamp // 0 means the newest
	passed   error         // why the first capture that was tried could not be opened
}

// newRequest finds the requested URI-R and whose request it is.
func (p *Proxy) newRequest(w http.ResponseWriter, r *http.Request) *request {
	req := &request{w: w, r: r, id: identify(r)}
	if t := forward.TunnelOf(r); t != nil {
		req.id = identify(t.Connect)
	}
	req.uriR, req.scheme, req.host = forward.URI(r)
	return req
}

// chooseTarget sets collection and datetime. The datetime is that of Accept-Datetime, else that of the referring
// page, else the one the client chose, else the configured one, else the newest.
func (p *Proxy) chooseTarget(req *request) error {
	chosen := p.clients.choiceOf(req.id)
	switch req.coll = chosen.coll; {
	case req.coll == "" && p.Archive.Index.Has(p.Collection):
		req.coll = p.Collection
	case req.coll == "":
		if all := p.Archive.Index.Collections(); len(all) > 0 {
			req.coll = all[0]
		}
	case !p.Archive.Index.Has(req.coll):
		return respond.NotFound("there is no collection " + quoted(req.coll) + " here; the user name for this proxy is that of a collection")
	}
	var err error
	if req.datetime, err = respond.AcceptDatetime(req.r); err != nil || req.datetime != 0 {
		return err
	}
	if !respond.IsTopLevel(req.r) {
		req.datetime = p.recall(req.id, req.r.Header.Get("Referer"))
	}
	for _, ts := range []cdx.Timestamp{chosen.datetime, p.Datetime} {
		if req.datetime == 0 {
			req.datetime = ts
		}
	}
	return nil
}

// replay answers with the nearest capture that can be read.
func (p *Proxy) replay(req *request) error {
	if err := p.chooseTarget(req); err != nil {
		return err
	}
	req.r.Header.Del("If-Modified-Since") // the client may have a later capture of the address, which doesn't answer for an earlier datetime
	key, err := respond.RequestKey(req.r, req.uriR)
	if err != nil {
		return err
	}
	tl, err := p.Archive.Timelines.Get(req.r.Context(), req.coll, key)
	if err != nil {
		return err
	}
	tl = tl.Spelled(req.uriR)
	if req.datetime == 0 && len(tl.Captures) > 0 {
		req.datetime = tl.Captures[len(tl.Captures)-1].Time
	}
	if found, err := respond.FindPosted(req.w, req.r, p.Archive, req.coll, req.uriR, req.datetime); found != nil || err != nil {
		return p.replaySent(req, found, err)
	}
	for near, err := range memento.Preferred(req.datetime, tl.Closest(req.datetime)) {
		if err != nil {
			return err
		}
		if !timeline.Usable(near) {
			continue
		}
		if done, err := p.tryCapture(req, tl, tl.Memento(near.Time)); done || err != nil {
			return err
		}
	}
	return p.replayEquivalent(req, key)
}

// replaySent answers a request with a body that is too long for its key.
func (p *Proxy) replaySent(req *request, found *respond.Found, err error) error {
	if err != nil {
		return err
	}
	if found.Capture == nil {
		return p.missing(req)
	}
	if done, err := p.tryCapture(req, found.Timeline, found.Capture); done || err != nil {
		return err
	}
	return p.missing(req)
}

// replayEquivalent answers with a capture of an equivalent URI-R, as rewritten replay does, or with a 404.
func (p *Proxy) replayEquivalent(req *request, key string) error {
	tl, c, err := respond.Equivalent(req.r, p.Archive, req.coll, req.uriR, key, req.datetime)
	if err != nil {
		return err
	}
	if c != nil {
		req.w.Header().Set(respond.FuzzyHeader, c.URL)
		if done, err := p.tryCapture(req, tl, c); done || err != nil {
			return err
		}
		req.w.Header().Del(respond.FuzzyHeader)
	}
	return p.missing(req)
}

// tryCapture answers with a capture. done is false if its record can't be read, or may not be.
func (p *Proxy) tryCapture(req *request, tl *timeline.Timeline, c *cdx.Capture) (done bool, err error) {
	if p.redirectToLanding(req, tl, c) {
		return true, nil
	}
	m := &reply{timeline: tl}
	if p.isWatched(req) {
		m.key, m.generation = p.pageKey(req, c), p.Archive.Index.Generation()
		if sent, err := p.cache.Send(req.w, req.r, m.key, m.generation); sent {
			p.rememberPage(req, c)
			return true, err
		}
	}
	if m.response, err = p.Archive.Open(req.r.Context(), c); err != nil {
		if gone := req.r.Context().Err(); gone != nil {
			return false, gone
		}
		req.passed = cmp.Or(req.passed, err)
		p.Log.Warn("passed over", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return false, nil
	}
	defer m.response.Close()
	part, err := respond.AskedPart(req.r, p.Archive, p.Archive.Timelines.Of(tl), m.response)
	if err != nil {
		return false, err
	}
	if part != nil {
		defer part.Close()
		m.response, c = part, part.Capture
	}
	if m.near, err = tl.Neighbourhood(c); err != nil {
		return false, err
	}
	m.near.Original = req.uriR
	return true, p.answer(req, m)
}

// answer decides everything, then writes the headers, then streams the body. If that fails, it restores the headers.
func (p *Proxy) answer(req *request, m *reply) (err error) {
	before := req.w.Header().Clone()
	defer func() {
		if err != nil {
			respond.Unset(req.w.Header(), before)
		}
	}()
	if m.response.Status < 200 || m.response.Status > 999 {
		return &respond.Failure{Status: http.StatusBadGateway, Say: "the archived status is one that HTTP can't send"}
	}
	if p.hasReferences(m) {
		p.rememberPage(req, m.response.Capture)
	}
	if m.key != "" && !respond.Bodyless(m.response.Status) {
		if done, err := p.withBanner(req, m); done || err != nil {
			return err
		}
	}
	if p.Banner {
		if done, err := p.tailored(req, m); done || err != nil {
			return err
		}
	}
	body, changed := m.response.Body, false
	if coding := m.response.Coding(); coding != "" && !respond.Bodyless(m.response.Status) && p.Banner && !respond.Accepts(req.r, coding) {
		if decoded, err := m.response.Decoded(); err == nil {
			body, changed = decoded, true
		}
	}
	p.head(req, m, changed)
	c := m.response.Capture
	out := respond.Sending{
		W: req.w, R: req.r, Status: m.response.Status, Length: m.response.Length, Broke: func(err error) { p.logBroken(req, m, err) },
		Again:  func() (io.ReadCloser, error) { return p.Archive.Reread(req.r.Context(), c, changed) },
		Failed: func(err error) error { return archive.Unreadable(c, err) },
	}
	return out.Send(body)
}

// logBroken logs that an answer ended before its body did, unless the client left.
func (p *Proxy) logBroken(req *request, m *reply, err error) {
	if c := m.response.Capture; req.r.Context().Err() == nil {
		p.Log.Warn("replay broke off", "target", req.uriR, "file", c.FileName, "offset", c.Offset, "error", err)
	}
}

// hasReferences reports whether a body may refer to other resources, which are then shown at its page's datetime.
func (p *Proxy) hasReferences(m *reply) bool {
	switch contenttype.Media(m.response.Header.Get("Content-Type")) {
	case "", "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", // a page may have no type
		"text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

// withBanner sends a page with its banner. done is false if the capture is no page; the body can then be read from
// its start again.
func (p *Proxy) withBanner(req *request, m *reply) (done bool, err error) {
	body, err := m.response.Readable()
	if err != nil {
		m.key = ""
		return false, nil // a coding that can't be undone is passed on as it is
	}
	peek := bufio.NewReaderSize(body, body.LookAhead())
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.response.Header.Get("Content-Type"), uses.Link, start) != rewrite.FormatHTML {
		m.key = ""
		return false, p.Archive.Reopen(req.r.Context(), m.response)
	}
	_, _ = peek.Peek(body.LookAhead()) // so that the banner knows whether it is cut off
	p.head(req, m, true)
	h := req.w.Header()
	h.Del("Etag") // the banner changes with the archive
	respond.Vary(h, "Accept-Language")
	page, _, err := p.around(req, m).Trim(rewrite.FormatHTML, peek, m.response.Capture.URL)
	if err != nil {
		return true, archive.Unreadable(m.response.Capture, err)
	}
	respond.TypeAsHTML(h)
	text, err := respond.AsHTML(page, m.response.Header.Get("Content-Type"), h)
	if err != nil {
		return true, archive.Unreadable(m.response.Capture, err)
	}
	if req.r.Method == http.MethodHead {
		req.w.WriteHeader(m.response.Status)
		return true, nil
	}
	w := respond.NewKeeper(req.w, true)
	w.WriteHeader(m.response.Status)
	inBody, inFrameset := p.banner(req, m, body.CutOff())
	if req.r.Context().Err() != nil { // a reader who has left may have got no banner
		panic(http.ErrAbortHandler)
	}
	o := rewrite.Options{
		Base: m.response.Capture.URL, Use: uses.BannerOnly, Resolve: keepURIs,
		Charset: xmltext.Charset(m.response.Header.Get("Content-Type")), Banner: inBody, Head: scripts(req),
		FramesetBanner: func() []byte { return inFrameset },
	}
	if err := rewrite.HTML(w, text, o); err != nil {
		p.logBroken(req, m, err)
		panic(http.ErrAbortHandler)
	}
	if inBody != nil || respond.InFrame(req.r) { // else the next reader gets the banner
		p.cache.Keep(m.key, w.Page(m.generation))
	}
	return true, nil
}

// keepURIs is a resolver that leaves all URIs of a page unchanged.
func keepURIs(refs []uses.Ref) []string { return make([]string, len(refs)) }
