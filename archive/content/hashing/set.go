package hashing

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A Set is a set of hashes, fast for lookups of hashes that it doesn't contain.
type Set struct {
	Hashes map[uint64]bool
	filter [256]uint64 // a bit for each hash that may be in the set
}

// Add adds a hash.
func (s *Set) Add(h uint64) {
	if s.Hashes == nil {
		s.Hashes = map[uint64]bool{}
	}
	s.Hashes[h] = true
	s.filter[h>>6%256] |= 1 << (h & 63)
}

// Remove removes a hash.
func (s *Set) Remove(h uint64) { delete(s.Hashes, h) }

// Has reports whether the set contains a hash.
func (s *Set) Has(h uint64) bool {
	return s.filter[h>>6%256]&(1<<(h&63)) != 0 && s.Hashes[h]
}

// SetOfWords returns the hashes of words, which must be in lower case.
func SetOfWords(words string) *Set {
	s := new(Set)
	for w := range strings.FieldsSeq(words) {
		s.Add(uint64(tokenize.HashOf(w)))
	}
	return s
}

// SetOfTexts returns a set of the hashes of the words of each text, in order ([Words.AddHash]).
func SetOfTexts(texts ...string) *Set {
	s := new(Set)
	for _, text := range texts {
		var all Words
		for w := range strings.FieldsSeq(text) {
			all.AddHash(uint64(tokenize.HashOf(w)))
		}
		s.Add(all.Hash)
	}
	return s
}
