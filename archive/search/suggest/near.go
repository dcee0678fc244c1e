package suggest

import (
	"slices"
	"strings"

	"github.com/blevesearch/vellum/levenshtein"
)

// A Near is a word that differs in Wrong letters from the word that was looked up.
type Near struct {
	Word
	Wrong int
}

// Near returns the words with at most most (up to two) letters wrong: fewest wrong letters first, then the most frequent.
func (w *Words) Near(word string, most int) []Near {
	most = min(most, maxWrong)
	if most < 1 || len(word) > maxLength || len(w.ends) == 0 {
		return nil
	}
	dfa, err := w.near[most-1].BuildDfa(word, uint8(most))
	if err != nil { // the automaton has too many states; no word is that long
		return nil
	}
	out := w.accepted(dfa)
	slices.SortFunc(out, func(a, b Near) int { return nearer(&a, &b) })
	return out
}

// accepted returns the words that an automaton accepts. It keeps the states for the beginning that a word shares with the previous one, and
// skips all words with a beginning that was rejected.
func (w *Words) accepted(dfa *levenshtein.DFA) []Near {
	var out []Near
	states := make([]int, 1, maxLength+1)
	states[0] = dfa.Start()
	before := ""
	for i := 0; i < len(w.ends); {
		word := w.at(i)
		states = states[:min(common(before, word), len(states)-1)+1]
		for len(states) <= len(word) {
			next := dfa.Accept(states[len(states)-1], word[len(states)-1])
			if states = append(states, next); !dfa.CanMatch(next) {
				break
			}
		}
		before = word
		depth := len(states) - 1
		if last := states[depth]; !dfa.CanMatch(last) {
			states = states[:depth]
			i = w.after(word[:depth], i)
			continue
		} else if dfa.IsMatch(last) {
			out = append(out, Near{Word{word, int(w.count[i])}, int(dfa.EditDistance(last))})
		}
		i++
	}
	return out
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
	for i+step < len(w.ends) && strings.HasPrefix(w.at(i+step), prefix) {
		i += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if i+step < len(w.ends) && strings.HasPrefix(w.at(i+step), prefix) {
			i += step
		}
	}
	return i + 1
}
