package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

const (
	paper = iota
	grid
	water
	deep
	alarm
)

func palette() color.Palette {
	return color.Palette{
		paper: color.RGBA{0xfb, 0xfa, 0xf5, 0xff},
		grid:  color.RGBA{0xcc, 0xd5, 0xd0, 0xff},
		water: color.RGBA{0x9c, 0xc4, 0xc4, 0xff},
		deep:  color.RGBA{0x17, 0x49, 0x4f, 0xff},
		alarm: color.RGBA{0xc0, 0x6a, 0x1c, 0xff},
	}
}

// level returns the height of the Aldern in centimetres on a day of a year: high during snow melt, low in September,
// lower every decade, and never quite the same.
func level(year, day int) int {
	season := math.Sin(2 * math.Pi * float64(day-20) / 365)
	wave := math.Sin(float64(day)/9+float64(year)) + math.Sin(float64(day)/3.7+float64(3*year))
	return int(235 - 4*float64(year-2008) + 110*season + 22*wave)
}

func levelChart(year int) ([]byte, error) {
	return chart(600, func(x int) int { return level(year, 1+x*364/599) })
}

// floodChart draws the flood of January 2011: up in three days, down in ten.
func floodChart() ([]byte, error) {
	return chart(600, func(x int) int {
		day := float64(x) / 600 * 16
		if day < 7 {
			return int(240 + 372*math.Exp(-(day-7)*(day-7)/4))
		}
		return int(240 + 372*math.Exp(-(day-7)/4))
	})
}

// chart draws levels from 0 to 660 cm, 200 pixels high, with a line at the first alarm.
func chart(width int, level func(x int) int) ([]byte, error) {
	const height, most = 200, 660
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette())
	y := func(cm int) int { return height - 1 - cm*(height-1)/most }
	for cm := 0; cm < most; cm += 100 {
		for x := range width {
			img.SetColorIndex(x, y(cm), grid)
		}
	}
	for x := range width {
		top := y(level(x))
		for row := top; row < height; row++ {
			img.SetColorIndex(x, row, water)
		}
		img.SetColorIndex(x, top, deep)
		img.SetColorIndex(x, top+1, deep)
		if x%8 < 5 {
			img.SetColorIndex(x, y(450), alarm)
		}
	}
	return encode(img)
}

func logo() ([]byte, error) {
	const size = 64
	img := image.NewPaletted(image.Rect(0, 0, size, size), palette())
	for y := range size {
		for x := range size {
			dx, dy := x-44, y-20
			crest := 44 + int(4*math.Sin(float64(x)/6))
			switch {
			case y > crest+8:
				img.SetColorIndex(x, y, deep)
			case y > crest:
				img.SetColorIndex(x, y, water)
			case dx*dx+dy*dy < 120:
				img.SetColorIndex(x, y, alarm)
			}
		}
	}
	return encode(img)
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
