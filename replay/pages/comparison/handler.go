package comparison

import (
	"net/http"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers of comparisons.
type Handler struct {
	archive  *archive.Archive
	searches *searches.Searches
	site     *respond.Site
	shared   respond.SharedFunc
	counts   *countCache
	play     PlayFunc
}

// A PlayFunc answers with a page as it was at capture c, its own scripts switched off, under a bar. played is false if there is no such
// page.
type PlayFunc func(
	w http.ResponseWriter, r *http.Request, p respond.Path, tl *timeline.Timeline, c *cdx.Capture, bar func(drift time.Duration) []byte,
) (played bool, err error)

// New returns the handlers over an archive and its searches, for a site.
func New(a *archive.Archive, of *searches.Searches, site *respond.Site, shared respond.SharedFunc, play PlayFunc) *Handler {
	return &Handler{archive: a, searches: of, site: site, shared: shared, counts: newCountCache(), play: play}
}
