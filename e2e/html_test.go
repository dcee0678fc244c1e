package e2e

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// parse parses a page as browsers do.
func parse(t testing.TB, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// hrefs returns what a page links to and loads.
func hrefs(t testing.TB, page string) []string {
	t.Helper()
	var out []string
	for n := range parse(t, page).Descendants() {
		for _, name := range []string{"href", "src"} {
			if v := attribute(n, name); v != "" {
				out = append(out, v)
			}
		}
	}
	return out
}
