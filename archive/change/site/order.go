package site

import (
	"github.com/varve-archive/varve/archive/content/sketch"
)

// Shops and search results show the same things in another order each time. The order of a list says nothing if it changes at nearly
// every capture; the list is then compared as a set of items. One reordering is a change.

const (
	// minReorders is how many times a list must have come in another order.
	minReorders = 3
	// minListed is how many items a list has at least.
	minListed = 2
)

// A listing counts, over the captures of a page, in how many pairs of neighbours the items of each slot have changed places.
type listing struct {
	reorders map[uint32]int // by slot
	at       map[uint64]int // of the pair at hand: where the older text has an item, -1 if in several places
	last     map[uint32]int // of the pair at hand: where the older text has the last item seen, by slot
}

// Unordered returns the slots of the lists whose order says nothing. captures are those of the page in time order, equal neighbours
// included.
func Unordered(captures []*sketch.Sketch) map[uint32]bool {
	l := listing{reorders: map[uint32]int{}, at: map[uint64]int{}, last: map[uint32]int{}}
	for i := 1; i < len(captures); i++ {
		if a, b := captures[i-1], captures[i]; a.ID != b.ID {
			l.compare(a, b)
		}
	}
	var out map[uint32]bool
	for slot, n := range l.reorders {
		if n < minReorders || float64(n) < nearlyEvery*float64(pairsWith(captures, slot)) {
			continue
		}
		if out == nil {
			out = map[uint32]bool{}
		}
		out[slot] = true
	}
	return out
}

// compare counts the slots whose items have changed places among those that both texts have.
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
		if _, twice := l.at[x[i].Said]; twice {
			l.at[x[i].Said] = -1
		} else {
			l.at[x[i].Said] = i
		}
	}
	moved := map[uint32]bool{}
	for i := range y {
		at, found := l.at[y[i].Said]
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

// pairsWith returns how many pairs of neighbours both have a list in a slot.
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
