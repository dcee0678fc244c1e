package crawl

import (
	"hash/maphash"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Bounds of what a crawl knows of facets.
const (
	maxFacetPaths   = 10_000 // paths and hosts that are known, those found last
	maxFacets       = 64     // choices of one path or host that have their turn like other pages
	maxFacetWords   = 20_000 // parts of paths that are known of a host
	leastFacetWords = 3      // parts of a path that may be a choice
)

// facets are choices of filters, as shops and catalogues have them: queries of several arguments or values on one path, and paths of parts
// that have all been seen in others. There may be more of them than a crawl asks for in all, of the same few things. All but the first come
// after the site's other pages. They are of one run.
type facets struct {
	mu    sync.Mutex
	seed  maphash.Seed
	paths *lru.Cache[string, map[uint64]bool] // the queries of each
	hosts *lru.Cache[string, *choices]
}

// choices are what is known of the paths of a host.
type choices struct {
	words, paths map[uint64]bool // the parts of its paths; the paths that were made of known parts
}

func newFacets() *facets {
	paths, _ := lru.New[string, map[uint64]bool](maxFacetPaths) // fails for no size above 0
	hosts, _ := lru.New[string, *choices](maxFacetPaths / 100)
	return &facets{seed: maphash.MakeSeed(), paths: paths, hosts: hosts}
}

// late reports whether a page comes after others.
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

// latePath looks at the parts of a path. A page of its own has a name of its own, so that a site has no more paths than names; of choices
// it has many more. Numbers are no names: pages of a list and days of a calendar have them.
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
	return !fresh && words >= leastFacetWords && tooMany(known.paths, maphash.String(f.seed, path))
}

// tooMany reports whether one more choice is one too many, and remembers it if not.
func tooMany(known map[uint64]bool, of uint64) bool {
	if !known[of] && len(known) == maxFacets {
		return true
	}
	known[of] = true
	return false
}
