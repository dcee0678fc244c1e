package model_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/varve-archive/varve/archive/visual/model"
)

// golden is what the training program writes: vectors of pictures that it draws as this test does, and their distances.
type golden struct {
	Pictures []struct {
		Seed          uint32
		Width, Height int
		Blocks        bool
		Vector        map[string]float64
	}
	Distances [][]float64
}

func readGolden(t *testing.T) golden {
	t.Helper()
	file, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(file, &g); err != nil || len(g.Pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(g.Pictures), err)
	}
	return g
}

func load(t testing.TB) *model.Model {
	t.Helper()
	return model.Load()
}

func TestVectorsAreThoseOfTheTrainingProgram(t *testing.T) {
	t.Parallel()
	m, g := load(t), readGolden(t)
	vectors := make([][]float32, len(g.Pictures))
	for n, p := range g.Pictures {
		vector, err := m.Vector(draws(p.Seed, p.Width, p.Height), blocksOf(p.Seed, p.Width, p.Height, p.Blocks))
		if err != nil {
			t.Fatal(err)
		}
		vectors[n] = vector
		if wordless := p.Height < 50; wordless != (len(p.Vector) == 0) {
			t.Errorf("picture %d: %d numbers that are not 0", n, len(p.Vector))
		}
		for i, v := range vector {
			if want := p.Vector[strconv.Itoa(i)]; math.Abs(float64(v)-want) > 1e-4 {
				t.Errorf("picture %d: number %d is %v, want %v", n, i, v, want)
			}
		}
	}
	for i, a := range vectors {
		for j, b := range vectors {
			if got, want := m.Distance(a, b), g.Distances[i][j]; math.Abs(got-want) > 1e-4 {
				t.Errorf("distance of %d and %d is %v, want %v", i, j, got, want)
			}
		}
	}
}

// chance is the generator of the training program.
type chance uint32

func (c *chance) below(n int) int {
	*c = *c*1664525 + 1013904223
	return int(*c>>16) % n
}

// draws is draw of tools/train/export.py.
func draws(seed uint32, width, height int) *image.RGBA {
	c := chance(seed)
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	ground := color.RGBA{R: uint8(200 + c.below(56)), G: uint8(200 + c.below(56)), B: uint8(200 + c.below(56)), A: 255}
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	for y := 6; y+14 < height; {
		x, tall := 5+c.below(60), 6+c.below(8)
		ink := color.RGBA{R: uint8(c.below(120)), G: uint8(c.below(120)), B: uint8(c.below(120)), A: 255}
		for x+40 < width {
			w := 6 + c.below(34)
			for yy := y; yy < y+tall; yy++ {
				for xx := x; xx < x+w; xx++ {
					if c.below(2) > 0 {
						img.SetRGBA(xx, yy, ink)
					}
				}
			}
			x += w + 4 + c.below(40)
		}
		y += tall + 3 + c.below(20)
	}
	return img
}

func blocksOf(seed uint32, width, height int, any bool) []model.Block {
	if !any {
		return nil
	}
	c, kinds := chance(seed+1000), model.Kinds()
	blocks := make([]model.Block, 20)
	for n := range blocks {
		x, y, w, h := c.below(width), c.below(height), c.below(width), c.below(height/2)
		blocks[n] = model.Block{Kind: kinds[n%len(kinds)], Box: image.Rect(x, y, x+w, y+h)}
	}
	return blocks
}

