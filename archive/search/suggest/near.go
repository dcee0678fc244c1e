package suggest

import (
	"slices"
	"strings"
)

// A Near is a word that differs in Wrong letters from the word that was looked up.
type Near struct {
	Word
	Wrong int
}

// Near returns the words with at most most (up to two) letters wrong: fewest wrong letters first, then the most frequent.
func (w *Words) Near(word string, most int) (out []Near) {
	w.accepted(word, most, false, func(n Near) { out = append(out, n) })
	slices.SortFunc(out, func(a, b Near) int { return nearer(&a, &b) })
	return out
}

// accepted calls found with the words with at most most (up to two) letters wrong, or with the words with such a beginning. It keeps the
// states of the automaton for the beginning that a word shares with the previous one, and skips all words with a beginning that was
// rejected.
func (w *Words) accepted(typed string, most int, beginnings bool, found func(Near)) {
	most = min(most, maxWrong)
	if most < 1 || len(typed) > maxLength || len(w.ends) == 0 {
		return
	}
	dfa, err := w.near[most-1].BuildDfa(typed, uint8(most))
	if err != nil { // the automaton has too many states; no word is that long
		return
	}
	type step struct{ state, wrong int } // wrong: the fewest wrong letters here or, of beginnings, up to here
	steps := make([]step, 1, maxLength+1)
	steps[0] = step{dfa.Start(), most + 1}
	before := ""
	for i := 0; i < len(w.ends); {
		word := w.At(i)
		steps = steps[:min(common(before, word), len(steps)-1)+1]
		for len(steps) <= len(word) && dfa.CanMatch(steps[len(steps)-1].state) {
			last := steps[len(steps)-1]
			next := step{dfa.Accept(last.state, word[len(steps)-1]), most + 1}
			if beginnings {
				next.wrong = last.wrong
			}
			if dfa.CanMatch(next.state) && dfa.IsMatch(next.state) {
				next.wrong = min(next.wrong, int(dfa.EditDistance(next.state)))
			}
			steps = append(steps, next)
		}
		before = word
		depth := len(steps) - 1
		if last := steps[depth]; last.wrong <= most && (beginnings || depth == len(word)) {
			found(Near{Word{word, int(w.count[i])}, last.wrong})
		} else if !dfa.CanMatch(last.state) {
			steps = steps[:depth]
			i = w.after(word[:depth], i)
			continue
		}
		i++
	}
}

// common returns the length in bytes of the common beginning of two words.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// after returns the index of the first word after i without prefix, which word i has. It searches in steps that double, because that word
// is often near.
func (w *Words) after(prefix string, i int) int {
	step := 1
	for i+step < len(w.ends) && strings.HasPrefix(w.At(i+step), prefix) {
		i += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if i+step < len(w.ends) && strings.HasPrefix(w.At(i+step), prefix) {
			i += step
		}
	}
	return i + 1
}
