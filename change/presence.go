package change

import "slices"

// countPairs counts, for what changed on this page or one before, the pairs of captures that have it.
func (f *flicker) countPairs(captures []*Sketch) {
	known := map[uint64]presence{}
	of := func(s *Sketch) presence {
		p, ok := known[s.ID]
		if !ok {
			p = f.present(s)
			known[s.ID] = p
		}
		return p
	}
	for i := 1; i < len(captures); i++ {
		a := of(captures[i-1])
		for _, t := range a.values {
			t.page.pairs++
		}
		if captures[i-1].ID == captures[i].ID {
			for _, t := range a.masks {
				t.page.pairs++
			}
			continue
		}
		b := of(captures[i])
		for _, t := range a.masks {
			if slices.Contains(b.masks, t) {
				t.page.pairs++
			}
		}
	}
}

// A presence lists the tallies of the blocks a text has, each once.
type presence struct{ masks, values []*tally }

func (f *flicker) present(s *Sketch) presence {
	var p presence
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Digits {
			p.masks = addNew(p.masks, f.masks[b.maskKey()])
		}
		p.values = addNew(p.values, f.values[b.Hash])
	}
	return p
}

// maxPresent bounds what is watched on one page, and with it the time that pages full of changing
// numbers take.
const maxPresent = 64

func addNew(all []*tally, t *tally) []*tally {
	if t == nil || len(all) >= maxPresent || slices.Contains(all, t) {
		return all
	}
	return append(all, t)
}
