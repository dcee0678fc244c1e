package comparison

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/banner"
)

// A lifeBar is one change of a page, with the numbers of words that it added and deleted. Other marks a change whose words can't be
// counted, such as from a redirect to a page. Kind is what the newer version shows.
type lifeBar struct {
	Added, Deleted int
	Other          bool
	Kind           banner.Kind
}

// A Life draws the changes of a page in the order of the slider, as SVG path data. A bar rises from the middle for
// added words and hangs from it for deleted ones.
type Life struct {
	pairs                 int
	added, deleted, other string
	terms                 string
	ends                  string // the changes that led to no page
	kinds                 []banner.Kind
	stroke                int // width of a bar
}

// Sizes of the drawing. It is lifeWidth wide, and its middle is lifeMiddle from the top.
const (
	lifeWidth     = 1000
	lifeMiddle    = 20
	lifeTallest   = 16
	lifeBuckets   = 250  // bars closer than this fraction of the width are merged; the tallest counts
	lifeFullWords = 1000 // with this many words a bar has its full height
)

// newLife draws the bars, and dots over those whose numbers are in terms, which is sorted.
func newLife(bars []lifeBar, terms []int) *Life {
	if len(bars) == 0 {
		return nil
	}
	l := &Life{pairs: len(bars), stroke: min(max(lifeWidth/2/len(bars), 2), 10)}
	var added, deleted, other, ends strings.Builder
	buckets := min(len(bars), lifeBuckets)
	for b := range buckets {
		from, to := b*len(bars)/buckets, (b+1)*len(bars)/buckets
		x, sum := l.x((from+to-1)/2), tallest(bars[from:to])
		bar(&added, x, -height(sum.Added))
		bar(&deleted, x, height(sum.Deleted))
		switch {
		case sum.Kind >= banner.KindRedirect:
			ends.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(lifeMiddle-lifeTallest) + endStroke(sum.Kind))
			if !slices.Contains(l.kinds, sum.Kind) {
				l.kinds = append(l.kinds, sum.Kind)
			}
		case sum.Other:
			across(&other, x, lifeTallest)
		case sum.Added == 0 && sum.Deleted == 0: // the same words in a new order
			across(&other, x, height(5))
		}
	}
	l.added, l.deleted, l.other, l.terms = added.String(), deleted.String(), other.String(), l.dots(terms)
	l.ends = ends.String()
	slices.Sort(l.kinds)
	return l
}

// endStroke returns the shape for a change after which the address shows no page: a bent stroke for a redirect, a broken stroke for a
// missing page, dots for an error.
func endStroke(k banner.Kind) string {
	switch k {
	case banner.KindRedirect:
		return "v16h8"
	case banner.KindMissing:
		return "v10m0 12v10"
	}
	return "h0m0 16h0m0 16h0"
}

func tallest(bars []lifeBar) lifeBar {
	var sum lifeBar
	for _, b := range bars {
		sum.Added, sum.Deleted, sum.Other = max(sum.Added, b.Added), max(sum.Deleted, b.Deleted), sum.Other || b.Other
		sum.Kind = max(sum.Kind, b.Kind)
	}
	return sum
}

// height returns the height of a bar. It is logarithmic, so that one word is visible beside a thousand.
func height(words int) int {
	if words == 0 {
		return 0
	}
	return 2 + int((lifeTallest-2)*min(math.Log1p(float64(words))/math.Log1p(lifeFullWords), 1))
}

func bar(path *strings.Builder, x, by int) {
	if by != 0 {
		path.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(lifeMiddle) + "v" + strconv.Itoa(by))
	}
}

// across draws a stroke across the middle, far to both sides.
func across(path *strings.Builder, x, far int) {
	path.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(lifeMiddle-far) + "v" + strconv.Itoa(2*far))
}

// dots marks pairs at the top, at most once in each spot.
func (l *Life) dots(pairs []int) string {
	var path strings.Builder
	last := -lifeWidth
	for _, i := range pairs {
		if x := l.x(i); x-last >= lifeWidth/lifeBuckets {
			path.WriteString("M" + strconv.Itoa(x) + " 2h0")
			last = x
		}
	}
	return path.String()
}

// x returns the position of a pair on the slider.
func (l *Life) x(pair int) int {
	if l.pairs < 2 {
		return 0
	}
	return min(max(pair, 0), l.pairs-1) * lifeWidth / (l.pairs - 1)
}

// cursor returns the path that marks the slider's position.
func (l *Life) cursor(pair int) string { return "M" + strconv.Itoa(l.x(pair)) + " 0v40" }
