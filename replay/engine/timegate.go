package engine

import (
	"net/http"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// TimeGate does datetime negotiation: URI-R ≠ URI-G ≠ URI-M, answered by 302 (RFC 7089 §4.2.1, pattern 2.1).
func (s *Handler) TimeGate(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.AcceptDatetime(r)
	if err != nil {
		return err
	}
	key, err := respond.RequestKey(r, p.URIR)
	if err != nil {
		return err
	}
	o, err := s.Timelines.Original(r.Context(), p.Coll, key, ts)
	if err != nil {
		return err
	}
	if o, err = o.Spelled(r.Context(), p.URIR); err != nil {
		return err
	}
	first, last, err := o.Ends(r.Context())
	if err != nil {
		return err
	}
	if ts == 0 {
		ts = newestOf(last)
	}
	c, err := o.Nearest(r.Context(), ts)
	if err == nil && c == nil && !respond.Reads(r) {
		var tl *timeline.Timeline
		if tl, c, err = respond.Equivalent(r, s.Archive, p.Coll, p.URIR, key, ts); c != nil {
			first, last, err = s.Timelines.Of(tl).Ends(r.Context())
		}
	}
	if err != nil {
		return err
	}
	if c == nil {
		return s.noCapture(r, p)
	}
	h, uris := w.Header(), s.site.Absolute(r, p.Coll)
	respond.AllowOrigins(h)
	respond.Vary(h, "accept-datetime")
	near := placed(first, c, last)
	near.Original = p.URIR
	h.Set("Link", memento.FormatLinks(uris.TimeGateLinks(near)))
	respond.RedirectKeepingMethod(w, r, uris.Memento(c.Time, p.Mod, c.URL))
	return nil
}

// newestOf returns the datetime that a TimeGate uses if the request has none (RFC 7089 §4.2.1). last may be nil.
func newestOf(last *cdx.Capture) cdx.Timestamp {
	if last != nil {
		return last.Time
	}
	return respond.Newest
}

// placed returns the neighbourhood of a capture for the links of a redirect to it. If the other captures were removed meanwhile, it has
// only this one.
func placed(first, c, last *cdx.Capture) *memento.Neighbourhood {
	if first == nil || last == nil {
		first, last = c, c
	}
	return &memento.Neighbourhood{Current: c, First: first, Last: last}
}

// noCapture returns the failure of a request that no capture answers.
func (s *Handler) noCapture(r *http.Request, p respond.Path) error {
	if respond.Reads(r) || r.Method == http.MethodPost || r.Method == http.MethodPut {
		return s.site.Missing(r, p)
	}
	return respond.NoMethod(r, p.Kind)
}

// CDX answers the CDX API.
func (s *Handler) CDX(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	s.api.Serve(w, r, p.Coll)
	return nil
}

// toLanding sends a reader who meets a captured redirect to its landing page, and reports whether it did. All other
// clients, and readers who don't want to be asked, get the captured answer.
func (s *Handler) toLanding(w http.ResponseWriter, r *http.Request, p respond.Path, o *timeline.Original, c *cdx.Capture) (bool, error) {
	if p.Mod != "" || respond.Preferred(r) != "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false, nil
	}
	if leads, err := o.LeadsElsewhere(r.Context(), c); !leads || err != nil {
		return false, err
	}
	respond.VaryLanding(w.Header())
	if !respond.IsNavigation(r) || respond.SkipsLanding(r, respond.SiteOf(c.URL)) {
		return false, nil
	}
	respond.AllowOrigins(w.Header())
	respond.Redirect(w, s.site.Absolute(r, p.Coll).Landing(c.Time, c.URL))
	return true, nil
}
