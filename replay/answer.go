package replay

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/static"
)

// An answer is one memento on its way to a client.
type answer struct {
	s   *answers
	w   http.ResponseWriter
	r   *http.Request
	p   Path
	tl  *timeline
	n   *memento.Neighbourhood
	a   *archived
	use rewrite.Use

	drift drift // of the parts found so far

	key        string // under which a rewritten answer is kept, "" if it isn't
	generation uint64 // of the index when the request came
}

// policy is the second net under rewriting: whatever a page still asks of another host, of another
// collection or of the server's own pages ends here. It is the page's only policy, for its own came back
// as X-Archive-Orig-…. Where a page navigates to, no policy can limit.
func policy(base, home string) string {
	own := base + home + " " + base + "/-/static/"
	return "default-src 'unsafe-inline' 'unsafe-eval' data: blob: " + own + "; form-action " + own + "; base-uri " + own + "; frame-ancestors 'self'"
}

// write decides completely, then writes the head, then streams.
func (m *answer) write() error {
	if m.a.status < 200 || m.a.status > 599 {
		return &failure{status: http.StatusBadGateway, say: fmt.Sprintf("the archived status %d is one that HTTP can't send", m.a.status)}
	}
	if m.use == rewrite.Raw || m.use == rewrite.WorkerFetch || bodyless(m.a.status) {
		return m.raw()
	}
	body, err := m.a.decoded()
	if err != nil { // a coding nobody can undo is passed on
		return m.raw()
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	format := m.format(start)
	if format == rewrite.FormatNone {
		m.head(m.a.coding() != "")
		return m.send(peek, true)
	}
	return m.rewritten(format, peek)
}

// format decides what the body is rewritten as, seeing how it begins. With the banner only nothing but pages is touched.
func (m *answer) format(start []byte) rewrite.Format {
	declared := m.a.header.Get("Content-Type")
	if m.use == rewrite.BannerOnly {
		if rewrite.Sniff(declared, rewrite.Link, start) == rewrite.FormatHTML {
			return rewrite.FormatHTML
		}
		return rewrite.FormatNone
	}
	format := rewrite.Sniff(declared, m.use, start)
	if format != rewrite.FormatNone && static.HasWombat() {
		vary(m.w.Header(), "X-Pywb-Requested-With", "Sec-Fetch-Dest")
	}
	if ajax(m.r) {
		return rewrite.FormatNone
	}
	return format
}

// ajax reports whether a page's own script asks, to read the answer itself: it gets what the server would have sent, and
// what it makes of the URIs in it the client-side runtime sees to. That says so for XMLHttpRequest, browsers for fetch too.
func ajax(r *http.Request) bool {
	return static.HasWombat() && (r.Header.Get("X-Pywb-Requested-With") != "" || r.Header.Get("Sec-Fetch-Dest") == "empty")
}

// head sets the headers: the archived ones, made safe, and those of a memento (RFC 7089 §2). changed says that
// the body is not sent as it was archived.
func (m *answer) head(changed bool) {
	h := m.w.Header()
	s, c := m.s, m.a.capture
	uris := s.site.local(m.p.Coll)
	archived := make(http.Header, len(m.a.header))
	for _, f := range m.a.header {
		archived.Add(f.Name, f.Value)
	}
	for name, values := range rewrite.Header(archived, m.headerOptions(uris, changed)) {
		h[name] = values
	}
	m.selfRedirect(h, uris)
	links := memento.FormatLinks(s.site.absolute(m.r, m.p.Coll).MementoLinks(m.n))
	if ahead := h.Values("Link"); len(ahead) > 0 {
		links += ", " + strings.Join(ahead, ", ")
	}
	h.Set("Link", links)
	h.Set("Memento-Datetime", memento.FormatDatetime(c.Time))
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Security-Policy", policy(s.site.base(m.r), "/"+m.p.Coll+"/"))
	allowOrigins(h)
	h.Del("Content-Length")
	if m.p.Mod == "" {
		if p := preferred(m.r); p != "" {
			h.Set("Preference-Applied", p)
		}
		vary(h, "Prefer")
	}
}

// selfRedirect points a redirect to the URI-R itself at the nearest capture that isn't one; where there is
// none at its landing page, since any URI-M of it would lead round in a circle.
func (m *answer) selfRedirect(h http.Header, uris memento.URIs) {
	if !toItself(m.a.capture) {
		return
	}
	for c, err := range memento.Preferred(m.a.capture.Time, m.tl.closest(m.a.capture.Time)) {
		if err == nil && usable(c) {
			h.Set("Location", uris.Memento(c.Time, m.p.Mod, c.URL))
			return
		}
	}
	h.Set("Location", uris.Landing(m.a.capture.Time, m.a.capture.URL))
}

func (m *answer) headerOptions(uris memento.URIs, changed bool) rewrite.HeaderOptions {
	return rewrite.HeaderOptions{
		Base: m.a.capture.URL, Use: m.use, Resolve: m.resolver(), Changed: changed,
		CookiePrefix: uris.Memento(m.a.capture.Time, m.p.Mod, ""),
	}
}

// raw sends the archived bytes: transfer coding removed, content coding never.
func (m *answer) raw() error {
	m.head(false)
	return m.send(m.a.body, false)
}

// send sends body as it is.
func (m *answer) send(body io.Reader, decoded bool) error {
	c := m.a.capture
	out := sending{
		w: m.w, r: m.r, status: m.a.status, length: m.a.length, broke: m.broke,
		again:  func() (io.ReadCloser, error) { return m.s.reread(m.r.Context(), c, decoded) },
		failed: func(err error) error { return unreadable(c, err) },
	}
	return out.send(body)
}

// broke notes why an answer ends before its body does.
func (m *answer) broke(err error) {
	if m.r.Context().Err() == nil {
		m.s.Log.Warn("replay broke off", "target", m.r.RequestURI, "file", m.a.capture.FileName, "offset", m.a.capture.Offset, "error", err)
	}
}

// rewritten streams the body through the rewriter of its format.
func (m *answer) rewritten(format rewrite.Format, body io.Reader) error {
	o := rewrite.Options{
		Base: m.a.capture.URL, Use: m.use, Resolve: m.resolver(),
		Charset: charset(m.a.header.Get("Content-Type")), Callback: m.r.URL.Query().Get("callback"),
	}
	if m.use == rewrite.BannerOnly {
		o.Resolve = leaveAlone
	} else {
		m.clientSide(&o)
	}
	if format == rewrite.FormatHTML && (m.use == rewrite.Link || m.use == rewrite.BannerOnly) {
		o.LateBanner = m.banner()
		vary(m.w.Header(), "Accept-Language")
	}
	if embedded(m.use) {
		vary(m.w.Header(), "Referer")
	}
	m.head(true)
	if format == rewrite.FormatHTML {
		var err error
		if body, err = asHTML(body, m.a.header.Get("Content-Type"), m.w.Header()); err != nil {
			return unreadable(m.a.capture, err)
		}
	}
	if m.r.Method == http.MethodHead {
		m.w.WriteHeader(m.a.status)
		return nil
	}
	w := newKeeper(m.w, m.key != "")
	w.WriteHeader(m.a.status)
	if err := format.Rewrite(w, body, o); err != nil {
		m.broke(err)
		panic(http.ErrAbortHandler)
	}
	m.s.cache.keep(m.key, w.page(m.generation))
	return nil
}

// leaveAlone keeps every URI as it was archived.
func leaveAlone(refs []rewrite.Ref) []string { return make([]string, len(refs)) }
