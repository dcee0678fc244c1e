package model

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"math"
)

const (
	gridCell  = 32    // pixels of the picture, in each direction, for one place of the map
	maxHeight = 16384 // rows of a picture that are read, the same as in training
	maxWidth  = 4096  // columns of a picture that are accepted; memory is rows times columns
)

// Channels of the map before those of the kinds of blocks.
const (
	chInk = iota
	chLight
	chColour
	chWords
	chHeight
	chAcross
	chTop
	chBottom
	chBoxes
	chKinds
)

// channels is the number of values for each place of the map.
const channels = chKinds + 16

// A grid is a map of a picture: channels values for each place, place by place.
type grid struct {
	rows, columns int
	at            []float32
}

func (g *grid) place(column, row int) []float32 {
	n := (row*g.columns + column) * channels
	return g.at[n : n+channels]
}

// scan reads a picture once. It returns its ink, and the map with the values that come from brightness and colour.
func scan(img image.Image) (*ink, *grid, error) {
	size := img.Bounds().Size()
	if size.X < 2 || size.Y < 2 || size.X > maxWidth {
		return nil, nil, fmt.Errorf("model: a picture of %d x %d pixels: want 2 to %d across and at least 2 down", size.X, size.Y, maxWidth)
	}
	size.Y = min(size.Y, maxHeight)
	g := &grid{rows: (size.Y + gridCell - 1) / gridCell, columns: (size.X + gridCell - 1) / gridCell}
	g.at = make([]float32, g.rows*g.columns*channels)
	k := &ink{width: size.X - 1, height: size.Y - 1, stride: (size.X + 62) / 64}
	k.bits = make([]uint64, k.stride*k.height)

	rows := rowsOf(img)
	light, above := make([]int16, size.X), make([]int16, size.X)
	sums := make([]cellSum, g.columns)
	for y := range size.Y {
		light, above = above, light
		measure(rows(y), light, sums)
		if y > 0 {
			bends(k.row(y-1), above, light)
		}
		if y%gridCell == gridCell-1 || y == size.Y-1 {
			g.keep(y/gridCell, sums)
			clear(sums)
		}
	}
	return k, g, nil
}

type cellSum struct{ light, colour int }

// measure computes the brightness of a row of RGBA pixels, and adds brightness and colour to the sums of its places.
func measure(pixels []uint8, light []int16, sums []cellSum) {
	for n := range sums {
		from, to := n*gridCell, min((n+1)*gridCell, len(light))
		part, into := pixels[from*4:to*4], light[from:to]
		var all, colour int
		for len(into) >= 2 && len(part) >= 8 { // two pixels at a time
			p := binary.LittleEndian.Uint64(part)
			l0 := int(p&0xff+p>>7&0x1fe+p>>16&0xff) >> 2
			l1 := int(p>>32&0xff+p>>39&0x1fe+p>>48&0xff) >> 2
			d0, d1 := int(p&0xff)-int(p>>16&0xff), int(p>>32&0xff)-int(p>>48&0xff)
			into[0], into[1] = int16(l0), int16(l1)
			all += l0 + l1
			colour += max(d0, -d0) + max(d1, -d1)
			part, into = part[8:], into[2:]
		}
		if len(into) > 0 {
			r, b := int(part[0]), int(part[2])
			l := (r + 2*int(part[1]) + b) >> 2
			into[0] = int16(l)
			all += l
			colour += max(r-b, b-r)
		}
		sums[n].light += all
		sums[n].colour += colour
	}
}

// bends sets the bits of a row of ink from the brightness of two rows of pixels.
func bends(row []uint64, above, below []int16) {
	below = below[:len(above)]
	left := int(above[0] - below[0])
	for n := range row {
		from := n*64 + 1
		to := min(from+64, len(above))
		up, down := above[from:to], below[from:to]
		var w uint64
		for x := range up {
			right := int(up[x] - down[x])
			d := left - right
			w |= uint64(minBend-max(d, -d)) >> 63 << x // without a branch, which would be mispredicted at each edge of a letter
			left = right
		}
		row[n] = w
	}
}

func (g *grid) keep(row int, sums []cellSum) {
	for column, sum := range sums {
		place := g.place(column, row)
		place[chLight] = float32(float64(sum.light) / (255 * gridCell * gridCell))
		place[chColour] = float32(float64(sum.colour) / (255 * gridCell * gridCell))
	}
}

