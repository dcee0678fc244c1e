package fields

import (
	"bytes"
	"context"
	"fmt"
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A Document is a page as templates read it. It is parsed as browsers do it that run scripts, of which none has run.
type Document struct {
	Root *html.Node // of type [html.DocumentNode]
	Base *url.URL   // to which its links are relative
}

// Parse parses a page. The error is for one that is nested too deeply.
func Parse(p Page) (*Document, error) {
	decoded, err := charset.NewReader(bytes.NewReader(p.Body), p.ContentType)
	if err != nil { // of an empty body too
		return nil, err
	}
	root, err := html.Parse(decoded)
	if err != nil {
		return nil, err
	}
	return &Document{root, baseOf(root, p.URL)}, nil
}

// ReadFrom is [Template.Read] for a page that is parsed already, as far as ctx allows: the time that a selector takes on a
// page that was made for it has no bound. The error is that of ctx.
func (t *Template) ReadFrom(ctx context.Context, d *Document) (Values, error) {
	if t.rows == nil {
		return t.values(ctx, d)
	}
	rows, _, err := t.Rows(ctx, d)
	return together(rows, maxValues), err
}

// values reads the fields of a document, whatever its rows are.
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

// errEnough ends a search that has found what it was for.
const errEnough = sentinel.Error("enough")

// Find returns the first elements of a page, at most some, that a selector or an XPath expression finds; the other is "".
// What it finds beside elements is left out.
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
