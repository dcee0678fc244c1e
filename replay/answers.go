package replay

import (
	"iter"
	"net/http"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// An answers has the handlers for mementos, TimeGates, TimeMaps and the CDX API.
type answers struct {
	*Archive
	answerHooks
	site         *Site
	api          *cdx.API
	cache        *pageCache
	timeMapPages *lru.Cache[string, keptRanges]
}

// answerHooks are what answers take from the pages for people.
type answerHooks struct {
	Banner      BannerFunc
	TimeMapPage func(w http.ResponseWriter, r *http.Request, p Path, captures iter.Seq2[*cdx.Capture, error], info *memento.TimeMapInfo) error
}

// at returns the handlers as they are on another site.
func (s *answers) at(site *Site) *answers {
	moved := *s
	moved.site = site
	return &moved
}

func newAnswers(a *Archive, site *Site, hooks answerHooks) *answers {
	s := &answers{Archive: a, answerHooks: hooks, site: site, cache: newPageCache(), api: cdx.NewAPI(a.Index, a.annotate)}
	s.timeMapPages, _ = lru.New[string, keptRanges](cachedPageRanges) // the error is for a size of 0
	return s
}
