package change

import "github.com/zeebo/xxh3"

// words runs once over the words of a block, for all that needs them.
func (b *sketcher) words(block *Block, s *BlockSketch) {
	b.segments.reset(block.Text)
	b.hashes = b.hashes[:0]
	core := !block.Region.Furniture()
	for {
		w, ok := b.segments.next()
		if !ok {
			break
		}
		h := xxh3.Hash(b.norm.norm(block.Text[w.start:w.end]))
		b.terms.add(uint32(h >> (64 - termBits)))
		if w.digits {
			h = maskedWord
			s.Digits = true
		}
		if core {
			b.shingles.add(h)
		}
		b.hashes = append(b.hashes, h)
	}
	s.Plain, s.Mask = maxPlain, maskOfHash(s.Hash)
	if s.Digits {
		b.maskNumbers(block, s)
	}
}

// maskNumbers goes over a block with numbers again: it is the few whose words matter.
func (b *sketcher) maskNumbers(block *Block, s *BlockSketch) {
	var m masker
	said, short := false, len(b.hashes) <= maxStampWords
	b.segments.reset(block.Text)
	for _, h := range b.hashes {
		w, _ := b.segments.next()
		word := b.norm.norm(block.Text[w.start:w.end])
		m.add(word, h)
		said = said || short && stampWords[string(word)]
	}
	s.Mask = uint32(m.sum())
	s.Plain = uint8(min(m.plain, maxPlain))
	s.Stamp = short && (said || hasClock(block.Text))
}

// maskOfHash is the mask of a block without numbers: nothing of it varies by itself, and it need not
// be stored.
func maskOfHash(hash uint64) uint32 { return uint32(hash >> 20) }
