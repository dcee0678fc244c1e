package visual

import (
	"image"
	"image/color"
)

// Sizes of a grain, in cells on each side. Words have a coarser grain, since their text is compared too.
const (
	coarseCell = 8
	fineCell   = 16
)

// Grain returns the grain of a part of an image: the lightness of each cell of a small grid, then the mean of red, green and blue.
// Parts that look the same have nearly the same grain.
func Grain(img image.Image, r image.Rectangle, drawn bool) []byte {
	r = r.Intersect(img.Bounds())
	if r.Empty() {
		return nil
	}
	n := coarseCell
	if drawn {
		n = fineCell
	}
	out := make([]byte, 0, n*n+3)
	var all [3]uint64
	for y := range n {
		for x := range n {
			cell := image.Rect(
				r.Min.X+x*r.Dx()/n, r.Min.Y+y*r.Dy()/n, max(r.Min.X+(x+1)*r.Dx()/n, r.Min.X+x*r.Dx()/n+1),
				max(r.Min.Y+(y+1)*r.Dy()/n, r.Min.Y+y*r.Dy()/n+1),
			)
			mean := meanOf(img, cell.Intersect(img.Bounds()))
			for c := range all {
				all[c] += mean[c]
			}
			out = append(out, byte((299*mean[0]+587*mean[1]+114*mean[2])/1000))
		}
	}
	for _, sum := range all {
		out = append(out, byte(sum/uint64(n*n)))
	}
	return out
}

// maxSamples bounds the pixels of a cell that are read in each direction.
const maxSamples = 12

// meanOf returns the mean of red, green and blue of a part of an image, sampled if it is large.
func meanOf(img image.Image, r image.Rectangle) (mean [3]uint64) {
	if r.Empty() {
		return mean
	}
	dx, dy := max(1, r.Dx()/maxSamples), max(1, r.Dy()/maxSamples)
	n := uint64(0)
	for y := r.Min.Y; y < r.Max.Y; y += dy {
		for x := r.Min.X; x < r.Max.X; x += dx {
			red, green, blue := at(img, x, y)
			mean[0], mean[1], mean[2] = mean[0]+red, mean[1]+green, mean[2]+blue
			n++
		}
	}
	for c := range mean {
		mean[c] /= n
	}
	return mean
}

// at returns a pixel with eight bits per colour. It is fast for the image types of WebP and of scaling.
func at(img image.Image, x, y int) (r, g, b uint64) {
	switch img := img.(type) {
	case *image.RGBA:
		p := img.Pix[img.PixOffset(x, y):]
		return uint64(p[0]), uint64(p[1]), uint64(p[2])
	case *image.NRGBA:
		p := img.Pix[img.PixOffset(x, y):]
		return uint64(p[0]), uint64(p[1]), uint64(p[2])
	case *image.YCbCr:
		r8, g8, b8 := color.YCbCrToRGB(img.Y[img.YOffset(x, y)], img.Cb[img.COffset(x, y)], img.Cr[img.COffset(x, y)])
		return uint64(r8), uint64(g8), uint64(b8)
	}
	r32, g32, b32, _ := img.At(x, y).RGBA()
	return uint64(r32 >> 8), uint64(g32 >> 8), uint64(b32 >> 8)
}

// differ returns how much two grains differ, from 0 to 1: 1 if they are of different sizes, 0 if both are empty.
func differ(a, b []byte) float64 {
	if len(a) != len(b) || len(a) <= 3 {
		if len(a) == len(b) {
			return 0
		}
		return 1
	}
	cells := len(a) - 3
	sum := 0
	for i := range cells {
		sum += apart(a[i], b[i])
	}
	hue := 0
	for i := cells; i < len(a); i++ {
		hue = max(hue, apart(a[i], b[i]))
	}
	return max(float64(sum)/float64(cells), float64(hue)) / 255
}

// redrawn reports whether four of 256 cells of two grains look different: other letters or lines on a plain ground, which matter little in
// the mean of the whole drawing. In a drawing that is encoded anew, scaled, or moved by a pixel, fewer do.
func redrawn(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	cells, n := len(a)-3, 0
	for i := 0; i < cells; i++ {
		if float64(apart(a[i], b[i])) > maxWordsDifference*255 {
			n++
		}
	}
	return n*fineCell*fineCell >= 4*cells && n > 0
}

func apart(a, b byte) int { return max(int(a)-int(b), int(b)-int(a)) }

// blank reports whether a grain shows nothing but one colour.
func blank(g []byte) bool {
	if len(g) <= 3 {
		return true
	}
	least, most := g[0], g[0]
	for _, v := range g[:len(g)-3] {
		least, most = min(least, v), max(most, v)
	}
	return most-least < 6
}
