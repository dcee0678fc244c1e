package replay

import (
	"net/http"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/change"
)

// landing answers /{coll}/landing: a page for browsers, JSON for others.
func (s *pages) landing(w http.ResponseWriter, r *http.Request, p Path) error {
	ts, err := moment(p)
	if err != nil {
		return err
	}
	l, err := s.findLanding(r.Context(), p.Coll, p.URIR, ts)
	switch {
	case err != nil:
		return err
	case l.capture == nil:
		return s.site.missing(r, p)
	case l.kind == change.Page || l.kind == change.Resource:
		redirect(w, s.site.absolute(r, p.Coll).Memento(l.capture.Time, "", l.capture.URL))
		return nil
	}
	vary(w.Header(), "Accept")
	if isBrowser(r) {
		return render(w, r, http.StatusOK, banner.Landing(s.landingView(r, p, l)))
	}
	return writeJSON(w, r, l.json(s.site.absolute(r, p.Coll)))
}
