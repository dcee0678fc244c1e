package search

import (
	"strconv"

	"github.com/varve-archive/varve/banner/locale"
)

// Sizes of the chart of years, in pixels. Its width depends on the page.
const (
	chartTop    = 18 // for the number at the top
	chartHeight = 120
	chartFoot   = 20 // for the years
)

// A chart is a bar chart of years, drawn in percent of the width so that its labels keep their size.
type chart struct {
	Bars []chartBar
	Top  string // the largest number
}

type chartBar struct {
	X, Width, Middle string // percent
	Y, Height        int
	Class            string
	Href, Title      string
	Label            string // under the bar, "" for none
}

// chartOf draws the years, beginning with the first one that has the text. title describes a bar: {0} in the year {1}.
func chartOf(t texts, years []choice, title locale.Count) chart {
	most := 1
	for _, y := range years {
		most = max(most, y.Count)
	}
	c := chart{Top: t.Number(most)}
	for i, y := range years {
		height := (y.Count*chartHeight + most - 1) / most
		b := chartBar{
			Y: chartTop + chartHeight - height, Height: height, Href: y.Href,
			Title: locale.Fill(t.Form(title, y.Count), t.Number(y.Count), t.Digits(y.Text)),
		}
		if y.Active {
			b.Class = "on"
		}
		if labelled(i, len(years), y.Text) {
			b.Label = t.Digits(y.Text)
		}
		place := i
		if t.Dir == "rtl" {
			place = len(years) - 1 - i
		}
		b.place(place, len(years))
		c.Bars = append(c.Bars, b)
	}
	return c
}

// place puts the bar into the n-th column, with a sixth of the column free on each side.
func (b *chartBar) place(n, columns int) {
	at := func(sixths int) string { return permille((6*n + sixths) * 1000 / (6 * columns)) }
	b.X, b.Middle, b.Width = at(1), at(3), permille(4*1000/(6*columns))
}

// permille formats thousandths as a percentage.
func permille(n int) string {
	return strconv.Itoa(n/10) + "." + strconv.Itoa(n%10) + "%"
}

// labelled decides which years are labelled, so that many labels fit on a narrow screen: both ends, and at most every fifth year.
func labelled(i, n int, year string) bool {
	switch {
	case n <= 6 || i == 0 || i == n-1:
		return true
	case i < n/8+1 || i > n-2-n/8:
		return false
	}
	last := year[len(year)-1]
	return last == '0' || last == '5' && n <= 20
}

// spark returns the path of small bars, one unit wide and at most 20 high.
func spark(counts []int) string {
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	var path []byte
	for i, n := range counts {
		if n <= 0 {
			continue
		}
		height := strconv.Itoa((20*n + most - 1) / most)
		path = append(path, "M"+strconv.Itoa(i)+".1 20v-"+height+"h.8v"+height+"z"...)
	}
	return string(path)
}

// sparkLabel describes the small bars for those who can't see them.
func sparkLabel(t texts, years []choice, counts []int) string {
	var list []string
	for i, n := range counts {
		if n > 0 && i < len(years) {
			list = append(list, locale.Fill(t.Form(t.Find.ChangesIn, n), t.Number(n), t.Digits(years[i].Text)))
		}
	}
	return t.List(list...)
}

func (v *termsView) title(t texts) string {
	if v.Change == textAdded {
		return t.Find.MostAdded
	}
	return t.Find.MostDeleted
}
