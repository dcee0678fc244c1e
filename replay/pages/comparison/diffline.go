package comparison

import (
	"slices"

	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A line is the blocks that a diff shows side by side: those of one table row. Any other block is alone.
type line struct {
	blocks  []diff.Block
	was, is int // table rows in the older and the newer text, 0 for none
	begins  bool
}

// maxCellBlocks is the largest number of blocks in a cell of a table. A cell with more is a column of a page that uses a table for its
// layout, as pages did before style sheets: its text would be too narrow side by side.
const maxCellBlocks = 3

// A tableRow is a row of a table of the older (0) or newer (1) text, a tableCell a cell of it.
type (
	tableRow  struct{ side, row int }
	tableCell struct {
		tableRow
		cell int
	}
)

// rowsOf returns the rows that a block is in, on both sides.
func rowsOf(b *diff.Block) [2]tableRow { return [2]tableRow{{0, b.Was.Row}, {1, b.Is.Row}} }

// withoutLayout removes blocks from table rows that only lay out the page.
func withoutLayout(blocks []diff.Block) []diff.Block {
	counts, layout := map[tableCell]int{}, map[tableRow]bool{}
	for i := range blocks {
		cells := [2]int{blocks[i].Was.Cell, blocks[i].Is.Cell}
		for side, row := range rowsOf(&blocks[i]) {
			cell := tableCell{row, cells[side]}
			if counts[cell]++; row.row != 0 && counts[cell] > maxCellBlocks {
				layout[row] = true
			}
		}
	}
	if len(layout) == 0 {
		return blocks
	}
	out := slices.Clone(blocks)
	for i := range out {
		b := &out[i]
		if rows := rowsOf(b); layout[rows[0]] || layout[rows[1]] {
			b.Was.Row, b.Was.Cell, b.Is.Row, b.Is.Cell = 0, 0, 0, 0
		}
	}
	return out
}

// lines puts the blocks of a diff into lines.
func lines(blocks []diff.Block) []line {
	blocks = withoutLayout(blocks)
	var out []line
	var entries [2]int // the last list item on each side
	for i := range blocks {
		b := &blocks[i]
		if n := len(out); n > 0 && out[n-1].takes(b) {
			out[n-1].blocks = blocks[i-len(out[n-1].blocks) : i+1]
		} else {
			out = append(out, line{blocks: blocks[i : i+1], begins: begins(b, entries)})
		}
		if b.Op.InOlder() {
			entries[0] = b.Was.Entry
		}
		if b.Op.InNewer() {
			entries[1] = b.Is.Entry
		}
		l := &out[len(out)-1]
		l.was, l.is = max(l.was, b.Was.Row), max(l.is, b.Is.Row)
	}
	return out
}

// begins reports whether a block is the first one of a list item, given the last items on both sides.
func begins(b *diff.Block, entries [2]int) bool {
	if b.Op.InNewer() {
		return b.Is.Entry != 0 && b.Is.Entry != entries[1]
	}
	return b.Was.Entry != 0 && b.Was.Entry != entries[0]
}

// place returns the block's place in the newer text or, if it isn't there, in the older one.
func place(b *diff.Block) visible.Place {
	if b.Op.InNewer() {
		return b.Is
	}
	return b.Was
}

// takes reports whether a block is in the line's table row on at least one side and in a different row on none.
func (l *line) takes(b *diff.Block) bool {
	same := func(a, b int) bool { return a != 0 && a == b }
	other := func(a, b int) bool { return a != 0 && b != 0 && a != b }
	return !other(l.is, b.Is.Row) && !other(l.was, b.Was.Row) && (same(l.is, b.Is.Row) || same(l.was, b.Was.Row))
}

func (l *line) changed() bool {
	return slices.ContainsFunc(l.blocks, func(b diff.Block) bool { return b.Op != diff.Equal })
}

// row returns a line as a row, with what is wanted marked.
func (l *line) row(older, newer *marker) DiffRow {
	first := &l.blocks[0]
	r := DiffRow{Heading: first.Heading > 0, Depth: place(first).Depth, Bullet: l.begins}
	for i := range l.blocks {
		b := &l.blocks[i]
		c := cell(b, older, newer)
		if i > 0 && sameCell(&l.blocks[i-1], b) {
			r.Cells[len(r.Cells)-1].Join(c)
		} else {
			r.Cells = append(r.Cells, c)
		}
	}
	return r
}

// sameCell reports whether two blocks of a row are in one cell.
func sameCell(a, b *diff.Block) bool {
	return a.Is.Cell != 0 && a.Is.Cell == b.Is.Cell || a.Was.Cell != 0 && a.Was.Cell == b.Was.Cell
}
