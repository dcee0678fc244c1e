package answer

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// TimeGate does datetime negotiation: URI-R ≠ URI-G ≠ URI-M, answered by 302 (RFC 7089 §4.2.1, pattern 2.1).
func (s *Handler) TimeGate(w http.ResponseWriter, r *http.Request, p web.Path) error {
	ts, err := web.AcceptDatetime(r)
	if err != nil {
		return err
	}
	key, err := web.RequestKey(r, p.URIR)
	if err != nil {
		return err
	}
	tl, err := s.Timeline(r.Context(), p.Coll, key)
	if err != nil {
		return err
	}
	if ts == 0 {
		ts = newestOf(tl)
	}
	c, err := s.Nearest(r.Context(), tl, ts)
	if err == nil && c == nil && !web.Reads(r) {
		tl, c, err = web.Equivalent(r, s.Archive, p.Coll, p.URIR, key, ts)
	}
	if err != nil {
		return err
	}
	if c == nil {
		return s.noCapture(r, p)
	}
	h, uris := w.Header(), s.site.Absolute(r, p.Coll)
	web.AllowOrigins(h)
	web.Vary(h, "accept-datetime")
	near := firstAndLast(tl, c)
	near.Original = p.URIR
	h.Set("Link", memento.FormatLinks(uris.TimeGateLinks(near)))
	web.RedirectKeeping(w, r, uris.Memento(c.Time, p.Mod, c.URL))
	return nil
}

// newestOf returns the datetime that a TimeGate uses if the request has none (RFC 7089 §4.2.1).
func newestOf(tl *archive.Timeline) cdx.Timestamp {
	if n := len(tl.Captures); n > 0 {
		return tl.Captures[n-1].Time
	}
	return web.Newest
}

// firstAndLast places a capture between the first and the last of its URI-R, for the links of a redirect to it.
func firstAndLast(tl *archive.Timeline, c *cdx.Capture) *memento.Neighbourhood {
	return &memento.Neighbourhood{Current: c, First: &tl.Captures[0], Last: &tl.Captures[len(tl.Captures)-1]}
}

// noCapture returns the failure of a request that no capture answers.
func (s *Handler) noCapture(r *http.Request, p web.Path) error {
	if web.Reads(r) || r.Method == http.MethodPost || r.Method == http.MethodPut {
		return s.site.Missing(r, p)
	}
	return web.NoMethod(r, p.Kind)
}

// CDX answers the CDX API.
func (s *Handler) CDX(w http.ResponseWriter, r *http.Request, p web.Path) error {
	s.api.Serve(w, r, p.Coll)
	return nil
}

// toLanding sends a reader who meets a captured redirect to its landing page, and reports whether it did. All other
// clients, and readers who don't want to be asked, get the captured answer.
func (s *Handler) toLanding(w http.ResponseWriter, r *http.Request, p web.Path, tl *archive.Timeline, c *cdx.Capture) bool {
	if p.Mod != "" || web.Preferred(r) != "" || r.Method != http.MethodGet && r.Method != http.MethodHead || !archive.LeadsElsewhere(tl, c) {
		return false
	}
	web.Vary(w.Header(), web.DecidesLanding...)
	if !web.IsNavigation(r) || web.GoesUnasked(r, web.SiteOf(c.URL)) {
		return false
	}
	web.AllowOrigins(w.Header())
	web.Redirect(w, s.site.Absolute(r, p.Coll).Landing(c.Time, c.URL))
	return true
}
