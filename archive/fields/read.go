package fields

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A Page is a page to read.
type Page struct {
	Body        []byte // decoded
	ContentType string // the header, which may name a charset
	URL         string // base of links, unless the page has a base element
}

const (
	maxValues = 100       // of a field on one page
	maxLength = 500       // of a value in bytes; longer ones are cut
	maxText   = 256 << 10 // of the text of an element in bytes; the rest is ignored
	maxGrown  = 4 << 20   // of the result of an expression of clean, in bytes
)

// Read returns the values of a page, without fields that have no value. Any input is accepted.
func (t *Template) Read(p Page) Values {
	d, err := Parse(p)
	if err != nil {
		return nil
	}
	out, err := t.ReadFrom(context.Background(), d)
	if err != nil {
		return nil
	}
	return out
}

func (r *reader) read(ctx context.Context, d *Document) (out []string, err error) {
	if r.nested != nil {
		return r.readNested(ctx, d)
	}
	err = r.find.find(ctx, d.Root, func(p place) bool {
		raw := p.text
		if p.node != nil {
			raw = r.raw(p.node)
		}
		if v, ok := r.Type.normal(r.cleaned(raw), d.Base); ok && !slices.Contains(out, v) {
			out = append(out, v)
		}
		return len(out) == 0 || r.All && len(out) < maxValues
	})
	return out, err
}

// raw returns the attribute or text of an element that a field asks for.
func (r *reader) raw(n *html.Node) string {
	name := r.Attribute
	switch {
	case name != "":
	case n.DataAtom == atom.Meta:
		name = "content"
	case r.Type == Link:
		name = "href"
	case r.Type == Image:
		name = "src"
	case r.Type == Date && n.DataAtom == atom.Time && attribute(n, "datetime") != "":
		name = "datetime"
	default:
		return textOf(n)
	}
	return attribute(n, name)
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == name {
			return a.Val
		}
	}
	return ""
}

// inline elements don't divide words.
func inline(key atom.Atom) bool {
	switch key {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code,
		atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd,
		atom.Label, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span,
		atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// textOf returns the text of an element, with a space where a block begins or ends.
func textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data[:min(len(n.Data), maxText-min(b.Len(), maxText))])
			return
		case n.Type != html.ElementNode || b.Len() >= maxText:
			return
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Noscript:
			return
		}
		if !inline(n.DataAtom) {
			b.WriteByte(' ')
			defer b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

// baseOf returns the base of a page's links, "" if it is unknown.
func baseOf(doc *html.Node, page string) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Base && attribute(n, "href") != "" {
			if u, ok := absolute(page, attribute(n, "href")); ok {
				return u
			}
		}
	}
	return page
}

// absolute resolves a reference as browsers do (URL standard). ok is false if it is no address.
func absolute(base, ref string) (_ string, ok bool) {
	u, err := url.ParseRef(base, ref)
	if err != nil { // base may be unknown
		u, err = url.Parse(ref)
	}
	if ref == "" || err != nil {
		return "", false
	}
	return u.Href(false), true
}

// normal returns a value in the form of its type; ok is false if it isn't valid.
func (t Type) normal(s, base string) (v string, ok bool) {
	switch t {
	case Link, Image:
		v, ok = absolute(base, s)
		return v, ok && len(v) <= maxLength*4
	case Number:
		n, ok := ParseNumber(s)
		return formatNumber(n), ok
	case Date:
		d, ok := ParseDate(s)
		return formatDate(d), ok
	}
	if len(s) > maxLength {
		s = strings.ToValidUTF8(s[:maxLength], "")
	}
	return s, s != "" && utf8.ValidString(s)
}
