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
	most = min(most, maxWrong)
	if most < 1 || n < 1 || len(typed) > maxLength || len(w.ends) == 0 {
		return nil
	}
	dfa, err := w.near[most-1].BuildDfa(typed, uint8(most))
	if err != nil { // the automaton has too many states; no word is that long
		return nil
	}
	type step struct{ state, wrong int } // wrong: the fewest wrong letters in any beginning up to here
	steps := make([]step, 1, maxLength+1)
	steps[0] = step{dfa.Start(), most + 1}
	first := best.Of(n, nearer)
	before := ""
	for i := 0; i < len(w.ends); {
		word := w.at(i)
		steps = steps[:min(common(before, word), len(steps)-1)+1]
		for len(steps) <= len(word) && dfa.CanMatch(steps[len(steps)-1].state) {
			last := steps[len(steps)-1]
			next := step{dfa.Accept(last.state, word[len(steps)-1]), last.wrong}
			if dfa.CanMatch(next.state) && dfa.IsMatch(next.state) {
				next.wrong = min(next.wrong, int(dfa.EditDistance(next.state)))
			}
			steps = append(steps, next)
		}
		before = word
		depth := len(steps) - 1
		if last := steps[depth]; last.wrong <= most {
			first.Add(Near{Word{word, int(w.count[i])}, last.wrong})
		} else if !dfa.CanMatch(last.state) {
			steps = steps[:depth]
			i = w.after(word[:depth], i)
			continue
		}
		i++
	}
	return first.Take(0)
}

// nearer orders words by the number of wrong letters, then by frequency.
func nearer(a, b *Near) int {
	return cmp.Or(a.Wrong-b.Wrong, b.Documents-a.Documents, strings.Compare(a.Text, b.Text))
}
