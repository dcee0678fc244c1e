package visual_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
)

// tiles draws n by n tiles of 3 by 2 pixels at (5, 7), each of a colour of its own.
func tiles(n int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 5+3*n+4, 7+2*n+4))
	for y := range 2 * n {
		for x := range 3 * n {
			img.SetRGBA(5+x, 7+y, tile(n, x/3, y/2))
		}
	}
	return img
}

func tile(n, x, y int) color.RGBA {
	return color.RGBA{R: uint8(200 * x / n), G: uint8(180 * y / n), B: uint8(10 + 3*x + 2*y), A: 255}
}

// Whatever type an image has, the grain of a colour is that colour.
func TestGrainOfEachTypeOfImage(t *testing.T) {
	t.Parallel()
	area := image.Rect(0, 0, 32, 32)
	want := color.RGBA{R: 20, G: 100, B: 200, A: 255}
	ycc := image.NewYCbCr(area, image.YCbCrSubsampleRatio420)
	for i := range ycc.Y {
		ycc.Y[i], _, _ = color.RGBToYCbCr(want.R, want.G, want.B)
	}
	for i := range ycc.Cb {
		_, ycc.Cb[i], ycc.Cr[i] = color.RGBToYCbCr(want.R, want.G, want.B)
	}
	images := map[string]image.Image{"YCbCr": ycc}
	for name, img := range map[string]draw.Image{
		"RGBA": image.NewRGBA(area), "NRGBA": image.NewNRGBA(area), "RGBA64": image.NewRGBA64(area),
		"paletted": image.NewPaletted(area, color.Palette{color.Black, want}),
	} {
		draw.Draw(img, area, image.NewUniform(want), image.Point{}, draw.Src)
		images[name] = img
	}
	for name, img := range images {
		for _, drawn := range []bool{false, true} {
			grain := visual.Grain(img, image.Rect(3, 5, 30, 29), drawn)
			for c, value := range []uint8{want.R, want.G, want.B} {
				if got := grain[len(grain)-3+c]; got+2 < value || got > value+2 { // YCbCr rounds
					t.Errorf("%s: colour %d is %d, want %d", name, c, got, value)
				}
			}
			for i, light := range grain[:len(grain)-3] {
				if light < 86 || light > 88 { // .299 red, .587 green, .114 blue
					t.Errorf("%s: cell %d is %d, want 87", name, i, light)
				}
			}
		}
	}
}

// A grain has the lightness of each cell, row by row, and then the mean of each colour.
func TestSift(t *testing.T) {
	for drawn, n := range map[bool]int{false: 8, true: 16} {
		img := tiles(n)
		grain := visual.Grain(img, image.Rect(5, 7, 5+3*n, 7+2*n), drawn)
		if len(grain) != n*n+3 {
			t.Fatalf("%d numbers", len(grain))
		}
		var red, green, blue int
		for y := range n {
			for x := range n {
				c := tile(n, x, y)
				red, green, blue = red+int(c.R), green+int(c.G), blue+int(c.B)
				if want := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000; int(grain[y*n+x]) != want {
					t.Fatalf("cell %d, %d of %d: %d, want %d", x, y, n, grain[y*n+x], want)
				}
			}
		}
		for i, sum := range []int{red, green, blue} {
			if int(grain[n*n+i]) != sum/(n*n) {
				t.Errorf("mean %d: %d, want %d", i, grain[n*n+i], sum/(n*n))
			}
		}
	}
}

