package comparison

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// drawn writes rows a line each, cells with strokes between them, lists indented: [-deleted-], {+added+}, {>moved<}.
func drawn(rows []DiffRow) string {
	var out strings.Builder
	for _, r := range rows {
		if r.Skipped > 0 {
			fmt.Fprintf(&out, "(%d)\n", r.Skipped)
			continue
		}
		out.WriteString(strings.Repeat("  ", r.Depth))
		if r.Bullet {
			out.WriteString("* ")
		}
		for i, c := range r.Cells {
			if i > 0 {
				out.WriteString(" | ")
			}
			before, after := spansOf(c.Before), spansOf(c.After)
			if before == after {
				after = ""
			}
			out.WriteString(before + after)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func spansOf(spans []layout.Span) string {
	var out strings.Builder
	for _, s := range spans {
		fmt.Fprintf(&out, map[layout.SpanOp]string{
			layout.Equal: "%s", layout.Added: "{+%s+}", layout.Deleted: "[-%s-]", layout.Moved: "{>%s<}", layout.Folded: "%s",
		}[s.Op], s.Text)
	}
	return out.String()
}

func TestDiffsKeepTheShapeOfListsAndTables(t *testing.T) {
	for _, test := range []struct{ name, a, b, want string }{
		{"paragraphs", "<p>a<p>b", "<p>a<p>c", "a\n[-b-]{+c+}\n"},
		{
			"a cell", "<table><tr><td>one<td>1<tr><td>two<td>2</table>", "<table><tr><td>one<td>1<tr><td>two<td>3</table>",
			"one | 1\ntwo | [-2-]{+3+}\n",
		},
		{
			"a row that came", "<table><tr><th>a<th>b<tr><td>c<td>d</table>", "<table><tr><th>a<th>b<tr><td>x<td>y<tr><td>c<td>d</table>",
			"a | b\n{+x+} | {+y+}\nc | d\n",
		},
		{
			"a row that went", "<table><tr><th>a<th>b<tr><td>x<td>y<tr><td>c<td>d</table>", "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
			"a | b\n[-x-] | [-y-]\nc | d\n",
		},
		{
			"a column that came", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<table><tr><td>a<td>x<td>b<tr><td>c<td>y<td>d</table>",
			"a | {+x+} | b\nc | {+y+} | d\n",
		},
		{
			"a column that went", "<table><tr><td>a<td>x<td>b<tr><td>c<td>y<td>d</table>", "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
			"a | [-x-] | b\nc | [-y-] | d\n",
		},
		{
			"several blocks in a cell", "<table><tr><td>a<td><p>b<p>c</table>", "<table><tr><td>a<td><p>b<p>d</table>",
			"a | b\n[-c-]b\n{+d+}\n",
		},
		{
			"a page laid out by a table", "<table><tr><td>menu<td><h1>a</h1><p>b<p>c<p>d</table>",
			"<table><tr><td>menu<td><h1>a</h1><p>b<p>c<p>e</table>", "(2)\nb\nc\n[-d-]{+e+}\n",
		},
		{
			"a page laid out by a table that was edited to little", "<table><tr><td>menu<td><h1>a</h1><p>b<p>c<p>d</table>",
			"<table><tr><td>menu<td><h1>a</h1></table>", "menu\na\n[-b-]\n[-c-]\n[-d-]\n",
		},
		{
			"a table in a table", "<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d</table>",
			"<table><tr><td>a<td><table><tr><td>b<td>e</table><td>d</table>", "a\nb | [-c-]{+e+}\nd\n",
		},
		{
			"items of a list", "<ul><li>a<li>b</ul>", "<ul><li>a<li>c<li>b</ul>",
			"  * a\n  * {+c+}\n  * b\n",
		},
		{
			"a list in a list", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "<ul><li>a<ul><li>b</ul><li>d</ul>",
			"  * a\n    * b\n    * [-c-]\n  * d\n",
		},
		{
			"an item of two blocks", "<ul><li><p>a<p>b<li>c</ul>", "<ul><li><p>a<p>x<li>c</ul>",
			"  * a\n  [-b-]{+x+}\n  * c\n",
		},
		{
			"what is far is folded, a row as a whole", "<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f<tr><td>g<td>h</table><p>i",
			"<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f<tr><td>g<td>h</table><p>j",
			"(4)\ne | f\ng | h\n[-i-]{+j+}\n",
		},
		{
			"a column that moved", "<table><tr><td>a<td>1<td>b<tr><td>c<td>2<td>d</table>",
			"<table><tr><td>a<td>b<td>1<tr><td>c<td>d<td>2</table>", "a | {>1<} | b | {>1<}\nc | {>2<} | d | {>2<}\n",
		},
		{
			"a row that moved", "<table><tr><td>one two<td>x<tr><td>a<td>b<tr><td>c<td>d</table>",
			"<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>one two<td>x</table>",
			"{>one two<} | {>x<}\na | b\nc | d\n{>one two<} | {>x<}\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := visible.Extractor{Layout: true}
			a := e.Extract([]byte(test.a), "text/html")
			b := e.Extract([]byte(test.b), "text/html")
			if d := cmp.Diff(test.want, drawn(rows(diff.Texts(&a, &b), nil))); d != "" {
				t.Error(d)
			}
		})
	}
}
