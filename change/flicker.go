package change

// A flicker watches, over the captures of pages, which blocks change by themselves. Clocks, counters and tokens keep
// their words and change their numbers, so their mask identifies them. Rotating quotes and advertisements replace each
// other and come back, so their hash identifies them.
type flicker struct {
	masks     map[uint64]*tally
	values    map[uint64]*tally
	turns     map[uint64]int // how often a block of the page came or went, with little else
	comeAndGo map[uint64]int // blocks that come and go, and on how many pages
}

// A tally counts over pairs of neighbouring captures, each pair once, however often the page shows the block. For a
// mask, pairs are those in which both captures have it, changes those in which its numbers differ. For a value, pairs
// are those whose earlier capture has it, changes those in which another value replaced it.
type tally struct {
	pairs      int
	changes    int
	returns    int      // of a value: pairs in which it replaced another
	pages      int      // pages that have it in some pair
	flickering int      // of these, pages on which it changed nearly every time
	with       []uint64 // of a value: up to maxPartners values that it was swapped with
	page       struct{ pairs, changes int }
}

const (
	// nearlyEvery is the share of its pairs in which a block must change to count as changing by itself.
	nearlyEvery = 0.8
	maxPartners = 16
	// maxSwapped bounds how many blocks a rotation swaps at once.
	maxSwapped = 4
	// A block comes and goes if it was there, then was not, was there again and then was not again, or the other way
	// round. A block that vanished and came back only once was deleted and restored.
	minTurns = 3
	// Variants have up to maxVariant words, and what comes and goes at once is up to maxTurning of a text: a banner, a
	// header, an experiment. Paragraphs that take turns, such as those of an agreement that names another company in
	// other countries, are a new version each time.
	maxVariant = 30
	maxTurning = 0.1
)

// maskKey identifies a block by its mask, and by its slot too if the mask says nothing by itself.
func (b *BlockSketch) maskKey() uint64 {
	if b.Plain > 0 {
		return uint64(b.Mask)
	}
	return uint64(b.Slot)<<32 | uint64(b.Mask)
}

func newFlicker() *flicker {
	return &flicker{map[uint64]*tally{}, map[uint64]*tally{}, map[uint64]int{}, map[uint64]int{}}
}

// watch adds the captures of one page, in time order, equal neighbours included.
func (f *flicker) watch(captures []*Sketch) {
	var d differ
	for i := 1; i < len(captures); i++ {
		if a, b := captures[i-1], captures[i]; a.ID != b.ID {
			gone, come := d.compare(a, b)
			f.turn(a, b, gone, come)
			gone, come = f.matchMasks(gone, come)
			f.swap(absent(gone, b), absent(come, a))
		}
	}
	f.endTurns()
	f.countPairs(captures)
	endPage(f.masks)
	endPage(f.values)
}

// absent returns the blocks that say something that a text does not say anywhere, one for each thing said.
func absent(blocks []*BlockSketch, from *Sketch) []*BlockSketch {
	if len(blocks) == 0 {
		return nil
	}
	only := make(map[uint64]bool, len(blocks))
	for _, b := range blocks {
		only[b.Said] = true
	}
	for i := range from.Blocks {
		delete(only, from.Blocks[i].Said)
	}
	var out []*BlockSketch
	for _, b := range blocks {
		if only[b.Said] {
			delete(only, b.Said)
			out = append(out, b)
		}
	}
	return out
}

// turn counts the blocks of which the text has the first one or loses the last one, if little else changes.
func (f *flicker) turn(a, b *Sketch, gone, come []*BlockSketch) {
	words := 0
	for _, blocks := range [][]*BlockSketch{gone, come} {
		for _, x := range blocks {
			words += int(x.Fields)
		}
	}
	if float64(words) > maxTurning*float64(a.Words+b.Words) {
		return
	}
	for _, blocks := range [][]*BlockSketch{absent(gone, b), absent(come, a)} {
		for _, x := range blocks {
			if x.Fields <= maxVariant {
				f.turns[x.Said]++
			}
		}
	}
}

// endTurns records which blocks came and went on a page.
func (f *flicker) endTurns() {
	for hash, n := range f.turns {
		if n >= minTurns {
			f.comeAndGo[hash]++
		}
	}
	clear(f.turns)
}

// matchMasks counts the blocks in which only numbers changed and returns the others.
func (f *flicker) matchMasks(gone, come []*BlockSketch) (restGone, restCome []*BlockSketch) {
	was := map[uint64]int{}
	for _, b := range gone {
		if b.Digits {
			was[b.maskKey()]++
		}
	}
	matched := map[uint64]int{}
	for _, b := range come {
		key := b.maskKey()
		if !b.Digits || was[key] == matched[key] {
			restCome = append(restCome, b)
			continue
		}
		if matched[key]++; matched[key] == 1 {
			entry(f.masks, key).page.changes++
		}
	}
	for _, b := range gone {
		if key := b.maskKey(); b.Digits && matched[key] > 0 {
			matched[key]--
			continue
		}
		restGone = append(restGone, b)
	}
	return restGone, restCome
}

// swap counts the blocks that replaced each other: in a slot as many came as went, and not many.
func (f *flicker) swap(gone, come []*BlockSketch) {
	went, came := bySlot(gone), bySlot(come)
	for _, b := range gone {
		from, to := went[b.Slot], came[b.Slot]
		delete(went, b.Slot)
		if len(from) != len(to) || len(from) > maxSwapped {
			continue
		}
		for i := range from {
			g, c := entry(f.values, from[i]), entry(f.values, to[i])
			g.page.changes++
			c.returns++
			if len(g.with) < maxPartners {
				g.with = append(g.with, to[i])
			}
			if len(c.with) < maxPartners {
				c.with = append(c.with, from[i])
			}
		}
	}
}

func bySlot(blocks []*BlockSketch) map[uint32][]uint64 {
	m := make(map[uint32][]uint64, len(blocks))
	for _, b := range blocks {
		m[b.Slot] = append(m[b.Slot], b.Said)
	}
	return m
}

func entry(m map[uint64]*tally, key uint64) *tally {
	t := m[key]
	if t == nil {
		t = &tally{}
		m[key] = t
	}
	return t
}

// endPage adds the counts of one page to the totals.
func endPage(m map[uint64]*tally) {
	for _, t := range m {
		if t.page.pairs > 0 {
			t.pages++
			t.pairs += t.page.pairs
			t.changes += t.page.changes
			if float64(t.page.changes) >= nearlyEvery*float64(t.page.pairs) {
				t.flickering++
			}
		}
		t.page = struct{ pairs, changes int }{}
	}
}
