package crawl

import (
	"hash/maphash"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Bounds of what a crawl knows of facets.
const (
	maxFacetPaths = 10_000 // paths that are known, those found last
	maxFacets     = 64     // queries of a path that have their turn like other pages
)

// facets are queries of several arguments on one path, as shops and catalogues have them for each choice of filters: there may be more of
// them than a crawl asks for in all, of the same few things. All but the first come after the site's other pages. They are of one run.
type facets struct {
	mu    sync.Mutex
	seed  maphash.Seed
	paths *lru.Cache[string, map[uint64]bool]
}

func newFacets() *facets {
	paths, _ := lru.New[string, map[uint64]bool](maxFacetPaths) // fails for no size above 0
	return &facets{seed: maphash.MakeSeed(), paths: paths}
}

// late reports whether a page comes after others.
func (f *facets) late(key string) bool {
	path, query, _ := strings.Cut(key, "?")
	if f == nil || !strings.Contains(query, "&") {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.paths.Get(path)
	if !ok {
		known = map[uint64]bool{}
		f.paths.Add(path, known)
	}
	of := maphash.String(f.seed, query)
	if !known[of] && len(known) == maxFacets {
		return true
	}
	known[of] = true
	return false
}
