package search

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers of searches, terms and suggestions.
type Handler struct {
	*archive.Archive
	site *respond.Site
}

// New returns the handlers over an archive, for a site.
func New(a *archive.Archive, site *respond.Site) *Handler { return &Handler{a, site} }

// At returns the handlers for another site.
func (s *Handler) At(site *respond.Site) *Handler { return &Handler{s.Archive, site} }

// Shared returns what all pages share: the box is on each of them.
func (s *Handler) Shared(r *http.Request, p respond.Path) banner.Page {
	page := s.site.Shared(r, p)
	if p.Coll != "" && s.Index.Has(p.Coll) {
		uris := s.site.Local(p.Coll)
		page.Suggest = uris.Endpoint("suggest", "")
		if s.HasSearch() {
			page.OpenSearch = uris.Endpoint("opensearch.xml", "")
		}
	} else if p.Coll == "" && len(s.Index.Collections()) > 0 {
		page.Open, page.Suggest = page.Home, s.site.Path()+"/-/suggest"
	}
	return page
}
