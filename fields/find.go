package fields

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/andybalholm/cascadia"
	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// A place is where a value is: an element, or a text that an expression gives by itself.
type place struct {
	node *html.Node // nil for a text
	text string
}

// A finder finds the places of a field, in document order, and calls each until it returns false.
type finder interface {
	find(doc *html.Node, each func(place) bool)
}

type css struct{ selector cascadia.SelectorGroup }

func (c css) find(doc *html.Node, each func(place) bool) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && c.selector.Match(n) && !each(place{node: n}) {
			return
		}
	}
}

// An xpathFinder has expressions of one text. An expression keeps where it is on a page, so only one goroutine may use it.
type xpathFinder struct{ expressions *sync.Pool }

// newXPath compiles an expression and evaluates it on an empty page, because the library finds some faults only then.
func newXPath(s string) (f xpathFinder, err error) {
	first, err := xpath.Compile(s)
	if err != nil {
		return f, err
	}
	f.expressions = &sync.Pool{New: func() any { return xpath.MustCompile(s) }}
	f.expressions.Put(first)
	err = f.evaluate(&html.Node{Type: html.DocumentNode}, func(place) bool { return true })
	return f, err
}

func (f xpathFinder) find(doc *html.Node, each func(place) bool) { _ = f.evaluate(doc, each) }

// evaluate turns what the library panics with, on values that an expression can't take, into an error: such a page has no
// value.
func (f xpathFinder) evaluate(doc *html.Node, each func(place) bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	e := f.expressions.Get().(*xpath.Expr)
	defer f.expressions.Put(e)
	switch v := e.Evaluate(htmlquery.CreateXPathNavigator(doc)).(type) {
	case *xpath.NodeIterator:
		for v.MoveNext() {
			if !each(placeOf(v.Current())) {
				return nil
			}
		}
	case string:
		each(place{text: v})
	case float64:
		each(place{text: strconv.FormatFloat(v, 'f', -1, 64)})
	case bool:
		each(place{text: strconv.FormatBool(v)})
	}
	return nil
}

func placeOf(at xpath.NodeNavigator) place {
	n, ok := at.(*htmlquery.NodeNavigator)
	if !ok || at.NodeType() != xpath.ElementNode {
		return place{text: at.Value()}
	}
	return place{node: n.Current()}
}
