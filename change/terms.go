package change

import "github.com/zeebo/xxh3"

// A blockWords is what the words of a block say, wherever on a page it stands.
type blockWords struct {
	key    uint64      // XXH3 of the text
	sketch BlockSketch // without region and slot
	words  []wordHash
}

// A wordHash is the hash of a word in lower case. The lowest bit says whether it has digits.
type wordHash uint64

func (h wordHash) term() uint32 { return uint32(h >> (64 - termBits)) }

// shingle hides what the digits are: counters and clocks make no difference to how alike texts are.
func (h wordHash) shingle() uint64 {
	if h&1 != 0 {
		return maskedWord
	}
	return uint64(h)
}

// A blockCache keeps blocks by the hash of their text. Most blocks of a page stand on the next
// capture of it too, and furniture on every page of a site.
type blockCache struct {
	blocks [1 << 15]blockWords
	words  int // held by blocks
}

const (
	// maxCachedText bounds the size of a block that is kept, in bytes of text.
	maxCachedText = 4096
	// maxCachedWords bounds what the kept blocks hold together, 8 bytes each.
	maxCachedWords = 2 << 20
)

// words returns what the words of text say. The answer is valid until the next call.
func (b *sketcher) words(text string) *blockWords {
	key := nonZero(xxh3.HashString(text))
	w := &b.cache.blocks[key%uint64(len(b.cache.blocks))]
	if w.key == key {
		return w
	}
	if len(text) > maxCachedText || b.cache.words-cap(w.words)+len(text)/4 > maxCachedWords {
		w = &b.long
	}
	held := cap(w.words)
	w.key = key
	b.read(text, w)
	if w != &b.long {
		b.cache.words += cap(w.words) - held
	}
	return w
}

// read runs once over the words of text.
func (b *sketcher) read(text string, w *blockWords) {
	w.words, w.sketch = w.words[:0], BlockSketch{Size: uint32(len(text)), Plain: maxPlain}
	w.sketch.Hash, w.sketch.Fields = hashFields(text)
	w.sketch.Mask = maskOfHash(w.sketch.Hash)
	b.segments.reset(text)
	for {
		seg, ok := b.segments.next()
		if !ok {
			break
		}
		h := wordHash(xxh3.Hash(b.norm.norm(text[seg.start:seg.end]))) &^ 1
		if seg.digits {
			h |= 1
			w.sketch.Digits = true
		}
		w.words = append(w.words, h)
	}
	if w.sketch.Digits {
		b.maskNumbers(text, w)
	}
}

// maskNumbers goes over a block with numbers again: it is the few whose words matter.
func (b *sketcher) maskNumbers(text string, w *blockWords) {
	var m masker
	said, short := false, len(w.words) <= maxStampWords
	b.segments.reset(text)
	for _, h := range w.words {
		seg, _ := b.segments.next()
		word := b.norm.norm(text[seg.start:seg.end])
		m.add(word, h.shingle())
		said = said || short && stampWords[string(word)]
	}
	w.sketch.Mask = uint32(m.sum())
	w.sketch.Plain = uint8(min(m.plain, maxPlain))
	w.sketch.Stamp = short && (said || hasClock(text))
}

// maskOfHash is the mask of a block without numbers: nothing of it varies by itself, and it need not
// be stored.
func maskOfHash(hash uint64) uint32 { return uint32(hash >> 20) }
