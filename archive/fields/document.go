package fields

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/xhtml"
)

// A Document is a parsed page. It is parsed as by browsers with scripting enabled, but no script has run.
type Document struct {
	Root *html.Node // of type [html.DocumentNode]
	Base string     // base of its links
}

// Parse parses a page. It fails if the page is nested too deeply.
func Parse(p Page) (*Document, error) {
	_, body := xhtml.AsHTML(p.ContentType, visible.UTF8(p.Body, p.ContentType))
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return &Document{root, baseOf(root, p.URL)}, nil
}

// ReadFrom is [Template.Read] for a parsed page. It stops with the error of ctx, because the time that a selector takes on a hostile page
// is unbounded.
func (t *Template) ReadFrom(ctx context.Context, d *Document) (Values, error) {
	if t.rows == nil {
		return t.values(ctx, d)
	}
	rows, _, err := t.Rows(ctx, d)
	return together(rows, maxValues), err
}

// values reads the fields of a document, ignoring rows.
func (t *Template) values(ctx context.Context, d *Document) (Values, error) {
	out := Values{}
	for i := range t.readers {
		values, err := t.readers[i].read(ctx, d)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 {
			out[t.readers[i].Name] = values
		}
	}
	return out, nil
}

// errEnough ends a search that has found enough.
const errEnough = sentinel.Error("enough")

// Find returns the first elements of a page, up to most, that a selector or an XPath expression finds; the other must be "". Results other
// than elements are left out.
func (d *Document) Find(ctx context.Context, selector, expression string, most int) (found []*html.Node, err error) {
	r, key, err := newReader(Field{Name: "found", CSS: selector, XPath: expression})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	err = r.find.find(ctx, d.Root, func(p place) bool {
		if p.node != nil {
			found = append(found, p.node)
		}
		return len(found) < most
	})
	return found, err
}
