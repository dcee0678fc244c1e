package visual_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/visual/model"
)

// A page is what a test draws: blocks below each other, unless they say where.
type page []block

type block struct {
	text  string // of a drawing, what names it: the same name, the same drawing
	place visual.Place
	kind  visual.Kind
	x, w  int
	h     int
	ink   uint8
}

func para(text string) block { return block{text: text} }

func drawing(name string) block { return block{text: name, kind: visual.Image, h: 200, w: 300} }

func in(place visual.Place, b block) block {
	b.place = place
	return b
}

// drawn draws a page as a browser would have shown it: words as bars whose lengths are theirs, drawings as noise of their own.
func drawn(p page) *visual.Picture {
	out := &visual.Picture{Recipe: visual.Recipe, Width: 1000}
	y := 20
	img := image.NewRGBA(image.Rect(0, 0, 1000, 1200))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for _, b := range p {
		if b.w == 0 {
			b.w = 600
		}
		if b.h == 0 {
			b.h = 20 * (1 + len(b.text)/80)
		}
		if b.place == "" {
			b.place = visual.Content
		}
		if b.kind == "" {
			b.kind = visual.Text
		}
		box := image.Rect(20+b.x, y, 20+b.x+b.w, y+b.h)
		said := visual.Block{Place: b.place, Kind: b.kind, X: box.Min.X, Y: box.Min.Y, W: box.Dx(), H: box.Dy()}
		if b.kind == visual.Image {
			noise(img, box, b.text)
		} else {
			said.Text, said.TextHash = b.text, xxh3.HashString(b.text)
			bars(img, box, b.text, b.ink)
		}
		said.Grain = visual.Grain(img, box, b.kind == visual.Image)
		out.Blocks = append(out.Blocks, said)
		y += b.h + 20
	}
	out.Height = y
	out.Image.Hash = strings.Repeat("a", 64)
	return out
}

func noise(img *image.RGBA, box image.Rectangle, name string) {
	r := rand.New(rand.NewPCG(xxh3.HashString(name), 1))
	for y := box.Min.Y; y < box.Max.Y; y += 20 {
		for x := box.Min.X; x < box.Max.X; x += 20 {
			c := color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}
			draw.Draw(img, image.Rect(x, y, x+20, y+20).Intersect(box), image.NewUniform(c), image.Point{}, draw.Src)
		}
	}
}

func bars(img *image.RGBA, box image.Rectangle, text string, ink uint8) {
	x, y := box.Min.X, box.Min.Y
	for _, w := range strings.Fields(text) {
		if x+8*len(w) > box.Max.X {
			x, y = box.Min.X, y+20
		}
		draw.Draw(img, image.Rect(x, y+4, x+7*len(w), y+16).Intersect(box), image.NewUniform(color.Gray{ink}), image.Point{}, draw.Src)
		x += 8 * (len(w) + 1)
	}
}

const (
	first  = "The river rises in the hills and runs for a hundred miles to the sea, past meadows and mills and two towns."
	second = "Its gauge has been read each morning since the year of the great flood, by people of one family."
	third  = "In the evening the herons come to the weir, where the fish jump and the water is never still."
	fourth = "A bridge was built where the ferry went, and the ferryman became its keeper and took the toll."
)

