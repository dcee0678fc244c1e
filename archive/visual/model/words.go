package model

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"math/bits"
	"slices"
)

const (
	minBend      = 32 // least second difference of brightness (of 255) that counts as ink
	minColumnGap = 24 // blank columns of pixels between columns of a layout
	minWordGap   = 3  // blank columns between words
	cutRounds    = 3  // how often rows and columns are cut alternately
)

// A word is a small piece of a picture between blank rows and columns: mostly a word of a text.
type word struct {
	box image.Rectangle
	sum uint32 // checksum of its ink
}

// ink is a picture with one bit per pixel. A pixel has ink where the brightness has a large second derivative, so plain areas, straight
// borders and gradients have none, and light on dark is the same as dark on light.
type ink struct {
	width, height int
	stride        int // 64-bit words per row
	bits          []uint64
}

func (k *ink) row(y int) []uint64 { return k.bits[y*k.stride : (y+1)*k.stride] }

// rowBlank reports whether the columns from x0 to x1 of a row have no ink.
func (k *ink) rowBlank(y, x0, x1 int) bool {
	row, first, last := k.row(y), x0>>6, (x1-1)>>6
	low, high := ^uint64(0)<<(x0&63), ^uint64(0)>>(63-(x1-1)&63)
	if first == last {
		return row[first]&low&high == 0
	}
	if row[first]&low != 0 || row[last]&high != 0 {
		return false
	}
	return !slices.ContainsFunc(row[first+1:last], func(w uint64) bool { return w != 0 })
}

// words cuts the ink into words: alternately by rows and columns, then each line at its spaces.
func (k *ink) words() []word {
	cells := []image.Rectangle{image.Rect(0, 0, k.width, k.height)}
	for range cutRounds {
		cells = each(cells, k.rows)
		cells = each(cells, func(into []image.Rectangle, cell image.Rectangle) []image.Rectangle {
			return k.columns(into, cell, minColumnGap)
		})
	}
	cells = each(each(cells, k.rows), func(into []image.Rectangle, cell image.Rectangle) []image.Rectangle {
		return k.columns(into, cell, minWordGap)
	})
	found := make([]word, len(cells))
	var scratch []byte
	for n, cell := range cells {
		found[n].box = k.trim(cell)
		found[n].sum, scratch = k.checksum(found[n].box, scratch)
	}
	return found
}

func each(cells []image.Rectangle, cut func(into []image.Rectangle, cell image.Rectangle) []image.Rectangle) []image.Rectangle {
	var parts []image.Rectangle
	for _, cell := range cells {
		parts = cut(parts, cell)
	}
	return parts
}

// rows appends the runs of rows with ink in a cell.
func (k *ink) rows(into []image.Rectangle, cell image.Rectangle) []image.Rectangle {
	start := -1
	for y := cell.Min.Y; y <= cell.Max.Y; y++ {
		blank := y == cell.Max.Y || k.rowBlank(y, cell.Min.X, cell.Max.X)
		if !blank && start < 0 {
			start = y
		}
		if blank && start >= 0 {
			into = append(into, image.Rect(cell.Min.X, start, cell.Max.X, y))
			start = -1
		}
	}
	return into
}

// columns appends the parts of a cell that are separated by at least gap columns without ink.
func (k *ink) columns(into []image.Rectangle, cell image.Rectangle, gap int) []image.Rectangle {
	profile := k.profile(cell)
	start, end := -1, -1 // of the run, in columns from the cell's left
	for n, w := range profile {
		for ; w != 0; w &= w - 1 {
			x := n<<6 + bits.TrailingZeros64(w)
			if start >= 0 && x-end >= gap {
				into = append(into, image.Rect(start, cell.Min.Y, end, cell.Max.Y))
				start = -1
			}
			if start < 0 {
				start = x
			}
			end = x + 1
		}
	}
	if start >= 0 {
		into = append(into, image.Rect(start, cell.Min.Y, end, cell.Max.Y))
	}
	return into
}

// profile returns a bit for each column of the picture that has ink in the cell.
func (k *ink) profile(cell image.Rectangle) []uint64 {
	first, last := cell.Min.X>>6, (cell.Max.X-1)>>6
	all := make([]uint64, last+1)
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		row := k.row(y)
		for n := first; n <= last; n++ {
			all[n] |= row[n]
		}
	}
	all[first] &= ^uint64(0) << (cell.Min.X & 63)
	all[last] &= ^uint64(0) >> (63 - (cell.Max.X-1)&63)
	return all
}

// trim removes blank rows at the top and the bottom.
func (k *ink) trim(cell image.Rectangle) image.Rectangle {
	for k.rowBlank(cell.Min.Y, cell.Min.X, cell.Max.X) {
		cell.Min.Y++
	}
	for k.rowBlank(cell.Max.Y-1, cell.Min.X, cell.Max.X) {
		cell.Max.Y--
	}
	return cell
}

// checksum returns the CRC-32 of the box's width and the ink in the box, with eight pixels per byte and whole bytes per row.
func (k *ink) checksum(box image.Rectangle, scratch []byte) (uint32, []byte) {
	scratch = scratch[:0]
	size := (box.Dx() + 7) / 8
	for y := box.Min.Y; y < box.Max.Y; y++ {
		scratch = k.pack(scratch, y, box.Min.X, box.Max.X)
		scratch = scratch[:(y-box.Min.Y+1)*size]
	}
	return crc32.Update(uint32(box.Dx()), crc32.IEEETable, scratch), scratch
}

// pack appends the bits of a row from x0 to x1, and zeros up to a multiple of 64.
func (k *ink) pack(into []byte, y, x0, x1 int) []byte {
	row := k.row(y)
	for x := x0; x < x1; x += 64 {
		at, shift := x>>6, x&63
		w := row[at] >> shift
		if shift > 0 && at+1 < len(row) {
			w |= row[at+1] << (64 - shift)
		}
		if left := x1 - x; left < 64 {
			w &= 1<<left - 1
		}
		into = binary.LittleEndian.AppendUint64(into, w)
	}
	return into
}

// counts returns the number of pixels with ink in each place of a map.
func (k *ink) counts(rows, columns int) []int {
	sums := make([]int, rows*columns)
	for y := range k.height {
		of := sums[y/gridCell*columns:][:columns]
		for n, w := range k.row(y) {
			of[2*n] += bits.OnesCount32(uint32(w))
			if 2*n+1 < columns {
				of[2*n+1] += bits.OnesCount32(uint32(w >> 32))
			}
		}
	}
	return sums
}