// Formats that browsers and decoders make have the same vector, and so has a part of a larger picture.
func TestTheFormatOfAPictureDoesNotMatter(t *testing.T) {
	t.Parallel()
	m, picture := load(t), draws(5, 300, 400)
	want, err := m.Vector(picture, nil)
	if err != nil {
		t.Fatal(err)
	}
	bounds := picture.Rect.Add(image.Pt(7, 9))
	large := image.NewRGBA(image.Rect(0, 0, 320, 420))
	draw.Draw(large, bounds, picture, image.Point{}, draw.Src)
	formats := map[string]draw.Image{
		"NRGBA": image.NewNRGBA(picture.Rect), "RGBA64": image.NewRGBA64(picture.Rect), "part": large.SubImage(bounds).(*image.RGBA),
	}
	for name, format := range formats {
		draw.Draw(format, format.Bounds(), picture, image.Point{}, draw.Src)
		got, err := m.Vector(format, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := m.Distance(want, got); d != m.Distance(want, want) {
			t.Errorf("%s: distance %v", name, d)
		}
	}
}

func TestPicturesAndBlocksThatCanNotBe(t *testing.T) {
	t.Parallel()
	m := load(t)
	for name, c := range map[string]struct {
		size  image.Point
		block model.Block
		want  string
	}{
		"empty":  {want: "model: a picture of 0 x 0 pixels: want 2 to 4096 across and at least 2 down"},
		"narrow": {size: image.Pt(1, 5), want: "model: a picture of 1 x 5 pixels: want 2 to 4096 across and at least 2 down"},
		"wide":   {size: image.Pt(4097, 5), want: "model: a picture of 4097 x 5 pixels: want 2 to 4096 across and at least 2 down"},
		"kind":   {size: image.Pt(9, 9), block: model.Block{Kind: "hat"}, want: `model: "hat" is no kind of block`},
		"small":  {size: image.Pt(2, 2), block: model.Block{Kind: model.Ad, Box: image.Rect(-9e6, -9e6, 9e6, 9e6)}, want: "<nil>"},
		"beyond": {size: image.Pt(9, 9), block: model.Block{Kind: model.Ad, Box: image.Rect(900, 900, 9000, 9000)}, want: "<nil>"},
		"tall":   {size: image.Pt(2, 100_000), want: "<nil>"},
	} {
		var blocks []model.Block
		if c.block.Kind != "" {
			blocks = append(blocks, c.block)
		}
		if _, err := m.Vector(image.NewRGBA(image.Rectangle{Max: c.size}), blocks); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Of a picture so many rows count as the model was trained with, and no more.
func TestHowTallAPictureIsRead(t *testing.T) {
	t.Parallel()
	const most = 16384
	m := load(t)
	inked := func(height, from, to int) []float32 {
		img := image.NewRGBA(image.Rect(0, 0, 64, height))
		draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(8, from, 40, to), image.Black, image.Point{}, draw.Src)
		vector, err := m.Vector(img, nil)
		if err != nil {
			t.Fatal(err)
		}
		return vector
	}
	blank := inked(most, 0, 0)
	for _, tt := range []struct {
		height, from, to int
		counts           bool
	}{
		{most, most - 14, most - 2, true},
		{most, most - 13, most - 1, true},
		{most + 50, most - 14, most - 2, true},
		{most + 50, most, most + 12, false},
	} {
		if got := inked(tt.height, tt.from, tt.to); slices.Equal(got, blank) == tt.counts {
			t.Errorf("ink from row %d to %d of %d is read: %t", tt.from, tt.to, tt.height, !tt.counts)
		}
	}
}

func TestContentInk(t *testing.T) {
	t.Parallel()
	vector := make([]float32, model.Dimensions)
	for n := range vector {
		vector[n] = float32(n)
	}
	if got := model.ContentInk(vector); len(got) != 512 || got[0] != 512 || got[511] != 1023 {
		t.Errorf("%d numbers: %v", len(got), got)
	}
	for _, other := range [][]float32{nil, vector[1:], append(vector, 0)} {
		if got := model.ContentInk(other); len(got) != 0 {
			t.Errorf("of a vector of another model: %d numbers", len(got))
		}
	}
}

func TestVectorsOfOtherLengthsHaveNoDistance(t *testing.T) {
	t.Parallel()
	if d := load(t).Distance(make([]float32, 5), make([]float32, model.Dimensions)); !math.IsNaN(d) {
		t.Errorf("distance %v", d)
	}
}

func BenchmarkVector(b *testing.B) {
	m := load(b)
	for _, height := range []int{1000, 4000, 16000} {
		picture := draws(1, 1280, height)
		blocks := blocksOf(1, 1280, height, true)
		b.Run(fmt.Sprintf("1280x%d", height), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Vector(picture, blocks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDistance(b *testing.B) {
	m := load(b)
	v, err := m.Vector(draws(1, 1280, 1000), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.Distance(v, v)
	}
}

func TestTheScriptKnowsAllKindsAndNoOthers(t *testing.T) {
	t.Parallel()
	named := map[model.Kind]bool{}
	for _, found := range regexp.MustCompile(`\w+: '(\w+)'|(?m:^    (\w+): /)|add\('(\w+)'`).FindAllStringSubmatch(model.BlocksScript, -1) {
		named[model.Kind(found[1]+found[2]+found[3])] = true
	}
	for _, kind := range model.Kinds() {
		// Lists of links are recognized by what is in them.
		if !named[kind] && kind != model.Links {
			t.Errorf("the script finds no %q", kind)
		}
		delete(named, kind)
	}
	for kind := range named {
		t.Errorf("%q of the script is no kind", kind)
	}
}