// A cell of less than a pixel has the pixel at its place; what is outside of the image doesn't count.
func TestSiftSmallAndCut(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		img.SetNRGBA(i%4, i/4, color.NRGBA{R: uint8(10 * i), G: uint8(10 * i), B: uint8(10 * i), A: 255})
	}
	grain := visual.Grain(img, image.Rect(-5, -5, 99, 99), false)
	for i := range 64 {
		if want := 10*(i/8/2*4) + 10*(i%8/2); int(grain[i]) != want {
			t.Errorf("cell %d: %d, want %d", i, grain[i], want)
		}
	}
	for side, step := range map[int]int{16: 1, 8 * 11: 1, 8 * 24: 2, 8 * 25: 2} { // a large cell is sampled
		img := image.NewGray(image.Rect(0, 0, side, side))
		for i := range img.Pix {
			img.Pix[i] = uint8(7*(i%side)+3*(i/side)) % 200
		}
		cell, sum, n := side/8, 0, 0
		for y := 0; y < cell; y += step {
			for x := 0; x < cell; x += step {
				sum, n = sum+int(img.GrayAt(x, y).Y), n+1
			}
		}
		if got := visual.Grain(img, img.Bounds(), false); int(got[0]) != sum/n {
			t.Errorf("a cell of %d pixels: %d, want %d", cell, got[0], sum/n)
		}
	}
	if visual.Grain(img, image.Rect(4, 0, 9, 4), false) != nil {
		t.Error("what lies beside the image has a grain")
	}
}

// What was added below each other is framed together if it is near, of the same column and of the same place.
func TestRegionsAreJoined(t *testing.T) {
	at := func(x, y, w, h int, place visual.Place) visual.Block {
		return visual.Block{Place: place, Kind: visual.Text, X: x, Y: y, W: w, H: h, Text: "words", TextHash: uint64(1000*y + x + 1)}
	}
	box := func(x, y, w, h int) visual.Region { return visual.Region{X: x, Y: y, W: w, H: h} }
	first := at(100, 100, 500, 40, visual.Content)
	store := visual.NewStore(t.TempDir())
	for name, c := range map[string]struct {
		second visual.Block
		want   []visual.Region // their boxes alone
	}{
		"near":          {at(100, 164, 500, 20, visual.Content), []visual.Region{box(100, 100, 500, 84)}},
		"far":           {at(100, 165, 500, 20, visual.Content), []visual.Region{box(100, 100, 500, 40), box(100, 165, 500, 20)}},
		"far above":     {at(100, 35, 500, 40, visual.Content), []visual.Region{box(100, 35, 500, 40), box(100, 100, 500, 40)}},
		"wider":         {at(80, 150, 560, 20, visual.Content), []visual.Region{box(80, 100, 560, 70)}},
		"narrower":      {at(100, 150, 400, 20, visual.Content), []visual.Region{box(100, 100, 500, 70)}},
		"within":        {at(100, 110, 500, 10, visual.Content), []visual.Region{box(100, 100, 500, 40)}},
		"three fifths":  {at(300, 150, 500, 20, visual.Content), []visual.Region{box(100, 100, 700, 70)}},
		"less":          {at(301, 150, 500, 20, visual.Content), []visual.Region{box(100, 100, 500, 40), box(301, 150, 500, 20)}},
		"a cell":        {at(120, 150, 50, 20, visual.Content), []visual.Region{box(100, 100, 500, 40), box(120, 150, 50, 20)}},
		"another place": {at(100, 150, 500, 20, visual.Footer), []visual.Region{box(100, 100, 500, 40), box(100, 150, 500, 20)}},
	} {
		got := store.Compare(&visual.Picture{}, &visual.Picture{Blocks: []visual.Block{first, c.second}}).Regions
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, r := range got {
			if w := c.want[i]; r.X != w.X || r.Y != w.Y || r.W != w.W || r.H != w.H || r.Side != visual.To || r.Op != visual.Added {
				t.Errorf("%s: %+v, want %+v", name, r, w)
			}
		}
	}
	row, cell := at(100, 100, 500, 40, visual.Content), at(120, 150, 50, 20, visual.Content)
	for table, want := range map[bool]int{true: 1, false: 2} { // the cells of a column, however wide
		if row.Kind = visual.Table; table {
			cell.Kind = visual.Table
		} else {
			cell.Kind = visual.Title
		}
		for _, blocks := range [][]visual.Block{{row, cell}, {cell, row}} {
			if got := store.Compare(&visual.Picture{}, &visual.Picture{Blocks: blocks}).Regions; len(got) != want {
				t.Errorf("in a table %t: %+v", table, got)
			}
		}
	}
}
