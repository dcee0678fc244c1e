package change

// An Op says what became of a piece of text.
type Op uint8

// The operations. Changed is for blocks only: its edits say how.
const (
	Equal Op = iota
	Inserted
	Deleted
	Changed
)

// String returns the operation's name in lower case.
func (o Op) String() string {
	return [...]string{"equal", "inserted", "deleted", "changed"}[o]
}

// An Edit is a run of text that both texts have (Equal) or one of them. A space at its end belongs
// to its last word, one at its beginning to the word before, which the other text has without.
type Edit struct {
	Op   Op
	Text string
}

// A BlockDiff is a block of either text or, where Op is Equal or Changed, of both. Equal and inserted
// edits make up the newer block, equal and deleted ones the older, the spaces at block ends apart.
type BlockDiff struct {
	Op      Op
	Region  Region // where it stands in the newer text, if it does
	Heading uint8
	Edits   []Edit
}

const (
	// alike is the share of words in common from which on a block counts as changed, not as replaced.
	alike = 0.4
	// maxLookAhead bounds how many deleted blocks an inserted one is held against.
	maxLookAhead = 16
)

// Diff returns how the text b, the newer one, differs from a, block by block in the order of b, the
// deleted blocks where they stood. It takes a second at most; where that is too short for the
// shortest difference it answers a longer one.
func Diff(a, b *Text) []BlockDiff {
	d := newTokenDiff()
	var out []BlockDiff
	x, y := a.Blocks, b.Blocks
	var gone []Block
	for _, run := range d.runs(blockTexts(x), blockTexts(y)) {
		switch run.op {
		case Deleted:
			gone, x = x[:run.n], x[run.n:]
			continue
		case Inserted:
			out = d.replace(out, gone, y[:run.n])
		case Equal:
			out = d.replace(out, gone, nil)
			for i := range y[:run.n] {
				out = append(out, whole(Equal, &y[i]))
			}
			x = x[run.n:]
		}
		gone, y = nil, y[run.n:]
	}
	return d.replace(out, gone, nil)
}

func blockTexts(blocks []Block) []string {
	texts := make([]string, len(blocks))
	for i := range blocks {
		texts[i] = blocks[i].Text
	}
	return texts
}

func whole(op Op, b *Block) BlockDiff {
	return BlockDiff{Op: op, Region: b.Region, Heading: b.Heading, Edits: []Edit{{op, b.Text}}}
}

// replace appends what became of a run of deleted blocks that a run of inserted ones stands for: pairs
// that are alike are changed ones, in their order.
func (d *tokenDiff) replace(out []BlockDiff, gone, come []Block) []BlockDiff {
	for i := range come {
		j, edits := d.match(gone, &come[i])
		if j < 0 {
			out = append(out, whole(Inserted, &come[i]))
			continue
		}
		out = appendWhole(out, Deleted, gone[:j])
		out = append(out, BlockDiff{Changed, come[i].Region, come[i].Heading, edits})
		gone = gone[j+1:]
	}
	return appendWhole(out, Deleted, gone)
}

// match returns the first of the deleted blocks that b is like, and how it differs; -1 for none.
func (d *tokenDiff) match(gone []Block, b *Block) (int, []Edit) {
	for j := range min(len(gone), maxLookAhead) {
		if x, y := float64(len(gone[j].Text)), float64(len(b.Text)); 2*min(x, y) < alike*(x+y) || d.late() {
			continue // too different in length to be alike, or no time left to look
		}
		if edits, share := d.edits(gone[j].Text, b.Text); share >= alike {
			return j, edits
		}
	}
	return -1, nil
}

func appendWhole(out []BlockDiff, op Op, blocks []Block) []BlockDiff {
	for i := range blocks {
		out = append(out, whole(op, &blocks[i]))
	}
	return out
}
