package selector

import (
	"context"
	"slices"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
)

// minRows is the number of similar siblings from which on they are a list.
const minRows = 3

// A List is a list on a page: Each finds its rows, as [fields.NewRows] takes it.
type List struct {
	Each string
	Rows int
}

// ListOf returns the innermost list of which an element is a row or inside a row. Rows is 0 if there is none.
func ListOf(ctx context.Context, d *fields.Document, of *html.Node) (l List) {
	for n := of; n != nil; n = n.Parent {
		if mayBeRow(n) {
			if rows := alike(n); len(rows) >= minRows {
				return listOf(ctx, d, n, rows)
			}
		}
	}
	return l
}

// mayBeRow reports whether an element may be a row: table cells, paragraphs and inline elements may not.
func mayBeRow(n *html.Node) bool {
	return n.Type == html.ElementNode &&
		slices.Contains([]string{"li", "tr", "div", "article", "section", "a", "dl", "figure", "tbody", "ul", "ol", "table"}, n.Data)
}

// alike returns an element and its siblings with the same tag and first class.
func alike(n *html.Node) (rows []*html.Node) {
	class := firstClass(n)
	for s := range n.Parent.ChildNodes() {
		if s.Type == html.ElementNode && s.Data == n.Data && (class == "" || slices.Contains(classes(s), class)) {
			rows = append(rows, s)
		}
	}
	return rows
}

// firstClass returns the first durable class of an element, "" if it has none.
func firstClass(n *html.Node) string {
	for _, c := range classes(n) {
		return c
	}
	return ""
}

// listOf finds a selector for sibling rows. A selector that also finds rows in similar parents is preferred, because a grid has several
// lines.
func listOf(ctx context.Context, d *fields.Document, row *html.Node, rows []*html.Node) List {
	is := step{tag: row.Data, class: firstClass(row)}
	in := step{tag: row.Parent.Data, class: firstClass(row.Parent)}
	child := is
	child.child = true
	short := []string{path{in, child}.css()}
	if is.class != "" {
		short = append([]string{path{is}.css()}, short...)
	}
	for _, css := range short {
		found, err := d.Find(ctx, css, "", fields.MaxRows)
		if err == nil && ofOneKind(found, row.Parent) {
			return List{css, len(found)}
		}
	}
	return List{Best(ctx, d, row.Parent, nil).CSS + " > " + path{is}.css(), len(rows)}
}

// ofOneKind reports whether the parents of all elements are similar: they have the tag and first class of parent, or are parent.
func ofOneKind(found []*html.Node, parent *html.Node) bool {
	class := firstClass(parent)
	for _, n := range found {
		if p := n.Parent; p != parent && (class == "" || p.Data != parent.Data || firstClass(p) != class) {
			return false
		}
	}
	return true
}

// InRow returns a selector that finds an element first in its row, and something in most of the other rows. ok is false if the element is
// in no row.
func InRow(ctx context.Context, d *fields.Document, each string, of *html.Node) (css string, ok bool) {
	by, expression := fields.Selector(each)
	rows, err := d.Find(ctx, by, expression, fields.MaxRows)
	if err != nil {
		return "", false
	}
	row := of
	for row != nil && !slices.Contains(rows, row) {
		row = row.Parent
	}
	if row == nil {
		return "", false
	}
	best := -1
	for _, candidate := range inRow(row, of) {
		s, err := cascadia.ParseGroup(candidate)
		if err != nil || first(row, s) != of {
			continue
		}
		if has := holding(ctx, rows, s); has > best {
			css, best = candidate, has
		}
	}
	return css, css != ""
}

// maxHeld bounds the rows in which a selector is tried.
const maxHeld = 200

// holding returns the number of rows in which a selector finds something.
func holding(ctx context.Context, rows []*html.Node, s cascadia.Matcher) (n int) {
	for _, r := range rows[:min(len(rows), maxHeld)] {
		if ctx.Err() == nil && first(r, s) != nil {
			n++
		}
	}
	return n
}

// first returns the first matching element of a row, which may be the row itself.
func first(row *html.Node, s cascadia.Matcher) *html.Node {
	if s.Match(row) {
		return row
	}
	return cascadia.Query(row, s)
}

// inRow returns selectors for an element in a row, the most durable first.
func inRow(row, of *html.Node) (out []string) {
	for _, c := range classes(of) {
		out = append(out, path{{class: c}}.css(), path{{tag: of.Data, class: c}}.css())
	}
	out = append(out, path{{tag: of.Data}}.css())
	if of == row {
		return out
	}
	if of.Parent != row && firstClass(of.Parent) != "" {
		out = append(out, path{{class: firstClass(of.Parent)}, {tag: of.Data}}.css())
	}
	out = append(out, path{{tag: of.Data, nth: place(of, true)}}.css())
	var steps path
	for n := of; n != row; n = n.Parent {
		steps = append(steps, step{child: true, tag: n.Data, nth: place(n, true)})
	}
	slices.Reverse(steps)
	return append(out, steps.css())
}
