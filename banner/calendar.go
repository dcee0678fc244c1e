package banner

import (
	"strconv"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// MaxVersionList is how many versions the calendar lists beside the years, newest first. The table has all of them.
const MaxVersionList = 500

// A year is one row of the calendar: 53 weeks of seven days, drawn on a grid of cellSize.
type year struct {
	Label    string // "2017", or "2018–2020" for a row of years without captures
	Captures int
	Changes  int
	Cells    []cell
	Shape    string // outline of the year's days, to be filled with empty cells
	Months   []monthMark
}

// A cell is a day on which something was captured.
type cell struct {
	Path, Class, Href, Title string
}

type monthMark struct{ X, Name string }

const (
	cellSize  = 10 // with its gap
	yearWidth = 53 * cellSize
)

// yearsOf groups the days (oldest first) into years, newest first. Consecutive empty years share a row.
func yearsOf(t texts, days []Day) []year {
	var years []year
	for end := len(days); end > 0; {
		y := days[end-1].Time.Time().Year()
		start := end
		for start > 0 && days[start-1].Time.Time().Year() == y {
			start--
		}
		years = append(years, yearOf(t, y, days[start:end]))
		if start > 0 {
			years = appendGap(t, years, days[start-1].Time.Time().Year()+1, y-1)
		}
		end = start
	}
	return years
}

func appendGap(t texts, years []year, from, to int) []year {
	if from > to {
		return years
	}
	label := t.Digits(strconv.Itoa(from))
	if from < to {
		label += "–" + t.Digits(strconv.Itoa(to))
	}
	return append(years, year{Label: label})
}

func yearOf(t texts, y int, days []Day) year {
	g := gridOf(y, t.Dir == "rtl")
	row := year{Label: t.Digits(strconv.Itoa(y)), Shape: g.shape(), Months: g.months(t)}
	for _, d := range days {
		row.Captures += d.Captures
		row.Changes += d.Changes
		row.Cells = append(row.Cells, cell{
			Path:  g.cell(d.Time, d.Kind),
			Class: dayClass(d),
			Href:  d.Href,
			Title: t.dayTitle(d),
		})
	}
	return row
}

// dayClass returns the CSS class of a day: filled for a change, outlined for a capture, marked by kind.
func dayClass(d Day) string {
	class := [...]string{KindPage: "", KindResource: "", KindRedirect: " re", KindMissing: " mi", KindError: " er"}[d.Kind]
	if d.Changes > 0 {
		return "ch" + class
	}
	return "ca" + class
}

func (t texts) dayTitle(d Day) string {
	return t.Day(d.Time) + ": " + t.List(t.Count(t.Captures, d.Captures), t.Some(t.Changes, d.Changes), t.kindName(d.Kind))
}

// kindName returns "" for a page, which readers expect.
func (t texts) kindName(k Kind) string {
	return [...]string{
		KindPage: "", KindResource: "", KindRedirect: t.LegendRedirect, KindMissing: t.LegendMissing,
		KindError: t.LegendError,
	}[k]
}

// A grid places the days of one year: weeks are columns, with Monday at the top.
type grid struct {
	year, lead int // lead: days of the first column that belong to the year before
	length     int // days in the year
	rtl        bool
}

func gridOf(y int, rtl bool) grid {
	first := time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	return grid{y, (int(first.Weekday()) + 6) % 7, time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC).YearDay(), rtl}
}

// at returns the corner of a day's cell, on the side where the text begins. yday counts from 0.
func (g grid) at(yday int) (x, y int) {
	x = (yday + g.lead) / 7 * cellSize
	if g.rtl {
		x = yearWidth - cellSize - x
	}
	return x, (yday + g.lead) % 7 * cellSize
}

// cell returns the path of a day's cell. That of a missing page is crossed, so that it doesn't need its colour to be
// recognized.
func (g grid) cell(ts cdx.Timestamp, k Kind) string {
	x, y := g.at(ts.Time().YearDay() - 1)
	path := "M" + strconv.Itoa(x+1) + " " + strconv.Itoa(y+1) + "h8v8h-8z"
	if k == KindMissing {
		path += "l8 8m-8 0l8-8"
	}
	return path
}

// shape draws one strip per weekday, from the first such day of the year to the last.
func (g grid) shape() string {
	var path string
	for weekday := range 7 {
		first := (weekday - g.lead + 7) % 7
		last := first + (g.length-1-first)/7*7
		x0, y := g.at(first)
		x1, _ := g.at(last)
		path += "M" + strconv.Itoa(min(x0, x1)) + " " + strconv.Itoa(y) + "h" + strconv.Itoa(max(x0, x1)-min(x0, x1)+cellSize) + "v10H" +
			strconv.Itoa(min(x0, x1)) + "z"
	}
	return path
}

func (g grid) months(t texts) []monthMark {
	marks := make([]monthMark, 0, 12)
	for m := range 12 {
		x, _ := g.at(time.Date(g.year, time.Month(m+1), 7, 0, 0, 0, 0, time.UTC).YearDay() - 1)
		if g.rtl {
			x += cellSize
		}
		marks = append(marks, monthMark{strconv.Itoa(x), t.MonthsShort[m]})
	}
	return marks
}