// rowsOf returns a function that returns a row's pixels as RGBA, from the picture's left. The result is valid until the next call.
func rowsOf(img image.Image) func(y int) []uint8 {
	bounds := img.Bounds()
	switch p := img.(type) {
	case *image.RGBA:
		return func(y int) []uint8 { return p.Pix[p.PixOffset(bounds.Min.X, bounds.Min.Y+y):][:bounds.Dx()*4] }
	case *image.NRGBA:
		return func(y int) []uint8 { return p.Pix[p.PixOffset(bounds.Min.X, bounds.Min.Y+y):][:bounds.Dx()*4] }
	}
	line := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), 1))
	return func(y int) []uint8 {
		draw.Draw(line, line.Rect, img, image.Pt(bounds.Min.X, bounds.Min.Y+y), draw.Src)
		return line.Pix
	}
}

// describe sets the values of ink, words, positions and blocks.
func (g *grid) describe(k *ink, words []word, blocks []Block) error {
	heights := make([]struct{ words, height int }, g.rows*g.columns)
	for _, w := range words {
		sum := &heights[g.placeOf(w)]
		sum.words++
		sum.height += w.box.Dy()
	}
	counts := k.counts(g.rows, g.columns)
	for row := range g.rows {
		for column := range g.columns {
			place, n := g.place(column, row), row*g.columns+column
			place[chInk] = float32(min(1, float64(counts[n])/256))
			place[chWords] = float32(min(1, float64(heights[n].words)/8))
			place[chHeight] = float32(min(1, float64(heights[n].height)/float64(max(1, heights[n].words))/64))
			place[chAcross] = float32((float64(column) + 0.5) / float64(g.columns))
			place[chTop] = float32(1 / (1 + float64(row)/8))
			place[chBottom] = float32(1 / (1 + float64(g.rows-1-row)/8))
		}
	}
	return g.paint(blocks)
}

// placeOf returns the place of the map that contains the middle of a word.
func (g *grid) placeOf(w word) int {
	column := (w.box.Min.X + w.box.Dx()/2) / gridCell
	row := (w.box.Min.Y + w.box.Dy()/2) / gridCell
	return row*g.columns + column
}

// mass returns the weight of a word by its size: the square root of its area, in units of a word of 400 pixels, between 1/2 and 4.
func (w word) mass() float32 {
	return float32(math.Sqrt(min(16, max(0.25, float64(w.box.Dx()*w.box.Dy())/400))))
}

// Pixels of a word's width and height from one bin of shapes to the next.
const (
	wide = 4
	tall = 2
)

// A shape is a bin of shapes and the share of a word that belongs to it.
type shape struct {
	bin   int
	share float32
}

// shapes returns the bins of a word's width and height. A pixel more or less moves only a part of the word to the next bin.
func (w word) shapes() (shapes [4]shape) {
	width, height := w.box.Dx(), w.box.Dy()
	right, low := float64(width%wide)/wide, float64(height%tall)/tall
	for n, share := range [4]float64{(1 - right) * (1 - low), (1 - right) * low, right * (1 - low), right * low} {
		shapes[n] = shape{((width/wide+n/2)*31 + height/tall + n%2) % bins, float32(share)}
	}
	return shapes
}

// paint marks the places that boxes cover, rounded to whole places and at least one. Boxes outside of the picture are moved to its edge.
func (g *grid) paint(blocks []Block) error {
	if len(blocks) == 0 {
		return nil
	}
	for n := chBoxes; n < len(g.at); n += channels {
		g.at[n] = 1
	}
	nearest := func(pixels int) int { return (max(0, pixels) + gridCell/2) / gridCell }
	for _, block := range blocks {
		kind, err := kindIndex(block.Kind)
		if err != nil {
			return err
		}
		x0, y0, x1, y1 := nearest(block.Box.Min.X), nearest(block.Box.Min.Y), nearest(block.Box.Max.X), nearest(block.Box.Max.Y)
		for row := min(y0, g.rows-1); row < min(g.rows, max(y1, y0+1)); row++ {
			for column := min(x0, g.columns-1); column < min(g.columns, max(x1, x0+1)); column++ {
				g.place(column, row)[chKinds+kind] = 1
			}
		}
	}
	return nil
}
