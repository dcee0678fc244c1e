package sketch

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/tokenize"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A blockWords is what is known of a block's words, independently of where the block is.
type blockWords struct {
	sketch Block // without region and slot
	words  []tokenize.Hash
	order  hashing.Words // of the words as terms

	heading atomic.Uint32 // what it means as a heading: [headingUnread] and so on
}

// termOf shortens the hash of a word to the bits that a sketch has.
func termOf(h tokenize.Hash) uint32 { return uint32(h >> (64 - termBits)) }

// TermHash returns the hash that a sketch has for a word, in any spelling of the word.
func TermHash(word string) uint32 {
	var n tokenize.Normalizer
	return termOf(n.Hash(word))
}

// shingleOf ignores which digits a word has: counters and clocks must not affect similarity.
func shingleOf(h tokenize.Hash) uint64 {
	digits := -(uint64(h) & 1) // all bits or none
	return uint64(h)&^digits | maskedWord&digits
}

// size returns roughly how much memory w holds, in bytes.
func (w *blockWords) size() int { return 96 + 8*len(w.words) }

// maxKeptText bounds the length of blocks whose blockWords are cached, in bytes.
const maxKeptText = 4096

// words returns the blockWords of block i, valid until the next call. They are cached, because most blocks of a page are also in its next
// capture, and furniture is on every page of a site.
func (b *sketcher) words(t *visible.Text, i int) *blockWords {
	kept := t.WordCache(i)
	if kept == nil {
		return b.wordsOf(t.Blocks[i].Text)
	}
	if w, ok := kept.Load().(*blockWords); ok {
		return w
	}
	w := b.wordsOf(t.Blocks[i].Text)
	if w != &b.last {
		kept.Store(w)
	}
	return w
}

// wordsOf is words for a block with this text.
func (b *sketcher) wordsOf(text string) *blockWords {
	if b.memory == nil || len(text) > maxKeptText {
		b.last.heading.Store(headingUnread)
		b.read(text, &b.last)
		return &b.last
	}
	key := xxh3.HashString(text)
	if w, ok := b.memory.Recall(key).(*blockWords); ok {
		return w
	}
	w := &blockWords{words: b.last.words}
	b.read(text, w)
	b.last.words, w.words = w.words, slices.Clone(w.words)
	b.memory.Remember(key, w, w.size())
	return w
}

// read computes w from the words of text.
func (b *sketcher) read(text string, w *blockWords) {
	w.words, w.sketch = w.words[:0], Block{Size: uint32(len(text)), Plain: maxPlain}
	b.segments.Reset(text)
	normal := text
	if !b.segments.ASCII {
		normal = visible.Normal(text)
	}
	all, says := hashFields(text, normal == text)
	w.order = hashing.Words{}
	w.sketch.Hash, w.sketch.Fields = all.Hash, all.N
	w.sketch.NormalHash, w.sketch.Marks = says.Hash, all.N-says.N
	w.sketch.Mask = maskOfHash(w.sketch.Hash)
	capitals := !b.segments.ASCII && strings.ContainsAny(text, "ςßẞ")
	for {
		seg, ok := b.segments.Next()
		if !ok {
			break
		}
		h := b.norm.Hash(text[seg.Start:seg.End])
		if seg.Digits {
			h |= 1
			w.sketch.Digits = true
		}
		w.words = append(w.words, h)
		if capitals {
			h = h&1 | b.norm.Hash(likeCapitals(text[seg.Start:seg.End]))
		}
		w.order.AddHash(uint64(h))
	}
	none := len(w.words) <= maxCountWords && noneCounted.Has(w.order.Hash)
	if signs := visible.Signs(normal); signs != "" {
		w.order.Add(signs)
	}
	only := none
	if w.sketch.Digits { // otherwise its mask follows from its hash
		m, st := readMask(w.words, text)
		w.sketch.Stamp = st.stamps(text, len(w.words), b.segments.ASCII)
		if w.sketch.Digits = w.sketch.Stamp || !saysPrice(text) && !m.saysFigure(text); w.sketch.Digits {
			w.sketch.Mask, w.sketch.Plain = uint32(m.sum()), uint8(min(m.plain, maxPlain))
		}
		only = only || w.sketch.Stamp && st.only
	} else if len(w.words) <= maxMarkWords {
		if m, st := readMask(inDigits(w.words), text); st.aged(text) {
			w.sketch.Digits, w.sketch.Stamp = true, true
			w.sketch.Mask, w.sketch.Plain = uint32(m.sum()), uint8(min(m.plain, maxPlain))
		}
	}
	if none {
		w.sketch.Digits, w.sketch.Stamp = true, true
	}
	if only {
		w.sketch.Mask, w.sketch.Plain = countMask, 1
	}
}

// likeCapitals returns a word with the letters that its capitals are in lower case: δρόμοσ for δρόμος, strasse for straße.
func likeCapitals(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(word, "ς", "σ"), "ß", "ss"), "ẞ", "ss")
}

// readMask reads the words of a block. Those of an age that say how exact it is don't count.
func readMask(words []tokenize.Hash, text string) (masker, stamper) {
	if len(words) <= maxMarkWords {
		if said := exact(words); said != nil {
			if m, st := maskOf(said); st.aged(text) {
				return m, st
			}
		}
	}
	return maskOf(words)
}

// maskOf reads the words of a block.
func maskOf(words []tokenize.Hash) (m masker, st stamper) {
	st.only = true
	for i, h := range words {
		m.add(shingleOf(h))
		st.add(uint64(h), i+1, h&1 != 0)
	}
	return m, st
}

// maskOfHash returns the mask of a block without numbers. It follows from the hash, so it isn't stored.
func maskOfHash(hash uint64) uint32 { return uint32(hash >> 20) }

// hashFields returns the hash of s, which is normal or not, and the hash of its normalized words without anchor signs after words and
// without bullets and dashes between words.
func hashFields(s string, normal bool) (all, said hashing.Words) {
	differs := false
	for len(s) > 0 {
		w := s
		if i := strings.IndexByte(s, ' '); i >= 0 {
			w, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		rest := w
		if !normal {
			rest = visible.Normal(w)
		}
		if word := visible.WithoutMarks(rest); word != "" || visible.Signs(rest+" "+s[:min(1, len(s))]) == "" {
			rest = word
		}
		if !differs && rest != w {
			said, differs = all, true
		}
		all.Add(w)
		if differs && rest != "" {
			said.Add(rest)
		}
	}
	if !differs {
		said = all
	}
	return all, said
}
