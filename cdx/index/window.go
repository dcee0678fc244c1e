package index

import (
	"math"
	"slices"
)

// A window takes numbers in any order and keeps the least of those from a bound on, each once. Shown all of them again
// with the bound moved behind what it kept it goes on from there: so any number come in order while few are held.
type window struct {
	most int // how many it keeps; it holds up to twice as many
	kept []uint64
	from uint64
	to   uint64 // the last that it takes: there are most below
}

// open begins with the numbers from a bound on.
func (w *window) open(from uint64) {
	w.kept, w.from, w.to = w.kept[:0], from, math.MaxUint64
}

func (w *window) add(n uint64) {
	if n < w.from || n > w.to {
		return
	}
	if w.kept = append(w.kept, n); len(w.kept) >= 2*w.most {
		w.arrange()
	}
}

// close returns what was kept, in order and valid until the window is opened again, and whether there is more.
func (w *window) close() (kept []uint64, more bool) {
	w.arrange()
	return w.kept, w.to < math.MaxUint64
}

func (w *window) arrange() {
	slices.Sort(w.kept)
	w.kept = slices.Compact(w.kept)
	if len(w.kept) > w.most {
		w.kept = w.kept[:w.most]
		w.to = w.kept[w.most-1]
	}
}
