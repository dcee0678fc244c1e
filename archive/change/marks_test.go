package change

import (
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
)

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

// Marks that stand alone explain a space each, and two bytes more.
func TestLengthsThatMarksExplain(t *testing.T) {
	for _, tt := range []struct {
		marks, size int // of the one more than of the other
		want        bool
	}{{0, 0, true}, {0, 1, false}, {1, 1, true}, {1, 3, true}, {1, 4, false}, {1, -1, true}, {1, -2, false}, {3, 9, true}, {3, 10, false}} {
		one, other := sketch.Block{}, sketch.Block{}
		one.Marks, other.Marks = other.Marks+4, other.Marks+4
		one.Size, other.Size = other.Size+20, other.Size+20
		for range tt.marks {
			one.Marks++
		}
		for range max(tt.size, -tt.size) {
			if tt.size > 0 {
				one.Size++
			} else {
				other.Size++
			}
		}
		if fits(&one, &other) != tt.want || fits(&other, &one) != tt.want {
			t.Errorf("%d marks, %d bytes: %v, %v", tt.marks, tt.size, fits(&one, &other), fits(&other, &one))
		}
	}
}
