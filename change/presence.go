package change

import "slices"

// A presence lists the tallies of the blocks a text has, each once.
type presence struct{ masks, values []*tally }

// countPairs counts, for what changed on this page or one before, the pairs of captures that have it.
func (f *flicker) countPairs(captures []*Sketch) {
	if len(captures) == 0 {
		return
	}
	known := f.presences(captures)
	a := known[captures[0].ID]
	for i := 1; i < len(captures); i++ {
		same, b := captures[i-1].ID == captures[i].ID, a
		if !same {
			b = known[captures[i].ID]
		}
		for _, t := range a.values {
			t.page.pairs++
		}
		for _, t := range a.masks {
			if same || slices.Contains(b.masks, t) {
				t.page.pairs++
			}
		}
		a = b
	}
}

// presences returns what each text has of that which changes, by its ID.
func (f *flicker) presences(captures []*Sketch) map[uint64]presence {
	var masks, values hashSet
	for key := range f.masks {
		masks.add(key)
	}
	for key := range f.values {
		values.add(key)
	}
	known := map[uint64]presence{}
	for i, s := range captures {
		if i > 0 && captures[i-1] == s {
			continue
		}
		if _, ok := known[s.ID]; ok {
			continue
		}
		var p presence
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if b.Digits && masks.has(b.maskKey()) {
				p.masks = addNew(p.masks, f.masks[b.maskKey()])
			}
			if values.has(b.Said) {
				p.values = addNew(p.values, f.values[b.Said])
			}
		}
		known[s.ID] = p
	}
	return known
}

// maxPresent bounds what is watched on one page, and with it the time that pages full of changing
// numbers take.
const maxPresent = 64

func addNew(all []*tally, t *tally) []*tally {
	if len(all) >= maxPresent || slices.Contains(all, t) {
		return all
	}
	return append(all, t)
}
