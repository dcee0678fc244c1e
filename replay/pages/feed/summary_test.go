package feed

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change/diff"
)

func TestAnExcerptHasTheSpacesOfTheText(t *testing.T) {
	same, gone, came := diff.Equal, diff.Deleted, diff.Inserted
	long := strings.Repeat("123456789 ", 6)[:59] + "."
	for name, c := range map[string]struct {
		edits []diff.Edit
		want  string
	}{
		"a comma behind": {
			[]diff.Edit{{Op: same, Text: "down in "}, {Op: gone, Text: "1693"}, {Op: came, Text: "1658"}, {Op: same, Text: ", when  the\nclerk"}},
			"<p>down in <del>1693</del> <ins>1658</ins>, when the clerk</p>",
		},
		"a part of a word": {[]diff.Edit{{Op: same, Text: "sun"}, {Op: came, Text: "days"}}, "<p>sun<ins>days</ins></p>"},
		"spaces alone": {
			[]diff.Edit{{Op: came, Text: "a"}, {Op: same, Text: "\n "}, {Op: came, Text: "b"}}, "<p><ins>a</ins> <ins>b</ins></p>",
		},
		"a space before": {[]diff.Edit{{Op: gone, Text: "\tx "}, {Op: same, Text: "y"}}, "<p><del> x </del>y</p>"},
		"long before and behind": {
			[]diff.Edit{{Op: same, Text: long + "0"}, {Op: gone, Text: "x"}, {Op: same, Text: "0" + long}},
			"<p>…" + long[1:] + "0<del>x</del>0" + long[:59] + "…</p>",
		},
		"long between": {
			[]diff.Edit{{Op: gone, Text: "x"}, {Op: same, Text: long + "0" + long}, {Op: came, Text: "y"}},
			"<p><del>x</del>" + long + " … " + long + "<ins>y</ins></p>",
		},
		"just short enough": {
			[]diff.Edit{{Op: same, Text: long}, {Op: gone, Text: "x"}, {Op: same, Text: long + long}, {Op: came, Text: "y"}, {Op: same, Text: long}},
			"<p>" + long + "<del>x</del>" + long + long + "<ins>y</ins>" + long + "</p>",
		},
		"too much": {
			[]diff.Edit{{Op: came, Text: strings.Repeat("é", 1199)}, {Op: same, Text: "a&b"}, {Op: gone, Text: "z"}},
			"<p><ins>" + strings.Repeat("é", 1199) + "</ins>a…</p>",
		},
		"just enough": {[]diff.Edit{{Op: came, Text: strings.Repeat("é", 1200)}}, "<p><ins>" + strings.Repeat("é", 1200) + "</ins></p>"},
		"just enough, and more": {
			[]diff.Edit{{Op: came, Text: strings.Repeat("é", 1200)}, {Op: same, Text: "a"}},
			"<p><ins>" + strings.Repeat("é", 1200) + "</ins></p>",
		},
		"nothing": {[]diff.Edit{{Op: came, Text: ""}}, "<p><ins></ins></p>"},
	} {
		var b strings.Builder
		w := excerpt{to: &b, left: maxSummary}
		w.block(&diff.Block{Op: diff.Changed, Edits: c.edits})
		if w.left <= 0 {
			w.block(&diff.Block{Op: diff.Inserted, Edits: []diff.Edit{{Op: came, Text: "no room"}}})
		}
		if b.String() != c.want {
			t.Errorf("%s: %s, want %s", name, b.String(), c.want)
		}
	}
}
