package change

// A flicker watches, over the captures of pages, which blocks change by themselves. Clocks, counters
// and tokens keep their words and change their numbers: they are known by their mask. Rotating
// quotes and advertisements take each other's place and come again: they are known by their hash.
type flicker struct {
	masks  map[uint64]*tally
	values map[uint64]*tally
	turns  map[uint64]int  // how often a block of the page came or went, with little else
	comers map[uint64]bool // blocks that come and go
}

// A tally counts over pairs of neighbouring captures. For a mask, pairs are those that both have it,
// changes those in which its numbers differ. For a value, pairs are those whose earlier capture has it,
// changes those in which another took its place.
type tally struct {
	pairs   int
	changes int
	returns int      // of a value: pairs in which it took the place of another
	pages   int      // pages that have it in some pair
	restive int      // of these, those on which it changed nearly every time
	with    []uint64 // of a value: up to maxPartners that it changed places with
	page    struct{ pairs, changes int }
}

const (
	// nearlyEvery is the share of pairs from which on a block counts as changing by itself.
	nearlyEvery = 0.8
	maxPartners = 16
	// maxSwapped bounds how many blocks change places at once for it to be a rotation.
	maxSwapped = 4
	// A block comes and goes that was there, was not, was there again and was not again, or the other way round. What went
	// and came back once was deleted and restored.
	minTurns = 3
	// Variants are of up to maxVariant words, and what comes and goes at once is up to maxTurning of a text: a banner, a
	// header, an experiment. Paragraphs that take turns, as of an agreement that names another company in other countries, are
	// another version each time.
	maxVariant = 30
	maxTurning = 0.1
)

// maskKey identifies a block by its mask, with its slot where the mask says nothing by itself.
func (b *BlockSketch) maskKey() uint64 {
	if b.Plain > 0 {
		return uint64(b.Mask)
	}
	return uint64(b.Slot)<<32 | uint64(b.Mask)
}

func newFlicker() *flicker {
	return &flicker{map[uint64]*tally{}, map[uint64]*tally{}, map[uint64]int{}, map[uint64]bool{}}
}

// watch adds the captures of one page, in time order, equal neighbours included.
func (f *flicker) watch(captures []*Sketch) {
	var d differ
	for i := 1; i < len(captures); i++ {
		if a, b := captures[i-1], captures[i]; a.ID != b.ID {
			gone, come := d.compare(a, b)
			f.turn(a, b, gone, come)
			gone, come = f.matchMasks(gone, come)
			f.swap(gone, come)
		}
	}
	f.endTurns()
	f.countPairs(captures)
	endPage(f.masks)
	endPage(f.values)
}

// turn notes the blocks that came or went, if they are few.
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
	for _, blocks := range [][]*BlockSketch{gone, come} {
		for _, x := range blocks {
			if x.Fields <= maxVariant {
				f.turns[x.Said]++
			}
		}
	}
}

// endTurns notes what came and went on a page.
func (f *flicker) endTurns() {
	for hash, n := range f.turns {
		if n >= minTurns {
			f.comers[hash] = true
		}
	}
	clear(f.turns)
}

// matchMasks notes the blocks that changed in their numbers only and returns the others.
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

// swap notes the blocks that took each other's place: as many came in a slot as went, and few.
func (f *flicker) swap(gone, come []*BlockSketch) {
	went, came := bySlot(gone), bySlot(come)
	for slot, from := range went {
		to := came[slot]
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

// endPage adds what was counted on one page to the rest.
func endPage(m map[uint64]*tally) {
	for _, t := range m {
		if t.page.pairs > 0 {
			t.pages++
			t.pairs += t.page.pairs
			t.changes += t.page.changes
			if float64(t.page.changes) >= nearlyEvery*float64(t.page.pairs) {
				t.restive++
			}
		}
		t.page = struct{ pairs, changes int }{}
	}
}
