package diff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// An Op says what happened to a piece of text.
type Op uint8

// The operations. Changed and Left are for blocks: the edits of a Changed block say how it changed; a Left block is elsewhere in the newer
// text, as Moved.
const (
	Equal Op = iota
	Inserted
	Deleted
	Changed
	Moved
	Left
)

// String returns the operation as a verb.
func (o Op) String() string {
	return [...]string{"equal", "insert", "delete", "change", "move", "leave"}[o]
}

// InOlder reports whether a piece with this operation is in the older text at this place.
func (o Op) InOlder() bool { return o != Inserted && o != Moved }

// InNewer reports whether it is in the newer text at this place.
func (o Op) InNewer() bool { return o != Deleted && o != Left }

// An Edit is a run of text that both texts have (Equal, Moved) or only one of them. A space at its end belongs to its
// last word; a space at its beginning belongs to the previous word, which the other text has without a space. A line
// feed marks where a block of the older text ended within deleted text.
type Edit struct {
	Op   Op
	Text string
}

// A Block is a block of one text or of both. Equal, inserted and moved edits together are the newer text; equal, deleted and left ones are
// the older text, apart from spaces and ends of blocks. A block that was replaced by an entirely different one is Changed too, with the
// deleted text first. A block that moved may also have changed: at its old place it has what was deleted, at its new place what was
// inserted.
type Block struct {
	Op      Op
	Region  visible.Region // where it is in the newer text, if it is there
	Heading uint8
	Edits   []Edit
	Was, Is visible.Place // in the older and in the newer text, if it is there and corresponds to one block
}

const (
	// minSimilarity is the share of common words from which on a block counts as changed, not as replaced.
	minSimilarity = 0.4
	// minContained is the share of a block's words that must occur in another block for it to be a part of that one: a paragraph that was
	// split or joined with others. Blocks with fewer words than minPart have common words by chance; they are parts only if all parts together
	// are alike the whole.
	minContained = 0.6
	minPart      = 3
)

// Texts returns how b, the newer text, differs from a: block by block in the order of b, with deleted blocks where they
// were. If one block became several, or several became one, only the words that differ count. It takes a second at
// most; if that is too short to find the shortest difference, it returns a longer one.
func Texts(a, b *visible.Text) []Block { return newTokenDiff().texts(a, b) }

// Words compares as [Texts] does, but words in their normal form ([change.Normal]): where only a kind of quotation mark or the like has
// changed, nothing has.
func Words(a, b *visible.Text) []Block {
	d := newTokenDiff()
	d.normal = true
	return d.texts(a, b)
}

func (d *tokenDiff) texts(a, b *visible.Text) []Block {
	var out []Block
	for _, s := range d.stretches(a.Blocks, b.Blocks) {
		if s.same {
			for i := range s.come {
				b := whole(Equal, &s.come[i].Block)
				b.Was = s.gone[i].Place
				out = append(out, b)
			}
			continue
		}
		out = d.replace(out, s.gone, s.come)
	}
	return out
}

// A part is a block in a diff, and whether it is elsewhere in the other text.
type part struct {
	visible.Block
	moved  bool
	edited []Edit // its edits, if it moved and changed
	item   string // what names the list item, table row or section that it is in, if it is short
	key    string // its text as it is compared
}

// as returns the block as a whole with an operation.
func (p *part) as(op Op) Block {
	b := whole(op, &p.Block)
	if p.edited != nil {
		b.Edits = p.edited
	}
	return b
}

// A stretch of blocks is either the same in both texts or not.
type stretch struct {
	same       bool
	gone, come []part
}

// stretches aligns the blocks of two texts and finds blocks that moved.
func (d *tokenDiff) stretches(x, y []visible.Block) []stretch {
	var out []stretch
	for _, s := range d.align(d.parts(x), d.parts(y), inItem) {
		if s.same || len(s.gone) == 0 || len(s.come) == 0 {
			out = append(out, s)
			continue
		}
		out = append(out, d.align(s.gone, s.come, anywhere)...) // the name of an item may have changed
	}
	findMoved(out)
	d.findEdited(out)
	return out
}

// inItem is what makes a block the same as another: its text and, if it is short, the item it is in. Short texts such as numbers are alike
// by chance.
func inItem(p *part) string {
	if p.item == "" {
		return p.key
	}
	return p.key + "\x00" + p.item
}

func anywhere(p *part) string { return p.key }

// align aligns blocks that are the same by the same function.
func (d *tokenDiff) align(gone, come []part, same func(*part) string) (out []stretch) {
	for _, r := range d.runs(each(gone, same), each(come, same)) {
		if n := len(out); n == 0 || out[n-1].same || r.op == Equal {
			out = append(out, stretch{same: r.op == Equal, gone: gone[:0], come: come[:0]})
		}
		s := &out[len(out)-1]
		if r.op != Inserted {
			s.gone, gone = s.gone[:len(s.gone)+r.n], gone[r.n:]
		}
		if r.op != Deleted {
			s.come, come = s.come[:len(s.come)+r.n], come[r.n:]
		}
	}
	return out
}

func each(parts []part, f func(*part) string) []string {
	out := make([]string, len(parts))
	for i := range parts {
		out[i] = f(&parts[i])
	}
	return out
}

// maxValue bounds the length of a short block in bytes, such as a number in a table.
const maxValue = 40

