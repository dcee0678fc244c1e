package suggest

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/internal/best"
)

// MaxTypos returns how many letters at the beginning of a word may be wrong: about one in four, at most maxWrong.
func MaxTypos(beginning string) int { return min((utf8.RuneCountInString(beginning)+1)/4, maxWrong) }

// Begin returns up to n words whose beginning differs from what is typed in at most most letters: one more or less, another one, or two
// swapped. Words with fewer such letters come first, then the most frequent.
func (w *Words) Begin(typed string, most, n int) []Near {
	if n < 1 {
		return nil
	}
	first := best.Of(n, nearer)
	w.accepted(typed, most, true, first.Add)
	return first.Take(0)
}

// nearer orders words by the number of wrong letters, then by frequency.
func nearer(a, b *Near) int {
	return cmp.Or(a.Wrong-b.Wrong, b.Documents-a.Documents, strings.Compare(a.Text, b.Text))
}
