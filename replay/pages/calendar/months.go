package calendar

import (
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// maxVersionList is the number of versions listed beside the months, newest first. The table has all of them.
const maxVersionList = 500

// A month is a month of the calendar: weeks of seven days.
type month struct {
	Name              string
	Captures, Changes int
	Weeks             [][7]dayCell
}

// A dayCell is a day of a month. The days of the week that belong to other months have no number.
type dayCell struct {
	Number, Captures   string // Captures is "" for one
	Href, Class, Title string // Href is "" if nothing was captured
	Lost               string // percentage of the page's resources that isn't archived, "" for none
	Chosen             bool
}

// monthsOf lays out the days (oldest first) of the year in view, by months. Those without captures are left out.
func (v *pageView) monthsOf(t texts) (out []month) {
	for days := v.Days; len(days) > 0; {
		m, n := days[0].Time.Time().Month(), 0
		laid := month{Name: t.Browse.MonthNames[m-1]}
		for n < len(days) && days[n].Time.Time().Month() == m {
			laid.Captures += days[n].Captures
			laid.Changes += days[n].Changes
			n++
		}
		laid.Weeks = v.weeksOf(t, m, days[:n])
		out, days = append(out, laid), days[n:]
	}
	return out
}

func (v *pageView) emptyMonths(t texts) string {
	names := t.Browse.MonthNames
	for _, d := range v.Days {
		names[d.Time.Time().Month()-1] = ""
	}
	return t.List(names[:]...)
}

func (v *pageView) weeksOf(t texts, m time.Month, days []dayBar) (weeks [][7]dayCell) {
	first := time.Date(v.Year, m, 1, 0, 0, 0, 0, time.UTC)
	lead := (int(first.Weekday()) + 6 - t.Browse.WeekBegins + 7) % 7 // Go's weeks begin on Sunday
	length := first.AddDate(0, 1, -1).Day()
	for i := range length {
		if place := lead + i; i == 0 || place%7 == 0 {
			weeks = append(weeks, [7]dayCell{})
		}
		c := &weeks[len(weeks)-1][(lead+i)%7]
		c.Number = t.Plain(i + 1)
		if len(days) > 0 && days[0].Time.Time().Day() == i+1 {
			v.fill(t, c, days[0])
			days = days[1:]
		}
	}
	return weeks
}

func (v *pageView) fill(t texts, c *dayCell, d dayBar) {
	c.Href, c.Class, c.Title = d.Href, dayClass(d), d.title(t)
	if d.Damage > 0 {
		c.Lost = "−" + banner.InPercent(t, d.Damage)
	}
	if d.Captures > 1 {
		c.Captures = t.Number(d.Captures)
	}
	c.Chosen = v.Day != nil && v.Day.Time/1_000_000 == d.Time/1_000_000
}

// weekdays are the heads of a month's columns.
func weekdays(t texts) (out [7]string) {
	for i := range out {
		out[i] = t.Browse.Weekdays[(i+t.Browse.WeekBegins)%7]
	}
	return out
}

// dayClass returns the CSS class of a day: filled for a change, outlined for a capture, marked by kind.
func dayClass(d dayBar) string {
	if d.Changes > 0 {
		return "ch" + layout.KindClass(d.Kind)
	}
	return "ca" + layout.KindClass(d.Kind)
}

func (d dayBar) title(t texts) string {
	return t.Day(d.Time) + ": " + t.List(t.Count(t.Captures, d.Captures), t.Some(t.Changes, d.Changes), d.Kind.Words(t), d.lost(t))
}

// lost says how much isn't archived, "" if everything is.
func (d dayBar) lost(t texts) string {
	if d.Damage == 0 {
		return ""
	}
	return banner.Damaged(t, d.Damage)
}

func yearTitle(t texts, y layout.YearBar) string {
	return t.Plain(y.Year) + ": " + t.List(t.Count(t.Captures, y.Captures), t.Some(t.Changes, y.Changes))
}

// versionsTitle says which versions are listed.
func (v *pageView) versionsTitle(t texts) string {
	if v.AllVersions {
		return t.VersionsTitle
	}
	return locale.Fill(t.Browse.VersionsIn, t.Plain(v.Year))
}

// changeWords says how a capture differs from the one before it.
func changeWords(t texts, change string) string {
	return map[string]string{"none": t.Unchanged, "any": t.ChangedMarkup, "text": t.ChangedText, "content": t.ChangedContent}[change]
}

// changeClass returns the CSS class for the importance of a change.
func changeClass(change string) string {
	return map[string]string{"none": "same", "any": "same", "text": "text", "content": "content"}[change]
}