func changed(r []visual.Region) []string {
	var out []string
	for _, g := range r {
		out = append(out, fmt.Sprintf("%s %s", g.Side, g.Op))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestWhatDiffers(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	menu, foot := in(visual.Navigation, para("Home River Gauge Visit")), in(visual.Footer, para("Open on Sundays"))
	ad, other := in(visual.Ad, drawing("buy boots")), in(visual.Ad, drawing("buy boats"))
	whole := page{menu, para(first), para(second), drawing("heron"), para(third), foot}
	dark := slices.Clone(whole)
	for i := range dark {
		dark[i].ink = 140
	}
	for _, tt := range []struct {
		name        string
		older       page
		newer       page
		want        []string
		important   bool
		least, most float64
	}{
		{"nothing", whole, whole, nil, false, 0, 0},
		{
			"a word", whole,
			page{menu, para(first), para(strings.Replace(second, "morning", "evening", 1)), drawing("heron"), para(third), foot},
			[]string{"from changed", "to changed"},
			true, 0.001, 0.2,
		},
		{
			"a paragraph came, and moved all below it", whole,
			page{menu, para(first), para(fourth), para(second), drawing("heron"), para(third), foot},
			[]string{"to added"},
			true, 0.01, 0.4,
		},
		{"a paragraph went", whole, page{menu, para(first), drawing("heron"), para(third), foot}, []string{"from removed"}, true, 0.01, 0.4},
		{
			"a paragraph moved", whole,
			page{menu, para(second), drawing("heron"), para(third), para(first), foot},
			[]string{"from moved", "to moved"},
			false, 0.01, 0.3,
		},
		{
			"another drawing in the place of one", whole,
			page{menu, para(first), para(second), drawing("goose"), para(third), foot},
			[]string{"from changed", "to changed"},
			true, 0.1, 0.9,
		},
		{"an advertisement came", whole, append(page{ad}, whole...), []string{"to added"}, false, 0.001, 0.2},
		{
			"an advertisement was exchanged", append(page{ad}, whole...), append(page{other}, whole...),
			[]string{"from changed", "to changed"},
			false, 0.001, 0.2,
		},
		{
			"the menu", whole, append(page{in(visual.Navigation, para("Home River Gauge Visit Shop"))}, whole[1:]...),
			[]string{"from changed", "to changed"},
			false, 0.0001, 0.1,
		},
		{
			"a price",
			page{para(first), para("The ticket costs 12 euros today")},
			page{para(first), para("The ticket costs 14 euros today")},
			[]string{"from changed", "to changed"},
			true, 0.001, 0.5,
		},
		{"a new theme", whole, dark, []string{"from changed", "to changed"}, false, 0.01, 0.6},
		{
			"all of it", whole,
			page{para(fourth), drawing("boat"), drawing("train")},
			[]string{"from removed", "to added"},
			true, 0.5, 1,
		},
		{"nothing is left", whole, page{}, []string{"from removed"}, true, 0.5, 1},
		{"nothing at all", page{}, page{}, nil, false, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := s.Compare(drawn(tt.older), drawn(tt.newer))
			got := changed(c.Regions)
			for _, want := range tt.want {
				if !slices.Contains(got, want) {
					t.Errorf("%q is not among %q", want, got)
				}
			}
			if len(tt.want) == 0 && len(got) > 0 || len(tt.want) > 0 && len(got) != len(tt.want) && tt.name != "all of it" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if c.Important != tt.important || c.Distance < tt.least || c.Distance > tt.most {
				t.Errorf("important %t, distance %.4f; want %t, %.4f to %.4f", c.Important, c.Distance, tt.important, tt.least, tt.most)
			}
			back := s.Compare(drawn(tt.newer), drawn(tt.older))
			if back.Important != c.Important || max(back.Distance-c.Distance, c.Distance-back.Distance) > 0.05 {
				t.Errorf("the other way round: %t %.4f, not %t %.4f", back.Important, back.Distance, c.Important, c.Distance)
			}
		})
	}
}

// The model and the blocks judge together: words that the blocks have as others, and that are not seen, are no important change; nor is
// what only the model sees. What a reader chose is judged by the blocks.
func TestTheModelHasASay(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	vectors := func(a, b *visual.Picture, differ bool) {
		a.Vector, b.Vector = make([]float32, model.Dimensions), make([]float32, model.Dimensions)
		for n := range 400 {
			a.Vector[n], b.Vector[n] = 1, 1
			if differ {
				b.Vector[n] = 3
			}
		}
		for from := model.Dimensions / 4; from < model.Dimensions; from += model.Dimensions / 4 {
			copy(a.Vector[from:], a.Vector[:400])
			copy(b.Vector[from:], b.Vector[:400])
		}
	}
	for _, tt := range []struct {
		name         string
		edited, seen bool
		matters      []visual.Place
		want         bool
	}{
		{"edited and seen", true, true, nil, true},
		{"edited, not seen", true, false, nil, false},
		{"seen, not edited", false, true, nil, false},
		{"neither", false, false, nil, false},
		{"edited, not seen, but chosen", true, false, []visual.Place{visual.Content}, true},
		{"edited where nobody asked", true, true, []visual.Place{visual.Footer}, false},
	} {
		a, b := drawn(page{para(first)}), drawn(page{para(first)})
		if tt.edited {
			b = drawn(page{para(strings.Replace(first, "hills", "moors", 1))})
		}
		vectors(a, b, tt.seen)
		if c := s.Compare(a, b, tt.matters...); c.Important != tt.want {
			t.Errorf("%s: important %t", tt.name, c.Important)
		}
	}
}

func TestStory(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	one, two, three := drawn(page{para(first)}), drawn(page{para(first), para(second), drawing("heron")}), drawn(page{para(third)})
	small := drawn(page{para(first), para(second), drawing("heron"), in(visual.Footer, para("©"))})
	none := &visual.Picture{Note: visual.Hung}
	for _, tt := range []struct {
		name string
		all  []*visual.Picture
		most int
		want []int
	}{
		{"nothing", nil, 5, []int{}},
		{"only notes", []*visual.Picture{none}, 5, []int{}},
		{"all alike", []*visual.Picture{one, one, one}, 5, []int{0}},
		{"each another", []*visual.Picture{one, two, three}, 5, []int{0, 1, 2}},
		{"a near duplicate is left out", []*visual.Picture{one, two, small, three}, 5, []int{0, 1, 3}},
		{"it goes and comes", []*visual.Picture{one, none, two, one}, 5, []int{0, 2, 3}},
		{"no picture", []*visual.Picture{nil, one}, 5, []int{1}},
		{"what differs least goes", []*visual.Picture{one, drawn(page{para(first), para(second)}), three}, 2, []int{0, 2}},
		{"the first stays", []*visual.Picture{one, two, three}, 1, []int{0}},
		{"none", []*visual.Picture{one, two}, 0, []int{}},
	} {
		if got := s.Story(tt.all, tt.most); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSplits(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	one, two := drawn(page{para(first)}), drawn(page{para(first), drawing("heron")})
	none := &visual.Picture{Note: visual.Crashed}
	if got := s.Splits([]*visual.Picture{none, one, one, none, two, two, one}); !slices.Equal(got, []int{4, 6}) {
		t.Errorf("got %v", got)
	}
}

// Pages of very many blocks are compared in bounded time: those beyond are gone or new.
func TestManyBlocks(t *testing.T) {
	t.Parallel()
	many := func(word string) *visual.Picture {
		p := &visual.Picture{Width: 1000, Height: 10_000}
		for i := range 3000 {
			text := fmt.Sprintf("%s %d stands here", word, i)
			p.Blocks = append(p.Blocks, visual.Block{
				Place: visual.Content, Kind: visual.Text, Y: 20 * i, W: 300, H: 18, Text: text, TextHash: xxh3.HashString(text),
			})
		}
		return p
	}
	c := visual.NewStore(t.TempDir()).Compare(many("alpha"), many("beta"))
	if !c.Important || len(c.Regions) == 0 || len(c.Regions) > 200 {
		t.Errorf("important %t, %d regions", c.Important, len(c.Regions))
	}
}

// A text of single letters that are words, as Chinese has them, is compared by these.
func TestTextsOfSingleLetters(t *testing.T) {
	t.Parallel()
	of := func(text string, hash uint64) *visual.Picture {
		return &visual.Picture{Blocks: []visual.Block{{Place: visual.Content, Kind: visual.Text, W: 100, H: 20, Text: text, TextHash: hash}}}
	}
	s := visual.NewStore(t.TempDir())
	for text, want := range map[string]float64{"東 西 南 北": 0.1, "東 西 南": 0.143, "水 火": 1} {
		c := s.Compare(of("東 西 南 北", 1), of(text, uint64(len(text))))
		if c.Distance < want-0.01 || c.Distance > want+0.01 {
			t.Errorf("%s: %v, want %v", text, c.Distance, want)
		}
	}
}
