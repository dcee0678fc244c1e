package sketch

import (
	"math/bits"
	"slices"

	"github.com/varve-archive/varve/archive/content/tokenize"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A termTable counts term hashes, with open addressing. Each slot has hash+1 and the count in one word; 0 means free. The upper bits of the
// hash choose a slot. If that is taken, the term goes into a later one, so that all slots stay sorted.
type termTable struct {
	slots    []uint64 // a few more than hashes can choose, so that no search wraps around
	shift    int      // termBits minus the number of bits that choose
	distinct int
	total    int
}

const (
	minTermSlots = 1 << 8 // that can be chosen, a power of two
	maxTermSlots = 1 << 14
	termRoom     = minTermSlots / 4
	// slotBytes is the length of text per slot. It gives some four slots to each distinct word of a page.
	slotBytes = 8
)

// reset makes room for the words of a text of size bytes; there may be more.
func (t *termTable) reset(size int) {
	n := minTermSlots
	for n < maxTermSlots && n*slotBytes < size {
		n *= 2
	}
	t.init(n)
	t.distinct, t.total = 0, 0
}

func (t *termTable) init(slots int) {
	t.shift = termBits - bits.TrailingZeros(uint(slots))
	all := slots + slots/2
	if cap(t.slots) < all || cap(t.slots) > 2*maxTermSlots { // don't let one huge page slow down all that follow
		t.slots = make([]uint64, all)
		return
	}
	t.slots = t.slots[:all]
	clear(t.slots)
}

// add counts the terms of words, in chunks for which there is room.
func (t *termTable) add(words []tokenize.Hash) {
	t.total += len(words)
	for len(words) > 0 {
		n := min(len(words), termRoom)
		for t.distinct+n > len(t.slots)/3 && t.shift > 0 {
			t.grow()
		}
		for _, w := range words[:n] {
			t.put(termOf(w), 1)
		}
		words = words[n:]
	}
}

// put adds n to the count of hash.
func (t *termTable) put(hash uint32, n uint64) {
	tag := uint64(hash) + 1
	slot := &t.slots[hash>>t.shift]
	have := *slot >> 32
	if have*(have^tag) == 0 { // free or its own; telling these apart would cost a branch that is hard to predict
		t.distinct += int(hashing.Bit(have == 0))
		*slot = tag<<32 | (*slot&(1<<32-1) + n)
		return
	}
	t.putBehind(tag, n)
}

// putBehind is put for a slot that another term has.
func (t *termTable) putBehind(tag, n uint64) {
	i := (tag - 1) >> t.shift
	for t.slots[i] != 0 && t.slots[i]>>32 < tag {
		i++
	}
	if t.slots[i]>>32 == tag {
		t.slots[i] += n
		return
	}
	t.distinct++
	for v := tag<<32 | n; v != 0; i++ {
		v, t.slots[i] = t.slots[i], v
	}
}

func (t *termTable) grow() {
	old := slices.Clone(t.slots)
	t.init(2 << (termBits - t.shift))
	t.distinct = 0
	for _, v := range old {
		if v != 0 {
			t.put(uint32(v>>32)-1, v&(1<<32-1))
		}
	}
}

// appendSorted appends the terms in the order of their hashes.
func (t *termTable) appendSorted(dst []TermCount) []TermCount {
	dst = slices.Grow(dst, t.distinct+1)
	out := dst[len(dst) : len(dst)+t.distinct+1]
	n := 0
	for _, v := range t.slots {
		out[n] = TermCount{Hash: uint32(v>>32) - 1, Count: uint32(v)}
		n += int(hashing.Bit(v != 0)) // a free slot is overwritten
	}
	return dst[:len(dst)+t.distinct]
}
