package answer

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/static"
)

// maxPlayable is how large a rewritten page may be in which a change is played: its end must be known to be there, and
// the place of the bar in it, before the first byte is sent.
const maxPlayable = 16 << 20

// animationPolicy is the policy of a page in which a change is played. None of its own scripts run: what the reader
// sees is what the server sent and what the two scripts made of it that the nonce names. Frames are sandboxed by the
// rewriter; what could hold a page without being one of them is left out.
func animationPolicy(base, home, nonce string) string {
	own := base + home + " " + base + "/-/static/"
	return "default-src 'unsafe-inline' data: blob: " + own + "; script-src 'nonce-" + nonce +
		"'; connect-src 'none'; worker-src 'none'; object-src 'none'; " +
		"form-action " + own + "; base-uri " + own + "; frame-ancestors 'self'" + others(base)
}

// errTooLarge ends the rewriting of a page that is too large.
var errTooLarge = errors.New("the page is too large to be played in")

// A limited gathers a page up to [maxPlayable].
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > maxPlayable {
		return 0, errTooLarge
	}
	return l.Buffer.Write(b)
}

// Play answers with a page as it was, kept still and under a bar, in which a script plays how its text changed. played is
// false where there is no such page: it has no place for the bar, as a page of frames has none, or is too large.
func (s *Handler) Play(w http.ResponseWriter, r *http.Request, p web.Path, tl *archive.Timeline, c *cdx.Capture,
	bar func(drift time.Duration) []byte,
) (played bool, err error) {
	a, err := s.Open(r.Context(), c)
	if err != nil {
		return false, err
	}
	defer a.Close()
	m := &answer{
		s: s, w: w, r: r, tl: tl, a: a, use: rewrite.Link,
		p: web.Path{Kind: web.Memento, Coll: p.Coll, From: c.Time.String(), URIR: c.URL},
	}
	nonce := rand.Text()
	page, err := m.playPage(bar, nonce)
	if err != nil || page == nil {
		return false, err
	}
	m.playHead(nonce)
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return true, nil
	}
	_, err = page.WriteTo(w)
	return true, err
}

// playPage is the page rewritten as in replay, kept still and with the bar; nil where it isn't one, has no place for the
// bar as a page of frames has none, or is too large.
func (m *answer) playPage(bar func(drift time.Duration) []byte, nonce string) (*limited, error) {
	body, err := m.a.Decoded()
	if err != nil {
		return nil, nil // in a coding that nobody can undo there is no page
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.a.Header.Get("Content-Type"), rewrite.Link, start) != rewrite.FormatHTML {
		return nil, nil
	}
	placed := false
	o := rewrite.Options{
		Base: m.a.Capture.URL, Use: rewrite.Link, Resolve: m.resolver(), Charset: web.Charset(m.a.Header.Get("Content-Type")), Still: true,
		Head: m.playScripts(nonce),
		LateBanner: func() []byte {
			placed = true
			return bar(m.drift.far())
		},
	}
	text, err := web.AsHTML(peek, m.a.Header.Get("Content-Type"), m.w.Header())
	if err != nil {
		return nil, archive.Unreadable(m.a.Capture, err)
	}
	var page limited
	switch err := rewrite.HTML(&page, text, o); {
	case errors.Is(err, errTooLarge):
		return nil, nil
	case err != nil:
		return nil, archive.Unreadable(m.a.Capture, err)
	case !placed:
		return nil, nil
	}
	return &page, nil
}

// playScripts go first into the head: the net under where a page may go, and what plays.
func (m *answer) playScripts(nonce string) []byte {
	head := m.inside(m.s.site.Base(m.r))
	for _, name := range []string{"animatepage.js", "animate.js"} {
		head = append(head, script(m.s.site.Path()+static.URL(name))...)
	}
	return bytes.ReplaceAll(head, []byte("<script "), []byte(`<script nonce="`+nonce+`" `))
}

// playHead sets the headers. Of the archived ones only those come through that say how the body is read: the answer is
// no memento.
func (m *answer) playHead(nonce string) {
	h, s := m.w.Header(), m.s
	asHTML := h.Get("Content-Type") // of a page of XHTML
	archived := make(http.Header, len(m.a.Header))
	for _, f := range m.a.Header {
		archived.Add(f.Name, f.Value)
	}
	made := rewrite.Header(archived, rewrite.HeaderOptions{Base: m.a.Capture.URL, Use: rewrite.Link, Resolve: m.resolver(), Changed: true})
	for _, name := range []string{"Content-Type", "Content-Language", "Link"} {
		if v := made.Values(name); len(v) > 0 {
			h[name] = v
		}
	}
	if strings.Contains(strings.ToLower(h.Get("Content-Type")), "xml") { // the bar is HTML, and stands in HTML only
		h.Set("Content-Type", "text/html; charset="+orUTF8(web.Charset(h.Get("Content-Type"))))
	}
	if asHTML != "" {
		h.Set("Content-Type", asHTML)
	}
	h.Set("Content-Security-Policy", animationPolicy(s.site.Replayed(m.r), "/"+m.p.Coll+"/", nonce))
	h.Set("Cross-Origin-Opener-Policy", "noopener-allow-popups") // no window of an archived page has this one in its hands
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-cache")
	web.Vary(h, "Accept-Language")
}

func orUTF8(charset string) string {
	if charset == "" {
		return "utf-8"
	}
	return charset
}
