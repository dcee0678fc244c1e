package engine

import (
	"iter"
	"net/http"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers for mementos, TimeGates, TimeMaps and the CDX API.
type Handler struct {
	*archive.Archive
	Hooks
	site         *respond.Site
	api          *cdx.API
	cache        *respond.Cache
	timeMapPages *lru.Cache[string, keptRanges]
}

// Hooks are what answers need from the pages for people.
type Hooks struct {
	Banner      respond.BannerFunc
	TimeMapPage func(w http.ResponseWriter, r *http.Request, p respond.Path, captures iter.Seq2[*cdx.Capture, error],
		info *memento.TimeMapInfo) error
}

// New returns the handlers over an archive for a site.
func New(a *archive.Archive, site *respond.Site, hooks Hooks) *Handler {
	s := &Handler{Archive: a, Hooks: hooks, site: site, cache: respond.NewCache()}
	s.api = cdx.NewAPI(a.Index, a.Timelines.Annotate)
	s.timeMapPages, _ = lru.New[string, keptRanges](cachedPageRanges) // the error is for a size of 0
	return s
}
