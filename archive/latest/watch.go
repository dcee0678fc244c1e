package latest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A Watch is a list of words with weights. A change is rated against it from 0 to 1: the cosine of the angle between both as vectors of
// words (Salton's vector space), in which a word of the change counts 1 + ln of the number of its deletions or additions.
type Watch struct {
	words  map[uint32]float64 // by [change.TermHash]
	length float64
}

// maxWatched bounds the words of a list.
const maxWatched = 200

// ParseWatch reads a list such as "tannery:2,river,mill:0.5"; a word without a weight weighs 1. The error is for the reader.
func ParseWatch(list string) (*Watch, error) {
	w := &Watch{words: map[uint32]float64{}}
	for item := range strings.SplitSeq(list, ",") {
		word, weight, said := strings.Cut(strings.TrimSpace(item), ":")
		n := 1.0
		if said {
			if n, _ = strconv.ParseFloat(strings.TrimSpace(weight), 64); !(n > 0 && n <= 1000) { // it is 0 if it can't be read
				return nil, fmt.Errorf("watch %.40q: a weight is a number above 0, up to 1000", item)
			}
		}
		var terms []string
		tokenize.Terms(word, func(t tokenize.Term) bool { terms = append(terms, string(t.Norm)); return true })
		if len(terms) != 1 {
			return nil, fmt.Errorf("watch %.40q: want words with commas between them, each with a weight behind a colon or without", item)
		}
		w.words[sketch.TermHash(terms[0])] += n
	}
	if len(w.words) > maxWatched {
		return nil, fmt.Errorf("watch: %d words are more than %d", len(w.words), maxWatched)
	}
	for _, n := range w.words {
		w.length += n * n
	}
	w.length = math.Sqrt(w.length)
	return w, nil
}

// Score rates the step from one text to the next. Either may be nil, which has no words.
func (w *Watch) Score(older, newer *sketch.Sketch) float64 {
	product, square := 0.0, 0.0
	for hash, n := range changedTerms(older, newer) {
		tf := 1 + math.Log(float64(n))
		product += tf * w.words[hash]
		square += tf * tf
	}
	if product == 0 {
		return 0
	}
	return min(product/(w.length*math.Sqrt(square)), 1)
}

// changedTerms yields the terms whose counts differ between two texts, with the difference.
func changedTerms(older, newer *sketch.Sketch) func(yield func(hash, n uint32) bool) {
	return func(yield func(hash, n uint32) bool) {
		a, b := termsOf(older), termsOf(newer)
		for len(a) > 0 || len(b) > 0 {
			var t sketch.TermCount
			switch {
			case len(b) == 0 || len(a) > 0 && a[0].Hash < b[0].Hash:
				t, a = a[0], a[1:]
			case len(a) == 0 || b[0].Hash < a[0].Hash:
				t, b = b[0], b[1:]
			default:
				t = sketch.TermCount{Hash: a[0].Hash, Count: max(a[0].Count, b[0].Count) - min(a[0].Count, b[0].Count)}
				a, b = a[1:], b[1:]
			}
			if t.Count > 0 && !yield(t.Hash, t.Count) {
				return
			}
		}
	}
}

func termsOf(s *sketch.Sketch) []sketch.TermCount {
	if s == nil {
		return nil
	}
	return s.Terms
}
