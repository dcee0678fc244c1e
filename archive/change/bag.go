package change

import (
	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A bag sums up the items of lists whose order says nothing.
type bag struct {
	sum   uint64 // of the hashes of its items, which no order changes
	words uint32
	item  uint64 // hash of the item that is being read
	begun uint32 // its words
}

// add adds a block to the item that is being read.
func (g *bag) add(b *sketch.Block, whole bool) {
	g.item = b.AddTo(g.item, whole)
	g.begun += b.Fields
}

// end ends that item.
func (g *bag) end() {
	if g.begun > 0 {
		g.sum += hashing.Mix(g.item ^ uint64(g.begun))
		g.words += g.begun
		g.item, g.begun = 0, 0
	}
}

// addTo returns the hash of a text with hash h that has the items of g besides.
func (g *bag) addTo(h uint64) uint64 {
	g.end()
	if g.words == 0 {
		return h
	}
	return hashing.Concat(h, hashing.Mix(g.sum)&hashing.Prime61, g.words)
}
