package timeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/inflight"
	"github.com/varve-archive/varve/internal/packed"
)

// Bounds of the samples from which a site's furniture and volatile blocks are learnt.
const (
	cachedSites     = 64
	siteKeys        = 20_000 // keys of a host to choose samples from
	siteProbes      = 400    // keys that are opened
	siteSamples     = 60     // keys with text that become samples
	sampledCaptures = 100    // captures of each sample
	sampledReads    = 1_000  // captures read for each key: a picture may have any number, all without text
	siteRound       = 80     // keys that are opened together
	usualCaptures   = 32     // captures of a key that are read together
)

// Sites learns about hosts from samples of the index and caches the result. What readers ask for is cached in the index too, for other
// processes and later runs. What counting or building a search learns is not: they ask about every host, and each host that is cached makes
// changes of the file table slower.
type Sites struct {
	index    *view.View
	caches   bool   // store facts in the index
	software string // version of the software that cached facts must be from
	log      *slog.Logger
	full     atomic.Bool // the last attempt to store facts failed
	learning inflight.Group
	cache    *lru.Cache[string, cachedSite]
}

type cachedSite struct {
	site       *site.Site
	generation uint64
}

func newSites(c *Config) *Sites {
	cache, _ := lru.New[string, cachedSite](cachedSites)
	return &Sites{index: c.View, caches: c.CacheSites, software: c.Software, log: c.Log, cache: cache}
}

// Get returns what is known about the host of key.
func (s *Sites) Get(ctx context.Context, coll, key string) (*site.Site, error) {
	host, _, ok := strings.Cut(key, ")")
	if !ok {
		return nil, nil
	}
	h := index.HostName{Coll: coll, Host: host}
	known := func() (*site.Site, bool) { return s.known(h) }
	return inflight.Do(ctx, &s.learning, idOf(h), known, func() (*site.Site, error) {
		generation := s.index.Generation()
		site, err := s.find(ctx, h)
		if err != nil {
			return nil, err
		}
		s.cache.Add(idOf(h), cachedSite{site, generation})
		return site, nil
	})
}

func idOf(h index.HostName) string { return h.Coll + "\x00" + h.Host }

// known returns what this process knows about a host, if the index has not changed since.
func (s *Sites) known(h index.HostName) (*site.Site, bool) {
	c, ok := s.cache.Get(idOf(h))
	return c.site, ok && c.generation == s.index.Generation()
}

// prefetch returns the host of a key, for a snapshot that then fetches the cached facts in the same round trip. It returns none if the
// host is known or its facts are of no use.
func (s *Sites) prefetch(coll, key string) []index.HostName {
	host, _, ok := strings.Cut(key, ")")
	h := index.HostName{Coll: coll, Host: host}
	if !ok || !s.index.Whole.Shared() || s.index.Touches(spanOf(coll, host)) {
		return nil
	}
	if _, ok := s.known(h); ok {
		return nil
	}
	return []index.HostName{h}
}

// take stores the facts of hosts that a snapshot has, for a generation of the view.
func (s *Sites) take(snap *view.Snapshot, hosts []index.HostName, generation uint64) error {
	for _, h := range hosts {
		var site *site.Site
		if _, err := snap.Facts(h, func(facts []byte) error { site = parseFacts(facts, s.software); return nil }); err != nil {
			return err
		}
		if site != nil {
			s.cache.Add(idOf(h), cachedSite{site, generation})
		}
	}
	return nil
}

// find returns the cached facts of a host. If there are none, it learns and caches them.
func (s *Sites) find(ctx context.Context, h index.HostName) (*site.Site, error) {
	generation, raw := s.index.Generation(), s.index.Whole.Generation()
	hidden := s.index.Touches(spanOf(h.Coll, h.Host)) // captures hidden by rules teach nothing
	if !hidden {
		if site, err := s.cachedFacts(ctx, h); site != nil || err != nil {
			return site, err
		}
	}
	samples, keys, err := s.sample(ctx, h.Coll, h.Host+")", h.Host+"*")
	if err != nil {
		return nil, err
	}
	site := site.New(samples)
	// Nothing is cached for hosts without captures: readers may ask for any host, and no change would invalidate the facts.
	if s.caches && keys > 0 && !hidden && !s.index.Touches(spanOf(h.Coll, h.Host)) && s.index.Generation() == generation {
		s.cacheFacts(ctx, h, raw, site)
	}
	return site, nil
}

