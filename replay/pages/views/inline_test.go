package views

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInlineHasDeletedBeforeAdded(t *testing.T) {
	t.Parallel()
	is, gone, come := func(s string) Span { return Span{Text: s} }, func(s string) Span { return Span{Op: Deleted, Text: s} },
		func(s string) Span { return Span{Op: Added, Text: s} }
	for name, tt := range map[string]struct {
		row  DiffRow
		want [][]Span
	}{
		"a word for another": {
			Block([]Span{is("the "), gone("red"), is(" house")}, []Span{is("the "), come("blue"), is(" house")}),
			[][]Span{{is("the "), gone("red"), come("blue"), is(" house")}},
		},
		"what is marked is cut differently": {
			Block([]Span{is("a "), {Text: "mill", Mark: true}, is(" b"), gone("c")}, []Span{is("a mill b")}),
			[][]Span{{is("a "), {Text: "mill", Mark: true}, is(" b"), gone("c")}},
		},
		"unchanged":           {Block([]Span{is("a")}, []Span{is("a")}), nil},
		"on one side":         {Block(nil, []Span{come("a")}), nil},
		"moved":               {Block([]Span{{Op: Moved, Text: "a"}}, []Span{come("b")}), nil},
		"sides that disagree": {Block([]Span{is("a"), gone("x")}, []Span{is("b")}), nil},
		"more on one side":    {Block([]Span{is("a")}, []Span{is("ab"), come("x")}), nil},
		"the cells of a table": {
			DiffRow{Cells: []DiffCell{{[]Span{is("a")}, []Span{is("a")}}, {[]Span{gone("1")}, []Span{come("2")}}}},
			[][]Span{{is("a")}, {gone("1"), come("2")}},
		},
	} {
		if diff := cmp.Diff(tt.want, tt.row.inline()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Block returns a row of one block.
func Block(before, after []Span) DiffRow { return DiffRow{Cells: []DiffCell{{before, after}}} }
