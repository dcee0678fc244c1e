// Package absent has the pages in place of one that isn't there: landing pages, and failures.
package absent

import (
	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
	ways    *ways.Finder
}

// New returns the handlers over an archive, for a site.
func New(a *archive.Archive, site *respond.Site, shared respond.SharedFunc, ways *ways.Finder) *Handler {
	return &Handler{a, site, shared, ways}
}
