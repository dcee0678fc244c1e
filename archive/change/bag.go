package change

import (
	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A bag hashes the items of unordered lists, so that their order doesn't matter.
type bag struct {
	sum   uint64 // of the hashes of the items; the same in any order
	words uint32
	item  uint64 // hash of the current item
	begun uint32 // its number of words so far
}

// add adds a block to the current item.
func (g *bag) add(b *sketch.Block, whole bool) {
	g.item = b.AddTo(g.item, whole)
	g.begun += b.Fields
}

// end ends the current item.
func (g *bag) end() {
	if g.begun > 0 {
		g.sum += hashing.Mix(g.item ^ uint64(g.begun))
		g.words += g.begun
		g.item, g.begun = 0, 0
	}
}

// addTo combines h, the hash of a text without these items, with theirs.
func (g *bag) addTo(h uint64) uint64 {
	g.end()
	if g.words == 0 {
		return h
	}
	return hashing.Concat(h, hashing.Mix(g.sum)&hashing.Prime61, g.words)
}
