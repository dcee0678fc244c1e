package layout

import (
	"math"
	"strconv"
)

// A YearBar is the captures of a URI-R in a year. Href leads to its months, "" if there are none.
type YearBar struct {
	Year, Captures, Changes int
	Href                    string
}

// Sizes of the bars of a year.
const (
	barHeight = 32
	barWidth  = 20
)

// YearPath returns the path of a bar for n of at most most. Its size grows with the square root, so that a year with one capture is
// visible beside one with thousands.
func YearPath(n, most int, inset int) string {
	if n == 0 {
		return ""
	}
	h := max(3, int(math.Round(barHeight*math.Sqrt(float64(n)/float64(max(1, most))))))
	x, w := strconv.Itoa(inset), strconv.Itoa(barWidth-2*inset)
	return "M" + x + " " + strconv.Itoa(barHeight) + "v-" + strconv.Itoa(h) + "h" + w + "v" + strconv.Itoa(h) + "z"
}

// MostIn returns the largest number of captures in a year.
func MostIn(years []YearBar) (most int) {
	for _, y := range years {
		most = max(most, y.Captures)
	}
	return most
}
