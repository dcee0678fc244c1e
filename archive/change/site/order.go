package site

import (
	"github.com/varve-archive/varve/archive/content/sketch"
)

// Shops and search results list the same things in another order each time. The order of a list is ignored if it changes at nearly every
// capture; the list is then compared as a set of items. A single reordering is a change.

const (
	// minReorders is how many times a list must have been reordered.
	minReorders = 3
	// minListed is the least number of items in a list.
	minListed = 2
)

// A listing counts, over the captures of a page, the pairs of neighbours in which the items of each slot were reordered.
type listing struct {
	reorders map[uint32]int // by slot
	at       map[uint64]int // in the current pair: position of each item in the older text, -1 if it is there several times
	last     map[uint32]int // in the current pair, by slot: position in the older text of the last item seen
}

// Unordered returns the slots of lists whose order is ignored. captures are those of the page in time order, equal neighbours included.
func Unordered(captures []*sketch.Sketch) map[uint32]bool {
	l := listing{reorders: map[uint32]int{}, at: map[uint64]int{}, last: map[uint32]int{}}
	for i := 1; i < len(captures); i++ {
		if a, b := captures[i-1], captures[i]; a.ID != b.ID {
			l.compare(a, b)
		}
	}
	var out map[uint32]bool
	for slot, n := range l.reorders {
		if n >= minReorders && float64(n) >= nearlyEvery*float64(pairsWith(captures, slot)) {
			if out == nil {
				out = map[uint32]bool{}
			}
			out[slot] = true
		}
	}
	return out
}

// compare counts the slots in which items that both texts have were reordered.
func (l *listing) compare(a, b *sketch.Sketch) {
	x, y := differing(a.Blocks, b.Blocks)
	if len(x) == 0 || len(y) == 0 {
		return
	}
	clear(l.at)
	clear(l.last)
	for i := range x {
		if x[i].Joined {
			continue
		}
		if _, twice := l.at[x[i].NormalHash]; twice {
			l.at[x[i].NormalHash] = -1
		} else {
			l.at[x[i].NormalHash] = i
		}
	}
	moved := map[uint32]bool{}
	for i := range y {
		at, found := l.at[y[i].NormalHash]
		if !found || at < 0 || y[i].Joined || x[at].Slot != y[i].Slot {
			continue
		}
		if before, ok := l.last[y[i].Slot]; ok && at < before {
			moved[y[i].Slot] = true
		}
		l.last[y[i].Slot] = at
	}
	for slot := range moved {
		l.reorders[slot]++
	}
}

// pairsWith returns the number of neighbouring pairs in which both have a list in a slot.
func pairsWith(captures []*sketch.Sketch, slot uint32) (pairs int) {
	before := false
	for i, s := range captures {
		has := before
		if i == 0 || captures[i-1] != s {
			has = items(s, slot) >= minListed
		}
		if has && before {
			pairs++
		}
		before = has
	}
	return pairs
}

// items returns how many items of a slot a text has.
func items(s *sketch.Sketch, slot uint32) (n int) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.Slot == slot && !b.Joined {
			n++
		}
	}
	return n
}
