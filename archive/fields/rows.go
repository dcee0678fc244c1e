package fields

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// MaxRows is how many rows of a page are read.
const MaxRows = 10_000

// A Row is one of the things that a page lists, with what stands in it.
type Row struct {
	Number int    `json:"row"` // its place among the rows of the page, from 1
	Values Values `json:"values"`
}

// NewRows checks a template whose fields are read in each row of a page: in each element that a selector or an XPath expression finds
// (see [Selector]). Without each it is [New]. The error is an [*Error].
func NewRows(each string, list []Field) (*Template, error) {
	t, err := New(list)
	if err != nil || each == "" {
		return t, err
	}
	f := Field{Name: "each"}
	f.CSS, f.XPath = Selector(each)
	r, _, err := newReader(f)
	if err != nil {
		return nil, &Error{Field: -1, Key: "each", Err: err}
	}
	t.rows = r.find
	return t, nil
}

// Selector returns a text as the selector or the expression that it is: XPath begins with a slash, a dot and a slash, or a parenthesis.
func Selector(s string) (css, xpath string) {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "(") {
		return "", s
	}
	return s, ""
}

// HasRows reports whether the template's fields are read in each row of a page.
func (t *Template) HasRows() bool { return t.rows != nil }

// Rows returns the rows of a page that have any value, in document order, at most [MaxRows]; a template without rows has one, the page. A
// row in another is none of its text: its values are its own. cut says that the page has more rows. The error is that of ctx.
func (t *Template) Rows(ctx context.Context, d *Document) (rows []Row, cut bool, err error) {
	if t.rows == nil {
		values, err := t.ReadFrom(ctx, d)
		if err != nil || len(values) == 0 {
			return nil, false, err
		}
		return []Row{{1, values}}, false, nil
	}
	found, cut, err := t.rowElements(ctx, d)
	if err != nil {
		return nil, false, err
	}
	within := make(map[*html.Node]bool, len(found))
	for _, n := range found {
		within[n] = true
	}
	for i, n := range found {
		values, err := t.values(ctx, &Document{alone(n, within), d.Base})
		if err != nil {
			return nil, false, err
		}
		if len(values) > 0 {
			rows = append(rows, Row{i + 1, values})
		}
	}
	return rows, cut, nil
}

// rowElements returns the elements that are rows.
func (t *Template) rowElements(ctx context.Context, d *Document) (found []*html.Node, cut bool, err error) {
	seen := map[*html.Node]bool{}
	err = t.rows.find(ctx, d.Root, func(p place) bool {
		if p.node == nil || seen[p.node] {
			return true
		}
		if cut = len(found) == MaxRows; !cut {
			seen[p.node] = true
			found = append(found, p.node)
		}
		return !cut
	})
	return found, cut, err
}

// alone returns a document of one row: a copy of its element, without the rows in it.
func alone(row *html.Node, rows map[*html.Node]bool) *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	doc.AppendChild(copyOf(row, rows))
	return doc
}

func copyOf(n *html.Node, without map[*html.Node]bool) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: n.Attr}
	for child := range n.ChildNodes() {
		if !without[child] {
			c.AppendChild(copyOf(child, without))
		}
	}
	return c
}

// together returns the values of all rows, each once, as those of a page.
func together(rows []Row) Values {
	out := Values{}
	for _, r := range rows {
		for name, values := range r.Values {
			for _, v := range values {
				if len(out[name]) < maxValues && !slices.Contains(out[name], v) {
					out[name] = append(out[name], v)
				}
			}
		}
	}
	return out
}
