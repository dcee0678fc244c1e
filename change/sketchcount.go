package change

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// Count returns how many times a word, in the form of [Term.Norm], stands in the text: 0 only where it does not stand in
// it. It may be too many, for rarely two words share a hash.
func (s *Sketch) Count(word string) int {
	hash := wordHash(xxh3.HashString(word)).term()
	i, ok := slices.BinarySearchFunc(s.Terms, hash, func(t TermCount, h uint32) int { return int(t.Hash) - int(h) })
	if !ok {
		return 0
	}
	return int(s.Terms[i].Count)
}
