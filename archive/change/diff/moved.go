package diff

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/content/visible"
)

const (
	// movedAlike is the share of common words from which on two blocks at different places are one block that moved and changed. minMoved is
	// the least number of its words: short blocks are alike by chance.
	movedAlike = 0.7
	minMoved   = 8
	// maxHolders bounds the blocks that may have a word for the word to link two of them. A word in every block says nothing.
	maxHolders = 8
)

// findMoved marks the blocks that disappeared from one place and appeared at another. The title can't be either.
func findMoved(all []stretch) {
	left := map[string][]*part{}
	for _, s := range all {
		for i := range s.gone {
			if p := &s.gone[i]; !s.same && p.Region != visible.Title {
				left[inItem(p)] = append(left[inItem(p)], p)
			}
		}
	}
	for _, s := range all {
		for i := range s.come {
			p := &s.come[i]
			if from := left[inItem(p)]; !s.same && p.Region != visible.Title && len(from) > 0 {
				p.moved, from[0].moved = true, true
				left[inItem(p)] = from[1:]
			}
		}
	}
}

type mover struct {
	part    *part
	stretch int
	at      int // index on its side
	words   map[string]int
	total   int
	stays   bool // its counterpart is at the same place
}

// findEdited marks blocks that moved and changed slightly.
func (d *tokenDiff) findEdited(all []stretch) {
	gone, come := d.movers(all, func(s *stretch) []part { return s.gone }), d.movers(all, func(s *stretch) []part { return s.come })
	if len(gone) == 0 || len(come) == 0 || d.late() {
		return
	}
	holders := map[string][]*mover{}
	for _, g := range gone {
		for w := range g.words {
			holders[w] = append(holders[w], g)
		}
	}
	for _, c := range come {
		for _, g := range c.likely(holders) {
			if g.stretch == c.stretch && g.share(c) >= minSimilarity {
				g.stays, c.stays = true, true
			}
		}
	}
	for _, c := range come {
		if g := c.from(holders); g != nil && !d.late() {
			d.move(g.part, c.part)
		}
	}
}

// movers returns the blocks of one side that are long enough and have no counterpart yet.
func (d *tokenDiff) movers(all []stretch, side func(*stretch) []part) (out []*mover) {
	for at := range all {
		if all[at].same {
			continue
		}
		blocks := side(&all[at])
		for i := range blocks {
			if blocks[i].moved || blocks[i].Region == visible.Title {
				continue
			}
			m := &mover{part: &blocks[i], stretch: at, at: len(out), words: map[string]int{}}
			for _, t := range d.keys(tokens(m.part.Text)) {
				if is, _ := tokenize.IsWord(t); is {
					m.words[t]++
					m.total++
				}
			}
			if m.total >= minMoved {
				out = append(out, m)
			}
		}
	}
	return out
}

// likely returns the blocks that share a rare word with m, each once.
func (m *mover) likely(holders map[string][]*mover) (out []*mover) {
	seen := map[*mover]bool{}
	for w := range m.words {
		if few := holders[w]; len(few) <= maxHolders {
			for _, g := range few {
				if !seen[g] {
					seen[g] = true
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// share returns the share of common words of two blocks, in any order. It walks over the shorter block only, because many short blocks may
// share a word with a long one.
func (m *mover) share(o *mover) float64 {
	few, many := m.words, o.words
	if len(few) > len(many) {
		few, many = many, few
	}
	common := 0
	for w, n := range few {
		common += min(n, many[w])
	}
	return float64(2*common) / float64(m.total+o.total)
}

// from returns the block at another place that became m, or nil if none is similar enough.
func (m *mover) from(holders map[string][]*mover) *mover {
	var best *mover
	most := movedAlike
	for _, g := range m.likely(holders) {
		if g.stays || m.stays || g.part.moved || g.stretch == m.stretch {
			continue
		}
		if s := g.share(m); s > most || s == most && (best == nil || g.at < best.at) {
			best, most = g, s
		}
	}
	return best
}

// move marks two blocks as one that moved, and stores in each the words that the other lacks.
func (d *tokenDiff) move(gone, come *part) {
	x, y := tokens(gone.Text), tokens(come.Text)
	gone.moved, come.moved = true, true
	for _, r := range d.runs(d.keys(x), d.keys(y)) {
		switch r.op {
		case Equal:
			gone.edited = put(gone.edited, Left, x[:r.n])
			come.edited = put(come.edited, Moved, y[:r.n])
			x, y = x[r.n:], y[r.n:]
		case Deleted:
			gone.edited = put(gone.edited, Deleted, x[:r.n])
			x = x[r.n:]
		default:
			come.edited = put(come.edited, Inserted, y[:r.n])
			y = y[r.n:]
		}
	}
}

// put appends an edit or extends the last one.
func put(edits []Edit, op Op, tokens []string) []Edit {
	text := strings.Join(tokens, "")
	if n := len(edits); n > 0 && edits[n-1].Op == op {
		edits[n-1].Text += text
		return edits
	}
	return append(edits, Edit{op, text})
}
