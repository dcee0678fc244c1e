package visual

import (
	"cmp"
	"slices"
	"unicode"
)

// A Comparison says what differs between two pictures.
type Comparison struct {
	Distance  float64 // from 0, the same to the eye, to 1
	Important bool    // the content changed, not only what is around it
	Regions   []Region
}

// A Side is one of the two pictures.
type Side string

const (
	From Side = "from"
	To   Side = "to"
)

// An Op is what happened to a region.
type Op string

const (
	Changed Op = "changed"
	Added   Op = "added"
	Removed Op = "removed"
	Moved   Op = "moved"
)

// A Region is a rectangle of one of the pictures in which something changed.
type Region struct {
	Side       Side
	Op         Op
	X, Y, W, H int
	Place      Place
	Kind       Kind
	Text       string // how it begins
	Pair       int    // regions of the same block on both sides have the same number, from 1
}

// Bounds and thresholds. Image compression makes the grains of equal words differ slightly.
const (
	maxRegions           = 200
	maxDrawingDifference = 0.035 // of grain: up to this it is the same drawing
	maxWordsDifference   = 0.10  // of grain: up to this words look the same
	alikeWords           = 0.45  // of common words: from this on it is the same paragraph, edited
	largeEnough          = 32 * 32
	minShare             = 0.02 // of the content: if so much looks different, the change is important
)

// asideWeight is the weight of blocks outside of the content.
const asideWeight = 0.15

// minDistance is the model's least distance between two pictures with an important difference. It was chosen on the training sites
// (docs/design/visual-model.md).
const minDistance = 0.32

// Compare compares two pictures of the same width by their blocks. A change is important in the places matters. Without any these are the
// content, and then changed words are important only if the model sees a difference too.
func (s *Store) Compare(a, b *Picture, matters ...Place) *Comparison {
	m := match(a.Blocks, b.Blocks)
	c := &Comparison{}
	t := tally{matters: matters}
	if len(matters) == 0 {
		t.matters = []Place{Content}
	}
	for i := range a.Blocks {
		t.all(&a.Blocks[i])
	}
	for j := range b.Blocks {
		t.all(&b.Blocks[j])
	}
	for n, p := range m.pairs {
		x, y := &a.Blocks[p.a], &b.Blocks[p.b]
		v := p.verdict(x, y)
		if v.op == "" {
			continue
		}
		t.touched(v, x)
		t.touched(v, y)
		c.Regions = append(c.Regions, region(From, v.op, x, n+1), region(To, v.op, y, n+1))
	}
	for _, i := range m.gone {
		t.touched(alone(Removed, &a.Blocks[i]), &a.Blocks[i])
		c.Regions = append(c.Regions, region(From, Removed, &a.Blocks[i], 0))
	}
	for _, j := range m.come {
		t.touched(alone(Added, &b.Blocks[j]), &b.Blocks[j])
		c.Regions = append(c.Regions, region(To, Added, &b.Blocks[j], 0))
	}
	c.Regions = join(c.Regions)
	c.Distance, c.Important = t.distance(), t.important()
	if len(matters) == 0 && !t.drawn && len(a.Vector) > 0 && len(b.Vector) > 0 {
		c.Important = c.Important && s.model.Distance(a.Vector, b.Vector) >= minDistance
	}
	return c
}

// A verdict says what happened to a block.
type verdict struct {
	op    Op      // "" if nothing did
	share float64 // of the block that changed
	tells bool    // what the block says or shows changed, not only its look
}

// verdict compares a block that both pictures have.
func (p *pair) verdict(x, y *Block) verdict {
	grain := differ(x.Grain, y.Grain)
	switch {
	case x.drawn() && (p.edited || grain > maxDrawingDifference || redrawn(x.Grain, y.Grain)):
		return verdict{Changed, min(1, 0.2+4*grain), true}
	case p.edited:
		return verdict{Changed, max(0.1, 1-p.common), true}
	case p.moved:
		return verdict{Moved, 0.3, false}
	case grain > maxWordsDifference:
		return verdict{Changed, min(1, grain), blank(x.Grain) != blank(y.Grain)}
	}
	return verdict{}
}

