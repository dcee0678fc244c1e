package selector

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// identifying returns attributes whose values identify an element.
func identifying() []string {
	return []string{"itemprop", "data-testid", "data-test", "data-qa", "data-cy", "property", "name", "rel", "role"}
}

// handles returns ways to identify an element without its position, the most durable first.
func handles(n *html.Node) (out []step) {
	tag := tagOf(n)
	if id, _ := attribute(n, "id"); isLasting(id) {
		out = append(out, step{id: id})
	}
	for _, name := range identifying() {
		if v, _ := attribute(n, name); isLasting(strings.ReplaceAll(v, ":", "-")) {
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

// values returns attributes whose values may change, but whose presence lasts.
func values(n *html.Node, tag string) (out []step) {
	for _, a := range n.Attr {
		isData := strings.HasPrefix(a.Key, "data-") && isLasting(strings.TrimPrefix(a.Key, "data-"))
		if isPlain(a.Key) && (isData || a.Key == "datetime") && len(out) < 3 {
			out = append(out, step{tag: tag, attribute: a.Key})
		}
	}
	return out
}

// tagOf returns the name of an element if selectors can contain it.
func tagOf(n *html.Node) string {
	if isPlain(n.Data) {
		return n.Data
	}
	return ""
}

// ancestors returns the ancestors of an element, from its parent on.
func ancestors(n *html.Node) (out []*html.Node) {
	for p := n.Parent; p != nil && p.Type == html.ElementNode; p = p.Parent {
		out = append(out, p)
	}
	return out
}

const (
	maxAncestors = 8 // ancestors that are used
	maxHandles   = 4 // handles of each
)

// candidates yields paths to an element, the best first. The last one finds only it; the others may find more elements.
func candidates(n *html.Node) iter.Seq[path] {
	return func(yield func(path) bool) {
		own, above := handles(n), ancestors(n)
		for _, h := range own {
			if !yield(path{h}) {
				return
			}
		}
		for _, a := range above[:min(maxAncestors, len(above))] {
			for _, outer := range lasting(a) {
				for _, inner := range own {
					if !yield(path{outer, inner}) {
						return
					}
				}
			}
		}
		for i, a := range above[:min(maxAncestors, len(above))] {
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

// lasting returns the handles of an ancestor that identify more than its tag.
func lasting(n *html.Node) (out []step) {
	for _, h := range handles(n) {
		isKind := h == step{tag: h.tag}
		if !isKind || outlines(h.tag) {
			out = append(out, h)
		}
	}
	return out[:min(maxHandles, len(out))]
}

// outlines are elements of which a page has one or few.
func outlines(key string) bool {
	switch key {
	case "main", "article", "header", "footer", "nav", "aside", "head":
		return true
	}
	return false
}

// places returns the path of child positions from below an outer element to n.
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

// exact returns the path of positions from the root to n, which always works.
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

// place returns the position of an element among its siblings, or among those with its tag, from 1.
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
