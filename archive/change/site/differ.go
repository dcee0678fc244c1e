package site

import (
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A differ finds the blocks that one text has and another lacks, in time linear in their number.
type differ struct {
	count      map[uint64]int // by hash, of blocks that are still to be found in the other text; 0 between calls
	gone, come []*sketch.Block
}

// compare returns the blocks of a that are not in b, and those of b that are not in a, in document order. The result is
// valid until the next call.
func (d *differ) compare(a, b *sketch.Sketch) (gone, come []*sketch.Block) {
	x, y := differing(a.Blocks, b.Blocks)
	if d.count == nil {
		d.count = map[uint64]int{}
	}
	d.gone, d.come = d.gone[:0], d.come[:0]
	for i := range x {
		d.count[x[i].NormalHash]++
	}
	for i := range y {
		if d.count[y[i].NormalHash] > 0 {
			d.count[y[i].NormalHash]--
		} else {
			d.come = append(d.come, &y[i])
		}
	}
	for i := range x {
		if d.count[x[i].NormalHash] > 0 {
			d.count[x[i].NormalHash]--
			d.gone = append(d.gone, &x[i])
		}
	}
	return d.gone, d.come
}

// differing returns blocks without those that both texts have at their beginnings and ends.
func differing(x, y []sketch.Block) (restX, restY []sketch.Block) {
	for len(x) > 0 && len(y) > 0 && x[0].NormalHash == y[0].NormalHash {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1].NormalHash == y[len(y)-1].NormalHash {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return x, y
}

// Differing returns the blocks of a that are not in b, and those of b that are not in a, in document order.
func Differing(a, b *sketch.Sketch) (gone, come []*sketch.Block) { return new(differ).compare(a, b) }
