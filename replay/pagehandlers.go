package replay

import (
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

// A pages has the handlers for what people see, and for the same as JSON.
type pages struct {
	*Archive
	site     *Site
	drawings *lru.Cache[drawingKey, *banner.Timeline]
	counts   *termCounts

	// Play answers with a page as it was at capture c, its own scripts switched off, under a bar; played is false where
	// there is no such page.
	Play func(w http.ResponseWriter, r *http.Request, p Path, tl *timeline, c *cdx.Capture, bar func(drift time.Duration) []byte) (played bool, err error)
}

func newPages(a *Archive, site *Site) *pages {
	s := &pages{Archive: a, site: site, counts: newTermCounts()}
	s.drawings, _ = lru.New[drawingKey, *banner.Timeline](cachedDrawings) // the error is for a size of 0
	return s
}

// at returns the pages as they are on another site.
func (s *pages) at(site *Site) *pages {
	moved := *s
	moved.site = site
	return &moved
}
