package change

import "testing"

// At level text case and marks count; white space beside marks is nothing that a diff shows.
func TestSpaceBesideMarksAtLevelText(t *testing.T) {
	const rest = " The mill at the river has been closed since the great flood of that year, and nobody knows when it will open."
	for _, test := range []struct {
		name, before, after string
		want                int
	}{
		{"space", "Come in, if it rains.", "Come in , if it rains .", 1},
		{"case", "Come in.", "Come In.", 2},
		{"a comma", "Come in now.", "Come in, now.", 2},
		{"quotes", "« Come in »", "“Come in”", 2},
	} {
		s := shelf{}
		got, err := Ranges(LevelText, pagesOf(s, "<p>"+test.before+rest, "<p>"+test.after+rest), s, nil)
		if err != nil || len(got) != test.want {
			t.Errorf("%s: %q, want %d versions (%v)", test.name, lines(got), test.want, err)
		}
	}
}
