package suggest

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"sort"
	"strings"

	"github.com/blevesearch/vellum/levenshtein"

	"github.com/varve-archive/varve/internal/best"
)

// Words is a vocabulary in memory. It takes about twelve bytes a word, and its letters. It is safe for concurrent use.
type Words struct {
	text  string
	ends  []uint32 // end of each word in text, in the order of the words' bytes
	count []uint32 // documents that have the word
	near  [maxWrong]*levenshtein.LevenshteinAutomatonBuilder
}

// maxWrong bounds the wrong letters.
const maxWrong = 2

// A Word is a word with the number of documents that have it.
type Word struct {
	Text      string
	Documents int
}

// MaxWords bounds the words of a vocabulary; words beyond it are left out. It bounds the memory for collections with endless words, such as
// numbers.
const MaxWords = 4 << 20

// maxLength is the greatest length in bytes of a word that an index keeps whole. In some scripts a letter has three bytes.
const maxLength = 120

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

// At returns the text of word number i, in the order of the words' bytes. i must be below [Words.Len].
func (w *Words) At(i int) string {
	if i == 0 {
		return w.text[:w.ends[0]]
	}
	return w.text[w.ends[i-1]:w.ends[i]]
}

// Word returns word number i.
func (w *Words) Word(i int) Word { return Word{w.At(i), int(w.count[i])} }

// find returns the index of the first word that is not before s.
func (w *Words) find(s string) int {
	return sort.Search(len(w.ends), func(i int) bool { return w.At(i) >= s })
}

// Documents returns how many documents have a word. Of one that is too long for a vocabulary it is not known whether any has it.
func (w *Words) Documents(word string) int {
	if len(word) > maxLength {
		return 1
	}
	if i := w.find(word); i < len(w.ends) && w.At(i) == word {
		return int(w.count[i])
	}
	return 0
}

// Complete returns the n most frequent words that begin with prefix, the most frequent first.
func (w *Words) Complete(prefix string, n int) []Word {
	if prefix == "" || n <= 0 {
		return nil
	}
	first := w.find(prefix)
	end := first + sort.Search(len(w.ends)-first, func(i int) bool { return !strings.HasPrefix(w.At(first+i), prefix) })
	most := best.Of(n, func(a, b *int) int { return cmp.Or(cmp.Compare(w.count[*b], w.count[*a]), *a-*b) })
	for i := first; i < end; i++ {
		most.Add(i)
	}
	var out []Word
	for _, i := range most.Take(0) {
		out = append(out, w.Word(i))
	}
	return out
}
