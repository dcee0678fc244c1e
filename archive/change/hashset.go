package change

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A hashSet is a set that is mostly asked for hashes it does not contain.
type hashSet struct {
	hashes map[uint64]bool
	filter [256]uint64 // a bit for each hash that may be in the set
}

func (s *hashSet) add(h uint64) {
	if s.hashes == nil {
		s.hashes = map[uint64]bool{}
	}
	s.hashes[h] = true
	s.filter[h>>6%256] |= 1 << (h & 63)
}

func (s *hashSet) has(h uint64) bool {
	return s.filter[h>>6%256]&(1<<(h&63)) != 0 && s.hashes[h]
}

// wordSet returns the hashes of words, which must be in lower case.
func wordSet(words string) *hashSet {
	s := new(hashSet)
	for w := range strings.FieldsSeq(words) {
		s.add(uint64(tokenize.HashOf(w)))
	}
	return s
}