// cacheFacts caches the facts of a host for a generation of the index. Only the first of consecutive failures is logged.
func (s *Sites) cacheFacts(ctx context.Context, h index.HostName, generation uint64, site *site.Site) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cacheTime)
	defer cancel()
	err := ignoreNotCached(s.index.Whole.Cache().PutFacts(ctx, h, generation, appendFacts(nil, s.software, site)))
	if failed := err != nil; s.full.Swap(failed) != failed && failed {
		s.log.Warn("what is learnt of hosts can't be cached in the index, and is learnt again each time", "host", h.Host, "error", err)
	}
}

// cachedFacts returns the cached facts of a host, nil if there are none that this version can use.
func (s *Sites) cachedFacts(ctx context.Context, h index.HostName) (site *site.Site, err error) {
	_, err = s.index.Whole.Cache().Facts(ctx, h, func(facts []byte) error {
		site = parseFacts(facts, s.software)
		return nil
	})
	return site, err
}

// factsFormat is stored with facts. Raise it when samples are taken differently.
const factsFormat = 1

func appendFacts(b []byte, software string, site *site.Site) []byte {
	return site.AppendBinary(packed.AppendText(binary.AppendUvarint(b, factsFormat), software))
}

// parseFacts is the inverse of appendFacts. It returns nil for facts that are damaged or from another version.
func parseFacts(b []byte, software string) *site.Site {
	d := decoderOf(b)
	if d.Uint() != factsFormat || d.text() != software || d.Failed {
		return nil
	}
	site, err := site.Parse(d.Rest)
	if err != nil {
		return nil
	}
	return site
}

func spanOf(coll, host string) cdx.Span {
	return cdx.Span{Coll: coll, From: host + ")", To: host + "*"} // "*" sorts after ")"
}

// sample opens keys in the order of their hashes, which favours no folder and is reproducible. It also returns the number of keys that it
// chose from.
func (s *Sites) sample(ctx context.Context, coll, from, to string) (out []site.Sample, of int, err error) {
	type hashed struct {
		key  string
		hash uint64
	}
	var keys []hashed
	for k, err := range s.index.Keys(ctx, coll, from, to) {
		if err != nil {
			return nil, 0, err
		}
		if keys = append(keys, hashed{k, xxh3.HashString(k)}); len(keys) == siteKeys {
			break
		}
	}
	slices.SortFunc(keys, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	names := make([]string, min(len(keys), siteProbes))
	for i := range names {
		names[i] = keys[i].key
	}
	src := &Sketches{index: s.index}
	for round := range slices.Chunk(names, siteRound) {
		some, err := s.open(ctx, coll, round, src)
		if err != nil {
			return nil, 0, err
		}
		if out = append(out, some...); len(out) >= siteSamples {
			return out[:siteSamples], len(keys), nil
		}
	}
	return out, len(keys), nil
}

// open returns samples of those keys that have text, in order. It reads all keys at once, since the index may be on another machine.
func (s *Sites) open(ctx context.Context, coll string, keys []string, src *Sketches) ([]site.Sample, error) {
	type sampled struct {
		text    uint64
		missing bool
	}
	captures, reads := make([][]sampled, len(keys)), make([]int, len(keys))
	var states []change.State
	err := s.index.Firsts(ctx, coll, keys, usualCaptures, func(i int, c *cdx.Capture) bool {
		reads[i]++
		missing := c.Status == 404 || c.Status == 410
		if c.Text != 0 && !c.Failed() && (missing || c.Status >= 200 && c.Status <= 299) {
			captures[i] = append(captures[i], sampled{c.Text, missing})
			states = append(states, change.State{Text: c.Text})
		}
		return reads[i] < sampledReads && len(captures[i]) < sampledCaptures
	})
	if err != nil {
		return nil, err
	}
	if err := src.Load(states); err != nil {
		return nil, err
	}
	var out []site.Sample
	for _, of := range captures {
		var sample site.Sample
		for _, c := range of {
			k, err := src.Sketch(c.text)
			switch {
			case err != nil:
				return nil, err
			case k == nil:
			case c.missing:
				sample.Missing = append(sample.Missing, k)
			default:
				sample.Pages = append(sample.Pages, k)
			}
		}
		if len(sample.Pages) > 1 || len(sample.Missing) > 0 {
			out = append(out, sample)
		}
	}
	return out, nil
}
