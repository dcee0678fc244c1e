package change

// A flicker watches, over the captures of pages, which blocks change by themselves. Clocks, counters
// and tokens keep their words and change their numbers: they are known by their mask. Rotating
// quotes and advertisements keep their place and change their words: they are known by their slot.
type flicker struct {
	masks map[uint64]*tally
	slots map[uint64]*tally
}

// A tally counts over pairs of neighbouring captures that both have the block.
type tally struct {
	pairs   int
	changes int
	pages   int // pages that have it in some pair
	restive int // of these, those on which it changed nearly every time
	repeats int // changes to a value that was there before, here or on another page
	values  map[uint64]struct{}
	page    struct{ pairs, changes int } // on the page being watched
}

const (
	// nearlyEvery is the share of pairs from which on a block counts as changing by itself.
	nearlyEvery = 0.8
	// maxSlotBlocks bounds how many blocks a slot may hold to be a place where one thing rotates:
	// paragraphs of an article share a slot too.
	maxSlotBlocks = 3
	// maxValues bounds the memory of what a slot has shown.
	maxValues = 256
)

// maskKey identifies a block by its mask, with its slot where the mask says too little by itself.
func (b *BlockSketch) maskKey() uint64 {
	if b.Plain >= 2 {
		return uint64(b.Mask)
	}
	return uint64(b.Slot)<<32 | uint64(b.Mask)
}

// watch adds the captures of one page, in time order, equal neighbours included.
func (f *flicker) watch(captures []*Sketch) {
	if f.masks == nil {
		f.masks, f.slots = map[uint64]*tally{}, map[uint64]*tally{}
	}
	var d differ
	for i := 1; i < len(captures); i++ {
		a, b := captures[i-1], captures[i]
		if a != b && a.ID != b.ID {
			f.change(d.compare(a, b))
		}
	}
	f.countPairs(captures)
	endPage(f.masks)
	endPage(f.slots)
}

// change notes what came in place of what.
func (f *flicker) change(gone, come []*BlockSketch) {
	gone, come = f.matchMasks(gone, come)
	for i, c := range come {
		if seenSlot(come[:i], c.Slot) || !seenSlot(gone, c.Slot) {
			continue
		}
		t := entry(f.slots, uint64(c.Slot))
		t.page.changes++
		t.note(c.Hash)
	}
}

func (t *tally) note(value uint64) {
	if _, ok := t.values[value]; ok {
		t.repeats++
		return
	}
	if t.values == nil {
		t.values = map[uint64]struct{}{}
	}
	if len(t.values) < maxValues {
		t.values[value] = struct{}{}
	}
}

// matchMasks notes the blocks that changed in their numbers only and returns the others.
func (f *flicker) matchMasks(gone, come []*BlockSketch) (restGone, restCome []*BlockSketch) {
	was := map[uint64]int{}
	for _, b := range gone {
		if b.Digits {
			was[b.maskKey()]++
		}
	}
	noted := map[uint64]int{}
	for _, b := range come {
		key := b.maskKey()
		if !b.Digits || was[key] == noted[key] {
			restCome = append(restCome, b)
			continue
		}
		if noted[key]++; noted[key] == 1 {
			entry(f.masks, key).page.changes++
		}
	}
	for _, b := range gone {
		if key := b.maskKey(); b.Digits && noted[key] > 0 {
			noted[key]--
			continue
		}
		restGone = append(restGone, b)
	}
	return restGone, restCome
}

func seenSlot(blocks []*BlockSketch, slot uint32) bool {
	for _, b := range blocks {
		if b.Slot == slot {
			return true
		}
	}
	return false
}

func entry(m map[uint64]*tally, key uint64) *tally {
	t := m[key]
	if t == nil {
		t = &tally{}
		m[key] = t
	}
	return t
}

// countPairs counts, for the blocks that changed on some page, the pairs that have them.
func (f *flicker) countPairs(captures []*Sketch) {
	known := map[uint64][]*tally{}
	tallies := func(s *Sketch) []*tally {
		t, ok := known[s.ID]
		if !ok {
			t = f.present(s)
			known[s.ID] = t
		}
		return t
	}
	for i := 1; i < len(captures); i++ {
		a, b := tallies(captures[i-1]), tallies(captures[i])
		for _, t := range a {
			if captures[i-1] == captures[i] || contains(b, t) {
				t.page.pairs++
			}
		}
	}
}

// present returns the tallies of the blocks that s has, each once.
func (f *flicker) present(s *Sketch) []*tally {
	var found []*tally
	slots := map[*tally]int{}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Digits {
			if t := f.masks[b.maskKey()]; t != nil && !contains(found, t) {
				found = append(found, t)
			}
		}
		if t := f.slots[uint64(b.Slot)]; t != nil {
			slots[t]++
		}
	}
	for t, n := range slots {
		if n <= maxSlotBlocks {
			found = append(found, t)
		}
	}
	return found
}

func contains(ts []*tally, t *tally) bool {
	for _, x := range ts {
		if x == t {
			return true
		}
	}
	return false
}

func endPage(m map[uint64]*tally) {
	for _, t := range m {
		if t.page.pairs == 0 {
			t.page.changes = 0
			continue
		}
		t.pages++
		t.pairs += t.page.pairs
		t.changes += t.page.changes
		if float64(t.page.changes) >= nearlyEvery*float64(t.page.pairs) {
			t.restive++
		}
		t.page = struct{ pairs, changes int }{}
	}
}
