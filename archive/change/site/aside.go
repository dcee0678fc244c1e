package site

import (
	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// SimilarityAside is [Similarity] without the blocks that are volatile on the sites of the two texts or stand on many of their pages. A nil
// site excludes nothing. If nothing else of a text is left, all of it counts.
func SimilarityAside(a *sketch.Sketch, siteA *Site, b *sketch.Sketch, siteB *Site) float64 {
	all := sketch.Similarity(a, b)
	x, y := siteA.split(a), siteB.split(b)
	switch {
	case all == 1 || x.kept == 0 || y.kept == 0 || x.aside+y.aside == 0:
		return all
	case x.core == y.core:
		return 1
	}
	// The common shingles, about one per word, include those of blocks that both sides set aside. Subtract these.
	total := float64(x.kept + x.aside + y.kept + y.aside)
	both := all*total/(1+all) - float64(common(x.asides, y.asides))
	both = max(both, float64(common(x.keeps, y.keeps)), 0)
	both = min(both, float64(x.kept), float64(y.kept))
	return both / (float64(x.kept+y.kept) - both)
}

// A split says which blocks of a text's own content count and which are set aside. Sizes are in words.
type split struct {
	core          uint64 // hash of what counts
	kept, aside   int
	keeps, asides map[uint64]int // words of the blocks by their hash
}

func (s *Site) split(k *sketch.Sketch) split {
	out := split{keeps: map[uint64]int{}, asides: map[uint64]int{}}
	for i := range k.Blocks {
		b := &k.Blocks[i]
		words := int(b.Fields)
		switch {
		case b.Region.Furniture():
		case b.Stamp, s.VolatileBlock(b), s.FurnitureBlock(b):
			out.aside += words
			out.asides[b.Hash] += words
		default:
			out.core = hashing.Concat(out.core, b.Hash, b.Fields)
			out.kept += words
			out.keeps[b.Hash] += words
		}
	}
	return out
}

// common returns the number of words in the blocks that both have.
func common(a, b map[uint64]int) (n int) {
	for h, words := range a {
		n += min(words, b[h])
	}
	return n
}
