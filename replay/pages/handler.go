package pages

import (
	"net/http"

	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/replay/pages/addresses"
	"github.com/varve-archive/varve/replay/pages/calendar"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers for what people see, and for the same content as JSON.
type Handler struct {
	*comparison.Handler
	site      *respond.Site
	counts    *holdings.Counts
	addresses *addresses.Handler
	calendar  *calendar.Handler

	// Drop returns what lets readers hand in files on a page about a collection, or about all ("").
	Drop func(w http.ResponseWriter, r *http.Request, coll string) *layout.DropZone
	// Crawls returns the address of the page of crawls, "" if there is nothing to be seen.
	Crawls func(r *http.Request) string
	// Follows returns the address of the page of sources that are followed, "" likewise.
	Follows func(r *http.Request) string
}

// New returns the handlers beside a search box, over an archive with its counts, for a site.
func New(
	box *search.Handler, counts *holdings.Counts, addresses *addresses.Handler, calendar *calendar.Handler, site *respond.Site,
) *Handler {
	return &Handler{Handler: comparison.New(box, site), site: site, counts: counts, addresses: addresses, calendar: calendar}
}
