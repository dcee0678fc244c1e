package visual

import (
	"cmp"
	"slices"
	"strings"
)

// A pair is a block that both pictures have.
type pair struct {
	a, b   int
	edited bool    // its words or drawing changed
	common float64 // share of the words that stayed, if it was edited
	moved  bool    // its order among its neighbours changed
}

// A matching pairs the blocks of two pictures.
type matching struct {
	pairs      []pair
	gone, come []int // blocks that only the older, or only the newer picture has
}

// free are the blocks that have no counterpart yet.
type free struct{ a, b []bool }

// match finds the counterpart of each block: first blocks with the same words or drawing, then edited ones.
func match(a, b []Block) matching {
	var m matching
	f := free{make([]bool, len(a)), make([]bool, len(b))}
	for i := range f.a {
		f.a[i] = true
	}
	for j := range f.b {
		f.b[j] = true
	}
	m.same(a, b, &f)
	m.drawn(a, b, &f)
	m.order()
	m.edited(a, b, &f)
	for i, left := range f.a {
		if left {
			m.gone = append(m.gone, i)
		}
	}
	for j, left := range f.b {
		if left {
			m.come = append(m.come, j)
		}
	}
	return m
}

func (m *matching) add(f *free, p pair) {
	f.a[p.a], f.b[p.b] = false, false
	m.pairs = append(m.pairs, p)
}

// same pairs blocks with the same words: first those at the same place of the page, then the others in order.
func (m *matching) same(a, b []Block, f *free) {
	where := map[uint64][]int{}
	for i := range a {
		if !a[i].drawn() {
			where[a[i].TextHash] = append(where[a[i].TextHash], i)
		}
	}
	for _, strict := range []bool{true, false} {
		for j := range b {
			if !f.b[j] || b[j].drawn() {
				continue
			}
			for _, i := range where[b[j].TextHash] {
				if f.a[i] && (!strict || a[i].Place == b[j].Place) {
					m.add(f, pair{a: i, b: j})
					break
				}
			}
		}
	}
}

// maxDrawn bounds the drawings of each picture that are compared with all of the other.
const maxDrawn = 250

// drawn pairs drawings that look the same, the nearest ones if there are several.
func (m *matching) drawn(a, b []Block, f *free) {
	left, right := drawings(a), drawings(b)
	for _, j := range right {
		best, far := -1, 0
		for _, i := range left {
			if !f.a[i] || !sameSize(&a[i], &b[j]) || differ(a[i].Grain, b[j].Grain) > maxDrawingDifference {
				continue
			}
			if d := distance(&a[i], &b[j]); best < 0 || d < far {
				best, far = i, d
			}
		}
		if best >= 0 {
			m.add(f, pair{a: best, b: j})
		}
	}
}

func drawings(all []Block) (out []int) {
	for i := range all {
		if all[i].drawn() && len(out) < maxDrawn {
			out = append(out, i)
		}
	}
	return out
}

func sameSize(a, b *Block) bool {
	return abs(a.W-b.W)*10 <= max(a.W, b.W) && abs(a.H-b.H)*10 <= max(a.H, b.H)
}

func distance(a, b *Block) int { return abs(a.X-b.X) + abs(a.Y-b.Y) }

func abs(n int) int { return max(n, -n) }

// order marks pairs that changed their order: all except a longest run of pairs in the same order on both sides.
func (m *matching) order() {
	slices.SortFunc(m.pairs, func(p, q pair) int { return cmp.Compare(p.a, q.a) })
	stays := increasing(m.pairs)
	for n := range m.pairs {
		m.pairs[n].moved = !stays[n]
	}
}

// increasing returns which pairs belong to a longest run with increasing second numbers.
func increasing(pairs []pair) []bool {
	var ends []int // for each length: the last pair of the best run
	before := make([]int, len(pairs))
	for n, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p.b, func(e, b int) int { return cmp.Compare(pairs[e].b, b) })
		before[n] = -1
		if at > 0 {
			before[n] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, n)
		} else {
			ends[at] = n
		}
	}
	in := make([]bool, len(pairs))
	if len(ends) > 0 {
		for n := ends[len(ends)-1]; n >= 0; n = before[n] {
			in[n] = true
		}
	}
	return in
}

// maxEdited bounds the blocks of each picture that are compared word by word with all of the other.
const maxEdited = 250

// edited pairs remaining blocks: texts with enough common words, and drawings of the same size between the same neighbours.
func (m *matching) edited(a, b []Block, f *free) {
	var found []pair
	right := texts(b, f.b)
	for _, x := range texts(a, f.a) {
		for _, y := range right {
			if common := x.alike(&y); common > 0 {
				found = append(found, pair{a: x.at, b: y.at, edited: true, common: common})
			}
		}
	}
	slices.SortStableFunc(found, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.common, p.common), cmp.Compare(distance(&a[p.a], &b[p.b]), distance(&a[q.a], &b[q.b])))
	})
	for _, p := range found {
		if f.a[p.a] && f.b[p.b] {
			m.add(f, p)
		}
	}
	m.between(a, b, f)
}

// A text is a block that is compared by its words.
type text struct {
	at    int
	table bool
	words []string
}

// texts returns the first texts that are free.
func texts(all []Block, free []bool) (out []text) {
	for i, n := 0, 0; i < len(all) && n < maxEdited; i++ {
		if !free[i] {
			continue
		}
		if n++; !all[i].drawn() {
			out = append(out, text{i, all[i].Kind == Table, all[i].words()})
		}
	}
	return out
}

// alike returns the share of common words of two texts, 0 if it is too small for an edited text.
func (x *text) alike(y *text) float64 {
	if x.table != y.table {
		return 0
	}
	common := 0
	for i, j := 0, 0; i < len(x.words) && j < len(y.words); {
		switch c := strings.Compare(x.words[i], y.words[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			i, j, common = i+1, j+1, common+1
		}
	}
	if share := 2 * float64(common) / float64(len(x.words)+len(y.words)); share >= alikeWords {
		return share
	}
	return 0
}

// between pairs single blocks without common words between the same neighbours: a drawing, or a short text, that replaces another.
func (m *matching) between(a, b []Block, f *free) {
	other := make(map[int]int, len(m.pairs))
	for _, p := range m.pairs {
		other[p.a] = p.b
	}
	for i := range a {
		if !f.a[i] {
			continue
		}
		j := 0
		if i > 0 {
			before, ok := other[i-1]
			if !ok {
				continue
			}
			j = before + 1
		}
		if j >= len(b) || !f.b[j] || !replaces(&a[i], &b[j]) {
			continue
		}
		m.add(f, pair{a: i, b: j, edited: true})
		other[i] = j
	}
}

// replaces reports whether a block may replace another.
func replaces(x, y *Block) bool {
	if x.Kind != y.Kind {
		return false
	}
	if x.drawn() {
		return sameSize(x, y)
	}
	return x.Place == y.Place && max(len(x.words()), len(y.words())) <= 12
}
