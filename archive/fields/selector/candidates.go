package selector

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// telling are attributes that say what an element is, so that it can be found by their values.
func telling() []string {
	return []string{"itemprop", "data-testid", "data-test", "data-qa", "data-cy", "property", "name", "rel", "role"}
}

// handles are the ways to say which element this is without saying where, those that last longest first.
func handles(n *html.Node) (out []step) {
	tag := tagOf(n)
	if id, _ := attribute(n, "id"); isLasting(id) {
		out = append(out, step{id: id})
	}
	for _, name := range telling() {
		if v, ok := attribute(n, name); ok && v != "" && len(v) <= 60 && isLasting(strings.ReplaceAll(v, ":", "-")) {
			out = append(out, step{tag: tag, attribute: name, value: v, hasValue: true})
		}
	}
	for _, c := range classes(n) {
		out = append(out, step{tag: tag, class: c})
	}
	out = append(out, values(n, tag)...)
	if tag != "" {
		out = append(out, step{tag: tag})
	}
	return out
}

// values are attributes with what may be another value in each version: that they are there is what lasts.
func values(n *html.Node, tag string) (out []step) {
	for _, a := range n.Attr {
		isData := strings.HasPrefix(a.Key, "data-") && isLasting(strings.TrimPrefix(a.Key, "data-"))
		if a.Namespace == "" && isPlain(a.Key) && (isData || a.Key == "datetime") && len(out) < 3 {
			out = append(out, step{tag: tag, attribute: a.Key})
		}
	}
	return out
}

// tagOf returns the name of an element if selectors can have it.
func tagOf(n *html.Node) string {
	if isPlain(n.Data) {
		return n.Data
	}
	return ""
}

// ancestors returns what an element is in, from its parent on.
func ancestors(n *html.Node) (out []*html.Node) {
	for p := n.Parent; p != nil && p.Type == html.ElementNode; p = p.Parent {
		out = append(out, p)
	}
	return out
}

const (
	nearby = 8 // how many ancestors are looked at
	few    = 4 // how many handles of one
)

// candidates are paths to an element, the best first. The last one leads to it alone; the others may lead to more.
func candidates(n *html.Node) iter.Seq[path] {
	return func(yield func(path) bool) {
		own, above := handles(n), ancestors(n)
		for _, h := range own {
			if !yield(path{h}) {
				return
			}
		}
		for _, a := range above[:min(nearby, len(above))] {
			for _, outer := range lasting(a) {
				for _, inner := range own {
					if !yield(path{outer, inner}) {
						return
					}
				}
			}
		}
		for i, a := range above[:min(nearby, len(above))] {
			for _, outer := range lasting(a) {
				if !yield(append(path{outer}, places(n, above[:i])...)) {
					return
				}
			}
		}
		for _, h := range own {
			if h.tag != "" {
				h.nth = place(n, true)
				if !yield(path{h}) {
					return
				}
			}
		}
		_ = yield(exact(n, above))
	}
}

// lasting are the handles of what an element is in that tell more than what kind of element it is.
func lasting(n *html.Node) (out []step) {
	for _, h := range handles(n) {
		isKind := h == step{tag: h.tag}
		if !isKind || outlines(h.tag) {
			out = append(out, h)
		}
	}
	return out[:min(few, len(out))]
}

// outlines are elements of which a page has one or few.
func outlines(key string) bool {
	switch key {
	case "main", "article", "header", "footer", "nav", "aside", "head":
		return true
	}
	return false
}

// places lead from an outer element, which is none of them, through some to the element: its child, and so on.
func places(n *html.Node, between []*html.Node) (out path) {
	for i := len(between) - 1; i >= -1; i-- {
		at := n
		if i >= 0 {
			at = between[i]
		}
		s := step{child: true, tag: tagOf(at)}
		if s.tag == "" || !isOnly(at) {
			s.nth = place(at, s.tag != "")
		}
		out = append(out, s)
	}
	return out
}

// exact leads from the outermost element to this one by counting, which can't fail.
func exact(n *html.Node, above []*html.Node) path {
	if len(above) == 0 {
		return path{{root: true}}
	}
	out := path{{root: true}}
	for i := len(above) - 2; i >= 0; i-- {
		out = append(out, step{child: true, nth: place(above[i], false)})
	}
	return append(out, step{child: true, nth: place(n, false)})
}

// place is the number of an element among its siblings, or among those of its tag, from 1.
func place(n *html.Node, ofType bool) int {
	i := 1
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode && (!ofType || s.Data == n.Data) {
			i++
		}
	}
	return i
}

// isOnly reports whether an element is the only one of its tag among its siblings.
func isOnly(n *html.Node) bool {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode && s.Data == n.Data {
			return false
		}
	}
	return place(n, true) == 1
}
