package fields

import (
	"context"
	"strconv"
	"sync"

	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// A place is where a value is: an element, or a text that an expression returns.
type place struct {
	node *html.Node // nil for a text
	text string
}

// A finder calls each with the places of a field, in document order, until each returns false. The error is that of ctx.
type finder interface {
	find(ctx context.Context, doc *html.Node, each func(place) bool) error
}

// An xpathFinder has compiled copies of one expression. A compiled expression has state, so only one goroutine may use it.
type xpathFinder struct{ expressions *sync.Pool }

// newXPath compiles an expression.
func newXPath(s string) (f xpathFinder, err error) {
	first, err := xpath.Compile(s)
	if err != nil {
		return f, err
	}
	f.expressions = &sync.Pool{New: func() any { return xpath.MustCompile(s) }}
	f.expressions.Put(first)
	return f, nil
}

func (f xpathFinder) find(ctx context.Context, doc *html.Node, each func(place) bool) error {
	f.evaluate(ctx, doc, each)
	return ctx.Err()
}

// evaluate evaluates the expression. If the library panics because of unsuitable values, the page has no value. It stops when ctx does.
func (f xpathFinder) evaluate(ctx context.Context, doc *html.Node, each func(place) bool) {
	e := f.expressions.Get().(*xpath.Expr)
	defer func() {
		if recover() == nil { // else its state is unknown
			f.expressions.Put(e)
		}
	}()
	switch v := e.Evaluate(&walker{htmlquery.CreateXPathNavigator(doc), ctx}).(type) {
	case *xpath.NodeIterator:
		for v.MoveNext() {
			if !each(placeOf(v.Current())) {
				return
			}
		}
	case string:
		each(place{text: v})
	case float64:
		each(place{text: strconv.FormatFloat(v, 'f', -1, 64)})
	case bool:
		each(place{text: strconv.FormatBool(v)})
	}
}

func placeOf(at xpath.NodeNavigator) place {
	w, ok := at.(*walker)
	if !ok || at.NodeType() != xpath.ElementNode {
		return place{text: at.Value()}
	}
	return place{node: w.Current()}
}

// A walker is the position of an expression on a page. It checks the context at each move and panics, since an expression can't be stopped
// otherwise.
type walker struct {
	*htmlquery.NodeNavigator
	ctx context.Context
}

func (w *walker) goOn() {
	if err := w.ctx.Err(); err != nil {
		panic(err)
	}
}

// Value implements [xpath.NodeNavigator], as do the others.
func (w *walker) Value() string {
	w.goOn()
	return w.NodeNavigator.Value()
}

func (w *walker) Copy() xpath.NodeNavigator {
	w.goOn()
	return &walker{w.NodeNavigator.Copy().(*htmlquery.NodeNavigator), w.ctx}
}

func (w *walker) MoveToChild() bool {
	w.goOn()
	return w.NodeNavigator.MoveToChild()
}

func (w *walker) MoveToNext() bool {
	w.goOn()
	return w.NodeNavigator.MoveToNext()
}

func (w *walker) MoveToPrevious() bool {
	w.goOn()
	return w.NodeNavigator.MoveToPrevious()
}

func (w *walker) MoveTo(other xpath.NodeNavigator) bool {
	o, ok := other.(*walker)
	return ok && w.NodeNavigator.MoveTo(o.NodeNavigator)
}
