package comparison

import (
	"net/http"
	"time"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers of comparisons.
type Handler struct {
	*search.Handler
	site   *respond.Site
	counts *countCache

	// Play answers with a page as it was at capture c, its own scripts switched off, under a bar. played is false if
	// there is no such page.
	Play func(
		w http.ResponseWriter, r *http.Request, p respond.Path, tl *timeline.Timeline, c *cdx.Capture, bar func(drift time.Duration) []byte,
	) (played bool, err error)
}

// New returns the handlers beside those of the search, for a site.
func New(of *search.Handler, site *respond.Site) *Handler {
	return &Handler{Handler: of, site: site, counts: newCountCache()}
}
