package wordform

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
)

// An Index finds the words of a vocabulary by their keys: twelve bytes for each. It is safe for concurrent use.
type Index struct {
	folder *Folder
	seed   maphash.Seed
	keys   []keyed
}

// A keyed is the number of a word with the hash of one of its keys.
type keyed struct {
	hash uint64
	word uint32
}

// MaxWords bounds how many words of a vocabulary have forms, and with it the memory and the time until the first question is answered:
// about a second for each half million words and four languages.
const MaxWords = 1 << 20

// New makes an index of so many words.
func New(folder *Folder, words int, word func(i int) string) *Index {
	x := &Index{folder: folder, seed: maphash.MakeSeed()}
	for i := range min(words, MaxWords) {
		for _, key := range folder.Keys(word(i)) {
			x.keys = append(x.keys, keyed{maphash.String(x.seed, key), uint32(i)})
		}
	}
	slices.SortFunc(x.keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.word, b.word)) })
	return x
}

// Forms returns the numbers of the words that share a key with a word, in order. The word itself may be among them.
func (x *Index) Forms(word string) (out []int) {
	for _, key := range x.folder.Keys(word) {
		hash := maphash.String(x.seed, key)
		from := sort.Search(len(x.keys), func(i int) bool { return x.keys[i].hash >= hash })
		for i := from; i < len(x.keys) && x.keys[i].hash == hash; i++ {
			out = append(out, int(x.keys[i].word))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
