package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/uses"
	"github.com/varve-archive/varve/static"
)

// maxPlayable is how large a rewritten page may be to play a change in it. Before the first byte is sent, it must be
// certain that the page has an end and a place for the bar.
const maxPlayable = 16 << 20

// animationPolicy returns the policy of a page in which a change is played. The page's own scripts don't run; only the two scripts with
// the nonce do. The rewriter sandboxes frames; the policy forbids other elements that could contain a page.
func animationPolicy(base, home, nonce string) string {
	inside := base + home + " " + base + "/-/static/"
	return "default-src 'unsafe-inline' data: blob: " + inside + pictures(base, inside) + "; script-src 'nonce-" + nonce +
		"'; connect-src 'none'; worker-src 'none'; object-src 'none'; " +
		"form-action " + inside + "; base-uri " + inside + "; frame-ancestors 'self'" + others(base)
}

// errTooLarge aborts the rewriting of a page that is too large.
const errTooLarge = sentinel.Error("the page is too large to be played in")

// A limited collects a page of up to [maxPlayable] bytes.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > maxPlayable {
		return 0, errTooLarge
	}
	return l.Buffer.Write(b)
}

// Play answers with an archived page that is kept still, under a bar; a script in it plays how its text changed. played is false if there
// is no such page: it is too large or, like a frameset, has no place for the bar.
func (s *Handler) Play(w http.ResponseWriter, r *http.Request, p respond.Path, tl *timeline.Timeline, c *cdx.Capture,
	bar func(drift time.Duration) []byte,
) (played bool, err error) {
	a, err := s.Open(r.Context(), c)
	if err != nil {
		return false, err
	}
	defer a.Close()
	m := &answer{
		s: s, w: w, r: r, o: s.Timelines.Of(tl), a: a, use: uses.Link,
		p: respond.Path{Kind: respond.Memento, Coll: p.Coll, From: c.Time.String(), URIR: c.URL},
	}
	nonce := rand.Text()
	page, err := m.playPage(bar, nonce)
	if err != nil || page == nil {
		return false, err
	}
	before := w.Header().Clone()
	if m.playHead(nonce); m.lost != nil {
		respond.Unset(w.Header(), before)
		return false, m.lost
	}
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return true, nil
	}
	_, err = page.WriteTo(w)
	return true, err
}

// playPage returns the page rewritten as in replay, kept still and with the bar. It returns nil if the capture is not a
// page, is too large or, like a frameset, has no place for the bar.
func (m *answer) playPage(bar func(drift time.Duration) []byte, nonce string) (*limited, error) {
	body, err := m.a.Readable()
	if err != nil {
		return nil, nil // a page can't be read without decoding it
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	if rewrite.Sniff(m.a.Header.Get("Content-Type"), uses.Link, start) != rewrite.FormatHTML {
		return nil, nil
	}
	placed := false
	o := rewrite.Options{
		Base: m.a.Capture.URL, Use: uses.Link, Resolve: m.resolver(), Charset: xmltext.Charset(m.a.Header.Get("Content-Type")), Still: true,
		Head: m.playScripts(nonce),
		LateBanner: func() []byte {
			placed = true
			return bar(m.drift.far())
		},
	}
	text, err := respond.AsHTML(peek, m.a.Header.Get("Content-Type"), m.w.Header())
	if err != nil {
		return nil, archive.Unreadable(m.a.Capture, err)
	}
	var page limited
	switch err := rewrite.HTML(&page, text, o); {
	case errors.Is(err, errTooLarge):
		return nil, nil
	case m.lost != nil:
		return nil, m.lost
	case err != nil:
		return nil, archive.Unreadable(m.a.Capture, err)
	case !placed:
		return nil, nil
	}
	return &page, nil
}

// playScripts returns what goes first into the head: the limits on where the page may navigate, and the player.
func (m *answer) playScripts(nonce string) []byte {
	head := m.inside(m.s.site.Base(m.r))
	for _, name := range []string{"animatepage.js", "animate.js"} {
		head = append(head, script(m.s.site.Path()+static.URL(name))...)
	}
	return bytes.ReplaceAll(head, []byte("<script "), []byte(`<script nonce="`+nonce+`" `))
}

// playHead sets the headers. Of the archived ones it keeps only those that say how to read the body: the answer is not
// a memento.
func (m *answer) playHead(nonce string) {
	h, s := m.w.Header(), m.s
	asHTML := h.Get("Content-Type") // of an XHTML page
	rewritten := header.Rewrite(m.a.Header.HTTP(), header.Options{
		Base: m.a.Capture.URL, Use: uses.Link, Resolve: m.resolver(), Changed: true,
	})
	for _, name := range []string{"Content-Type", "Content-Language", "Link"} {
		if v := rewritten.Values(name); len(v) > 0 {
			h[name] = v
		}
	}
	if strings.Contains(strings.ToLower(h.Get("Content-Type")), "xml") { // the bar is HTML and works only in HTML
		h.Set("Content-Type", "text/html; charset="+cmp.Or(xmltext.Charset(h.Get("Content-Type")), "utf-8"))
	}
	if asHTML != "" {
		h.Set("Content-Type", asHTML)
	}
	h.Set("Content-Security-Policy", animationPolicy(s.site.Replayed(m.r), "/"+m.p.Coll+"/", nonce))
	allowConnections(h, m.r, s.site)
	h.Set("Cross-Origin-Opener-Policy", "noopener-allow-popups") // so that no window of an archived page gets hold of this one
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-cache")
	respond.Vary(h, "Accept-Language")
}
