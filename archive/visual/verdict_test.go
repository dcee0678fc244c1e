package visual_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/visual/model"
)

// says returns a block of words of 100 × 100 pixels.
func says(text string) visual.Block {
	return visual.Block{Place: visual.Content, Kind: visual.Text, W: 100, H: 100, Text: text, TextHash: xxh3.HashString(text)}
}

// shows returns a drawing of 100 × 100 pixels with a grain.
func shows(grain []byte) visual.Block {
	return visual.Block{Place: visual.Content, Kind: visual.Image, W: 100, H: 100, Grain: grain}
}

// grain returns a grain of four cells and the means of the colours.
func grain(cells string, red, green, blue byte) []byte {
	return append([]byte(cells), red, green, blue)
}

func at(x, y int, b visual.Block) visual.Block {
	b.X, b.Y = x, y
	return b
}

func sized(w, h int, b visual.Block) visual.Block {
	b.W, b.H = w, h
	return b
}

func grained(g []byte, b visual.Block) visual.Block {
	b.Grain = g
	return b
}

func of(kind visual.Kind, b visual.Block) visual.Block {
	b.Kind = kind
	return b
}

func blocks(b ...visual.Block) []visual.Block { return b }

// told lists regions: side, operation, the number of the pair, and how the text begins or where it is.
func told(all []visual.Region) string {
	var out []string
	for _, r := range all {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Side, r.Op, r.Pair, r.Text)))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	plain, checked := grain("dddd", 100, 100, 100), grain("d2d2", 100, 100, 100)
	ground := strings.Repeat("d", 256)
	large := sized(1000, 1000, says("much"))
	nav := placed(visual.Navigation, says("much more"))
	for _, tt := range []struct {
		name         string
		older, newer []visual.Block
		want         string
		distance     float64
		important    bool
	}{
		{"words without a grain", blocks(says("a b")), blocks(says("a b")), "", 0, false},
		{"with one on one side", blocks(says("a b")), blocks(grained(checked, says("a b"))), "from changed 1 a b, to changed 1 a b", 1, true},
		{"blank both", blocks(says("a b")), blocks(grained(plain, says("a b"))), "from changed 1 a b, to changed 1 a b", 1, false},
		{
			"of another look", blocks(grained(grain("d2d2", 100, 100, 100), says("a b"))),
			blocks(grained(grain("2d2d", 100, 100, 100), says("a b"))),
			"from changed 1 a b, to changed 1 a b", 50.0 / 255, false,
		},
		{
			"a little lighter", blocks(grained(grain("d2d2", 100, 100, 100), says("a b"))),
			blocks(grained(grain("}K}K", 100, 100, 100), says("a b"))), "", 0, false, // by 25 of 255
		},
		{
			"more so", blocks(grained(grain("d2d2", 100, 100, 100), says("a b"))),
			blocks(grained(grain("~L~L", 100, 100, 100), says("a b"))), "from changed 1 a b, to changed 1 a b", 26.0 / 255, false,
		},
		{
			"of another colour", blocks(grained(grain("d2d2", 100, 100, 100), says("a b"))),
			blocks(grained(grain("d2d2", 100, 100, 202), says("a b"))),
			"from changed 1 a b, to changed 1 a b", 102.0 / 255, false,
		},
		{"a drawing nearly the same", blocks(shows(grain("dddd", 8, 0, 0))), blocks(shows(grain("dddd", 0, 0, 0))), "", 0, false},
		{"one without a grain", blocks(shows(nil)), blocks(shows(nil)), "", 0, false},
		{
			"another drawing", blocks(shows(grain("dddd", 51, 0, 0))), blocks(shows(grain("dddd", 0, 0, 0))), "from changed 1, to changed 1",
			0.2 + 4*0.2, true,
		},
		{
			"one slightly changed", blocks(shows(grain("dddd", 9, 0, 0))), blocks(shows(grain("dddd", 0, 0, 0))), "from changed 1, to changed 1",
			0.2 + 4*9.0/255, true,
		},
		{
			"one with other letters", blocks(shows(grain(ground, 99, 99, 99))), blocks(shows(grain("~~~~"+ground[4:], 99, 99, 99))),
			"from changed 1, to changed 1", 0.2 + 4*(4*26.0/256/255), true, // by 26 of 255 in four cells
		},
		{"fewer", blocks(shows(grain(ground, 99, 99, 99))), blocks(shows(grain("~~~"+ground[3:], 99, 99, 99))), "", 0, false},
		{
			"many that are a little lighter", blocks(shows(grain(ground, 99, 99, 99))),
			blocks(shows(grain(strings.Repeat("}", 64)+ground[64:], 99, 99, 99))), "", 0, false,
		},
		{"half of the words", blocks(says("a b c d")), blocks(says("a b x y")), "from changed 1 a b c d, to changed 1 a b x y", 0.5, true},
		{
			"nearly all of them", blocks(says("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 a")),
			blocks(says("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 b")), "from changed 1 " +
				"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 a, to changed 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 b", 0.1, true,
		},
		{
			"a word that comes again and again", blocks(says("a a a a b c d e f g h i j")), blocks(says("a k l m n o p q r s t u v")),
			"from removed 0 a a a a b c d e f g h i j, to added 0 a k l m n o p q r s t u v", 1, true,
		},
		{
			"what moved", blocks(at(0, 0, says("a b")), at(0, 200, says("c d"))), blocks(at(0, 0, says("c d")), at(0, 200, says("a b"))),
			"from moved 1 a b, to moved 1 a b", 0.15, false,
		},
		{
			"a sign that is no word", blocks(large, says("§ 1")), blocks(large, says("§ 2")), "from changed 2 § 1, to changed 2 § 2",
			0.5 / 101, false,
		},
		{"a number", blocks(large, says("€ 11")), blocks(large, says("€ 12")), "from changed 2 € 11, to changed 2 € 12", 0.5 / 101, true},
		{"a small drawing", blocks(large), blocks(large, sized(31, 33, shows(checked))), "to added 0", 1023.0 / 2_001_023, false},
		{"a larger one", blocks(large), blocks(large, sized(32, 32, shows(checked))), "to added 0", 1024.0 / 2_001_024, true},
		{"a blank one", blocks(large), blocks(large, shows(plain)), "to added 0", 10_000.0 / 2_010_000, false},
		{"one of nearly one shade", blocks(large), blocks(large, shows(grain("dddi", 100, 100, 100))), "to added 0", 10_000.0 / 2_010_000, false},
		{"one of two shades", blocks(large), blocks(large, shows(grain("dddj", 100, 100, 100))), "to added 0", 10_000.0 / 2_010_000, true},
		{
			"beside the content", blocks(says("a b"), nav), blocks(says("a b"), placed(visual.Navigation, says("much else"))),
			"from changed 2 much more, to changed 2 much else", 0.5 * 0.15 / 1.15, false,
		},
		{"nothing", nil, nil, "", 0, false},
	} {
		c := s.Compare(&visual.Picture{Blocks: tt.older}, &visual.Picture{Blocks: tt.newer})
		if got := told(c.Regions); got != tt.want || math.Abs(c.Distance-tt.distance) > 1e-9 || c.Important != tt.important {
			t.Errorf("%s: %s; distance %v, important %t; want %s; %v, %t", tt.name, got, c.Distance, c.Important, tt.want, tt.distance, tt.important)
		}
	}
}

