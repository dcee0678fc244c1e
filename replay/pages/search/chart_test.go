package search

import (
	"strings"
	"testing"
)

func yearCounts(counts ...int) []choice {
	years := make([]choice, len(counts))
	for i, n := range counts {
		years[i] = choice{Text: at(2001+i, 1, 1, 0, 0).String()[:4], Count: n}
	}
	return years
}

func TestChartIsAsHighAsItsLargestYear(t *testing.T) {
	c := chartOf(english, yearCounts(1000, 0, 500, 1), english.Find.ChangesIn)
	if c.Top != "1,000" {
		t.Errorf("the top is %s", c.Top)
	}
	for i, want := range []int{chartHeight, 0, chartHeight / 2, 1} {
		if b := c.Bars[i]; b.Height != want || b.Y+b.Height != chartTop+chartHeight {
			t.Errorf("bar %d is %d high and stands at %d, want %d high", i, b.Height, b.Y+b.Height, want)
		}
	}
	if got := c.Bars[0].Title; got != "2001: 1,000 changes" {
		t.Errorf("the first bar is called %q", got)
	}
}

func TestChartRunsAsTheLanguageDoes(t *testing.T) {
	left, right := chartOf(english, yearCounts(1, 2), english.Find.ChangesIn), chartOf(persian, yearCounts(1, 2), persian.Find.ChangesIn)
	if left.Bars[0].X != "8.3%" || left.Bars[1].X != "58.3%" {
		t.Errorf("in English the years stand at %s, %s", left.Bars[0].X, left.Bars[1].X)
	}
	if right.Bars[0].X != left.Bars[1].X || right.Bars[1].X != left.Bars[0].X {
		t.Errorf("in Persian the years stand at %s, %s", right.Bars[0].X, right.Bars[1].X)
	}
	if got := right.Bars[1].Title; got != "۲۰۰۲: ۲ تغییر" {
		t.Errorf("in Persian a bar is called %q", got)
	}
}

func TestLabelsOfManyYearsKeepApart(t *testing.T) {
	for _, c := range []struct {
		years int
		want  string
	}{
		{3, "2001 2002 2003"},
		{6, "2001 2002 2003 2004 2005 2006"},
		{12, "2001 2005 2010 2012"},
		{29, "2001 2010 2020 2029"},
	} {
		var labels []string
		for _, b := range chartOf(english, yearCounts(make([]int, c.years)...), english.Find.ChangesIn).Bars {
			if b.Label != "" {
				labels = append(labels, b.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("of %d years these are named: %s, want %s", c.years, got, c.want)
		}
	}
}

func TestSmallBarsSayWhatTheyShow(t *testing.T) {
	if got, want := spark([]int{0, 10, 5}), "M1.1 20v-20h.8v20zM2.1 20v-10h.8v10z"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
	if got, want := sparkLabel(english, yearCounts(0, 0, 0), []int{0, 1, 5}), "2002: 1 change, 2003: 5 changes"; got != want {
		t.Errorf("the label is %q, want %q", got, want)
	}
}
