package sketch

import (
	"github.com/varve-archive/varve/archive/content/tokenize"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A MinHash estimates how alike two sets of word 5-shingles are (Broder 1997). Its values are the minima of one hash
// function in each of its bins (one-permutation hashing, Li, Owen and Zhang 2012), cut to 16 bits. Empty bins are
// filled from others (Shrivastava 2017). All zero means that there was no text.
type MinHash [128]uint16

const (
	shingleLen  = 5
	shingleBase = 0x9e3779b97f4a7c15
)

// Jaccard estimates which share of their shingles the two have in common, from 0 to 1. The standard error is at most
// 0.045. If either has no text, the result is 0.
func (m *MinHash) Jaccard(o *MinHash) float64 {
	if m.Empty() || o.Empty() {
		return 0
	}
	same := 0
	for i := range m {
		if m[i] == o[i] {
			same++
		}
	}
	return float64(same) / float64(len(m))
}

// Empty reports whether there was no text.
func (m *MinHash) Empty() bool { return *m == MinHash{} }

// Bands returns keys under which similar texts can be found. Two texts share at least one key with a probability of
// 0.998 at a Jaccard coefficient of 0.75, 0.64 at 0.5 and 0.03 at 0.2. Without text it returns nil.
func (m *MinHash) Bands() []uint32 {
	if m.Empty() {
		return nil
	}
	keys := make([]uint32, bands)
	for i := range keys {
		h := uint64(i + 1)
		for _, v := range m[i*bandRows : (i+1)*bandRows] {
			h = hashing.Mix(h*shingleBase + uint64(v))
		}
		keys[i] = uint32(h)
	}
	return keys
}

const bands, bandRows = 16, 4

// maxShingles bounds the word list that is kept for the next text, in words.
const maxShingles = 1 << 16

// A shingler gathers the words of a text. When it has all of them it finds the least shingle of each bin.
type shingler struct {
	words []uint64
	min   [len(MinHash{})]uint64
}

// emptyBin is greater than the hash of any shingle, with one exception.
const emptyBin = 1<<64 - 1

// shingleDrop takes the oldest word of a shingle out of its rolling hash.
var shingleDrop = func() uint64 {
	p := uint64(1)
	for range shingleLen {
		p *= shingleBase
	}
	return p
}()

func (s *shingler) reset() {
	if cap(s.words) > maxShingles {
		s.words = nil
	}
	s.words = s.words[:0]
	for i := range s.min {
		s.min[i] = emptyBin
	}
}

func (s *shingler) add(words []tokenize.Hash) {
	for _, h := range words {
		s.words = append(s.words, shingleOf(h))
	}
}

// takeAll puts the shingles into their bins. A text shorter than a shingle is one shingle.
func (s *shingler) takeAll() {
	first := s.words[:min(len(s.words), shingleLen)]
	roll := uint64(0)
	for _, w := range first {
		roll = roll*shingleBase + w
	}
	s.take(roll)
	rest := s.words[len(first):]
	for i, w := range s.words[:len(rest)] {
		roll = roll*shingleBase + (rest[i] - w*shingleDrop)
		s.take(roll)
	}
}

// take puts a shingle into its bin: the upper bits of its hash choose the bin, the whole hash is compared.
func (s *shingler) take(shingle uint64) {
	h := hashing.Mix(shingle) | 1
	s.min[h>>57] = min(s.min[h>>57], h)
}

func (s *shingler) minHash() MinHash {
	var m MinHash
	if len(s.words) == 0 {
		return m
	}
	s.takeAll()
	for i := range m {
		m[i] = uint16(hashing.Mix(s.filled(i)))
		if m[i] == 0 {
			m[i] = 1
		}
	}
	return m
}

// filled returns the value of bin i. For an empty bin it returns that of the first filled one, in an order of bins that
// depends only on i, so that equal sets are filled alike.
func (s *shingler) filled(i int) uint64 {
	v := s.min[i]
	for try := uint64(1); v == emptyBin; try++ {
		v = s.min[hashing.Mix(uint64(i)<<32|try)>>57]
	}
	return v
}