// alone returns the verdict for a block that only one picture has. A blank drawing has no meaning.
func alone(op Op, b *Block) verdict { return verdict{op, 1, !(b.drawn() && blank(b.Grain))} }

// A tally adds up changed and unchanged blocks.
type tally struct {
	matters          []Place
	total, changed   float64 // of all blocks, weighted
	content, visible float64 // of important places: all, and changed
	told             bool    // words in important places changed
	drawn            bool    // drawings did, which the model may not see, because it looks at ink
}

func (t *tally) all(b *Block) {
	t.total += t.weight(b)
	if t.asks(b) {
		t.content += b.area()
	}
}

func (t *tally) asks(b *Block) bool { return slices.Contains(t.matters, b.Place) }

func (t *tally) weight(b *Block) float64 {
	if t.asks(b) {
		return b.area()
	}
	return asideWeight * b.area()
}

func (t *tally) touched(v verdict, b *Block) {
	t.changed += v.share * t.weight(b)
	if !t.asks(b) || !v.tells {
		return
	}
	t.visible += v.share * b.area()
	if b.drawn() {
		t.drawn = t.drawn || b.area() >= largeEnough
		return
	}
	t.told = t.told || says(b)
}

// says reports whether a text has a word in it.
func says(b *Block) bool {
	n := 0
	for _, r := range b.Text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; n >= 2 {
				return true
			}
		}
	}
	return false
}

func (t *tally) distance() float64 {
	if t.total == 0 {
		return 0
	}
	return min(1, t.changed/t.total)
}

func (t *tally) important() bool {
	return t.drawn || t.told || t.content > 0 && t.visible/t.content >= minShare
}

func region(side Side, op Op, b *Block, pair int) Region {
	text := b.Text
	if r := []rune(text); len(r) > 80 {
		text = string(r[:80])
	}
	return Region{Side: side, Op: op, X: b.X, Y: b.Y, W: b.W, H: b.H, Place: b.Place, Kind: b.Kind, Text: text, Pair: pair}
}

// maxGap is the greatest vertical distance in pixels of two regions that are framed together.
const maxGap = 24

// join frames together regions below each other with the same change. Of too many it keeps the largest.
func join(all []Region) []Region {
	slices.SortStableFunc(all, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	var out []Region
	for _, r := range all {
		if i := slices.IndexFunc(out, func(o Region) bool { return o.below(&r) }); i >= 0 {
			out[i].cover(&r)
			continue
		}
		out = append(out, r)
	}
	if len(out) > maxRegions {
		slices.SortStableFunc(out, func(a, b Region) int { return cmp.Compare(b.W*b.H, a.W*a.H) })
		out = out[:maxRegions]
	}
	slices.SortStableFunc(out, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	return out
}

// below reports whether s is right below r, or in it, and should be framed with it. A region whose counterpart is far away should not.
func (r *Region) below(s *Region) bool {
	if r.Side != s.Side || r.Op != s.Op || r.Op == Moved || r.Place != s.Place {
		return false
	}
	overlap := min(r.X+r.W, s.X+s.W) - max(r.X, s.X)
	wide := max(r.W, s.W)
	if r.Kind == Table && s.Kind == Table { // a column
		wide = min(r.W, s.W)
	}
	return overlap*10 >= 6*wide && s.Y <= r.Y+r.H+maxGap
}

func (r *Region) cover(s *Region) {
	right, bottom := max(r.X+r.W, s.X+s.W), max(r.Y+r.H, s.Y+s.H)
	r.X, r.Y = min(r.X, s.X), min(r.Y, s.Y)
	r.W, r.H = right-r.X, bottom-r.Y
}
