package crawl

import (
	"hash/maphash"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Limits of what is remembered of facets.
const (
	maxFacetPaths = 10_000 // most recent paths and hosts
	maxFacets     = 64     // choices of one path or host that come in the normal order
	maxFacetWords = 20_000 // known path segments of a host
	minFacetWords = 3      // fewest segments of a path that may be a choice
)

// facets recognizes choices of filters, as in shops and catalogues: queries with several arguments or values on one path, and paths
// whose segments have all occurred in others. There may be more combinations than a crawl can request, all showing the same few
// things. All but the first come after the site's other pages. What is known lasts for one run.
type facets struct {
	mu    sync.Mutex
	seed  maphash.Seed
	paths *lru.Cache[string, map[uint64]bool] // the queries of each path
	hosts *lru.Cache[string, *choices]
}

// choices are what is known about the paths of a host.
type choices struct {
	words, paths map[uint64]bool // known segments; paths that consist of known segments
}

func newFacets() *facets {
	paths, _ := lru.New[string, map[uint64]bool](maxFacetPaths) // fails for no size above 0
	hosts, _ := lru.New[string, *choices](maxFacetPaths / 100)
	return &facets{seed: maphash.MakeSeed(), paths: paths, hosts: hosts}
}

// late reports whether a page comes after the others.
func (f *facets) late(key string) bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	path, query, _ := strings.Cut(key, "?")
	return f.lateQuery(path, query) || f.latePath(path)
}

func (f *facets) lateQuery(path, query string) bool {
	if !strings.ContainsAny(query, "&,;|") && !strings.Contains(query, "%2c") && !strings.Contains(query, "%7c") {
		return false
	}
	known, ok := f.paths.Get(path)
	if !ok {
		known = map[uint64]bool{}
		f.paths.Add(path, known)
	}
	return tooMany(known, maphash.String(f.seed, query))
}

// latePath checks the segments of a path. A real page has a name of its own, so a site has no more paths than names; choices
// produce many more. Numbers don't count as names: the pages of lists and the days of calendars have them.
func (f *facets) latePath(path string) bool {
	host, path, _ := strings.Cut(path, ")")
	known, ok := f.hosts.Get(host)
	if !ok {
		known = &choices{words: map[uint64]bool{}, paths: map[uint64]bool{}}
		f.hosts.Add(host, known)
	}
	words, fresh := 0, false
	for word := range strings.FieldsFuncSeq(path, func(c rune) bool { return strings.ContainsRune("/;,+", c) }) {
		if strings.Trim(word, "0123456789") == "" {
			continue
		}
		of := maphash.String(f.seed, word)
		words++
		if !known.words[of] {
			fresh = true
			if len(known.words) < maxFacetWords {
				known.words[of] = true
			}
		}
	}
	return !fresh && words >= minFacetWords && tooMany(known.paths, maphash.String(f.seed, path))
}

// tooMany reports whether a choice exceeds the limit, and remembers it otherwise.
func tooMany(known map[uint64]bool, of uint64) bool {
	if !known[of] && len(known) == maxFacets {
		return true
	}
	known[of] = true
	return false
}
