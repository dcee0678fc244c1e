package index

import (
	"math"
	"slices"
)

// A window sorts any amount of numbers with little memory. It takes numbers in any order and keeps the smallest from a bound on, without
// duplicates. To continue, pass all numbers again with the bound after those it kept.
type window struct {
	most int // how many it keeps; it holds up to twice as many
	kept []uint64
	from uint64
	to   uint64 // the largest number that is still taken; most smaller ones are known already
}

// open starts with the numbers from a bound on.
func (w *window) open(from uint64) {
	w.kept, w.from, w.to = w.kept[:0], from, math.MaxUint64
}

func (w *window) add(n uint64) {
	if n < w.from || n > w.to {
		return
	}
	if w.kept = append(w.kept, n); len(w.kept) >= 2*w.most {
		w.trim()
	}
}

// close returns the kept numbers, sorted and valid until the next open, and whether there are more.
func (w *window) close() (kept []uint64, more bool) {
	w.trim()
	return w.kept, w.to < math.MaxUint64
}

func (w *window) trim() {
	slices.Sort(w.kept)
	w.kept = slices.Compact(w.kept)
	if len(w.kept) > w.most {
		w.kept = w.kept[:w.most]
		w.to = w.kept[w.most-1]
	}
}
