package sketch

import (
	"encoding/binary"
	"strings"
)

// A phraseSet finds out in one pass whether a text has any of many phrases of at least four bytes.
type phraseSet struct {
	begin [1 << 10]uint64     // bits, by hash, of the first four bytes of phrases
	by    map[uint32][]string // phrases by their first four bytes
}

func newPhraseSet(phrases []string) *phraseSet {
	s := &phraseSet{by: map[uint32][]string{}}
	for _, p := range phrases {
		four := binary.LittleEndian.Uint32([]byte(p))
		s.by[four] = append(s.by[four], p)
		bit := bitOf(four)
		s.begin[bit>>6] |= 1 << (bit & 63)
	}
	return s
}

// bitOf hashes four bytes to 16 bits (Knuth's multiplicative hash).
func bitOf(four uint32) uint32 { return four * 2654435761 >> 16 }

func (s *phraseSet) in(text string) bool {
	var four uint32
	for i := range len(text) {
		four = four>>8 | uint32(text[i])<<24
		if bit := bitOf(four); s.begin[bit>>6]&(1<<(bit&63)) == 0 || i < 3 {
			continue
		}
		for _, p := range s.by[four] {
			if strings.HasPrefix(text[i-3:], p) {
				return true
			}
		}
	}
	return false
}
