package change

import "math/bits"

// A termTable counts term hashes, in open addressing. Its slots hold hash+1 and count in one word;
// 0 is free. A slot is chosen by the upper bits of the hash, so that the slots are nearly in order.
type termTable struct {
	slots    []uint64
	shift    int // termBits without those that choose
	distinct int
	total    int
}

// minTermTable is the smallest size, a power of two; most pages fit.
const minTermTable = 1 << 11

func (t *termTable) reset() {
	if t.slots == nil || len(t.slots) > 16*minTermTable { // one huge page must not cost all that follow
		t.slots = make([]uint64, minTermTable)
	} else {
		clear(t.slots)
	}
	t.shift = termBits - bits.TrailingZeros(uint(len(t.slots)))
	t.distinct, t.total = 0, 0
}

func (t *termTable) add(hash uint32) {
	t.total++
	if t.put(hash, 1) && t.distinct*2 > len(t.slots) && t.shift > 0 {
		t.grow()
	}
}

// put adds n to the count of hash and reports whether it is new.
func (t *termTable) put(hash uint32, n uint64) bool {
	mask := uint32(len(t.slots) - 1)
	for i := hash >> t.shift; ; i = (i + 1) & mask {
		switch v := t.slots[i]; {
		case v == 0:
			t.slots[i] = uint64(hash+1)<<32 | n
			t.distinct++
			return true
		case uint32(v>>32) == hash+1:
			t.slots[i] = v + n
			return false
		}
	}
}

func (t *termTable) grow() {
	old := t.slots
	t.slots, t.distinct = make([]uint64, 2*len(old)), 0
	t.shift--
	for _, v := range old {
		if v != 0 {
			t.put(uint32(v>>32)-1, v&(1<<32-1))
		}
	}
}

// sorted returns the terms in the order of their hashes.
func (t *termTable) sorted() []TermCount {
	keys := make([]uint64, 0, t.distinct)
	for _, v := range t.slots {
		if v != 0 {
			keys = append(keys, v)
		}
	}
	insertionSort(keys)
	out := make([]TermCount, len(keys))
	for i, v := range keys {
		out[i] = TermCount{Hash: uint32(v>>32) - 1, Count: uint32(v)}
	}
	return out
}

// insertionSort is quick on what is nearly in order.
func insertionSort(a []uint64) {
	for i := 1; i < len(a); i++ {
		v, j := a[i], i
		for ; j > 0 && a[j-1] > v; j-- {
			a[j] = a[j-1]
		}
		a[j] = v
	}
}
