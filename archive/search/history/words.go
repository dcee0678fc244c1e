package history

import "bytes"

// Words is a set of words that are counted together, in one pass.
type Words map[string]struct{}

// NewWords returns the set of some words in the form of [tokenize.Terms].
func NewWords(words []string) Words {
	set := make(Words, len(words))
	for _, w := range words {
		set[Clip(w)] = struct{}{}
	}
	return set
}

// CountAny adds to counts, which has one entry for each row, the occurrences of any of the words.
func (t *Table) CountAny(words Words, counts []int) {
	if !t.anyInside(words) {
		return
	}
	t.eachRow(counts, t.hitsIn)
	clear(t.hits)
}

// anyInside counts the words in each passage.
func (t *Table) anyInside(words Words) (found bool) {
	for p := range uint32(len(t.ends)) {
		rest := t.passage(p)[1:]
		for len(rest) > 0 {
			i := bytes.IndexByte(rest, ' ')
			if _, ok := words[string(rest[:i])]; ok {
				if t.hits == nil {
					t.hits = make([]int32, len(t.ends))
				}
				t.hits[p]++
				found = true
			}
			rest = rest[i+1:]
		}
	}
	return found
}