func placed(place visual.Place, b visual.Block) visual.Block {
	b.Place = place
	return b
}

// A change of a fiftieth of the content is important though no word says so, and one of less is not.
func TestAFiftiethIsImportant(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	drawing := sized(1000, 1, shows(grain("d2d2", 1, 1, 1)))
	for rest, want := range map[int]bool{48: true, 49: true, 50: false} { // all of the content, in drawings
		stays := sized(1000, rest, says("much"))
		stays.Place = visual.Content
		older, newer := blocks(sized(1000, rest-rest/2, stays)), blocks(sized(1000, rest/2, stays), drawing)
		if c := s.Compare(&visual.Picture{Blocks: older}, &visual.Picture{Blocks: newer}); c.Important != want {
			t.Errorf("a drawing beside %d times as much: important %t", rest, c.Important)
		}
	}
}

// Without a vector on both sides the blocks decide alone.
func TestAVectorOnOneSideSaysNothing(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	for _, swapped := range []bool{false, true} {
		a, b := &visual.Picture{Blocks: blocks(says("a b c d"))}, &visual.Picture{Blocks: blocks(says("a b c e"))}
		a.Vector = make([]float32, model.Dimensions)
		if swapped {
			a.Vector, b.Vector = nil, a.Vector
		}
		if c := s.Compare(a, b); !c.Important {
			t.Error("a word that changed is not important")
		}
	}
}

