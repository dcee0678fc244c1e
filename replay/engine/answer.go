package engine

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/uses"
	"github.com/varve-archive/varve/static"
)

// An answer is a memento that is being sent to a client.
type answer struct {
	s   *Handler
	w   http.ResponseWriter
	r   *http.Request
	p   respond.Path
	o   *timeline.Original
	n   *memento.Neighbourhood
	a   *archive.Response
	use uses.Use

	drift   drift       // of the parts found so far
	loads   loads       // what the page itself loads
	lost    error       // why an address in the answer could not be looked up, or that the reader left before the banner was made
	guarded bool        // the page contains inside.js
	cutOff  func() bool // reports whether the body is truncated; nil until it is read
	empty   bool        // whether the body has no bytes
	whole   bool        // whether it came as a part that is the whole

	state      string // all that a rewritten answer depends on, "" if unknown
	keep       bool   // whether the rewritten answer may be cached
	bare       bool   // its banner couldn't be made
	generation uint64 // of the index when the request came
	archive    string // [Handler.archiveState] then
}

// write sends the answer. If that fails, write restores the headers, because an error is not a memento.
func (m *answer) write() error {
	before := m.w.Header().Clone()
	err := m.decide()
	if err != nil {
		respond.Unset(m.w.Header(), before)
	}
	return err
}

// decide makes all decisions, then writes the head, then streams the body.
func (m *answer) decide() error {
	if m.a.Status < 200 || m.a.Status > 999 {
		return &respond.Failure{Status: http.StatusBadGateway, Say: fmt.Sprintf("the archived status %d is one that HTTP can't send", m.a.Status)}
	}
	if m.use == uses.Raw || respond.Bodyless(m.a.Status) {
		return m.raw()
	}
	readable, err := m.a.Readable()
	if err != nil { // a coding that can't be undone is passed on
		return m.raw()
	}
	m.wholeAsUsual()
	body := io.Reader(readable)
	m.cutOff = readable.CutOff
	echoes, err := respond.Echoes(m.w.Header(), m.r, m.s.Archive, m.a.Capture, m.p.URIR)
	if err != nil {
		return err
	}
	body, echoed, err := respond.Echo(body, echoes)
	if err != nil {
		return archive.Unreadable(m.a.Capture, err)
	}
	peek := bufio.NewReader(body)
	start, _ := peek.Peek(rewrite.SniffLen)
	m.empty = len(start) == 0
	format, list := m.format(start)
	if format == rewrite.FormatNone {
		if done, err := m.viewer(); done || err != nil {
			return err
		}
	}
	if format == rewrite.FormatHTML {
		peek = bufio.NewReaderSize(peek, readable.LookAhead())
		_, _ = peek.Peek(readable.LookAhead()) // so that the banner knows whether it is cut off
	}
	whole, trimmed, err := m.around().Trim(list, peek, m.a.Capture.URL)
	if trimmed == nil {
		trimmed = echoed
	}
	switch {
	case err != nil:
		return archive.Unreadable(m.a.Capture, err)
	case format != rewrite.FormatNone:
		return m.rewritten(format, whole)
	case trimmed != nil:
		return m.sendChanged(trimmed)
	}
	m.head(m.a.Coding() != "")
	if m.lost != nil {
		return m.lost
	}
	m.validBytes("", respond.Compressible(m.w.Header().Get("Content-Type")))
	return m.send(whole, true)
}

// format decides by the start of the body how to rewrite it. It also returns the body's own format, which a script may want unchanged. In
// banner-only answers only pages are changed.
func (m *answer) format(start []byte) (format, is rewrite.Format) {
	declared := m.a.Header.Get("Content-Type")
	if m.use == uses.BannerOnly {
		if rewrite.Sniff(declared, uses.Link, start) == rewrite.FormatHTML {
			return rewrite.FormatHTML, rewrite.FormatNone
		}
		return rewrite.FormatNone, rewrite.FormatNone
	}
	use := m.use
	if use == uses.Fetch {
		use = uses.Page
	}
	format = rewrite.Sniff(declared, use, start)
	if format != rewrite.FormatNone && static.HasWombat() {
		readByScripts(m.w.Header())
	}
	if ajax(m.r, m.use) {
		return rewrite.FormatNone, format
	}
	return format, format
}

