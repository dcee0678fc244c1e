package replay

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/static"
	"github.com/varve-archive/varve/warc"
)

// An answer is one memento on its way to a client.
type answer struct {
	s   *Server
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
	if m.use == rewrite.Raw || m.use == rewrite.WorkerFetch || m.bodyless() {
		return m.raw()
	}
	body, err := m.decoded()
	if err != nil { // a coding nobody can undo is passed on
		return m.raw()
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	format := m.format(start)
	if format == rewrite.FormatNone {
		m.head(m.a.coding() != "")
		return m.send(peek, m.a.length)
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

// bodyless reports whether an answer has no body, whatever its header says (RFC 9110 §6.4.1).
func (m *answer) bodyless() bool {
	return m.a.status == http.StatusNoContent || m.a.status == http.StatusNotModified
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
	uris := s.local(m.p.Coll)
	archived := make(http.Header, len(m.a.header))
	for _, f := range m.a.header {
		archived.Add(f.Name, f.Value)
	}
	for name, values := range rewrite.Header(archived, m.headerOptions(uris, changed)) {
		h[name] = values
	}
	m.selfRedirect(h, uris)
	links := memento.FormatLinks(s.absolute(m.r, m.p.Coll).MementoLinks(m.n))
	if ahead := h.Values("Link"); len(ahead) > 0 {
		links += ", " + strings.Join(ahead, ", ")
	}
	h.Set("Link", links)
	h.Set("Memento-Datetime", memento.FormatDatetime(c.Time))
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Security-Policy", policy(s.base(m.r), "/"+m.p.Coll+"/"))
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
	return m.send(m.a.body, m.a.length)
}

// decoded is the body without content coding.
func (m *answer) decoded() (io.Reader, error) {
	if m.a.coding() == "" {
		return m.a.body, nil
	}
	body, err := warc.Decode(m.a.coding(), m.a.body)
	if err == nil {
		m.a.length = -1
	}
	return body, err
}

// send streams body, whole or the range that was asked for; length is -1 where it isn't known.
func (m *answer) send(body io.Reader, length int64) error {
	h := m.w.Header()
	if m.a.status == http.StatusOK {
		h.Set("Accept-Ranges", "bytes")
		// No answer has a validator, so what If-Range names can't be matched: the whole is sent (RFC 9110 §13.1.5).
		spec := m.r.Header.Get("Range")
		if spec != "" && m.r.Method == http.MethodGet && m.r.Header.Get("If-Range") == "" {
			return m.part(spec, body, length)
		}
	}
	if length >= 0 && !m.bodyless() {
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	m.w.WriteHeader(m.a.status)
	return m.copy(body)
}

// copy streams the body. What goes wrong now can only end the connection: the status is out.
func (m *answer) copy(body io.Reader) error {
	if m.r.Method == http.MethodHead || m.bodyless() {
		return nil
	}
	if _, err := io.Copy(m.w, body); err != nil {
		return m.brokeOff(err)
	}
	return nil
}

// rewritten streams the body through the rewriter of its format.
func (m *answer) rewritten(format rewrite.Format, body io.Reader) error {
	o := rewrite.Options{
		Base: m.a.capture.URL, Use: m.use, Resolve: m.resolver(),
		Charset: charset(m.a.header.Get("Content-Type")), Callback: rewrite.AskedCallback(m.r.URL.RawQuery),
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
		if body, err = m.asHTML(body, m.w.Header()); err != nil {
			return unreadable(m.a.capture, err)
		}
		body = m.inCharset(body, &o)
	}
	if m.r.Method == http.MethodHead {
		m.w.WriteHeader(m.a.status)
		return nil
	}
	w := &keeper{ResponseWriter: m.w, tooLarge: m.key == ""}
	w.WriteHeader(m.a.status)
	if err := format.Rewrite(w, body, o); err != nil {
		return m.brokeOff(err)
	}
	if page := w.page(m.generation); page != nil {
		m.s.pages.keep(m.key, page)
	}
	return nil
}

// asHTML has an XHTML page read as HTML, because what is put into it is HTML.
func (m *answer) asHTML(body io.Reader, h http.Header) (io.Reader, error) {
	declared := m.a.header.Get("Content-Type")
	if !rewrite.IsXHTML(declared) {
		return body, nil
	}
	peek := bufio.NewReader(body)
	start, _ := peek.Peek(rewrite.SniffLen)
	h.Set("Content-Type", rewrite.XHTMLType(declared, start))
	h.Set("X-Archive-Orig-Content-Type", declared)
	return rewrite.FromXHTML(peek)
}

// inCharset says in the header in which charset a browser would have read the page, for what is put into it may hide that.
func (m *answer) inCharset(body io.Reader, o *rewrite.Options) io.Reader {
	h := m.w.Header()
	declared := h.Get("Content-Type")
	kind, _, _ := strings.Cut(declared, ";")
	if kind = strings.TrimSpace(kind); kind != "" && !strings.EqualFold(kind, "text/html") {
		return body
	}
	peek := bufio.NewReaderSize(body, rewrite.CharsetLen)
	start, _ := peek.Peek(rewrite.CharsetLen)
	found := rewrite.PageCharset(charset(declared), start)
	if found != "" && rewrite.PageCharset(charset(declared), nil) != found {
		h.Set("Content-Type", "text/html; charset="+found)
		if h.Get("X-Archive-Orig-Content-Type") == "" && declared != "" {
			h.Set("X-Archive-Orig-Content-Type", declared)
		}
		o.Charset = found
	}
	return peek
}

// leaveAlone keeps every URI as it was archived.
func leaveAlone(refs []rewrite.Ref) []string { return make([]string, len(refs)) }

// brokeOff ends the connection under an answer whose head is out, so that no client takes the half for the whole.
func (m *answer) brokeOff(err error) error {
	if m.r.Context().Err() == nil {
		m.s.Log.Warn("replay broke off", "target", m.r.RequestURI, "file", m.a.capture.FileName, "offset", m.a.capture.Offset, "error", err)
	}
	panic(http.ErrAbortHandler)
}

// charset returns the charset parameter of a Content-Type, however badly the rest is written.
func charset(contentType string) string {
	_, after, ok := strings.Cut(strings.ToLower(contentType), "charset=")
	if !ok {
		return ""
	}
	after, _, _ = strings.Cut(after, ";")
	return strings.Trim(strings.TrimSpace(after), `"'`)
}

// preferred returns the preference that this server applies, "" for none (RFC 7240).
func preferred(r *http.Request) string {
	for _, v := range r.Header.Values("Prefer") {
		for _, p := range strings.Split(v, ",") {
			p, _, _ = strings.Cut(strings.TrimSpace(p), ";")
			switch p = strings.ToLower(strings.TrimSpace(p)); p {
			case "raw", "rewritten", "banner-only":
				return p
			}
		}
	}
	return ""
}

// requestKey is the index key of what r asks for: POST and PUT captures have the key of their request.
func requestKey(r *http.Request, uriR string) (string, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return cdx.Key(uriR), nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil {
		return "", badRequest("the request's body can't be read")
	}
	return cdx.MethodKey(uriR, r.Method, body, r.Header.Get("Content-Type")), nil
}

// maxRequestBody is how much of a POST body goes into the key, as in indexing.
const maxRequestBody = 16 << 10
