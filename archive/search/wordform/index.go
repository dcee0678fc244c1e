package wordform

import (
	"cmp"
	"hash/maphash"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Vocabulary is a list of words, sorted by their bytes.
type Vocabulary interface {
	Len() int
	At(i int) string
}

// An Index finds the words of a vocabulary by their keys. It takes about twenty bytes a word. It is safe for concurrent use.
type Index struct {
	folder *Folder
	seed   maphash.Seed
	words  Vocabulary
	hashes []uint64 // of the keys, word by word
	ends   []uint32 // end of each word's keys in hashes
	keys   []keyed  // the same, sorted by hash
}

// A keyed is the hash of a key and the number of its word.
type keyed struct {
	hash uint64
	word uint32
}

// MaxWords bounds the words that have forms. It bounds the memory, and the time until the first question is answered.
const MaxWords = 1 << 20

// New makes an index of words. It copies the keys of known words from earlier, an index by a folder for the same languages; earlier may be
// nil.
func New(folder *Folder, words Vocabulary, earlier *Index) *Index {
	x := &Index{folder: folder, seed: maphash.MakeSeed(), words: words}
	if earlier != nil && earlier.folder.sameLanguages(folder) {
		x.folder, x.seed = earlier.folder, earlier.seed
	} else {
		earlier = nil
	}
	n := min(words.Len(), MaxWords)
	parts := make([]part, 4*runtime.GOMAXPROCS(0))
	var working sync.WaitGroup
	for i := range parts {
		working.Go(func() { parts[i] = x.part(n*i/len(parts), n*(i+1)/len(parts), earlier) })
	}
	working.Wait()
	for _, p := range parts {
		for i, size := range p.sizes {
			from := len(x.hashes)
			x.hashes = append(x.hashes, p.hashes[:size]...)
			p.hashes = p.hashes[size:]
			for _, hash := range x.hashes[from:] {
				x.keys = append(x.keys, keyed{hash, uint32(p.from + i)})
			}
			x.ends = append(x.ends, uint32(len(x.hashes)))
		}
	}
	slices.SortFunc(x.keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.word, b.word)) })
	return x
}

// A part has the keys of consecutive words, and the number of keys of each.
type part struct {
	from   int
	hashes []uint64
	sizes  []uint16
}

// part returns the keys of the words from (inclusive) to (exclusive).
func (x *Index) part(from, to int, earlier *Index) part {
	p, at := part{from: from}, 0
	if earlier != nil && from < to {
		first := x.words.At(from)
		at = sort.Search(len(earlier.ends), func(i int) bool { return earlier.words.At(i) >= first })
	}
	for i := from; i < to; i++ {
		word := x.words.At(i)
		for earlier != nil && at < len(earlier.ends) && earlier.words.At(at) < word {
			at++
		}
		before := len(p.hashes)
		if earlier != nil && at < len(earlier.ends) && earlier.words.At(at) == word {
			p.hashes = append(p.hashes, earlier.of(at)...)
		} else {
			p.hashes = append(append(p.hashes, x.hashesOf(word)...), x.hashesOf(withoutNote(word))...)
		}
		p.sizes = append(p.sizes, uint16(len(p.hashes)-before))
	}
	return p
}

// minNoted is the least length in bytes of a word behind which a small number may be that of a note.
const minNoted = 4

// withoutNote returns a word without the number of a note at its end, which a page sets above the line: "lighthouse" for "lighthouse1". It
// returns "" if there is none.
func withoutNote(word string) string {
	rest := strings.TrimRight(word, "0123456789")
	if n := len(word) - len(rest); n == 0 || n > 2 || len(rest) < minNoted || strings.ContainsFunc(rest, unicode.IsDigit) {
		return ""
	}
	return rest
}

// of returns the hashes of the keys of a word.
func (x *Index) of(i int) []uint64 {
	from := uint32(0)
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.hashes[from:x.ends[i]]
}

// hashesOf returns the hashes of the keys of a word. The lowest bit is set for keys without accents.
func (x *Index) hashesOf(word string) (out []uint64) {
	written, plain := x.folder.Keys(word)
	for _, key := range written {
		out = append(out, maphash.String(x.seed, key)&^1)
	}
	for _, key := range plain {
		out = append(out, maphash.String(x.seed, key)|1)
	}
	return out
}

// Forms returns the numbers of the words that are forms of a word, in order, perhaps with the word itself. Accents that were typed count:
// two words with different accents aren't forms of one another, but a word without accents is a form of both.
func (x *Index) Forms(word string) (out []int) {
	typedPlain := isPlain(word)
	for _, hash := range x.hashesOf(word) {
		from := sort.Search(len(x.keys), func(i int) bool { return x.keys[i].hash >= hash })
		for i := from; i < len(x.keys) && x.keys[i].hash == hash; i++ {
			if n := int(x.keys[i].word); hash&1 == 0 || typedPlain || isPlain(x.words.At(n)) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Beginnings returns with what the words of a vocabulary begin that begin so but for accents and the like: "zü" for "zu". If there are
// accents in what is typed, they count.
func Beginnings(words Vocabulary, typed string) (out []string) {
	if !isPlain(typed) {
		return nil
	}
	var from func(known, rest string, first, end int)
	from = func(known, rest string, first, end int) {
		if rest == "" && known != typed {
			out = append(out, known)
		}
		for i := first; i < end && rest != ""; {
			next, size := utf8.DecodeRuneInString(words.At(i)[len(known):])
			longer := words.At(i)[:len(known)+size]
			i++
			if size == 0 {
				continue
			}
			begun := i + sort.Search(end-i, func(j int) bool { return !strings.HasPrefix(words.At(i+j), longer) })
			if letter := fold(unify(string(next))); strings.HasPrefix(rest, letter) {
				from(longer, rest[len(letter):], i-1, begun)
			} else if strings.HasPrefix(letter, rest) {
				out = append(out, longer)
			}
			i = begun
		}
	}
	from("", unify(typed), 0, words.Len())
	return out
}
