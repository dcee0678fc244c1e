package site

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// A flicker finds, over the captures of pages, the blocks that are volatile. Clocks, counters and tokens keep their words and change their
// numbers, so they are identified by their mask. Rotating quotes and advertisements replace each other and come back, so they are
// identified by their hash.
//
// A version that was shown because words changed may only be withdrawn on better evidence than the step that made it. So a step counts
// once, however often the page shows the block. A number is volatile only if the same block was seen to change again, and a value only if
// it was seen to come back. The order of the pages makes no difference.
type flicker struct {
	masks     map[uint64]*tally
	values    map[uint64]*tally
	turns     map[uint64]int // how often a block of the current page came or went with little else
	turned    map[uint64]int // blocks that came or went, with the number of pages
	comeAndGo map[uint64]int // of these, blocks that did so repeatedly
	pages     []pageCounts
}

type pageCounts struct {
	captures []*sketch.Sketch
	counts   map[*tally]*count
}

// A count counts pairs of neighbouring captures of a page, each pair once, however often the page has the block. For a mask, pairs are
// those in which both captures have it, changes those in which its numbers differ. For a value, pairs are those whose earlier capture has
// it, changes those in which another value replaced it, returns those in which it replaced another.
type count struct {
	pairs, changes, returns int
	at                      map[int]int // of a mask: changes of its blocks, by their position among them
}

// A tally sums the counts of a mask or value over pages.
type tally struct {
	count
	again      int      // of a mask: the most changes of a single block of a page
	rotating   int      // of a value: pages on which it went, came back and went again, or the reverse
	pages      int      // pages that have it in some pair
	flickering int      // of these, pages on which it changed nearly every time
	words      uint32   // of a value
	with       []uint64 // of a value: up to maxPartners values that it was swapped with, sorted
}

const (
	// nearlyEvery is the share of pairs in which a block must change to be volatile.
	nearlyEvery = 0.8
	maxPartners = 16
	// maxSwapped bounds how many blocks a rotation swaps at once.
	maxSwapped = 4
	// A block comes and goes if it came or went at least minTurns times. One that vanished and came back only once was deleted and restored.
	minTurns = 3
	// Variants have up to maxVariant words, and at most the share maxTurning of a text comes and goes at once: a banner, a header, an
	// experiment. Paragraphs that alternate, such as those of an agreement that names another company in other countries, are a new version
	// each time.
	maxVariant = 30
	maxTurning = 0.1
)

func newFlicker() *flicker {
	return &flicker{
		masks: map[uint64]*tally{}, values: map[uint64]*tally{}, turns: map[uint64]int{},
		turned: map[uint64]int{}, comeAndGo: map[uint64]int{},
	}
}

// watch adds the captures of one page, in time order, equal neighbours included.
func (f *flicker) watch(captures []*sketch.Sketch) {
	var d differ
	f.pages = append(f.pages, pageCounts{captures, map[*tally]*count{}})
	for i := 1; i < len(captures); i++ {
		if a, b := captures[i-1], captures[i]; a.ID != b.ID {
			gone, come := d.compare(a, b)
			f.countTurns(a, b, gone, come)
			gone, come = f.matchMasks(a, gone, come)
			f.countSwaps(absent(gone, b), absent(come, a))
		}
	}
	f.endTurns()
}

// count returns the tally's count for the current page.
func (f *flicker) count(t *tally) *count { return f.pages[len(f.pages)-1].count(t) }

func (p *pageCounts) count(t *tally) *count {
	c := p.counts[t]
	if c == nil {
		c = &count{}
		p.counts[t] = c
	}
	return c
}

// absent returns the blocks whose text occurs nowhere in another text, one for each distinct text.
func absent(blocks []*sketch.Block, from *sketch.Sketch) []*sketch.Block {
	if len(blocks) == 0 {
		return nil
	}
	only := make(map[uint64]bool, len(blocks))
	for _, b := range blocks {
		only[b.NormalHash] = true
	}
	for i := range from.Blocks {
		delete(only, from.Blocks[i].NormalHash)
	}
	var out []*sketch.Block
	for _, b := range blocks {
		if only[b.NormalHash] {
			delete(only, b.NormalHash)
			out = append(out, b)
		}
	}
	return out
}

// countTurns counts the short blocks whose text came (for the first time on the page) or went (for the last time), if little else changed.
func (f *flicker) countTurns(a, b *sketch.Sketch, gone, come []*sketch.Block) {
	words := 0
	for _, blocks := range [][]*sketch.Block{gone, come} {
		for _, x := range blocks {
			words += int(x.Fields)
		}
	}
	if float64(words) > maxTurning*float64(a.Words+b.Words) {
		return
	}
	for _, blocks := range [][]*sketch.Block{absent(gone, b), absent(come, a)} {
		for _, x := range blocks {
			if x.Fields <= maxVariant {
				f.turns[x.NormalHash]++
			}
		}
	}
}

