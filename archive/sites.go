package archive

import (
	"context"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
)

// How much of a site is read to learn its furniture and what changes by itself.
const (
	cachedSites     = 64
	siteKeys        = 20_000 // keys of a host to choose samples from
	siteProbes      = 400    // keys that are opened
	siteSamples     = 60     // keys that have text and are used
	sampledCaptures = 100    // captures of each sample
	sampledLooks    = 1_000  // captures read of each key: a picture may have any number, all without text
)

// sites learns about hosts from samples of the index, and caches the result.
type sites struct {
	index    *View
	learning inFlight
	cache    *lru.Cache[string, cachedSite]
}

type cachedSite struct {
	site       *change.Site
	generation uint64
}

func newSites(x *View) *sites {
	c, _ := lru.New[string, cachedSite](cachedSites)
	return &sites{index: x, cache: c}
}

// get returns what is known about the host of key.
func (s *sites) get(ctx context.Context, coll, key string) (*change.Site, error) {
	host, _, ok := strings.Cut(key, ")")
	if !ok {
		return nil, nil
	}
	id := coll + "\x00" + host
	known := func() (*change.Site, bool) {
		c, ok := s.cache.Get(id)
		return c.site, ok && c.generation == s.index.Generation()
	}
	return getOnce(ctx, &s.learning, id, known, func() (*change.Site, error) {
		generation := s.index.Generation()
		samples, err := s.sample(ctx, coll, host+")", host+"*") // "*" sorts after ")"
		if err != nil {
			return nil, err
		}
		site := change.NewSite(samples)
		s.cache.Add(id, cachedSite{site, generation})
		return site, nil
	})
}

// sample opens keys in the order of their hashes. That favours no folder and gives the same result each time.
func (s *sites) sample(ctx context.Context, coll, from, to string) ([]change.Sample, error) {
	type hashed struct {
		key  string
		hash uint64
	}
	var keys []hashed
	for k, err := range s.index.Keys(ctx, coll, from, to) {
		if err != nil {
			return nil, err
		}
		if keys = append(keys, hashed{k, xxh3.HashString(k)}); len(keys) == siteKeys {
			break
		}
	}
	slices.SortFunc(keys, func(a, b hashed) int {
		if a.hash < b.hash {
			return -1
		}
		return 1
	})
	src := &sketches{index: s.index}
	var out []change.Sample
	for i := 0; i < len(keys) && i < siteProbes && len(out) < siteSamples; i++ {
		sample, err := s.open(ctx, coll, keys[i].key, src)
		if err != nil {
			return nil, err
		}
		if len(sample.Pages) > 1 || len(sample.Missing) > 0 {
			out = append(out, sample)
		}
	}
	return out, nil
}

func (s *sites) open(ctx context.Context, coll, key string, src *sketches) (change.Sample, error) {
	var sample change.Sample
	n, looks := 0, 0
	for c, err := range s.index.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}) {
		if err != nil {
			return sample, err
		}
		if looks++; looks > sampledLooks {
			break
		}
		if c.Text == 0 || c.Failed() {
			continue
		}
		if n++; n > sampledCaptures {
			break
		}
		k, err := src.Sketch(c.Text)
		if err != nil {
			return sample, err
		}
		switch {
		case k == nil:
		case c.Status == 404 || c.Status == 410:
			sample.Missing = append(sample.Missing, k)
		case c.Status >= 200 && c.Status <= 299:
			sample.Pages = append(sample.Pages, k)
		}
	}
	return sample, nil
}
