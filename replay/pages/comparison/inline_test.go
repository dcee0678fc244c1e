package comparison

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/pages/layout"
)

func TestInlineHasDeletedBeforeAdded(t *testing.T) {
	t.Parallel()
	is := func(s string) layout.Span { return layout.Span{Text: s} }
	gone := func(s string) layout.Span { return layout.Span{Op: layout.Deleted, Text: s} }
	come := func(s string) layout.Span { return layout.Span{Op: layout.Added, Text: s} }
	for name, tt := range map[string]struct {
		row  DiffRow
		want [][]layout.Span
	}{
		"a word for another": {
			Block([]layout.Span{is("the "), gone("red"), is(" house")}, []layout.Span{is("the "), come("blue"), is(" house")}),
			[][]layout.Span{{is("the "), gone("red"), come("blue"), is(" house")}},
		},
		"what is marked is cut differently": {
			Block([]layout.Span{is("a "), {Text: "mill", Mark: true}, is(" b"), gone("c")}, []layout.Span{is("a mill b")}),
			[][]layout.Span{{is("a "), {Text: "mill", Mark: true}, is(" b"), gone("c")}},
		},
		"unchanged":           {Block([]layout.Span{is("a")}, []layout.Span{is("a")}), nil},
		"on one side":         {Block(nil, []layout.Span{come("a")}), nil},
		"moved":               {Block([]layout.Span{{Op: layout.Moved, Text: "a"}}, []layout.Span{come("b")}), nil},
		"sides that disagree": {Block([]layout.Span{is("a"), gone("x")}, []layout.Span{is("b")}), nil},
		"more on one side":    {Block([]layout.Span{is("a")}, []layout.Span{is("ab"), come("x")}), nil},
		"the cells of a table": {
			DiffRow{Cells: []DiffCell{{[]layout.Span{is("a")}, []layout.Span{is("a")}}, {[]layout.Span{gone("1")}, []layout.Span{come("2")}}}},
			[][]layout.Span{{is("a")}, {gone("1"), come("2")}},
		},
	} {
		if diff := cmp.Diff(tt.want, tt.row.inline()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Block returns a row of one block.
func Block(before, after []layout.Span) DiffRow { return DiffRow{Cells: []DiffCell{{before, after}}} }

func TestLongUnchangedTextIsCutInTheMiddle(t *testing.T) {
	t.Parallel()
	of := strings.Repeat
	for _, tt := range []struct{ text, want string }{
		{of("a", maxUnchanged), of("a", maxUnchanged)},
		{of("word ", 400), of("word ", 80) + "…" + of(" word", 79) + " "},
		{of("河", 500), of("河", 133) + " … " + of("河", 133)},
		{of("a", 1300) + " ", of("a", 400) + " … " + of("a", 399) + " "},
	} {
		if got := spansOf(folded([]layout.Span{{Text: tt.text}})); got != tt.want {
			t.Errorf("%.20q of %d: %q", tt.text, len(tt.text), got)
		}
		for _, kept := range []layout.Span{{Text: tt.text, Mark: true}, {Op: layout.Added, Text: tt.text}, {Op: layout.Deleted, Text: tt.text}} {
			if got := folded([]layout.Span{kept}); len(got) != 1 || got[0] != kept {
				t.Errorf("%+v was cut", kept)
			}
		}
	}
}