func (d *tokenDiff) parts(blocks []visible.Block) []part {
	out := make([]part, len(blocks))
	begin := 0 // of the item
	for i := range blocks {
		p := &out[i]
		if p.Block = blocks[i]; d.normal {
			p.Text = visible.Visible(blocks[i].Text)
		}
		p.key = d.key(blocks[i].Text)
		if !p.Joined {
			name(out[begin:i])
			begin = i
		}
	}
	name(out[begin:])
	nameByHeading(out)
	return out
}

// nameByHeading gives numbers outside of items the name of the heading above, as that of the product for its price.
func nameByHeading(parts []part) {
	above := ""
	for i := range parts {
		switch p := &parts[i]; {
		case p.Heading > 0:
			above = p.key
		case p.item == "" && len(p.key) <= maxValue && strings.ContainsFunc(p.key, unicode.IsDigit):
			p.item = above
		}
	}
}

// name sets the name of the item that consists of some blocks: the first that has letters.
func name(item []part) {
	at := slices.IndexFunc(item, func(p part) bool { return strings.ContainsFunc(p.key, unicode.IsLetter) })
	if len(item) < 2 || at < 0 {
		return
	}
	for i := range item {
		if len(item[i].key) <= maxValue {
			item[i].item = item[at].key
		}
	}
}

// key returns the form of a text that is compared.
func (d *tokenDiff) key(text string) string {
	if d.normal {
		return visible.Normal(text)
	}
	return text
}

func whole(op Op, b *visible.Block) Block {
	out := Block{Op: op, Region: b.Region, Heading: b.Heading, Edits: []Edit{{op, b.Text}}}
	if op.InNewer() {
		out.Is = b.Place
	} else {
		out.Was = b.Place
	}
	return out
}

// replace appends the diff of a run of blocks that was replaced by another run. Groups of blocks that are alike are compared word by word;
// the remaining blocks are paired.
func (d *tokenDiff) replace(out []Block, gone, come []part) []Block {
	for _, g := range d.groups(gone, come) {
		out = pairUp(out, gone[:g.gone], come[:g.come])
		gone, come = gone[g.gone:], come[g.come:]
		out = append(out, d.edits(gone[:g.goneLen], come[:g.comeLen])...)
		gone, come = gone[g.goneLen:], come[g.comeLen:]
	}
	return pairUp(out, gone, come)
}

// pairUp pairs inserted blocks with blocks deleted at the same place, in order, if both are headings or neither is. The rest is deleted or
// inserted alone. Blocks that moved are not paired.
func pairUp(out []Block, gone, come []part) []Block {
	for len(gone) > 0 || len(come) > 0 {
		switch {
		case len(gone) > 0 && gone[0].moved:
			out, gone = append(out, gone[0].as(Left)), gone[1:]
		case len(come) > 0 && come[0].moved:
			out, come = append(out, come[0].as(Moved)), come[1:]
		case len(gone) > 0 && len(come) > 0 && sameSort(&gone[0].Block, &come[0].Block):
			b := whole(Inserted, &come[0].Block)
			b.Op, b.Edits, b.Was = Changed, []Edit{{Deleted, gone[0].Text}, b.Edits[0]}, gone[0].Place
			out, gone, come = append(out, b), gone[1:], come[1:]
		case len(gone) > 0 && (len(come) == 0 || gone[0].Heading == 0 || come[0].Heading != 0):
			out, gone = append(out, whole(Deleted, &gone[0].Block)), gone[1:]
		default:
			out, come = append(out, whole(Inserted, &come[0].Block)), come[1:]
		}
	}
	return out
}

// sameSort reports whether one block may replace another.
func sameSort(a, b *visible.Block) bool {
	return (a.Heading == 0) == (b.Heading == 0) && (a.Region == visible.Title) == (b.Region == visible.Title)
}

// Shown counts the words of a diff as its edits show them: added, deleted, in moved blocks, and unchanged.
type Shown struct {
	Added, Deleted, Moved, Same int
	differs                     bool
}

// Count counts what a diff shows.
func Count(diff []Block) Shown {
	var s Shown
	for i := range diff {
		s.differs = s.differs || diff[i].Op != Equal
		for _, e := range diff[i].Edits {
			switch e.Op {
			case Inserted:
				s.Added += wordCount(e.Text)
			case Deleted:
				s.Deleted += wordCount(e.Text)
			case Moved:
				s.Moved += wordCount(e.Text)
			case Equal:
				s.Same += wordCount(e.Text)
			}
		}
	}
	return s
}

// wordCount counts runs of letters and digits, so that a reader of the answer can verify the count. It differs from
// terms, in which each ideograph is a word.
func wordCount(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		is := r == '_' || unicode.In(r, unicode.L, unicode.N)
		if is && !inWord {
			n++
		}
		inWord = is
	}
	return n
}

// Similarity returns how alike the two texts of the diff are, given the estimate from their sketches. Sketches don't show every difference.
// If they show none, it returns the share of unchanged words, which is never 1 for texts that differ.
func (s Shown) Similarity(estimate float64) float64 {
	if !s.differs || estimate < sketch.NearlySame {
		return estimate
	}
	if all := s.Same + s.Added + s.Deleted + s.Moved; s.Same < all {
		estimate = float64(s.Same) / float64(all)
	}
	return min(estimate, sketch.NearlySame)
}
