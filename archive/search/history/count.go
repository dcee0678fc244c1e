package history

import (
	"bytes"
	"sort"
)

// A Needle is a phrase to be counted, encoded like the words of passages.
type Needle struct {
	bytes []byte // the words, with a space before each and after the last
	at    []int  // offsets of these spaces
}

// NewNeedle returns the needle for a phrase of one or more words in the form of [tokenize.Terms].
func NewNeedle(phrase []string) Needle {
	n := Needle{bytes: []byte{' '}, at: []int{0}}
	for _, w := range phrase {
		n.bytes = append(append(n.bytes, Clip(w)...), ' ')
		n.at = append(n.at, len(n.bytes)-1)
	}
	return n
}

// words returns the bytes of words from to to-1, with the spaces around them.
func (n *Needle) words(from, to int) []byte { return n.bytes[n.at[from] : n.at[to]+1] }

func (n *Needle) len() int { return len(n.at) - 1 }

// Count adds to counts, which has one entry for each row, the occurrences of the phrase in it. Occurrences may overlap and may span any
// number of passages.
func (t *Table) Count(needle *Needle, counts []int) {
	found := t.inside(needle)
	seams := t.opens(needle)
	if !found && seams == nil {
		return
	}
	t.eachRow(counts, func(list []uint32) (n int) {
		if found {
			n = t.hitsIn(list)
		}
		if seams != nil {
			n += t.across(needle, list, seams)
		}
		return n
	})
	if found {
		clear(t.hits)
	}
}

// eachRow adds to counts the result of in for the passages of each row. It reuses the result for consecutive rows with equal lists.
func (t *Table) eachRow(counts []int, in func(list []uint32) int) {
	n := 0
	for i, list := range t.lists {
		if i == 0 || !same(list, t.lists[i-1]) {
			n = in(list)
		}
		counts[i] += n
	}
}

// hitsIn returns the sum of the hits of passages.
func (t *Table) hitsIn(list []uint32) (n int) {
	for _, p := range list {
		n += int(t.hits[p])
	}
	return n
}

func same(a, b []uint32) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// inside counts the occurrences within each passage.
func (t *Table) inside(n *Needle) (found bool) {
	p := 0
	for at := 0; ; at++ {
		i := bytes.Index(t.text[at:], n.bytes)
		if i < 0 {
			return found
		}
		at += i
		if t.hits == nil {
			t.hits = make([]int32, len(t.ends))
		}
		p += sort.SearchInts(t.ends[p:], at+1)
		t.hits[p]++
		found = true
	}
}

// opens maps each passage that ends with the first words of the phrase to the possible numbers of these words. It returns nil if there is
// none.
func (t *Table) opens(n *Needle) map[uint32][]int {
	var out map[uint32][]int
	for p := range uint32(len(t.ends)) {
		text := t.passage(p)
		for k := 1; k < n.len() && n.at[k] < len(text); k++ {
			if bytes.HasSuffix(text, n.words(0, k)) {
				if out == nil {
					out = map[uint32][]int{}
				}
				out[p] = append(out[p], k)
			}
		}
	}
	return out
}

// across counts the occurrences that span passages of a list.
func (t *Table) across(n *Needle, list []uint32, opens map[uint32][]int) (count int) {
	var open, next []int // numbers of words of the phrase that match up to this passage
	for _, p := range list {
		if len(open) > 0 {
			text := t.passage(p)
			next = next[:0]
			for _, k := range open {
				rest := n.words(k, n.len())
				switch {
				case bytes.HasPrefix(text, rest):
					count++
				case len(text) < len(rest) && bytes.HasPrefix(rest, text):
					next = append(next, k+bytes.Count(text, []byte{' '})-1)
				}
			}
			open, next = next, open
		}
		open = append(open, opens[p]...)
	}
	return count
}
