package site

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A presence lists the tallies of the distinct blocks in a text.
type presence struct{ masks, values []*tally }

// countPairs counts, for what changed on some page, the pairs of captures that have it.
func (p *pageCounts) countPairs(f *flicker) {
	captures := p.captures
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
			p.count(t).pairs++
		}
		for _, t := range a.masks {
			if same || slices.Contains(b.masks, t) {
				p.count(t).pairs++
			}
		}
		a = b
	}
}

// presences returns, by ID, the presence of each text.
func (f *flicker) presences(captures []*sketch.Sketch) map[uint64]presence {
	var masks, values hashing.Set
	for key := range f.masks {
		masks.Add(key)
	}
	for key := range f.values {
		values.Add(key)
	}
	known := map[uint64]presence{}
	for _, s := range captures {
		if _, ok := known[s.ID]; ok {
			continue
		}
		var p presence
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if b.Digits && masks.Has(b.MaskKey()) {
				p.masks = addNew(p.masks, f.masks[b.MaskKey()])
			}
			if values.Has(b.NormalHash) {
				p.values = addNew(p.values, f.values[b.NormalHash])
			}
		}
		known[s.ID] = p
	}
	return known
}

// maxPresent bounds the tallies that are counted on one page, and so the time for pages full of changing numbers.
const maxPresent = 64

func addNew(all []*tally, t *tally) []*tally {
	if len(all) >= maxPresent || slices.Contains(all, t) {
		return all
	}
	return append(all, t)
}
