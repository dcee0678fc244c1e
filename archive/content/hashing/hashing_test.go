package hashing

import "testing"

// The first values of SplitMix64 from seed 0, whose state grows by the golden ratio (https://prng.di.unimi.it/splitmix64.c).
func TestMix(t *testing.T) {
	t.Parallel()
	const golden = 0x9e3779b97f4a7c15
	state := uint64(0)
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if state += golden; Mix(state) != want {
			t.Errorf("value %d: %x, want %x", i, Mix(state), want)
		}
	}
}

func TestASetHasWhatWasAdded(t *testing.T) {
	t.Parallel()
	var s Set
	for h := uint64(0); h < 1000; h += 3 {
		if s.Has(h) {
			t.Errorf("%d before it was added", h)
		}
		s.Add(h)
	}
	for h := range uint64(1000) {
		if s.Has(h) != (h%3 == 0) {
			t.Errorf("%d: %v", h, s.Has(h))
		}
	}
}

// However a text is divided, its hash is the same.
func TestTextsInARow(t *testing.T) {
	t.Parallel()
	words := []string{"ebb", "and", "flood", "and", "ebb"}
	var whole Words
	for _, w := range words {
		whole.Add(w)
	}
	for at := range words {
		var a, b Words
		for i, w := range words {
			if i < at {
				a.Add(w)
			} else {
				b.Add(w)
			}
		}
		if got := Concat(a.Hash, b.Hash, b.N); got != whole.Hash {
			t.Errorf("divided at %d: %x, not %x", at, got, whole.Hash)
		}
	}
}
