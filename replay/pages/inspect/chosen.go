package inspect

import (
	"context"
	"time"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/selector"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	maxChoosing = 4 * time.Second // time limit for making a selector
	maxOthers   = 6               // other versions on which it is tested
)

// A chosen element is the first one on the page that the field in the form finds.
type chosen struct {
	number int
	finds  int // number of elements that the field finds on the page, as far as they are counted
	more   bool
	xpath  string // an equivalent expression, if the selector was made here
	holds  int    // number of other versions in which it finds exactly one element
	others int    // -1 if the selector was not made here
	within []level
	list   selector.List // the list that contains it, if rows aren't read yet
	inRow  string        // finds it within its row
}

// A level is an element or one of its ancestors.
type level struct {
	number int
	name   string // div#main.card
}

// choose makes the selector for the chosen element, and fills in the form.
func (s *Handler) choose(ctx context.Context, a *ask, d *fields.Document, tl *timeline.Timeline, c *cdx.Capture) (*chosen, error) {
	n := selector.Element(d, a.element)
	if n == nil {
		return nil, respond.BadRequest("the page has no element of this number")
	}
	ctx, cancel := context.WithTimeout(ctx, maxChoosing)
	defer cancel()
	others, err := s.others(ctx, tl, c)
	if err != nil {
		return nil, err
	}
	best := selector.Best(ctx, d, n, others)
	text := ""
	if t, err := fields.New([]fields.Field{{Name: "text", CSS: best.CSS}}); err == nil {
		if v, err := t.ReadFrom(ctx, d); err == nil && len(v["text"]) > 0 {
			text = v["text"][0]
		}
	}
	a.field = selector.Field(n, text)
	a.field.CSS = best.CSS
	ch := &chosen{xpath: best.XPath, holds: best.Holds, others: len(others)}
	if css, ok := selector.InRow(ctx, d, a.each, n); a.each != "" && ok {
		a.field.CSS, ch.xpath = css, ""
	} else if a.each == "" {
		if l := selector.ListOf(ctx, d, n); l.Rows > 0 {
			if css, ok := selector.InRow(ctx, d, l.Each, n); ok {
				ch.list, ch.inRow = l, css
			}
		}
	}
	a.name()
	return ch, nil
}

// others reads some other versions of a page, evenly distributed. It leaves out those that can't be read.
func (s *Handler) others(ctx context.Context, tl *timeline.Timeline, not *cdx.Capture) (out []*fields.Document, err error) {
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil {
		return nil, err
	}
	var pages []*cdx.Capture
	for i := range ranges {
		c := &tl.Captures[ranges[i].FirstIndex]
		if ranges[i].Kind == change.Page && archive.IsHTML(c) && c.Text != not.Text {
			pages = append(pages, c)
		}
	}
	for i := range min(len(pages), maxOthers) {
		if ctx.Err() != nil {
			break
		}
		if d, err := s.document(ctx, pages[i*len(pages)/min(len(pages), maxOthers)]); err == nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// maxCounted bounds the elements of a field that are counted.
const maxCounted = 1000

// find finds the field's element on a page, and returns nil if there is none.
func (ch *chosen) find(ctx context.Context, d *fields.Document, f *fields.Field) *chosen {
	ctx, cancel := context.WithTimeout(ctx, maxPage)
	defer cancel()
	found, err := d.Find(ctx, f.CSS, f.XPath, maxCounted)
	if err != nil {
		return nil
	}
	if ch == nil {
		ch = &chosen{others: -1}
	}
	ch.number, ch.finds, ch.more = -1, len(found), len(found) == maxCounted
	if len(found) == 0 {
		return ch
	}
	ch.number = selector.Number(d, found[0])
	for n := found[0]; n != nil && n.Type == html.ElementNode; n = n.Parent {
		ch.within = append(ch.within, level{selector.Number(d, n), nameOf(n)})
	}
	return ch
}

// nameOf names an element by its tag, id and first class.
func nameOf(n *html.Node) string {
	name := n.Data
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Val != "" && len(a.Val) <= 30 {
			switch a.Key {
			case "id":
				name += "#" + a.Val
			case "class":
				name += "." + a.Val
			}
		}
	}
	return name
}
