package suggest_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
)

// misspelt returns a word with letters inserted, lost, replaced or swapped.
func misspelt(r *rand.Rand, word string, wrong int) string {
	letters := []rune(word)
	for range wrong {
		at, other := r.IntN(len(letters)-1), 'a'+rune(r.IntN(26))
		switch r.IntN(4) {
		case 0:
			letters = slices.Insert(letters, at, other)
		case 1:
			letters = slices.Delete(letters, at, at+1)
		case 2:
			letters[at] = other
		default:
			letters[at], letters[at+1] = letters[at+1], letters[at]
		}
	}
	return string(letters)
}

// BenchmarkMisspellings corrects 600 words of the manuals, two thirds of which have one letter wrong and the others two. Words come as
// often as they stand there. Beside it: the most frequent of all near words.
func BenchmarkMisspellings(b *testing.B) {
	counts := map[string]int{}
	var running []string
	manuals, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(manuals) == 0 {
		b.Fatal("no manuals", err)
	}
	for _, name := range manuals {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		words := query.Words(string(text))
		for _, w := range words {
			if len(w) >= 5 && w[0] >= 'a' {
				running = append(running, w)
			}
		}
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			counts[w]++
		}
	}
	words := vocabulary(b, counts)
	const asked = 600
	var right, frequent int
	for range b.N {
		right, frequent = 0, 0
		r := rand.New(rand.NewPCG(5, 49))
		for n := 0; n < asked; {
			word := running[r.IntN(len(running))]
			typed := misspelt(r, word, 1+n%3/2)
			if counts[typed] > 0 {
				continue
			}
			n++
			if words.Corrector().Instead(typed) == word {
				right++
			}
			near := words.Near(typed, query.MaxTypos(typed))
			if len(near) > 0 && slices.MaxFunc(near, func(a, b suggest.Near) int { return a.Documents - b.Documents }).Text == word {
				frequent++
			}
		}
	}
	b.ReportMetric(float64(len(counts)), "words")
	b.ReportMetric(float64(right), "right-of-600")
	b.ReportMetric(float64(frequent), "most-frequent")
}
