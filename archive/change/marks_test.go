package change

import (
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
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

// Texts differ in nothing but marks only if their words, their order and their division are known to be the same.
func TestTextsThatDifferInMarksOnly(t *testing.T) {
	block := func(hash uint64, fields, marks, size uint32) []sketch.Block {
		return []sketch.Block{{Hash: hash, NormalHash: hash, Fields: fields, Marks: marks, Size: size}}
	}
	moved := block(1, 3, 1, 12)
	moved[0].Region = visible.Footer
	for _, tt := range []struct {
		name        string
		a, b        sketch.Sketch
		same, space bool
	}{
		{"a space", sketch.Sketch{Order: 1, Blocks: block(1, 3, 1, 12)}, sketch.Sketch{Order: 1, Blocks: block(2, 2, 0, 11)}, true, true},
		{"another case", sketch.Sketch{Order: 1, Blocks: block(1, 2, 0, 11)}, sketch.Sketch{Order: 1, Blocks: block(2, 2, 0, 11)}, true, false},
		{"other words", sketch.Sketch{Order: 1, Blocks: block(1, 3, 1, 12)}, sketch.Sketch{Order: 2, Blocks: block(2, 2, 0, 11)}, false, false},
		{"an order that nobody knows", sketch.Sketch{Blocks: block(1, 3, 1, 12)}, sketch.Sketch{Blocks: block(2, 2, 0, 11)}, false, false},
		{"a word less", sketch.Sketch{Order: 1, Blocks: block(1, 4, 1, 12)}, sketch.Sketch{Order: 1, Blocks: block(2, 2, 0, 11)}, false, false},
		{"another place", sketch.Sketch{Order: 1, Blocks: moved}, sketch.Sketch{Order: 1, Blocks: block(2, 2, 0, 11)}, false, false},
		{"the same, elsewhere", sketch.Sketch{Order: 1, Blocks: moved}, sketch.Sketch{Order: 1, Blocks: block(1, 3, 1, 12)}, true, true},
	} {
		if same, space := sameButMarks(&tt.a, &tt.b), sameButSpace(&tt.a, &tt.b); same != tt.same || space != tt.space {
			t.Errorf("%s: %t, and %t at level text", tt.name, same, space)
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
