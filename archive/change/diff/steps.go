package diff

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/visible"
)

// A Step is one place where a text changed: what was deleted there, what was inserted, or both.
type Step struct {
	Op                Op     // Deleted, Inserted, or Changed for both
	Deleted, Inserted string // with the white space that was removed or added with it
	Title             bool   // in the title, which is compared apart from the body
	Block             bool   // Inserted is a whole block
	Heading           uint8  // level of the inserted heading, 1 to 6 for h1 to h6; 0 for other blocks
	Row, Cell         int    // numbers of the table row and of the cell that the block is in, if the whole row is inserted, else 0
	// Before and After are the text around the step in the older body or title, with a line feed between blocks. Before
	// ends in white space if Inserted belongs right before the next word rather than right after the last one.
	Before, After string
	// Older is where Deleted is in the older text, Newer where Inserted is in the newer one.
	Older, Newer TextRange
}

// A TextRange is a part of the text of a body or a title. It counts characters in UTF-16 code units, as scripts do, and
// skips white space. So it stays valid whatever a browser makes of the white space between the characters.
type TextRange struct{ From, To int }

func (s TextRange) empty() bool { return s.From == s.To }

// contextLen bounds the text on either side of a step, in bytes.
const contextLen = 48

// Steps returns the places where a became b: those in the title first, then in their order in a. Applied one after the
// other they turn a into b, except for white space.
func Steps(a, b *visible.Text) []Step {
	titles, bodies := [2]visible.Text{}, [2]visible.Text{}
	for i, t := range []*visible.Text{a, b} {
		titles[i].Blocks, bodies[i].Blocks = splitTitle(t.Blocks)
	}
	out := steps(&titles[0], &titles[1])
	for i := range out {
		out[i].Title = true
	}
	return append(out, steps(&bodies[0], &bodies[1])...)
}

// splitTitle separates the blocks of the title from the others.
func splitTitle(blocks []visible.Block) (title, body []visible.Block) {
	for _, b := range blocks {
		if b.Region == visible.Title {
			title = append(title, b)
		} else {
			body = append(body, b)
		}
	}
	return title, body
}

func steps(a, b *visible.Text) []Step { return stepsOf(a, b, Texts(a, b)) }

func stepsOf(a, b *visible.Text, diff []Block) []Step {
	s := stepper{older: cursor{text: asLines(a.Blocks)}, newer: cursor{text: asLines(b.Blocks)}, kept: map[int]bool{}}
	for i := range diff {
		s.kept[diff[i].Is.Row] = s.kept[diff[i].Is.Row] || !diff[i].isNew()
	}
	for _, block := range diff {
		for _, e := range block.Edits {
			s.edit(e, &block)
		}
		s.end()
	}
	return s.out
}

// asLines returns the text of the blocks with a line feed between them.
func asLines(blocks []visible.Block) string { return strings.Join(blockTexts(blocks), "\n") }

func blockTexts(blocks []visible.Block) []string {
	texts := make([]string, len(blocks))
	for i := range blocks {
		texts[i] = blocks[i].Text
	}
	return texts
}

// A stepper walks over both texts along the edits between them and collects adjacent edits into steps.
type stepper struct {
	older, newer cursor
	out          []Step
	open         bool         // the last step of out has begun and not ended
	kept         map[int]bool // rows of tables of which the older text has a part
	from         [2]cursor
}

func (s *stepper) edit(e Edit, block *Block) {
	if e.Op == Equal {
		s.end()
		s.older.pass(e.Text)
		s.newer.pass(e.Text)
		return
	}
	if !s.open {
		s.open, s.from = true, [2]cursor{s.older, s.newer}
		step := Step{Heading: block.Heading, Block: block.isNew()}
		if row := block.Is.Row; row > 0 && !s.kept[row] {
			step.Row, step.Cell = row, block.Is.Cell
		}
		s.out = append(s.out, step)
	}
	if e.Op == Deleted || e.Op == Left {
		s.older.pass(e.Text)
	} else {
		s.newer.pass(e.Text)
	}
}

// isNew reports whether the block is where the older text has none.
func (b *Block) isNew() bool { return b.Op == Inserted || b.Op == Moved }

