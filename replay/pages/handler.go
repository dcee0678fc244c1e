package pages

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/weighted"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers for what people see, and for the same content as JSON.
type Handler struct {
	*comparison.Handler
	site      *respond.Site
	addresses *holdings.Counts
	orders    *weighted.Cache[orderKey, []uint32]

	// Drop returns what lets readers hand in files on a page about a collection, or about all ("").
	Drop func(w http.ResponseWriter, r *http.Request, coll string) *layout.DropZone
	// Crawls returns the address of the page of crawls, "" if there is nothing to be seen.
	Crawls func(r *http.Request) string
	// Follows returns the address of the page of sources that are followed, "" likewise.
	Follows func(r *http.Request) string
}

// New returns the handlers over an archive with its searches and counts, for a site.
func New(a *archive.Archive, of *searches.Searches, addresses *holdings.Counts, site *respond.Site) *Handler {
	s := &Handler{Handler: comparison.New(search.New(a, of, site), site), site: site, addresses: addresses}
	s.orders = weighted.New[orderKey](keptOrders, func(o []uint32) int { return 1 + len(o) })
	return s
}
