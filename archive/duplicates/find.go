package duplicates

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
)

// MaxCaptures bounds the captures in groups, about 500 bytes each, and the number of pairs of texts.
const MaxCaptures = 100_000

// A Query says what counts as similar.
type Query struct {
	Coll      string
	Threshold float64 // the lowest similarity, from 0 to 1
	Across    bool    // ignore pairs of versions of one URI-R
}

// Found is the result of [Find].
type Found struct {
	Query
	Groups   []Group // those with the most captures first
	Pictures []Group // equal pictures, likewise
	// Cut says that MaxCaptures was exceeded.
	Cut bool
}

// A Group has similar captures, each the oldest of its URI-R with its text (or payload). Each is similar to at least one other.
type Group struct {
	Kind       Kind
	Similarity float64 // the lowest of all pairs of similar texts
	Captures   []cdx.Capture
	Hosts      []HostShare // of mirrors

	texts  [][]cdx.Capture // the captures by their texts
	edges  []edge          // pairs of similar texts
	across bool            // ignore pairs of one URI-R
}

// A Pair is two captures that are alike.
type Pair struct {
	A, B       cdx.Capture
	Kind       Kind
	Similarity float64
}

// An edge is a pair of similar texts, by their indices in a list.
type edge struct {
	a, b       int
	similarity float64
	whole      bool // the furniture around the own texts is similar too
}

// Find finds similar captures in a collection.
func Find(ctx context.Context, a *archive.Archive, q Query) (*Found, error) {
	f := finder{archive: a, query: q, at: map[uint64]int{}}
	if err := f.texts(ctx); err != nil {
		return nil, err
	}
	if err := f.compareAround(ctx); err != nil {
		return nil, err
	}
	out := &Found{Query: q, Groups: f.groups()}
	if err := countHosts(ctx, a, q.Coll, out.Groups); err != nil {
		return nil, err
	}
	var err error
	if out.Pictures, err = f.pictures(ctx); err != nil {
		return nil, err
	}
	for _, groups := range [][]Group{out.Groups, out.Pictures} {
		for i := range groups {
			slices.SortStableFunc(groups[i].Captures, func(a, b cdx.Capture) int { return cmp.Compare(a.Time, b.Time) })
		}
		slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(len(b.Captures), len(a.Captures)) })
	}
	out.Cut = f.cut
	return out, nil
}

type finder struct {
	archive *archive.Archive
	query   Query
	at      map[uint64]int  // index of each text in shown
	shown   [][]cdx.Capture // the captures of each text
	edges   []edge
	total   int
	cut     bool
}

// texts finds texts of several URI-Rs, and pairs of similar texts.
func (f *finder) texts(ctx context.Context) error {
	for d, err := range Texts(ctx, f.archive, f.query.Coll, f.query.Threshold, f.query.Across) {
		if err != nil {
			return err
		}
		if f.total+len(f.edges) >= MaxCaptures {
			f.cut = true
			return nil
		}
		a := f.place(&d.A)
		if d.A.Text == d.B.Text {
			f.add(a, &d.B)
		} else {
			f.edges = append(f.edges, edge{a: a, b: f.place(&d.B), similarity: d.Similarity})
		}
	}
	return nil
}

// place returns the index of a text in shown. A new text has the capture c alone: texts of several URI-Rs came before.
func (f *finder) place(c *cdx.Capture) int {
	i, known := f.at[c.Text]
	if !known {
		i = len(f.shown)
		f.at[c.Text], f.shown = i, append(f.shown, nil)
		f.add(i, c)
	}
	return i
}

func (f *finder) add(i int, c *cdx.Capture) {
	f.shown[i] = append(f.shown[i], *c)
	f.total++
}

// groups joins similar texts to groups.
func (f *finder) groups() []Group {
	heads := newHeads(len(f.shown))
	for _, e := range f.edges {
		heads.join(e.a, e.b)
	}
	var out []Group
	group, local := map[int]int{}, make([]int, len(f.shown))
	for i, captures := range f.shown {
		h := heads.of(i)
		g, known := group[h]
		if !known {
			g = len(out)
			group[h], out = g, append(out, Group{Similarity: 1, across: f.query.Across})
		}
		local[i] = len(out[g].texts)
		out[g].texts = append(out[g].texts, captures)
		out[g].Captures = append(out[g].Captures, captures...)
	}
	for _, e := range f.edges {
		g := &out[group[heads.of(e.a)]]
		e.a, e.b = local[e.a], local[e.b]
		g.edges, g.Similarity = append(g.edges, e), min(g.Similarity, e.similarity)
	}
	for i := range out {
		out[i].Kind = out[i].farthest()
	}
	return out
}

// heads is a union-find structure: each set is identified by one of its numbers.
type heads []int

func newHeads(n int) heads {
	h := make(heads, n)
	for i := range h {
		h[i] = i
	}
	return h
}

func (h heads) of(i int) int {
	for h[i] != i {
		h[i] = h[h[i]]
		i = h[i]
	}
	return i
}

func (h heads) join(a, b int) {
	if a, b = h.of(a), h.of(b); a != b {
		h[max(a, b)] = min(a, b)
	}
}

// Pairs yields all pairs of similar captures: those with the same text, and those of two similar texts.
func (g *Group) Pairs() iter.Seq[Pair] { return g.pairsFrom(0) }

// pairsFrom yields the pairs after the first skip. A group may have billions of pairs, as it may have a hundred thousand captures.
func (g *Group) pairsFrom(skip int) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		for b := range g.blocks() {
			if skip >= b.pairs {
				skip -= b.pairs
				continue
			}
			keys := map[string]int{}
			if skip > 0 && b.across {
				keys = b.keys()
			}
			for i := range b.of {
				one, others := &b.of[i], b.with
				if others == nil {
					others = b.of[i+1:]
				}
				if row := len(others) - keys[one.Key]; skip >= row {
					skip -= row
					continue
				}
				for j := range others {
					if b.across && one.Key == others[j].Key {
						continue
					}
					if skip--; skip < 0 && !yield(g.pair(one, &others[j], b.edge)) {
						return
					}
				}
				skip = 0
			}
		}
	}
}

// A block is the pairs of captures with one text, or of captures with two texts.
type block struct {
	edge
	of, with []cdx.Capture // with is nil for one text
	across   bool          // ignore pairs of one URI-R
	pairs    int
}

func (g *Group) blocks() iter.Seq[block] {
	return func(yield func(block) bool) {
		for _, captures := range g.texts {
			b := block{edge: edge{similarity: 1, whole: true}, of: captures, pairs: len(captures) * (len(captures) - 1) / 2}
			if !yield(b) {
				return
			}
		}
		for _, e := range g.edges {
			b := block{edge: e, of: g.texts[e.a], with: g.texts[e.b], across: g.across}
			if b.pairs = len(b.of) * len(b.with); b.across {
				keys := b.keys()
				for i := range b.of {
					b.pairs -= keys[b.of[i].Key]
				}
			}
			if !yield(b) {
				return
			}
		}
	}
}

// keys returns how many captures of the second text each URI-R has.
func (b *block) keys() map[string]int {
	keys := make(map[string]int, len(b.with))
	for i := range b.with {
		keys[b.with[i].Key]++
	}
	return keys
}

func (g *Group) pair(a, b *cdx.Capture, e edge) Pair {
	p := Pair{A: *a, B: *b, Similarity: e.similarity, Kind: Picture}
	if g.Kind != Picture {
		p.Kind = kindOf(a, b, e.whole)
	}
	return p
}