// end completes the open step: it is the difference between the last common character and the next one.
func (s *stepper) end() {
	if !s.open {
		return
	}
	s.open = false
	step := &s.out[len(s.out)-1]
	step.Older, step.Newer = TextRange{s.from[0].units, s.older.units}, TextRange{s.from[1].units, s.newer.units}
	if step.Older.empty() && step.Newer.empty() { // only white space changed
		s.out = s.out[:len(s.out)-1]
		return
	}
	from, to := s.from[0].at, s.older.next()
	gone, come := s.older.text[from:to], s.newer.text[s.from[1].at:s.newer.next()]
	for gone != "" && come != "" && gone[0] == come[0] && isGap(gone[0]) { // white space that both have isn't part of the step
		gone, come, from = gone[1:], come[1:], from+1
	}
	for gone != "" && come != "" && gone[len(gone)-1] == come[len(come)-1] && isGap(gone[len(gone)-1]) {
		gone, come, to = gone[:len(gone)-1], come[:len(come)-1], to-1
	}
	step.Deleted, step.Inserted = strings.Trim(gone, "\n"), strings.Trim(come, "\n")
	if step.Deleted != "" { // white space that is deleted with a block isn't shown
		from, to = from+strings.Index(gone, step.Deleted), from+strings.Index(gone, step.Deleted)+len(step.Deleted)
	}
	step.Before, step.After = tail(s.older.text[:from]), head(s.older.text[to:])
	switch {
	case step.Older.empty():
		step.Op = Inserted
	case step.Newer.empty():
		step.Op = Deleted
	default:
		step.Op = Changed
	}
}

func isGap(c byte) bool { return c == ' ' || c == '\n' }

// tail returns the end of a text, in whole characters.
func tail(s string) string {
	if len(s) > contextLen {
		for s = s[len(s)-contextLen:]; s != "" && !utf8.RuneStart(s[0]); {
			s = s[1:]
		}
	}
	return s
}

// head returns the beginning of a text, in whole characters.
func head(s string) string {
	if len(s) <= contextLen {
		return s
	}
	n := contextLen
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// A cursor is at the start of a text or right after a character other than white space.
type cursor struct {
	text  string
	at    int // in bytes
	units int // characters passed, as a [TextRange] counts them
}

// pass moves past as many characters as s has, not counting white space.
func (c *cursor) pass(s string) {
	for _, r := range s {
		if r == ' ' || r == '\n' {
			continue
		}
		c.at = c.next()
		_, size := utf8.DecodeRuneInString(c.text[c.at:])
		c.at += size
		c.units += utf16Len(r)
	}
}

// next returns where the next character is, or the end of the text.
func (c *cursor) next() int {
	at := c.at
	for at < len(c.text) && isGap(c.text[at]) {
		at++
	}
	return at
}

// utf16Len returns how many UTF-16 code units a character has.
func utf16Len(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// Touching returns the steps that deleted or inserted places: the steps that touch more places of one text than of the other. places
// returns the start and end of each place in a text, in bytes, in order.
func Touching(steps []Step, a, b *visible.Text, places func(text string) [][2]int) []Step {
	var found [2][2][]TextRange // in body and title, of the older and the newer text
	for i, t := range []*visible.Text{a, b} {
		title, body := splitTitle(t.Blocks)
		for j, blocks := range [][]visible.Block{body, title} {
			text := asLines(blocks)
			found[j][i] = textRanges(text, places(text))
		}
	}
	var out []Step
	for _, s := range steps {
		in := &found[0]
		if s.Title {
			in = &found[1]
		}
		if touched(in[0], s.Older) != touched(in[1], s.Newer) {
			out = append(out, s)
		}
	}
	return out
}

// textRanges converts places in bytes to ranges.
func textRanges(text string, places [][2]int) []TextRange {
	out := make([]TextRange, len(places))
	c := cursor{text: text}
	for i, p := range places {
		c.pass(text[c.at:max(c.at, p[0])])
		end := c
		end.pass(text[end.at:max(end.at, p[1])])
		out[i] = TextRange{c.units, end.units}
	}
	return out
}

// touched counts the places that share a character with s or, if s is empty, extend on both sides of it. Places are in
// order.
func touched(places []TextRange, s TextRange) int {
	first := sort.Search(len(places), func(i int) bool { return places[i].To > s.From })
	end := sort.Search(len(places), func(i int) bool { return places[i].From >= s.To })
	return max(0, end-first)
}
