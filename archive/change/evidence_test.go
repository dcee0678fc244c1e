package change

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/change/site"
)

// grown bounds the test: so many pages of a corpus, and so many captures of each.
const grownPages, grownCaptures = 120, 24

// A version that was shown because words changed may only go by better evidence: what changed there has changed in other
// steps of the page too. Captures come one by one, in order and in no order.
func testEvidence(t *testing.T, c *corpus) {
	var pages []string
	for _, uri := range c.uris {
		if n := len(c.captures[uri]); n > 3 && n <= grownCaptures {
			pages = append(pages, uri)
		}
	}
	learnt := c.site(siteSample)
	for i := range min(grownPages, len(pages)) {
		uri := pages[i*len(pages)/min(grownPages, len(pages))]
		for _, s := range []*site.Site{nil, learnt} {
			states := c.states(uri)
			order := make([]int, len(states))
			for i := range order {
				order[i] = i
			}
			c.grow(t, uri, states, order, s)
			rand.New(rand.NewPCG(1, uint64(i))).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			c.grow(t, uri, states, order, s)
		}
	}
}

// grow adds captures in an order, given by their indices in time, and checks what becomes of the steps shown so far.
func (c *corpus) grow(t *testing.T, uri string, all []State, order []int, site *site.Site) {
	t.Helper()
	shown := map[[2]int]bool{} // captures that follow each other with a change between them
	var have []int
	for _, next := range order {
		at, _ := slices.BinarySearch(have, next)
		have = slices.Insert(have, at, next)
		states := make([]State, len(have))
		for i, h := range have {
			states[i] = all[h]
		}
		cmp, err := newComparer(LevelContent, &Window{States: states, To: len(states)}, c, site)
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		for i := range states {
			if cmp.passing(i) {
				continue
			}
			if last >= 0 {
				step := [2]int{have[last], have[i]}
				changed := !cmp.same(&states[last], cmp.kinds[last], i)
				if shown[step] && !changed && !cmp.repeats(states, last, i) {
					t.Errorf("%s: the change from %d to %d is gone after %d captures, though nothing in it has changed elsewhere",
						uri, states[last].Time, states[i].Time, len(have))
				}
				shown[step] = changed
			}
			last = i
		}
	}
}

// repeats reports whether each block that changed between two captures, or another in its place, changed in two other
// steps too.
func (c *comparer) repeats(states []State, from, to int) bool {
	places := map[uint64]int{}
	for i := 1; i < len(states); i++ {
		if i-1 != from && i != to {
			for place := range c.changedPlaces(states[i-1].Text, states[i].Text) {
				places[place]++
			}
		}
	}
	a, b := c.sketches[states[from].Text], c.sketches[states[to].Text]
	if a == nil || b == nil {
		return false
	}
	gone, come := site.Differing(a, b)
	for _, b := range slices.Concat(gone, come) {
		if !b.Stamp && c.volatile.Has(b) && places[uint64(b.Slot)] < 2 && places[b.NormalHash] < 2 && places[b.MaskKey()] < 2 {
			return false
		}
	}
	return true
}

// changedPlaces returns the slots, the masks and the words of the blocks in which two texts differ.
func (c *comparer) changedPlaces(from, to uint64) map[uint64]bool {
	out := map[uint64]bool{}
	a, b := c.sketches[from], c.sketches[to]
	if a == nil || b == nil {
		return out
	}
	gone, come := site.Differing(a, b)
	for _, b := range slices.Concat(gone, come) {
		out[uint64(b.Slot)], out[b.NormalHash], out[b.MaskKey()] = true, true, true
	}
	return out
}
