package change

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// A blockWords is what the words of a block say, wherever on a page it stands.
type blockWords struct {
	sketch BlockSketch // without region and slot
	words  []wordHash
}

// A wordHash is the hash of a word in lower case. The lowest bit says whether it has digits.
type wordHash uint64

func (h wordHash) term() uint32 { return uint32(h >> (64 - termBits)) }

// shingle hides what the digits are: counters and clocks make no difference to how alike texts are.
func (h wordHash) shingle() uint64 {
	digits := -(uint64(h) & 1) // all bits or none
	return uint64(h)&^digits | maskedWord&digits
}

// size returns about how much memory w holds, in bytes.
func (w *blockWords) size() int { return 80 + 8*len(w.words) }

// maxKeptText bounds the size of a block that is remembered, in bytes of text.
const maxKeptText = 4096

// words returns what the words of text say. The answer is valid until the next call. Most blocks of a page
// stand on the next capture of it too, and furniture on every page of a site.
func (b *sketcher) words(text string) *blockWords {
	key := xxh3.HashString(text)
	if b.memory != nil {
		if w := b.memory.blocks.get(key); w != nil {
			return w
		}
	}
	b.read(text, &b.long)
	if b.memory == nil || len(text) > maxKeptText {
		return &b.long
	}
	w := b.long
	w.words = slices.Clone(w.words)
	b.memory.blocks.put(key, w.size(), w)
	return &b.long
}

// read runs once over the words of text.
func (b *sketcher) read(text string, w *blockWords) {
	w.words, w.sketch = w.words[:0], BlockSketch{Size: uint32(len(text)), Plain: maxPlain}
	w.sketch.Hash, w.sketch.Fields = hashFields(text)
	w.sketch.Mask = maskOfHash(w.sketch.Hash)
	b.segments.reset(text)
	var m masker
	masks := !b.segments.ascii || strings.ContainsAny(text, "0123456789")
	said := false
	for {
		seg, ok := b.segments.next()
		if !ok {
			break
		}
		word := b.norm.norm(text[seg.start:seg.end])
		h := wordHash(xxh3.Hash(word)) &^ 1
		if seg.digits {
			h |= 1
			w.sketch.Digits = true
		}
		w.words = append(w.words, h)
		if masks {
			m.add(word, h.shingle())
			said = said || len(w.words) <= maxStampWords && stampWords[string(word)]
		}
	}
	if w.sketch.Digits { // else nothing of it varies by itself
		w.sketch.Mask = uint32(m.sum())
		w.sketch.Plain = uint8(min(m.plain, maxPlain))
		w.sketch.Stamp = len(w.words) <= maxStampWords && (said || hasClock(text))
	}
}

// maskOfHash is the mask of a block without numbers: nothing of it varies by itself, and it need not
// be stored.
func maskOfHash(hash uint64) uint32 { return uint32(hash >> 20) }
