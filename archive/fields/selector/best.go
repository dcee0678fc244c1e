package selector

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Element returns the element with a number, counted from 0 in document order, nil if there is none.
func Element(d *fields.Document, number int) *html.Node {
	i := 0
	for n := range d.Root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if i == number {
			return n
		}
		i++
	}
	return nil
}

// Number returns the number of an element, -1 if it is not on the page.
func Number(d *fields.Document, of *html.Node) int {
	i := 0
	for n := range d.Root.Descendants() {
		if n == of {
			return i
		}
		if n.Type == html.ElementNode {
			i++
		}
	}
	return -1
}

// A Choice says how to find an element.
type Choice struct {
	CSS, XPath string
	Holds      int // number of other versions in which it finds exactly one element
}

const (
	maxTried  = 150 // paths that are tried on the page
	maxChosen = 8   // paths that find only the element and are tried on other versions
)

// Best returns the selector that finds only this element on its page, and exactly one element in most of the other versions; of several the
// one with the most durable names. When ctx ends it returns the best so far.
func Best(ctx context.Context, d *fields.Document, of *html.Node, others []*fields.Document) (best Choice) {
	score := -1
	for _, p := range alone(ctx, d, of) {
		holds := 0
		for _, o := range others {
			if found, err := o.Find(ctx, p.css(), "", 2); err == nil && len(found) == 1 {
				holds++
			}
		}
		if sc := p.trust() * holds; sc > score {
			score, best = sc, Choice{CSS: p.css(), XPath: p.xpath(), Holds: holds}
		}
	}
	if !finds(ctx, d, "", best.XPath, of) { // perhaps a text with quotes of both kinds
		best.XPath = exact(of, ancestors(of)).xpath()
	}
	if by := labelled(of); finds(ctx, d, "", by, of) {
		best.XPath = by
	}
	return best
}

// trust ranks how meaningful it is that a path finds one element: a path by positions finds an element in any version.
func (p path) trust() int {
	for i := range p {
		if p[i].nth > 0 {
			return 1
		}
	}
	return 2
}

// alone returns paths that find only the element, at least one.
func alone(ctx context.Context, d *fields.Document, of *html.Node) (out []path) {
	tried := 0
	for p := range candidates(of) {
		if tried++; ctx.Err() != nil || tried > maxTried || len(out) == maxChosen || p[0].root && len(out) > 0 {
			break
		}
		if finds(ctx, d, p.css(), "", of) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		out = []path{exact(of, ancestors(of))}
	}
	return out
}

// finds reports whether a selector finds an element and no other.
func finds(ctx context.Context, d *fields.Document, css, xpath string, of *html.Node) bool {
	found, err := d.Find(ctx, css, xpath, 2)
	return err == nil && len(found) == 1 && found[0] == of
}

// maxLabel bounds the label before a value, in bytes.
const maxLabel = 60

// labelled returns an expression that finds a value by the label before it: in a table row or a definition list. Rows are added and
// removed, but their labels remain. It is "" if there is no label.
func labelled(n *html.Node) string {
	switch n.Data {
	case "dd":
		if dt := before(n); dt != nil && dt.Data == "dt" {
			return with(`//dt[normalize-space(.)=%]/following-sibling::dd[1]`, dt)
		}
	case "td":
		if th := before(n); th != nil && th.Data == "th" && before(th) == nil {
			return with(`//th[normalize-space(.)=%]/following-sibling::td[1]`, th)
		}
	}
	return ""
}

// before returns the previous sibling element, nil if there is none.
func before(n *html.Node) *html.Node {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s
		}
	}
	return nil
}

func with(expression string, label *html.Node) string {
	words, err := words(label)
	if err != nil || literal(words) == "" {
		return ""
	}
	return strings.Replace(expression, "%", literal(words), 1)
}

const errNoLabel = sentinel.Error("no label")

// words returns the text of an element, if it is short.
func words(n *html.Node) (string, error) {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
		if b.Len() > maxLabel*2 {
			return "", errNoLabel
		}
	}
	s := strings.Join(strings.Fields(b.String()), " ")
	if s == "" || len(s) > maxLabel {
		return "", errNoLabel
	}
	return s, nil
}
