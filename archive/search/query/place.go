package query

import (
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// Fits reports whether a word of a text matches a clause of a single word.
func (c *Clause) Fits(w string) bool {
	switch c.Match {
	case Prefix:
		begins := func(with string) bool { return strings.HasPrefix(w, with) }
		return begins(c.Words[0]) || slices.ContainsFunc(c.Forms, begins)
	case Near:
		most := MaxTypos(c.Words[0])
		return Distance(c.Words[0], w, most) <= most
	}
	return w == c.Words[0]
}

// At returns how many of the words from words[i] on match the clause, 0 if none do.
func (c *Clause) At(words []string, i int) int {
	if len(c.Words) == 1 && c.Fits(words[i]) || c.Match == Exact && follows(c.Words, words, i) {
		return len(c.Words)
	}
	if i < len(words) && slices.Contains(c.Forms, words[i]) {
		return 1
	}
	for _, other := range c.Or {
		if follows(other, words, i) {
			return len(other)
		}
	}
	return 0
}

func follows(phrase, words []string, i int) bool {
	return len(phrase) > 0 && i+len(phrase) <= len(words) && slices.Equal(phrase, words[i:i+len(phrase)])
}

// A Place is the position of a word or phrase in a text, in bytes.
type Place struct{ Start, End int }

// Places returns the places in a visible text that match wanted clauses, in order. Places that overlap are merged.
func (q Query) Places(text string) []Place { return PlacesOf(text, q.Marks) }

// PlacesOf returns the places in a text that match, in order: marks says for each word how many words from there on do. Places that overlap
// are merged.
func PlacesOf(text string, marks func(words []string) []int) []Place {
	var words []string
	var at []Place
	tokenize.Terms(text, func(t tokenize.Term) bool {
		words, at = append(words, string(t.Norm)), append(at, Place{t.Start, t.End})
		return true
	})
	var out []Place
	for i, n := range marks(words) {
		if n == 0 {
			continue
		}
		found := Place{at[i].Start, at[i+n-1].End}
		if n := len(out); n > 0 && found.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, found.End)
		} else {
			out = append(out, found)
		}
	}
	return out
}

// Marks returns, for each word of a visible text, how many words from there on match a wanted clause.
func (q Query) Marks(words []string) []int {
	out := make([]int, len(words))
	for _, c := range q.Wanted() {
		if c.Field == URL || c.Field == Named {
			continue
		}
		known := map[string]int{} // a cache, since texts repeat their words
		for i, w := range words {
			if len(c.Words) > 1 || len(c.Or) > 0 {
				out[i] = max(out[i], c.At(words, i))
				continue
			}
			n, ok := known[w]
			if !ok {
				n = c.At(words, i)
				known[w] = n
			}
			out[i] = max(out[i], n)
		}
	}
	return out
}
