package page

import (
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/web"
)

// A Handler has the handlers for what people see, and for the same content as JSON.
type Handler struct {
	*archive.Archive
	site     *web.Site
	drawings *lru.Cache[drawingKey, *banner.Timeline]
	counts   *termCounts

	// Play answers with a page as it was at capture c, its own scripts switched off, under a bar. played is false if
	// there is no such page.
	Play func(
		w http.ResponseWriter, r *http.Request, p web.Path, tl *archive.Timeline, c *cdx.Capture, bar func(drift time.Duration) []byte,
	) (played bool, err error)
}

func New(a *archive.Archive, site *web.Site) *Handler {
	s := &Handler{Archive: a, site: site, counts: newTermCounts()}
	s.drawings, _ = lru.New[drawingKey, *banner.Timeline](cachedDrawings) // the error is for a size of 0
	return s
}

// At returns the pages for another site.
func (s *Handler) At(site *web.Site) *Handler {
	moved := *s
	moved.site = site
	return &moved
}

// shared returns what all pages share.
func (s *Handler) shared(r *http.Request, p web.Path) banner.Page {
	page := s.site.Shared(r, p)
	if p.Coll != "" && s.HasSearch() && s.Index.Has(p.Coll) {
		uris := s.site.Local(p.Coll)
		page.OpenSearch, page.Suggest = uris.Endpoint("opensearch.xml", ""), uris.Endpoint("suggest", "")
	}
	return page
}
