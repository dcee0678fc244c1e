package page

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/change/diff"
)

// contextBlocks is how many equal blocks are shown around a change; more are folded.
const contextBlocks = 2

// rows lays blocks out in two columns, marks what is wanted in them and folds long runs of equal ones. Texts without
// a change give none.
func rows(blocks []diff.Block, w *wanted) []banner.DiffRow {
	near := nearChanges(blocks)
	if near == nil {
		return nil
	}
	older, newer := w.newMarker(blocks, diff.Op.InOlder), w.newMarker(blocks, diff.Op.InNewer)
	var out []banner.DiffRow
	for i := range blocks {
		r := row(&blocks[i], older, newer)
		if near[i] {
			out = append(out, r)
			continue
		}
		if len(out) == 0 || out[len(out)-1].Skipped == 0 {
			out = append(out, banner.DiffRow{})
		}
		out[len(out)-1].Skipped++
	}
	return out
}

// nearChanges says of each block whether it is changed or stands near one that is; nil where none is.
func nearChanges(blocks []diff.Block) []bool {
	var near []bool
	for i := range blocks {
		if blocks[i].Op == diff.Equal {
			continue
		}
		if near == nil {
			near = make([]bool, len(blocks))
		}
		for j := max(0, i-contextBlocks); j < min(len(blocks), i+contextBlocks+1); j++ {
			near[j] = true
		}
	}
	return near
}

func row(b *diff.Block, older, newer *marker) banner.DiffRow {
	r := banner.DiffRow{Heading: b.Heading > 0}
	for _, e := range b.Edits {
		switch e.Op {
		case diff.Inserted:
			r.After = newer.cut(r.After, banner.Added, e.Text)
		case diff.Deleted:
			r.Before = older.cut(r.Before, banner.Deleted, e.Text)
		case diff.Moved:
			r.After = newer.cut(r.After, banner.Moved, e.Text)
		case diff.Left:
			r.Before = older.cut(r.Before, banner.Moved, e.Text)
		default:
			r.Before = older.cut(r.Before, banner.Equal, e.Text)
			r.After = newer.cut(r.After, banner.Equal, e.Text)
		}
	}
	return r
}
