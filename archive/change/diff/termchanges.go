package diff

import (
	"cmp"
	"slices"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A TermChange is a term that one of two texts has more often than the other.
type TermChange struct {
	Term          string // in lower case and NFC
	Before, After int    // number of occurrences
}

// TermChanges returns the terms whose counts differ between the text a and the newer text b. Those that changed most
// come first.
func TermChanges(a, b *visible.Text) []TermChange {
	counts := map[string]*TermChange{}
	count(a, counts, func(c *TermChange) { c.Before++ })
	count(b, counts, func(c *TermChange) { c.After++ })
	var out []TermChange
	for _, c := range counts {
		if c.Before != c.After {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(x, y TermChange) int {
		return cmp.Or(cmp.Compare(y.by(), x.by()), cmp.Compare(x.Term, y.Term))
	})
	return out
}

func (c *TermChange) by() int { return max(c.After-c.Before, c.Before-c.After) }

func count(t *visible.Text, counts map[string]*TermChange, add func(*TermChange)) {
	for i := range t.Blocks {
		tokenize.Terms(t.Blocks[i].Text, func(term tokenize.Term) bool {
			c := counts[string(term.Norm)]
			if c == nil {
				c = &TermChange{Term: string(term.Norm)}
				counts[c.Term] = c
			}
			add(c)
			return true
		})
	}
}
