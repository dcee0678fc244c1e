package replay

import (
	"net/http"

	"github.com/varve-archive/varve/cdx"
)

// toLanding sends a reader who comes upon a captured redirect to its landing page, and says whether it did. Everyone
// else, and who does not want to be asked, gets the captured answer.
func (s *answers) toLanding(w http.ResponseWriter, r *http.Request, p Path, tl *timeline, c *cdx.Capture) bool {
	if p.Mod != "" || preferred(r) != "" || r.Method != http.MethodGet && r.Method != http.MethodHead || !leadsElsewhere(tl, c) {
		return false
	}
	vary(w.Header(), decidesLanding...)
	if !isNavigation(r) || goesUnasked(r, siteOf(c.URL)) {
		return false
	}
	allowOrigins(w.Header())
	redirect(w, s.site.absolute(r, p.Coll).Landing(c.Time, c.URL))
	return true
}
