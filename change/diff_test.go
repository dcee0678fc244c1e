package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func textOf(html string) *Text {
	var e Extractor
	t := e.Extract([]byte(html), "text/html; charset=utf-8")
	return &t
}

// marked writes a difference with [-deleted-] and {+inserted+}, a block a line.
func marked(diff []BlockDiff) string {
	var b strings.Builder
	for _, block := range diff {
		for _, e := range block.Edits {
			fmt.Fprintf(&b, map[Op]string{Equal: "%s", Inserted: "{+%s+}", Deleted: "[-%s-]"}[e.Op], e.Text)
		}
		b.WriteString("|")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ name, a, b, want string }{
		{"no difference", "<p>a b<p>c", "<p>a b<p>c", "a b|c|"},
		{"a word", "<p>one two three", "<p>one 2 three", "one [-two -]{+2 +}three|"},
		{"a word at the end", "<p>one two", "<p>one two three", "one two {+three+}|"},
		{"a block that came", "<p>a<p>c", "<p>a<p>b<p>c", "a|{+b+}|c|"},
		{"a block that went", "<p>a<p>b<p>c", "<p>a<p>c", "a|[-b-]|c|"},
		{"blocks that have nothing in common", "<p>a b c", "<p>x y z", "{+x y z+}|[-a b c-]|"},
		{"the second of two changed", "<p>q q q<p>a b c d", "<p>a b c e", "[-q q q-]|a b c [-d-]{+e+}|"},
		{"scripts without spaces", "<p>日本語です", "<p>日本酒です", "日本[-語-]{+酒+}です|"},
		{"case and punctuation", "<p>Yes we can.", "<p>Yes, We can.", "Yes[- we -]{+, We +}can.|"},
		{"the words at the end go", "<p>one two three", "<p>one two", "one two[- three-]|"},
		{"a space goes alone", "<p>one two three", "<p>one-two three", "one{+-+}[- -]two three|"},
		{"everything came", "", "<p>a", "{+a+}|"},
		{"everything went", "<p>a", "", "[-a-]|"},
		{"nothing on either side", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, marked(Diff(textOf(test.a), textOf(test.b)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTermChanges(t *testing.T) {
	got := TermChanges(textOf("<p>a a a b c"), textOf("<p>A b b d"))
	want := []TermChange{{"a", 3, 1}, {"b", 1, 2}, {"c", 1, 0}, {"d", 0, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a b. c", "a c. d")
	f.Add("<p>a<p>b<p>c", "<p>c<p>b x")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := textOf(a), textOf(b)
		var older, newer strings.Builder
		for _, block := range Diff(x, y) {
			for _, e := range block.Edits {
				if e.Op != Inserted {
					older.WriteString(e.Text)
				}
				if e.Op != Deleted {
					newer.WriteString(e.Text)
				}
			}
		}
		if got, want := bare(newer.String()), bare(y.String()); got != want {
			t.Errorf("newer text: got %q, want %q", got, want)
		}
		if len(bare(older.String())) != len(bare(x.String())) {
			t.Errorf("older text: got %q, want %q", older.String(), x.String())
		}
	})
}

func bare(s string) string { return strings.ReplaceAll(s, " ", "") }

func ExampleDiff() {
	for _, block := range Diff(textOf("<p>Opening soon"), textOf("<p>Opening today")) {
		for _, e := range block.Edits {
			fmt.Printf("%s %q\n", e.Op, e.Text)
		}
	}
	// Output:
	// equal "Opening "
	// deleted "soon"
	// inserted "today"
}
