package site

import (
	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A Site is what is known about a host beyond one page: blocks on many of its pages, volatile blocks, and how it says that a page is not
// found. A nil Site is valid and empty. A Site is immutable, so it may be shared.
type Site struct {
	volatile  Volatile
	furniture hashing.Set // of blocks
	notFound  notFound
	texts     map[uint64]int // by core: number of sampled pages that showed the text
}

// A Sample is one URI-R of a site.
type Sample struct {
	// Pages are the texts of its good captures (2xx) in time order, one per capture, so that periods without a change
	// count too. Equal neighbours are the same pointer. A hundred captures are plenty.
	Pages []*sketch.Sketch
	// Missing are the texts of its captures with status 404 or 410, if they were kept.
	Missing []*sketch.Sketch
}

const (
	// A block is furniture if it stands on furnitureShare of the site's pages and on at least minFurniture.
	furnitureShare = 0.3
	minFurniture   = 4
)

// New learns from samples of a host's URI-Rs. Thirty to sixty with at least two captures with text are enough, if they are chosen from all
// folders.
func New(samples []Sample) *Site {
	s := &Site{texts: map[uint64]int{}}
	f := newFlicker()
	stands, withText := map[uint64]*standing{}, 0
	for _, sample := range samples {
		if len(sample.Pages) > 0 {
			withText++
		}
		f.watch(sample.Pages)
		countBlocks(stands, sample.Pages)
		s.countTexts(sample.Pages)
	}
	s.volatile = f.ofSite()
	for hash, b := range stands {
		if !b.varies && b.pages >= minFurniture && float64(b.pages) >= furnitureShare*float64(withText) {
			s.furniture.Add(hash)
		}
	}
	s.notFound = learnNotFound(samples)
	for core, pages := range s.texts {
		if pages >= minShared {
			s.notFound.texts[core] = true
		}
	}
	return s
}

// A standing counts the pages that have a block, and how often each has it. Furniture occurs equally often on every page; a block such as
// "yes" in three cells of one page and four of another is no furniture, however many pages have it.
type standing struct {
	pages, times int
	varies       bool
}

// countBlocks counts each block of a page once, however many captures have it.
func countBlocks(stands map[uint64]*standing, captures []*sketch.Sketch) {
	seen, times := map[uint64]bool{}, map[uint64]int{}
	for i, c := range captures {
		if i > 0 && c == captures[i-1] {
			continue
		}
		clear(times)
		for j := range c.Blocks {
			times[c.Blocks[j].NormalHash]++
		}
		for said, n := range times {
			b := stands[said]
			if b == nil {
				b = &standing{times: n}
				stands[said] = b
			}
			b.varies = b.varies || b.times != n
			if !seen[said] {
				seen[said] = true
				b.pages++
			}
		}
	}
}

// countTexts counts each text of a page once.
func (s *Site) countTexts(captures []*sketch.Sketch) {
	seen := map[uint64]bool{}
	for _, c := range captures {
		if c.Core != 0 && !seen[c.Core] {
			seen[c.Core] = true
			s.texts[c.Core]++
		}
	}
}

// Elsewhere reports whether other pages of the site have shown the same text.
func (s *Site) Elsewhere(k *sketch.Sketch) bool { return s != nil && s.texts[k.Core] > 1 }

// VolatileBlock reports whether a block is volatile on the site.
func (s *Site) VolatileBlock(b *sketch.Block) bool { return s != nil && s.volatile.Has(b) }

// FurnitureBlock reports whether a block is furniture, by its region or because it is on many pages of the site.
func (s *Site) FurnitureBlock(b *sketch.Block) bool {
	return b.Region.Furniture() || s != nil && b.Region == visible.Main && s.furniture.Has(b.NormalHash)
}

// Sum returns a checksum of what the site knows: about missing pages, and about everything if content is true. Sites with equal sums judge
// every page alike.
func (s *Site) Sum(content bool) (sum uint64) {
	if s == nil {
		return 0
	}
	const masks, values, furniture, texts, notFound, hashes = 1, 2, 3, 4, 5, 6
	add := func(sort, n uint64) { sum += hashing.Pair(sort, n) } // independent of the order
	for core := range s.notFound.texts {
		add(notFound, core)
	}
	for i := range s.notFound.hashes {
		h := uint64(0)
		for _, n := range s.notFound.hashes[i] {
			h = hashing.Pair(h, uint64(n))
		}
		add(hashes, h)
	}
	if !content {
		return sum
	}
	for _, of := range []struct {
		sort uint64
		set  *hashing.Set
	}{{masks, &s.volatile.masks}, {values, &s.volatile.values}, {furniture, &s.furniture}} {
		for h := range of.set.Hashes {
			add(of.sort, h)
		}
	}
	for core, pages := range s.texts {
		if pages > 1 {
			add(texts, core)
		}
	}
	return sum
}
