package hashing

import "testing"

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
