package sketch

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// Count returns how many times a term, in the form of [tokenize.Term.Norm], occurs in the text. A count of 0 is exact; others may be too
// high, in the rare case that two words share a hash.
func (s *Sketch) Count(term string) int {
	hash := termOf(tokenize.Hash(xxh3.HashString(term)))
	i, ok := slices.BinarySearchFunc(s.Terms, hash, func(c TermCount, h uint32) int { return int(c.Hash) - int(h) })
	if !ok {
		return 0
	}
	return int(s.Terms[i].Count)
}
