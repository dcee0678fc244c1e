// Package absent has the pages in place of one that isn't there: landing pages, and failures.
package absent

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/respond"
)

// A Shared returns what all pages share.
type Shared = func(*http.Request, respond.Path) layout.Page

// A Handler has the handlers.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  Shared
	ways    *ways.Finder
}

// New returns the handlers over an archive, for a site.
func New(a *archive.Archive, site *respond.Site, shared Shared, ways *ways.Finder) *Handler {
	return &Handler{a, site, shared, ways}
}
