package visible

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPlacesInListsAndTables(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"neither", "<p>a<div>b</div>", "a b"},
		{"items", "<ul><li>a<li><p>b<p>c</ul>d", "a@1.1 b@1.2 c@1.2 d"},
		{"a list in an item", "<ol><li>a<ul><li>b</ul>c<li>d</ol>", "a@1.1 b@2.2 c@1.1 d@1.3"},
		{"cells", "<table><tr><th>a<td>b<tr><td><p>c<p>d</table>e", "a/1/1 b/1/2 c/2/3 d/2/3 e"},
		{"a table in an item", "<ul><li>a<table><tr><td>b</table>c</ul>", "a@1.1 b/1/1 c@1.1"},
		{"a list in a cell", "<table><tr><td>a<ul><li>b</ul></table>", "a/1/1 b@1.1/1/1"},
		{"a table in a cell", "<table><tr><td>a<table><tr><td>b</table>c</table>", "a/1/1 b/2/2 c/1/1"},
		{"a cell in no row", "<td>a", "a/0/1"},
	} {
		e := Extractor{Layout: true}
		for range 2 { // the numbers begin anew
			text := e.Extract([]byte(test.page), "text/html")
			if got := placed(&text); got != test.want {
				t.Errorf("%s: got %s, want %s", test.name, got, test.want)
			}
		}
		plain := new(Extractor).Extract([]byte(test.page), "text/html")
		if slices.ContainsFunc(plain.Blocks, func(b Block) bool { return b.Place != Place{} }) {
			t.Errorf("%s: places though nobody asked", test.name)
		}
	}
}

func placed(text *Text) string {
	var out []string
	for _, b := range text.Blocks {
		s, p := b.Text, b.Place
		if p.Entry > 0 {
			s += fmt.Sprintf("@%d.%d", p.Depth, p.Entry)
		}
		if p.Row > 0 || p.Cell > 0 {
			s += fmt.Sprintf("/%d/%d", p.Row, p.Cell)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}
