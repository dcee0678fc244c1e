package answer

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// TimeGate negotiates in time: URI-R ≠ URI-G ≠ URI-M, answered by 302 (RFC 7089 §4.2.1, pattern 2.1).
func (s *Handler) TimeGate(w http.ResponseWriter, r *http.Request, p web.Path) error {
	ts, err := web.AcceptDatetime(r)
	if err != nil {
		return err
	}
	tl, err := s.Timeline(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return s.site.Missing(r, p)
	}
	if ts == 0 {
		ts = tl.Captures[len(tl.Captures)-1].Time
	}
	c, err := s.Nearest(r.Context(), tl, ts)
	if err != nil {
		return err
	}
	if c == nil {
		return s.site.Missing(r, p)
	}
	h := w.Header()
	web.AllowOrigins(h)
	web.Vary(h, "accept-datetime")
	h.Set("Link", memento.FormatLinks(s.site.Absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{
		Original: p.URIR, First: &tl.Captures[0], Last: &tl.Captures[len(tl.Captures)-1],
	})))
	web.Redirect(w, s.site.Absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// CDX answers the CDX API.
func (s *Handler) CDX(w http.ResponseWriter, r *http.Request, p web.Path) error {
	s.api.Serve(w, r, p.Coll)
	return nil
}

// toLanding sends a reader who comes upon a captured redirect to its landing page, and says whether it did. Everyone
// else, and who does not want to be asked, gets the captured answer.
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
