package hashing

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

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
	if s.Remove(3); s.Has(3) || !s.Has(6) || s.Has(3+1<<14) {
		t.Error("it has what was removed, lacks what wasn't, or takes two hashes for one")
	}
	words := SetOfWords(" ebb\nflood ")
	ebb, tide := uint64(tokenize.HashOf("ebb")), uint64(tokenize.HashOf("tide"))
	if !words.Has(ebb) || words.Has(tide) || len(words.Hashes) != 2 {
		t.Errorf("words: %v", words.Hashes)
	}
}

// The polynomial of a text by arithmetic that can't overflow, and what its words and their order are worth.
func TestTextsOfWords(t *testing.T) {
	t.Parallel()
	prime := big.NewInt(Prime61)
	seen := map[uint64]string{}
	for _, text := range []string{"", "ebb", "flood", "ebb flood", "flood ebb", "ebb ebb", strings.Repeat("ebb flood ", 100)} {
		var got Words
		want := new(big.Int)
		for word := range strings.FieldsSeq(text) {
			got.Add(word)
			want.Mul(want, big.NewInt(fieldBase))
			want.Add(want, new(big.Int).SetUint64(xxh3.HashString(word)>>4+1))
			want.Mod(want, prime)
		}
		if got.Hash != want.Uint64() || int(got.N) != len(strings.Fields(text)) {
			t.Errorf("%.20q: %+v, want %d", text, got, want)
		}
		if other, ok := seen[got.Hash]; ok {
			t.Errorf("%q has the hash of %q", text, other)
		}
		seen[got.Hash] = text
		if twice := Concat(got.Hash, got.Hash, got.N); text != "" {
			for word := range strings.FieldsSeq(text) {
				got.Add(word)
			}
			if twice != got.Hash {
				t.Errorf("%.20q twice: %d, want %d", text, twice, got.Hash)
			}
		}
	}
}

func TestPairsAndBits(t *testing.T) {
	t.Parallel()
	if Pair(1, 2) == Pair(2, 1) || Pair(1, 2) == Pair(1, 3) || Pair(1, 2) == Pair(3, 2) {
		t.Error("pairs have one hash")
	}
	if got := []uint64{NonZero(0), NonZero(7), uint64(Bit(true)), uint64(Bit(false))}; !slices.Equal(got, []uint64{1, 7, 1, 0}) {
		t.Error(got)
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
		got := a
		if got.Append(b); got != whole {
			t.Errorf("divided at %d: %+v, not %+v", at, got, whole)
		}
		if got := Concat(a.Hash, b.Hash, b.N); got != whole.Hash {
			t.Errorf("divided at %d: %x, not %x", at, got, whole.Hash)
		}
	}
}
