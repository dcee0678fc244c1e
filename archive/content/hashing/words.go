package hashing

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// The hash of a text is a polynomial over the hashes of its words, modulo the Mersenne prime 2^61−1. The hash of two
// texts in a row follows from theirs, so it does not matter how mark-up divides a page.
const (
	Prime61   = 1<<61 - 1
	fieldBase = 0x1d8e4e27c47d124f // < 2^61-1, odd, without structure
)

// Words are the hash and the number of the words of a text in which single spaces separate words.
type Words struct {
	Hash uint64
	N    uint32
}

// Add adds a word.
func (h *Words) Add(word string) {
	h.AddHash(xxh3.HashString(word))
}

// AddHash adds a word of which the hash is known.
func (h *Words) AddHash(word uint64) {
	h.Hash = add61(mul61(h.Hash, fieldBase), word>>4+1)
	h.N++
}

// Append adds the words of another text.
func (h *Words) Append(o Words) {
	h.Hash = Concat(h.Hash, o.Hash, o.N)
	h.N += o.N
}

// Concat returns the hash of a text with hash a followed by a text of n words with hash b.
func Concat(a, b uint64, n uint32) uint64 {
	if a == 0 {
		return b
	}
	return add61(mul61(a, power(n)), b)
}

// powers are the powers of fieldBase for the word counts of most blocks.
var powers = func() (p [64]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = mul61(p[i-1], fieldBase)
	}
	return p
}()

func power(n uint32) uint64 {
	if n < uint32(len(powers)) {
		return powers[n]
	}
	half := power(n / 2)
	return mul61(mul61(half, half), powers[n%2])
}

func mul61(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return add61(lo&Prime61, hi<<3|lo>>61)
}

func add61(a, b uint64) uint64 {
	s := a + b
	if s >= Prime61 {
		s -= Prime61
	}
	return s
}
