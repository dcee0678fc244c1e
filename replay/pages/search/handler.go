package search

import (
	"net/http"
	"net/url"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers of searches, terms and suggestions.
type Handler struct {
	archive  *archive.Archive
	searches *searches.Searches
	site     *respond.Site
}

// New returns the handlers over an archive and its searches, for a site.
func New(a *archive.Archive, of *searches.Searches, site *respond.Site) *Handler {
	return &Handler{a, of, site}
}

// feedOf returns the address of the feed of an address, of a pattern, or of a whole collection.
func feedOf(uris memento.URIs, uriR string) string {
	if uriR == "" {
		return uris.Endpoint("feed", "")
	}
	return uris.Endpoint("feed", url.Values{"url": {uriR}}.Encode())
}

// follow returns the address of a feed of future results, "" without a query. A search in pages is followed by the additions of the text.
func (a *asked) follow(uris memento.URIs, kind search.Kind) string {
	if a.q == "" {
		return ""
	}
	v := url.Values{"q": {a.q}, "change": {kind.String()}, "domain": {a.domain}, "url": {a.url}}
	if a.url != "" && !a.exact {
		v.Set("matchType", string(surt.Prefix))
	}
	return uris.Endpoint("feed", changed(v, nil))
}

// Shared returns what all pages have in common, which includes the box.
func (s *Handler) Shared(r *http.Request, p respond.Path) layout.Page {
	page := s.site.Shared(r, p)
	if p.Coll != "" && s.archive.Index.Has(p.Coll) {
		uris := s.site.Local(p.Coll)
		page.Suggest, page.Feed = uris.Endpoint("suggest", ""), feedOf(uris, page.URIR)
		if s.searches.Exist() {
			page.OpenSearch = uris.Endpoint("opensearch.xml", "")
		}
	} else if p.Coll == "" && len(s.archive.Index.Collections()) > 0 {
		page.Open, page.Suggest = page.Home, s.site.Path()+"/-/suggest"
	}
	return page
}
