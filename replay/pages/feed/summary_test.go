package feed

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change/diff"
)

func TestAnExcerptHasTheSpacesOfTheText(t *testing.T) {
	same, gone, came := diff.Equal, diff.Deleted, diff.Inserted
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
		"nothing": {[]diff.Edit{{Op: came, Text: ""}}, "<p><ins></ins></p>"},
	} {
		var b strings.Builder
		w := excerpt{to: &b, left: maxSummary}
		w.block(&diff.Block{Op: diff.Changed, Edits: c.edits})
		if b.String() != c.want {
			t.Errorf("%s: %s, want %s", name, b.String(), c.want)
		}
	}
}
