package fields

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// MaxRows bounds the rows that are read from a page.
const MaxRows = 10_000

// A Row is one of several similar things on a page, with its values.
type Row struct {
	Number int    `json:"row"` // its number among the rows of the page, from 1
	Values Values `json:"values"`
}

// NewRows checks a template whose fields are read in each row of a page: in each element that each finds, a selector or an XPath expression
// (see [Selector]). With each "" it is [New]. The error is an [*Error].
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

// Selector returns a text as either a selector or an XPath expression, which begins with "/", "./" or "(".
func Selector(s string) (css, xpath string) {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "(") {
		return "", s
	}
	return s, ""
}

// HasRows reports whether the template reads rows.
func (t *Template) HasRows() bool { return t.rows != nil }

// Rows returns the rows of a page with at least one value, in document order, at most [MaxRows]. Without rows in the template the page is
// the only row. A row inside another is excluded from its text. cut says that the page has more rows. The error is that of ctx.
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

// alone returns a document of one row: a copy of its element without inner rows.
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

// together returns the distinct values of all rows as those of a page, at most so many for each field.
func together(rows []Row, most int) Values {
	out := Values{}
	type value struct{ name, value string }
	seen := map[value]bool{}
	for _, r := range rows {
		for name, values := range r.Values {
			for _, v := range values {
				if one := (value{name, v}); len(out[name]) < most && !seen[one] {
					seen[one] = true
					out[name] = append(out[name], v)
				}
			}
		}
	}
	return out
}

// maxPacked bounds the bytes of a page's rows that a search stores.
const maxPacked = 1 << 20

// PackRows returns rows as a text, as many as fit in a megabyte; "" for none. [Unpack] reads it as the values of all rows.
func PackRows(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		one, _ := json.Marshal(r) // strings can always be encoded
		if b.Len()+len(one)+2 > maxPacked {
			break
		}
		b.WriteByte("[,"[min(b.Len(), 1)])
		b.Write(one)
	}
	if b.Len() > 0 {
		b.WriteByte(']')
	}
	return b.String()
}

// UnpackRows is the inverse of [PackRows]. It returns nothing for other texts.
func UnpackRows(packed string) (rows []Row) {
	if !strings.HasPrefix(packed, "[") || json.Unmarshal([]byte(packed), &rows) != nil {
		return nil
	}
	return rows
}

// Pack returns the rows or values that the template reads from a page, as a text for [Unpack].
func (t *Template) Pack(p Page) string {
	if t.rows == nil {
		return t.Read(p).Pack()
	}
	d, err := Parse(p)
	if err != nil {
		return ""
	}
	rows, _, err := t.Rows(context.Background(), d)
	if err != nil {
		return ""
	}
	return PackRows(rows)
}

// HasRows reports whether any template reads rows.
func (s *Set) HasRows() bool {
	return s != nil && slices.ContainsFunc(s.rules, func(r rule) bool { return r.template.HasRows() })
}
