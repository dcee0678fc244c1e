package looks

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/banner/locale"
)

// Walk visits every element, including those inside <template>.
func Walk(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := range n.ChildNodes() {
		Walk(c, visit)
	}
}

// Attribute returns an attribute of an element.
func Attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func hasAttribute(n *html.Node, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := Attribute(n, name)
		return ok
	})
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func insideLabel(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "label" && textOf(p) != "" {
			return true
		}
	}
	return false
}

// fault says what is wrong with an element for those who can't see it, or under a policy that forbids inline code; ""
// if nothing is.
func fault(n *html.Node) string {
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
			return "carries an inline " + a.Key
		}
	}
	kind, _ := Attribute(n, "type")
	switch n.Data {
	case "html", "nav":
		if n.Data == "html" && !hasAttribute(n, "lang") || n.Data == "html" && !hasAttribute(n, "dir") {
			return "says no language or direction"
		}
	case "input", "select":
		if kind != "hidden" && !hasAttribute(n, "aria-label") && !insideLabel(n) {
			return "has no label"
		}
	case "button", "summary", "a":
		if textOf(n) == "" && !hasAttribute(n, "aria-label") && pictureOf(n) == "" {
			return "has no name"
		}
		if href, ok := Attribute(n, "href"); n.Data == "a" && (!ok || href == "") {
			return "leads nowhere"
		}
	case "script":
		if !hasAttribute(n, "src") {
			return "is inline"
		}
	}
	return ""
}

// landmark returns the role and the name of an element to which readers jump, "" if it is none.
func landmark(n *html.Node) string {
	role, _ := Attribute(n, "role")
	if n.Data != "nav" && role != "search" {
		return ""
	}
	label, _ := Attribute(n, "aria-label")
	by, _ := Attribute(n, "aria-labelledby")
	return strings.Join([]string{n.Data, role, label, by}, " ")
}

// pictureOf returns what a picture in an element says to those who can't see it.
func pictureOf(n *html.Node) (alt string) {
	Walk(n, func(n *html.Node) {
		if n.Data == "img" && alt == "" {
			alt, _ = Attribute(n, "alt")
		}
	})
	return alt
}

// Whole looks for faults in the mark-up of fixtures, in every language.
func Whole(t *testing.T, fixtures Fixtures) {
	for _, lang := range locale.Tags() {
		for name, c := range fixtures(lang) {
			t.Run(name+"/"+lang, func(t *testing.T) {
				source := Render(t, c)
				if strings.HasPrefix(name, "banner") {
					source = `<!DOCTYPE html><html lang="en" dir="ltr"><body>` + source
				}
				doc, err := html.Parse(strings.NewReader(source))
				if err != nil {
					t.Fatal(err)
				}
				ids, landmarks := map[string]bool{}, map[string]bool{}
				Walk(doc, func(n *html.Node) {
					if s := fault(n); s != "" {
						t.Errorf("<%s> %v %s", n.Data, n.Attr, s)
					}
					if l := landmark(n); l != "" && landmarks[l] {
						t.Errorf("<%s> %v has the name of another landmark", n.Data, n.Attr)
					} else {
						landmarks[l] = true
					}
					if id, ok := Attribute(n, "id"); ok && ids[id] {
						t.Errorf("id %q stands twice", id)
					} else if ok {
						ids[id] = true
					}
				})
			})
		}
	}
}
