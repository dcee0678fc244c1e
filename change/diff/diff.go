package diff

import (
	"unicode"

	"github.com/varve-archive/varve/change"
)

// An Op says what became of a piece of text.
type Op uint8

// The operations. Changed and Left are for blocks: the edits of a changed block say how, and where a block Left, the
// newer text has it elsewhere, as Moved.
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

// InOlder reports whether what has the operation stands in the older text at this place.
func (o Op) InOlder() bool { return o != Inserted && o != Moved }

// InNewer reports whether it stands in the newer text at this place.
func (o Op) InNewer() bool { return o != Deleted && o != Left }

// An Edit is a run of text that both texts have (Equal, Moved) or one of them. A space at its end belongs to its last
// word, one at its beginning to the word before, which the other text has without. A line feed stands where a block of the
// older text ended within what was deleted.
type Edit struct {
	Op   Op
	Text string
}

// A Block is a block of either text or of both. Equal, inserted and moved edits make up the newer text; equal, deleted
// and left ones the older: spaces and the places at which blocks end aside. A block for which an entirely different one
// stands is Changed as well, and what was deleted goes first. A block that moved may have changed on the way: where it
// left it says what was deleted, where it stands now what was inserted.
type Block struct {
	Op      Op
	Region  change.Region // where it stands in the newer text, if it does
	Heading uint8
	Edits   []Edit
	Was, Is change.Place // in the older text and in the newer one, as far as it stands in either and one became one
}

const (
	// alike is the share of words in common from which on a block counts as changed, not as replaced.
	alike = 0.4
	// partOf is the share of a block's words that another one has from which on it counts as a part of that one: a
	// paragraph that was split, or joined with others. Blocks of fewer words than minPart are found anywhere: they are
	// parts where all parts together are alike the whole.
	partOf  = 0.6
	minPart = 3
)

// Texts returns how the text b, the newer one, differs from a, block by block in the order of b, the deleted blocks where
// they stood. Where one block became several, or several one, only the words that differ count. It takes a second at
// most; where that is too short for the shortest difference it answers a longer one.
func Texts(a, b *change.Text) []Block {
	d := newTokenDiff()
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

// A part is a block in a diff, and whether the other text has it elsewhere.
type part struct {
	change.Block
	moved  bool
	edited []Edit // how it reads where it moved and changed
}

// as returns what is to be said of a block as a whole.
func (p *part) as(op Op) Block {
	b := whole(op, &p.Block)
	if p.edited != nil {
		b.Edits = p.edited
	}
	return b
}

// A stretch of blocks is the same in both texts, or not.
type stretch struct {
	same       bool
	gone, come []part
}

// stretches aligns the blocks of two texts and finds those that moved.
func (d *tokenDiff) stretches(x, y []change.Block) []stretch {
	var out []stretch
	gone, come := parts(x), parts(y)
	for _, r := range d.runs(blockTexts(x), blockTexts(y)) {
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
	findMoved(out)
	d.findEdited(out)
	return out
}

func parts(blocks []change.Block) []part {
	out := make([]part, len(blocks))
	for i := range blocks {
		out[i].Block = blocks[i]
	}
	return out
}

func blockTexts(blocks []change.Block) []string {
	texts := make([]string, len(blocks))
	for i := range blocks {
		texts[i] = blocks[i].Text
	}
	return texts
}

func whole(op Op, b *change.Block) Block {
	out := Block{Op: op, Region: b.Region, Heading: b.Heading, Edits: []Edit{{op, b.Text}}}
	if op.InNewer() {
		out.Is = b.Place
	} else {
		out.Was = b.Place
	}
	return out
}

// replace appends what became of a run of blocks for which another run stands: groups of blocks that are alike word by
// word, what is left between them opposite each other.
func (d *tokenDiff) replace(out []Block, gone, come []part) []Block {
	for _, g := range d.groups(gone, come) {
		out = opposite(out, gone[:g.gone], come[:g.come])
		gone, come = gone[g.gone:], come[g.come:]
		out = append(out, d.edits(gone[:g.goneLen], come[:g.comeLen])...)
		gone, come = gone[g.goneLen:], come[g.comeLen:]
	}
	return opposite(out, gone, come)
}

// opposite lets blocks that came stand for those that went at the same place, one for one, both headings or neither; what
// is left of either goes first and comes then. Blocks that moved stand for nothing.
func opposite(out []Block, gone, come []part) []Block {
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

// sameSort reports whether one block may stand for another.
func sameSort(a, b *change.Block) bool {
	return (a.Heading == 0) == (b.Heading == 0) && (a.Region == change.Title) == (b.Region == change.Title)
}

// Shown counts the words of a diff, as its edits show them: those that the newer text has and the older has not, those
// that went, those of blocks that moved, and those that are the same.
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

// wordCount counts runs of letters and digits, as one who reads the answer can count them again. Terms are another matter:
// there each ideograph is a word of its own.
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

// NearlySame is the most that is said of texts that differ.
const NearlySame = 0.999

// Similarity is how alike the two texts of the diff are, given what their sketches say. Sketches don't see every
// difference; where they see none the words that are the same tell, and what differs is never said to be the same.
func (s Shown) Similarity(estimate float64) float64 {
	if !s.differs || estimate < 1 {
		return estimate
	}
	if all := s.Same + s.Added + s.Deleted + s.Moved; s.Same < all {
		estimate = float64(s.Same) / float64(all)
	}
	return min(estimate, NearlySame)
}