// endTurns records which blocks came and went on the page.
func (f *flicker) endTurns() {
	for hash, n := range f.turns {
		f.turned[hash]++
		if n >= minTurns {
			f.comeAndGo[hash]++
		}
	}
	clear(f.turns)
}

// matchMasks counts the blocks of a in which only numbers changed, and returns the other blocks.
func (f *flicker) matchMasks(a *sketch.Sketch, gone, come []*sketch.Block) (restGone, restCome []*sketch.Block) {
	was := map[uint64]int{}
	for _, b := range gone {
		if b.Digits {
			was[b.MaskKey()]++
		}
	}
	matched := map[uint64]int{}
	for _, b := range come {
		if key := b.MaskKey(); b.Digits && was[key] > matched[key] {
			matched[key]++
		} else {
			restCome = append(restCome, b)
		}
	}
	f.countMasks(a, gone, matched)
	for _, b := range gone {
		if key := b.MaskKey(); b.Digits && matched[key] > 0 {
			matched[key]--
		} else {
			restGone = append(restGone, b)
		}
	}
	return restGone, restCome
}

// countMasks counts the masks whose numbers changed. For each changed block of a it also counts its position among the blocks with that
// mask, from the first and from the last, because a text may grow at either end.
func (f *flicker) countMasks(a *sketch.Sketch, gone []*sketch.Block, changed map[uint64]int) {
	if len(changed) == 0 {
		return
	}
	for key := range changed {
		c := f.count(entry(f.masks, key))
		c.changes++
		if c.at == nil {
			c.at = map[int]int{}
		}
	}
	all, seen, went := map[uint64]int{}, map[uint64]int{}, make(map[*sketch.Block]bool, len(gone))
	for _, b := range gone {
		went[b] = true
	}
	for _, b := range masked(a, changed) {
		all[b.MaskKey()]++
	}
	for _, b := range masked(a, changed) {
		key := b.MaskKey()
		if went[b] {
			c := f.count(f.masks[key])
			c.at[seen[key]]++
			c.at[seen[key]-all[key]]++
		}
		seen[key]++
	}
}

// masked returns the blocks with one of these masks.
func masked(s *sketch.Sketch, keys map[uint64]int) (out []*sketch.Block) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.Digits && keys[b.MaskKey()] > 0 {
			out = append(out, b)
		}
	}
	return out
}

// countSwaps counts the blocks that replaced each other: in a slot, as many came as went, and at most maxSwapped.
func (f *flicker) countSwaps(gone, come []*sketch.Block) {
	went, came := bySlot(gone), bySlot(come)
	for _, b := range gone {
		from, to := went[b.Slot], came[b.Slot]
		delete(went, b.Slot)
		if len(from) != len(to) || len(from) > maxSwapped {
			continue
		}
		for i := range from {
			g, c := entry(f.values, from[i]), entry(f.values, to[i])
			f.count(g).changes++
			f.count(c).returns++
			g.swappedWith(to[i])
			c.swappedWith(from[i])
		}
	}
	for _, blocks := range [][]*sketch.Block{gone, come} {
		for _, b := range blocks {
			if t := f.values[b.NormalHash]; t != nil && !b.Region.Furniture() {
				t.words = b.Fields
			}
		}
	}
}

// swappedWith adds a value to the sorted list. Which values a full list keeps doesn't depend on the order of calls.
func (t *tally) swappedWith(value uint64) {
	if at, found := slices.BinarySearch(t.with, value); !found {
		t.with = slices.Insert(t.with, at, value)
		t.with = t.with[:min(len(t.with), maxPartners)]
	}
}

func bySlot(blocks []*sketch.Block) map[uint32][]uint64 {
	m := make(map[uint32][]uint64, len(blocks))
	for _, b := range blocks {
		m[b.Slot] = append(m[b.Slot], b.NormalHash)
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

// sum adds what was counted on the pages to the tallies.
func (f *flicker) sum() {
	for i := range f.pages {
		f.pages[i].countPairs(f)
		for t, c := range f.pages[i].counts {
			t.add(c)
		}
	}
	f.pages = nil
}

func (t *tally) add(c *count) {
	t.returns += c.returns
	if c.pairs == 0 {
		return
	}
	t.pages++
	t.pairs += c.pairs
	t.changes += c.changes
	if float64(c.changes) >= nearlyEvery*float64(c.pairs) {
		t.flickering++
	}
	if c.changes+c.returns >= minTurns && c.changes > 0 && c.returns > 0 {
		t.rotating++
	}
	for _, n := range c.at {
		t.again = max(t.again, n)
	}
}
