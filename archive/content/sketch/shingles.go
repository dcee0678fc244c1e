package sketch

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// Shingles returns the hashes of the word 5-shingles of the page's own content, sorted and without duplicates.
// [MinHash] samples them. A text with fewer words is one shingle; a text without content of its own has none.
func Shingles(t *visible.Text) []uint64 {
	b := sketchers.Get().(*sketcher)
	defer sketchers.Put(b)
	b.reset(t)
	var words []uint64
	for i := range t.Blocks {
		if t.Blocks[i].Region.Furniture() {
			continue
		}
		for _, h := range b.words(t, i).words {
			words = append(words, shingleOf(h))
		}
	}
	if len(words) == 0 {
		return nil
	}
	out := make([]uint64, 0, max(1, len(words)-shingleLen+1))
	for i := range cap(out) {
		h := uint64(shingleBase)
		for _, w := range words[i:min(len(words), i+shingleLen)] {
			h = hashing.Mix(h ^ w)
		}
		out = append(out, h)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Jaccard returns the share of shingles that two texts have in common, from 0 to 1. Both lists are sorted, as [Shingles] returns them; if
// both are empty, the result is 0.
func Jaccard(a, b []uint64) float64 {
	x, y, both := a, b, 0
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			x = x[1:]
		case x[0] > y[0]:
			y = y[1:]
		default:
			both, x, y = both+1, x[1:], y[1:]
		}
	}
	return float64(both) / float64(max(1, len(a)+len(b)-both))
}
