package change

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// words runs once over the words of a block, for all that needs them.
func (b *sketcher) words(block *Block, s *BlockSketch) {
	var m masker
	n, said := 0, false
	core := !block.Region.Furniture()
	b.eachWord(block.Text, func(word []byte) {
		h := xxh3.Hash(word)
		b.terms = append(b.terms, uint32(h)>>(32-termBits))
		m.add(word, h)
		said = said || stampWords[string(word)]
		if core {
			b.shingles.add(shingleWord(word, h))
		}
		n++
	})
	s.Digits = m.digits
	s.Mask = maskOfHash(s.Hash)
	if m.digits {
		s.Mask = uint32(m.sum())
	}
	s.Plain = uint8(min(m.plain, maxPlain))
	s.Stamp = m.digits && isStamp(block.Text, n, said)
}

func (b *sketcher) eachWord(text string, f func(word []byte)) {
	Terms(text, func(t Term) bool {
		f(t.Norm)
		return true
	})
}

// shingleWord hides what the digits of a word are: counters and clocks make no difference to how
// alike two texts are.
func shingleWord(word []byte, h uint64) uint64 {
	if hasDigit(word) {
		return maskedWord
	}
	return h
}

// countTerms sorts the hashes in place and counts the equal ones.
func countTerms(hashes []uint32) []TermCount {
	slices.Sort(hashes)
	distinct := 0
	for i, h := range hashes {
		if i == 0 || h != hashes[i-1] {
			distinct++
		}
	}
	out := make([]TermCount, 0, distinct)
	for i, h := range hashes {
		if i > 0 && h == hashes[i-1] {
			out[len(out)-1].Count++
		} else {
			out = append(out, TermCount{h, 1})
		}
	}
	return out
}

// maskOfHash is the mask of a block without numbers: nothing of it varies by itself, and it need not
// be stored.
func maskOfHash(hash uint64) uint32 { return uint32(hash >> 20) }
