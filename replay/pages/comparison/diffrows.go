package comparison

import (
	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// contextBlocks is how many equal blocks are shown around a change; further ones are folded.
const contextBlocks = 2

// rows lays blocks out in two columns, with the cells of a table row side by side. It marks what is wanted and folds
// long runs of equal blocks. Texts without a change give no rows.
func rows(blocks []diff.Block, w *wanted) []DiffRow {
	lines := lines(blocks)
	near := nearChanges(lines)
	if near == nil {
		return nil
	}
	older, newer := w.newMarker(blocks, diff.Op.InOlder), w.newMarker(blocks, diff.Op.InNewer)
	var out []DiffRow
	for i, l := range lines {
		r := l.row(older, newer)
		if near[i] {
			out = append(out, r)
			continue
		}
		if len(out) == 0 || out[len(out)-1].Skipped == 0 {
			out = append(out, DiffRow{})
		}
		out[len(out)-1].Skipped += len(l.blocks)
	}
	return out
}

// nearChanges says for each line whether it is changed or near a changed one. It returns nil if none is changed.
func nearChanges(lines []line) []bool {
	var near []bool
	for i := range lines {
		if !lines[i].changed() {
			continue
		}
		if near == nil {
			near = make([]bool, len(lines))
		}
		for j := max(0, i-contextBlocks); j < min(len(lines), i+contextBlocks+1); j++ {
			near[j] = true
		}
	}
	return near
}

func cell(b *diff.Block, older, newer *marker) DiffCell {
	var r DiffCell
	for _, e := range b.Edits {
		switch e.Op {
		case diff.Inserted:
			r.After = newer.cut(r.After, layout.Added, e.Text)
		case diff.Deleted:
			r.Before = older.cut(r.Before, layout.Deleted, e.Text)
		case diff.Moved:
			r.After = newer.cut(r.After, layout.Moved, e.Text)
		case diff.Left:
			r.Before = older.cut(r.Before, layout.Moved, e.Text)
		default:
			r.Before = older.cut(r.Before, layout.Equal, e.Text)
			r.After = newer.cut(r.After, layout.Equal, e.Text)
		}
	}
	return r
}
