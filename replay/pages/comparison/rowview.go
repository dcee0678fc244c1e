package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/varve-archive/varve/replay/pages/layout"
)

// class returns the CSS classes of a row: a heading, a list item, a table row.
func (r DiffRow) class() string {
	var c []string
	if r.Heading {
		c = append(c, "heading")
	}
	if r.Depth > 0 {
		c = append(c, fmt.Sprintf("item depth%d", min(r.Depth, maxDepth)))
	}
	if r.Bullet {
		c = append(c, "bullet")
	}
	if len(r.Cells) > 1 {
		c = append(c, "cells")
	}
	return strings.Join(c, " ")
}

// maxDepth is how many levels of lists are indented.
const maxDepth = 4

// before and after return all that is on one side, or nil.
func (r DiffRow) before() (all []layout.Span) {
	for _, c := range r.Cells {
		all = append(all, c.Before...)
	}
	return all
}

func (r DiffRow) after() (all []layout.Span) {
	for _, c := range r.Cells {
		all = append(all, c.After...)
	}
	return all
}

// beforeClass returns the CSS class of a row's left side: deleted, absent, moved or unchanged.
func (r DiffRow) beforeClass() string {
	before := r.before()
	switch {
	case before == nil:
		return "none"
	case r.movedAway():
		return "moved"
	case !changed(before) && !changed(r.after()):
		return "same"
	}
	return "gone"
}

// afterClass returns the CSS class of the right side. "again" repeats the left side and is hidden if there is one
// column.
func (r DiffRow) afterClass() string {
	before, after := r.before(), r.after()
	switch {
	case after == nil:
		return "none"
	case r.movedHere():
		return "moved"
	case !changed(before) && !changed(after) && before != nil:
		return "again"
	}
	return "new"
}

// movedAway and movedHere report whether the whole row is elsewhere on the other side, changed on the way or not.
func (r DiffRow) movedAway() bool {
	return !slices.ContainsFunc(r.Cells, func(c DiffCell) bool { return c.Before != nil && !moved(c.Before) }) && r.before() != nil
}

func (r DiffRow) movedHere() bool {
	return !slices.ContainsFunc(r.Cells, func(c DiffCell) bool { return c.After != nil && !moved(c.After) }) && r.after() != nil
}

// moved reports whether a block is elsewhere on the other side, changed on the way or not.
func moved(spans []layout.Span) bool {
	return slices.ContainsFunc(spans, func(s layout.Span) bool { return s.Op == layout.Moved })
}

// changed reports whether any part of a block was added or deleted.
func changed(spans []layout.Span) bool {
	return slices.ContainsFunc(spans, func(s layout.Span) bool { return s.Op != layout.Equal })
}

// foundIn returns the first row that deletes or adds a wanted word, else the first changed row that contains one, else -1.
func foundIn(rows []DiffRow) int {
	near := -1
	for i, r := range rows {
		marked := false
		before, after := r.before(), r.after()
		for _, s := range slices.Concat(before, after) {
			if s.Mark && s.Op != layout.Equal {
				return i
			}
			marked = marked || s.Mark
		}
		if near < 0 && marked && (changed(before) || changed(after)) {
			near = i
		}
	}
	return near
}

// inline returns the cells of a changed row with deleted and added text in one, nil if the row isn't on both sides, or was moved.
func (r DiffRow) inline() [][]layout.Span {
	before, after := r.before(), r.after()
	if before == nil || after == nil || moved(before) || moved(after) || !changed(before) && !changed(after) {
		return nil
	}
	out := make([][]layout.Span, len(r.Cells))
	for i, c := range r.Cells {
		var ok bool
		if out[i], ok = c.merge(); !ok {
			return nil
		}
	}
	return out
}

// merge joins both sides of a block: deleted text comes before the text added in its place. ok is false if the unchanged text differs.
func (c DiffCell) merge() (out []layout.Span, ok bool) {
	before, after := slices.Clone(c.Before), slices.Clone(c.After)
	for len(before)+len(after) > 0 {
		switch {
		case len(before) > 0 && before[0].Op != layout.Equal:
			out, before = append(out, before[0]), before[1:]
		case len(after) > 0 && after[0].Op != layout.Equal:
			out, after = append(out, after[0]), after[1:]
		case len(before) == 0 || len(after) == 0:
			return nil, false
		default:
			a, b := &before[0], &after[0]
			n := min(len(a.Text), len(b.Text))
			if a.Text[:n] != b.Text[:n] {
				return nil, false
			}
			out = append(out, layout.Span{Text: a.Text[:n], Mark: a.Mark || b.Mark})
			if a.Text = a.Text[n:]; a.Text == "" {
				before = before[1:]
			}
			if b.Text = b.Text[n:]; b.Text == "" {
				after = after[1:]
			}
		}
	}
	return out, true
}

// maxUnchanged bounds unchanged text within a block, in bytes. Of longer text, such as a list in one pre element, only the ends are shown.
const (
	maxUnchanged = 1200
	keptAtEnd    = 400
)

// folded returns spans in which unchanged text has no middle if it is long.
func folded(spans []layout.Span) (out []layout.Span) {
	for _, s := range spans {
		if s.Op != layout.Equal || s.Mark || len(s.Text) <= maxUnchanged {
			out = append(out, s)
			continue
		}
		head, tail := strings.ToValidUTF8(s.Text[:keptAtEnd], ""), strings.ToValidUTF8(s.Text[len(s.Text)-keptAtEnd:], "")
		if i := strings.LastIndexByte(head, ' '); i > 0 {
			head = head[:i]
		}
		if i := strings.IndexByte(tail, ' '); i >= 0 && i+1 < len(tail) {
			tail = tail[i+1:]
		}
		out = append(out, layout.Span{Text: head}, layout.Span{Op: layout.Folded, Text: " … "}, layout.Span{Text: tail})
	}
	return out
}
