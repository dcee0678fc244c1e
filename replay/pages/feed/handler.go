package feed

import (
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers.
type Handler struct {
	archive  *archive.Archive
	searches *searches.Searches
	counts   *holdings.Counts
	site     *respond.Site
	shared   respond.SharedFunc
	hub      string           // to be notified of changes (WebSub), "" for none
	now      func() time.Time // the clock of relative datetimes
}

// New returns the handlers over an archive with its searches and counts, for a site. hub is the address of a WebSub hub, "" for none.
func New(
	a *archive.Archive, of *searches.Searches, addresses *holdings.Counts, site *respond.Site, shared respond.SharedFunc, hub string,
) *Handler {
	return &Handler{archive: a, searches: of, counts: addresses, site: site, shared: shared, hub: hub, now: time.Now}
}
