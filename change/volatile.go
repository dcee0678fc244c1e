package change

// A volatile set says which blocks change by themselves: it never makes a version at
// [LevelContent] that they do.
type volatile struct {
	masks, slots map[uint64]bool
}

func (v *volatile) has(b *BlockSketch) bool {
	return b.Digits && v.masks[b.maskKey()] || v.slots[uint64(b.Slot)]
}

// Numbers that change are rarely more than a clock or counter: few changes are enough. Words that
// change are usually content: it takes many, and that they come again.
const (
	minMaskChanges  = 3
	minSlotChanges  = 4
	minSitePages    = 2 // on which a mask changes nearly every time
	minSlotPages    = 3
	restiveShare    = 0.6 // of the pages that have the block
	minRepeatsShare = 0.5
)

// ofPage answers from the captures of one page.
func (f *flicker) ofPage() volatile {
	v := volatile{map[uint64]bool{}, map[uint64]bool{}}
	for key, t := range f.masks {
		if t.changes >= minMaskChanges && t.restive == t.pages {
			v.masks[key] = true
		}
	}
	for key, t := range f.slots {
		if t.changes >= minSlotChanges && t.restive == t.pages && t.repeating() {
			v.slots[key] = true
		}
	}
	return v
}

// ofSite answers from the captures of many pages.
func (f *flicker) ofSite() volatile {
	v := volatile{map[uint64]bool{}, map[uint64]bool{}}
	for key, t := range f.masks {
		if t.changes >= minMaskChanges && t.restiveOn(minSitePages) {
			v.masks[key] = true
		}
	}
	for key, t := range f.slots {
		if t.changes >= minSlotChanges && t.restiveOn(minSlotPages) && t.repeating() {
			v.slots[key] = true
		}
	}
	return v
}

func (t *tally) restiveOn(pages int) bool {
	return t.restive >= pages && float64(t.restive) >= restiveShare*float64(t.pages)
}

func (t *tally) repeating() bool {
	return float64(t.repeats) >= minRepeatsShare*float64(t.changes)
}