func TestWhichBlocksBelongTogether(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	heron, goose := grain("d2d2", 10, 10, 10), grain("2d2d", 200, 10, 10)
	long := "1 2 3 4 5 6 7 8 9 10 11 12"
	words := func(list string) string { return strings.Join(strings.Split(list, ""), " ") }
	foot := func(b visual.Block) visual.Block { return placed(visual.Footer, b) }
	for _, tt := range []struct {
		name         string
		older, newer []visual.Block
		want         string
	}{
		{
			"equal words at the same place first", blocks(at(0, 0, says("more")), at(0, 200, foot(says("more")))),
			blocks(at(0, 0, foot(says("more"))), at(0, 200, says("more"))), "from moved 1 more, to moved 1 more",
		},
		{"else anywhere", blocks(says("more")), blocks(foot(says("more"))), ""},
		{
			"the nearest of equal drawings", blocks(at(0, 0, shows(heron)), at(500, 90, shows(heron))), blocks(at(490, 100, shows(heron))),
			"from removed 0 [0 0]",
		},
		{
			"the nearest by height", blocks(at(0, 500, shows(heron)), at(0, 0, shows(heron))), blocks(at(0, 100, shows(heron))),
			"from removed 0 [0 500]",
		},
		{
			"the first of those as near", blocks(at(0, 0, shows(heron)), at(200, 0, shows(heron))), blocks(at(100, 0, shows(heron))),
			"from removed 0 [200 0]",
		},
		{"drawings a tenth smaller", blocks(sized(100, 100, shows(heron))), blocks(sized(90, 90, shows(heron))), ""},
		{"less wide", blocks(sized(100, 100, shows(heron))), blocks(sized(89, 100, shows(heron))), "from removed 0 [0 0], to added 0 [0 0]"},
		{"less high", blocks(sized(100, 89, shows(heron))), blocks(sized(100, 100, shows(heron))), "from removed 0 [0 0], to added 0 [0 0]"},
		{
			"a drawing for another", blocks(says("a"), at(5, 5, shows(heron))), blocks(says("a"), at(6, 6, shows(goose))),
			"from changed 2 [5 5], to changed 2 [6 6]",
		},
		{"for a video", blocks(shows(heron)), blocks(of(visual.Video, shows(goose))), "from removed 0 [0 0], to added 0 [0 0]"},
		{"for words", blocks(shows(heron)), blocks(says("a")), "from removed 0 [0 0], to added 0 a"},
		{"words for a drawing", blocks(says("a")), blocks(shows(heron)), "from removed 0 a, to added 0 [0 0]"},
		{"nine of twenty words", blocks(says(words("abcdefghijklmnopqrst"))), blocks(says(words("abcdefghiABCDEFGHIJK"))), "from changed 1 " +
			words("abcdefghijklmnopqrst") + ", to changed 1 " + words("abcdefghiABCDEFGHIJK")},
		{"eight of them", blocks(says(words("abcdefghijklmnopqrst"))), blocks(says(words("abcdefghABCDEFGHIJKL"))), "from removed 0 " +
			words("abcdefghijklmnopqrst") + ", to added 0 " + words("abcdefghABCDEFGHIJKL")},
		{"a short text for another", blocks(says("x"), says(long)), blocks(says("x"), says("y")), "from changed 2 " + long + ", to changed 2 y"},
		{"a longer one", blocks(says("x"), says(long+" 13")), blocks(says("x"), says("y")), "from removed 0 " + long + " 13, to added 0 y"},
		{"for a longer one", blocks(says("y")), blocks(says(long + " 13")), "from removed 0 y, to added 0 " + long + " 13"},
		{"of another kind", blocks(says("x")), blocks(of(visual.Title, says("y"))), "from removed 0 x, to added 0 y"},
		{"of another place", blocks(says("x")), blocks(foot(says("y"))), "from removed 0 x, to added 0 y"},
		{"a row for a paragraph", blocks(of(visual.Table, says("a b c"))), blocks(says("a b d")), "from removed 0 a b c, to added 0 a b d"},
		{
			"a row for a row", blocks(of(visual.Table, says("a b c"))), blocks(of(visual.Table, says("a b d"))),
			"from changed 1 a b c, to changed 1 a b d",
		},
		{
			"one short text behind another", blocks(says("a"), at(0, 500, says("b"))), blocks(says("x"), at(0, 500, says("y"))),
			"from changed 1 a, from changed 2 b, to changed 1 x, to changed 2 y",
		},
		{
			"one of its words, many times", blocks(says(words("abcdefghijklmnopqrst"))), blocks(says(words(strings.Repeat("a", 20)))),
			"from removed 0 " + words("abcdefghijklmnopqrst") + ", to added 0 " + words(strings.Repeat("a", 20)),
		},
		{
			"Chinese behind a paragraph that was added", blocks(says("古老的磨坊位于河流左岸"), at(0, 500, says("今天的水位是三米"))),
			blocks(says("新的一段文字"), at(0, 500, says("古老的磨坊位于河流右岸")), at(0, 900, says("今天的水位是四米"))),
			"from changed 1 古老的磨坊位于河流左岸, from changed 2 今天的水位是三米, to added 0 新的一段文字, to changed 1 古老的磨坊位于河流右岸, " +
				"to changed 2 今天的水位是四米",
		},
		{
			"Thai that is edited", blocks(says("ระดับน้ำในแม่น้ำวันนี้สูง")), blocks(says("ระดับน้ำในแม่น้ำวันนี้ต่ำ"), says("ประกาศ")),
			"from changed 1 ระดับน้ำในแม่น้ำวันนี้สูง, to added 0 ประกาศ, to changed 1 ระดับน้ำในแม่น้ำวันนี้ต่ำ",
		},
		{
			"the more alike of two", blocks(says("a b c d")), blocks(says("a b x y"), says("a b c z")),
			"from changed 1 a b c d, to added 0 a b x y, to changed 1 a b c z",
		},
		{
			"the nearer of two", blocks(at(0, 900, says("a b c d"))), blocks(at(0, 0, says("a b c y")), at(0, 800, says("a b c z"))),
			"from changed 1 a b c d, to added 0 a b c y, to changed 1 a b c z",
		},
	} {
		c := s.Compare(&visual.Picture{Blocks: tt.older}, &visual.Picture{Blocks: tt.newer})
		for i, r := range c.Regions {
			if r.Text == "" {
				c.Regions[i].Text = fmt.Sprint([]int{r.X, r.Y})
			}
		}
		if got := told(c.Regions); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Of too many regions the largest are kept, in the order of the page; a text is told by its first eighty letters.
func TestRegionsHaveBounds(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	for n, want := range map[int]int{199: 199, 200: 200, 201: 200} {
		var all []visual.Block
		for i := range n {
			all = append(all, at(0, 1000*i, sized(100, 100, says(fmt.Sprint(i)))))
		}
		all[1].W, all[1].H = 60, 120 // the smallest
		got := s.Compare(&visual.Picture{}, &visual.Picture{Blocks: all}).Regions
		if len(got) != want || !slices.IsSortedFunc(got, func(a, b visual.Region) int { return a.Y - b.Y }) {
			t.Errorf("%d regions, want %d in order", len(got), want)
		}
		if kept := slices.ContainsFunc(got, func(r visual.Region) bool { return r.W == 60 }); kept != (n == want) {
			t.Errorf("of %d, the smallest is kept: %t", n, kept)
		}
	}
	for n, want := range map[int]int{79: 79, 80: 80, 81: 80} {
		got := s.Compare(&visual.Picture{}, &visual.Picture{Blocks: blocks(says(strings.Repeat("é", n)))}).Regions
		if got[0].Text != strings.Repeat("é", want) {
			t.Errorf("of %d letters: %s", n, got[0].Text)
		}
	}
}