// ajax reports whether a script of a page or a worker requests the answer in order to read it. The script gets the original answer, and
// the client-side runtime rewrites the URIs in it. The runtime marks such requests; for others, browsers may tell.
func ajax(r *http.Request, use uses.Use) bool {
	return use == uses.Fetch ||
		static.HasWombat() && (r.Header.Get("X-Pywb-Requested-With") != "" || r.Header.Get("Sec-Fetch-Dest") == "empty")
}

// readByScripts says in Vary that the answer to a page's own script differs.
func readByScripts(h http.Header) {
	if static.HasWombat() {
		respond.Vary(h, "X-Pywb-Requested-With", "Sec-Fetch-Dest")
	}
}

// head sets the headers: the archived ones, made safe, and those of a memento (RFC 7089 §2). changed says that the body
// differs from the archived bytes.
func (m *answer) head(changed bool) {
	h := m.w.Header()
	s, c := m.s, m.a.Capture
	uris := s.site.Local(m.p.Coll)
	archived := m.a.Header.HTTP()
	var passed []string
	for name, values := range header.Rewrite(archived, m.headerOptions(uris, changed)) {
		h[name] = values
		if archived.Get(name) != "" {
			passed = append(passed, name)
		}
	}
	if archived.Get("ETag") != "" || archived.Get("Last-Modified") != "" || archived.Get("Link") != "" {
		readByScripts(h)
	}
	respond.GuessNoType(h)
	m.selfRedirect(h, uris)
	m.links(h, archived.Get("Link") != "")
	h.Set("Memento-Datetime", memento.FormatDatetime(c.Time))
	h.Set("X-Robots-Tag", "noindex")
	m.s.site.TellReferrer(h, archived.Get("Referrer-Policy"))
	h.Set("Cache-Control", respond.HoldRewritten)
	if m.bare {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Security-Policy", m.documentPolicy(h))
	respond.AllowOrigins(h, passed...)
	h.Del("Content-Length")
	if m.whole {
		h.Del("Content-Range")
	}
	if m.p.Mod == "" {
		if p := respond.Preferred(m.r); p != "" {
			h.Set("Preference-Applied", p)
		}
		respond.Vary(h, "Prefer")
	}
}

// links sets the Link header. A script that reads an archived list finds the next page of the list as "next", so the next memento is left
// out then.
func (m *answer) links(h http.Header, archived bool) {
	uris := m.s.site.Absolute(m.r, m.p.Coll)
	own := uris.MementoLinks(m.n)
	if archived && ajax(m.r, m.use) {
		own = uris.DetourLinks(m.n)
	}
	links := memento.FormatLinks(own)
	if others := h.Values("Link"); len(others) > 0 {
		links += ", " + strings.Join(others, ", ")
	}
	h.Set("Link", links)
}

// selfRedirect points a redirect to the URI-R itself at the nearest capture that isn't a redirect. If there is none, it points at the
// landing page, since every URI-M would redirect in a circle.
func (m *answer) selfRedirect(h http.Header, uris memento.URIs) {
	if !timeline.ToItself(m.a.Capture) {
		return
	}
	for c, err := range memento.Preferred(m.a.Capture.Time, m.o.Closest(m.r.Context(), m.a.Capture.Time)) {
		if err != nil {
			m.lost = err
			return
		}
		if timeline.Usable(c) {
			h.Set("Location", uris.Memento(c.Time, m.p.Mod, c.URL))
			return
		}
	}
	h.Set("Location", uris.Landing(m.a.Capture.Time, m.a.Capture.URL))
}

func (m *answer) headerOptions(uris memento.URIs, changed bool) header.Options {
	use := m.use
	if m.p.Mod == "" && use == uses.Iframe { // a redirect needs no modifier: the browser says again that a frame asks
		use = uses.Link
	}
	return header.Options{
		Base: m.a.Capture.URL, Use: use, Resolve: m.resolver(), Changed: changed,
		CookiePrefix: uris.Memento(m.a.Capture.Time, m.p.Mod, ""), Time: m.a.Capture.Time.Time(), ForScript: ajax(m.r, m.use),
	}
}

// raw sends the archived bytes without transfer coding. It removes the content coding only if the client refuses it explicitly.
func (m *answer) raw() error {
	respond.SendAsIs(m.w)
	body, coding, undone := m.a.Body, m.a.Coding(), false
	if coding != "" {
		respond.Vary(m.w.Header(), "Accept-Encoding")
		if len(m.r.Header.Values("Accept-Encoding")) > 0 && !respond.Accepts(m.r, coding) {
			if plain, err := m.a.Decoded(); err == nil { // an unknown coding is passed on
				body, coding, undone = plain, "", true
			}
		}
	}
	m.head(undone)
	if m.lost != nil {
		return m.lost
	}
	m.validBytes(coding, false)
	return m.send(body, undone)
}

// validBytes sets the ETag of an answer with the archived bytes. The tag is weak if compression on the way may change
// the bytes.
func (m *answer) validBytes(coding string, weak bool) {
	h := m.w.Header()
	if m.a.Status != http.StatusOK {
		return
	}
	if h.Get("Content-Location") == "" { // another capture may be the nearest one in an hour
		h.Set("Cache-Control", respond.HoldBytes)
	}
	if h.Get("ETag") != "" { // a script compares it with what its server said
		return
	}
	tag := respond.StrongETag(m.a.Capture, coding)
	if weak {
		tag = "W/" + tag
	}
	h.Set("ETag", tag)
}

func (m *answer) validRewritten() {
	if m.state != "" && m.a.Status == http.StatusOK {
		m.w.Header().Set("ETag", respond.WeakETag(m.archive+" "+m.state))
	}
}

func (m *answer) send(body io.Reader, decoded bool) error {
	c := m.a.Capture
	out := respond.Sending{
		W: m.w, R: m.r, Status: m.a.Status, Length: m.a.Length, Broke: m.logBroken,
		Again:  func() (io.ReadCloser, error) { return m.s.Reread(m.r.Context(), c, decoded) },
		Failed: func(err error) error { return archive.Unreadable(c, err) },
	}
	return out.Send(body)
}

// wholeAsUsual makes a 200 of a captured 206 that contains the whole body, so that ranges of it can be asked for as usual. Some pages load
// their pictures with a Range in the crawler, and without one in replay; and what is rewritten or decoded has other positions.
func (m *answer) wholeAsUsual() {
	span, _ := archive.ParseContentRange(m.a.Header.Get("Content-Range"))
	has, _ := m.a.Span()
	if m.a.Status == http.StatusPartialContent && span.Whole() && (has == span || m.r.Header.Get("Range") == "") {
		m.a.Status, m.whole = http.StatusOK, true
	}
}

// logBroken logs why an answer ends before its body does.
func (m *answer) logBroken(err error) {
	if m.r.Context().Err() == nil {
		m.s.Log.Warn("replay broke off", "target", m.r.RequestURI, "file", m.a.Capture.FileName, "offset", m.a.Capture.Offset, "error", err)
	}
}

// rewritten streams the body through the rewriter of its format.
func (m *answer) rewritten(format rewrite.Format, body io.Reader) error {
	o := rewrite.Options{
		Base: m.a.Capture.URL, Use: m.use, Resolve: m.resolver(),
		Charset: xmltext.Charset(m.a.Header.Get("Content-Type")), Callback: rewrite.AskedCallback(m.r.URL.RawQuery),
	}
	if m.use == uses.BannerOnly {
		o.Resolve = leaveAlone
	} else {
		m.clientSide(&o, format)
	}
	if o.Head != nil {
		o.Head = append(o.Head, respond.HeadEnd...)
	}
	if format == rewrite.FormatHTML && (m.use == uses.Link || m.use == uses.BannerOnly) {
		if o.LateBanner, o.FramesetBanner = m.banner(); o.LateBanner != nil && m.empty { // so that a reader of an empty page finds the way on
			body = strings.NewReader("<body>")
		}
		respond.Vary(m.w.Header(), "Accept-Language")
	}
	if format == rewrite.FormatHTML && m.p.Mod == "" {
		respond.Vary(m.w.Header(), "Sec-Fetch-Dest") // see [Handler.use]
	}
	if embedded(m.use) {
		respond.Vary(m.w.Header(), "Referer")
	}
	m.head(true)
	if m.lost != nil {
		return m.lost
	}
	m.validRewritten()
	if format == rewrite.FormatHTML {
		modified := m.a.Header.Get("Last-Modified")
		if _, err := http.ParseTime(modified); err != nil {
			modified = m.w.Header().Get("Memento-Datetime")
		}
		m.w.Header().Set("Last-Modified", modified) // pages write document.lastModified
	}
	if done, err := respond.Conditions(m.w, m.r, m.a.Status); done || err != nil {
		return err
	}
	if format == rewrite.FormatHTML {
		var err error
		if body, err = respond.AsHTML(body, m.a.Header.Get("Content-Type"), m.w.Header()); err != nil {
			return archive.Unreadable(m.a.Capture, err)
		}
		body = m.inCharset(body, &o)
		respond.TypeAsHTML(m.w.Header())
	}
	if m.r.Method == http.MethodHead {
		m.w.WriteHeader(m.a.Status)
		return nil
	}
	return m.stream(func(w http.ResponseWriter) error { return format.Rewrite(w, body, o) })
}

// inCharset declares in the header in which charset a browser would have read the page, since what is inserted may hide
// that.
func (m *answer) inCharset(body io.Reader, o *rewrite.Options) io.Reader {
	h := m.w.Header()
	declared := h.Get("Content-Type")
	if kind := contenttype.Media(declared); kind != "" && kind != "text/html" {
		return body
	}
	peek := bufio.NewReaderSize(body, charset.PageLen)
	start, _ := peek.Peek(charset.PageLen)
	found := charset.OfPage(xmltext.Charset(declared), start)
	if found == "" && (m.use == uses.Link || m.use == uses.Page) { // a frame inherits its page's
		found = charset.OfDomain(m.a.Capture.URL, start)
	}
	if found != "" && charset.OfPage(xmltext.Charset(declared), nil) != found {
		h.Set("Content-Type", "text/html; charset="+found)
		if h.Get("X-Archive-Orig-Content-Type") == "" && declared != "" {
			h.Set("X-Archive-Orig-Content-Type", declared)
		}
		o.Charset = found
	}
	return peek
}

// leaveAlone keeps every URI as archived.
func leaveAlone(refs []uses.Ref) []string { return make([]string, len(refs)) }

// banner returns functions that render the banner once the parts of the page are known, one for pages with a body and one for framesets.
// They are nil if there is no banner.
func (m *answer) banner() (inBody, inFrameset func() []byte) {
	c, site, cameFrom := m.a.Capture, m.s.site, m.cameFrom()
	if m.r.Method == http.MethodHead {
		return nil, nil
	}
	uris := site.Local(m.p.Coll)
	request := respond.BannerRequest{
		Original: m.o, Capture: c, Near: m.n, Pages: uris, Moves: uris, Home: site.Path() + "/",
		Memento: site.Absolute(m.r, m.p.Coll).Memento(c.Time, "", c.URL), Assets: site.Assets(), CameFrom: cameFrom,
		NoRuntime: !static.HasWombat(), Source: m.a.SourceHost(), CutOff: m.cutOff != nil && m.cutOff(),
	}
	scripts := []string{request.Assets.BannerScript, request.Assets.FramesetScript}
	if m.use != uses.BannerOnly { // the page's head loads it, before wombat
		request.Assets.BannerScript, scripts = "", scripts[1:]
	}
	render := m.s.Banner(m.r, &request)
	if render == nil { // the next reader gets it
		m.keep, m.state = false, ""
		m.bare, m.lost = true, cmp.Or(m.lost, m.r.Context().Err())
		return nil, nil
	}
	rendered := func() []byte {
		b := render(m.loads.embeds(m.drift.far()))
		if b == nil {
			m.lost = cmp.Or(m.lost, m.r.Context().Err())
		}
		return b
	}
	return func() []byte { return respond.Toolbar(rendered()) },
		func() []byte { return respond.Toolbar(respond.InFrameset(rendered(), scripts...)) }
}

// cameFrom returns a link to the landing page from which the reader came, or nil.
func (m *answer) cameFrom() *banner.Link {
	link, p := m.s.site.FromLanding(m.r, m.p.Coll)
	if link == nil || surt.Of(p.URIR) == m.o.Key {
		return nil
	}
	respond.Vary(m.w.Header(), "Referer")
	return link
}
