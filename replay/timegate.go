package replay

import (
	"net/http"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// timeGate negotiates in time: URI-R ≠ URI-G ≠ URI-M, answered by 302 (RFC 7089 §4.2.1, pattern 2.1).
func (s *answers) timeGate(w http.ResponseWriter, r *http.Request, p Path) error {
	ts, err := acceptDatetime(r)
	if err != nil {
		return err
	}
	tl, err := s.timeline(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.captures) == 0 {
		return s.site.missing(r, p)
	}
	if ts == 0 {
		ts = tl.captures[len(tl.captures)-1].Time
	}
	c, err := s.nearest(r.Context(), tl, ts)
	if err != nil {
		return err
	}
	if c == nil {
		return s.site.missing(r, p)
	}
	h := w.Header()
	allowOrigins(h)
	vary(h, "accept-datetime")
	h.Set("Link", memento.FormatLinks(s.site.absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{
		Original: p.URIR, First: &tl.captures[0], Last: &tl.captures[len(tl.captures)-1],
	})))
	redirect(w, s.site.absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// cdx answers the CDX API.
func (s *answers) cdx(w http.ResponseWriter, r *http.Request, p Path) error {
	s.api.Serve(w, r, p.Coll)
	return nil
}
