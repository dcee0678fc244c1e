package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"html"
	"net/http"
	"strconv"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/selector"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
	"github.com/varve-archive/varve/static"
)

// Still answers /{coll}/still/{ts14}/{URI-R}: an archived page without active content, whose elements are numbered. A script tells the
// surrounding page which element the reader points at. The page is sandboxed in an opaque origin, no other script runs in it, and it
// shows no frames.
func (s *Handler) Still(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	tl, err := s.Timelines.Spelled(r.Context(), p.Coll, p.URIR)
	if err != nil {
		return err
	}
	c := tl.Memento(ts)
	if c == nil || len(p.From) != 14 {
		return respond.NotFound("there is no capture of this address at this datetime")
	}
	if !archive.IsHTML(c) {
		return respond.NotFound("this capture is no page")
	}
	m := &answer{
		s: s, w: w, r: r, o: s.Timelines.Of(tl), use: uses.Link,
		p: respond.Path{Kind: respond.Memento, Coll: p.Coll, From: c.Time.String(), URIR: c.URL},
	}
	nonce := rand.Text()
	page, err := m.still(c, nonce)
	if err != nil {
		return err
	}
	m.sendStill(page, nonce)
	return nil
}

// Limits: pages that are processed at the same time, and the wait of other requests. Each page takes much memory.
const (
	maxStills       = 2
	maxStillWaiting = 10 * time.Second
)

// stills is a semaphore for pages being processed.
var stills = make(chan struct{}, maxStills)

// still parses a page and writes it anew, when a slot is free.
func (m *answer) still(c *cdx.Capture, nonce string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(m.r.Context(), maxStillWaiting)
	defer cancel()
	select {
	case stills <- struct{}{}:
		defer func() { <-stills }()
	case <-ctx.Done():
		if err := m.r.Context().Err(); err != nil {
			return nil, err
		}
		return nil, &respond.Failure{
			Status: http.StatusServiceUnavailable, Say: "too many pages are being read at the moment, try again soon",
			Header: http.Header{"Retry-After": {"10"}},
		}
	}
	a, err := m.s.Open(m.r.Context(), c)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	m.a = a
	body, contentType, err := m.s.PageBody(m.r.Context(), c)
	if err != nil {
		return nil, err
	}
	d, err := fields.Parse(fields.Page{Body: body, ContentType: contentType, URL: c.URL})
	if err != nil {
		return nil, respond.NotFound("this page can't be taken apart")
	}
	var out bytes.Buffer
	err = rewrite.HTML(&out, bytes.NewReader(selector.Still(d)), rewrite.Options{
		Base: d.Base, Use: uses.Link, Resolve: m.resolver(), Charset: "utf-8", Still: true, Head: m.stillHead(nonce),
	})
	if m.lost != nil {
		return nil, m.lost
	}
	if err != nil {
		return nil, archive.Unreadable(c, err)
	}
	return out.Bytes(), nil
}

// stillHead returns the script and the style for pointing at elements.
func (m *answer) stillHead(nonce string) []byte {
	src := html.EscapeString(m.s.site.Path() + static.URL("pick.js"))
	return []byte(`<meta charset="utf-8"><script nonce="` + nonce + `" src="` + src + `"></script>`)
}

func (m *answer) sendStill(body []byte, nonce string) {
	h, site := m.w.Header(), m.s.site
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Content-Security-Policy", stillPolicy(m.lookedFrom(), nonce))
	allowConnections(h, m.r, site)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-cache")
	if m.r.Method != http.MethodHead {
		_, _ = m.w.Write(body) // the client may be gone
	}
}

// lookedFrom returns the addresses from which the page's pictures and styles may be loaded: its collection, also on the replay origin.
func (m *answer) lookedFrom() string {
	from := m.s.site.Base(m.r) + "/" + m.p.Coll + "/"
	if replayed := m.s.site.ReplayURL; replayed != "" {
		from += " " + replayed + "/" + m.p.Coll + "/"
	}
	return from
}

// stillPolicy forbids everything in a still except pictures and styles.
func stillPolicy(from, nonce string) string {
	return "default-src 'none'; style-src 'unsafe-inline' " + from + "; img-src data: " + from + "; font-src data: " + from +
		"; media-src " + from + "; script-src 'nonce-" + nonce + "'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'" +
		"; sandbox allow-scripts"
}
