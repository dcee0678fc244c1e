package suggest

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/blevesearch/vellum/levenshtein"
)

// Words is a vocabulary in memory: about twelve bytes a word and its letters. It is safe for concurrent use.
type Words struct {
	text  string
	ends  []uint32 // where each word ends in text, in the order of their bytes
	count []uint32 // documents that have the word
	near  [maxWrong]*levenshtein.LevenshteinAutomatonBuilder
}

// maxWrong is how many letters may be wrong at most.
const maxWrong = 2

// A Word is a word with the number of documents that have it.
type Word struct {
	Text      string
	Documents int
}

// MaxWords is how many words a vocabulary holds at most; those behind are left out. It bounds the memory for a
// collection whose words are not words, such as one of numbers.
const MaxWords = 4 << 20

// maxLength is the greatest length in bytes of a word that is worth proposing.
const maxLength = 64

// New makes a vocabulary of words in the order of their bytes.
func New(words iter.Seq2[Word, error]) (*Words, error) {
	w := &Words{}
	var text strings.Builder
	for word, err := range words {
		if err != nil {
			return nil, err
		}
		if len(word.Text) > maxLength {
			continue
		}
		if len(w.ends) == MaxWords {
			break
		}
		text.WriteString(word.Text)
		w.ends = append(w.ends, uint32(text.Len()))
		w.count = append(w.count, uint32(min(word.Documents, math.MaxUint32)))
	}
	w.text = text.String()
	for i := range w.near {
		builder, err := levenshtein.NewLevenshteinAutomatonBuilder(uint8(i+1), true)
		if err != nil {
			return nil, fmt.Errorf("suggest: %w", err)
		}
		w.near[i] = builder
	}
	return w, nil
}

// Len returns the number of words.
func (w *Words) Len() int { return len(w.ends) }

func (w *Words) at(i int) string {
	if i == 0 {
		return w.text[:w.ends[0]]
	}
	return w.text[w.ends[i-1]:w.ends[i]]
}

// Word returns the word with a number below [Words.Len], in the order of their bytes.
func (w *Words) Word(i int) Word { return Word{w.at(i), int(w.count[i])} }

// At returns its text.
func (w *Words) At(i int) string { return w.at(i) }

// find returns the index of the first word that is not before s.
func (w *Words) find(s string) int {
	return sort.Search(len(w.ends), func(i int) bool { return w.at(i) >= s })
}

// Documents returns how many documents have a word.
func (w *Words) Documents(word string) int {
	if i := w.find(word); i < len(w.ends) && w.at(i) == word {
		return int(w.count[i])
	}
	return 0
}

// begin returns the range of the words from index from on that begin with prefix.
func (w *Words) begin(prefix string, from int) (first, end int) {
	first = from + sort.Search(len(w.ends)-from, func(i int) bool { return w.at(from+i) >= prefix })
	end = first + sort.Search(len(w.ends)-first, func(i int) bool { return !strings.HasPrefix(w.at(first+i), prefix) })
	return first, end
}

// Complete returns the n most frequent words that begin with prefix, the most frequent first.
func (w *Words) Complete(prefix string, n int) []Word {
	if prefix == "" || n <= 0 {
		return nil
	}
	first, end := w.begin(prefix, 0)
	best := &rarest{words: w}
	for i := first; i < end; i++ {
		if len(best.at) == n && w.count[i] <= w.count[best.at[0]] {
			continue
		}
		if heap.Push(best, i); len(best.at) > n {
			heap.Pop(best)
		}
	}
	out := make([]Word, 0, len(best.at))
	for _, i := range best.at {
		out = append(out, Word{w.at(i), int(w.count[i])})
	}
	slices.SortFunc(out, func(a, b Word) int { return cmp.Or(b.Documents-a.Documents, strings.Compare(a.Text, b.Text)) })
	return out
}

// rarest is a heap of words with the rarest on top; of several, the last.
type rarest struct {
	words *Words
	at    []int
}

func (r *rarest) Len() int { return len(r.at) }
func (r *rarest) Less(i, j int) bool {
	a, b := r.at[i], r.at[j]
	return cmp.Or(cmp.Compare(r.words.count[a], r.words.count[b]), b-a) < 0
}
func (r *rarest) Swap(i, j int) { r.at[i], r.at[j] = r.at[j], r.at[i] }
func (r *rarest) Push(x any)    { r.at = append(r.at, x.(int)) }
func (r *rarest) Pop() any {
	last := r.at[len(r.at)-1]
	r.at = r.at[:len(r.at)-1]
	return last
}
