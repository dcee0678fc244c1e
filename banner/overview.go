package banner

import (
	"strings"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

func (t texts) counting(p *Progress) string {
	return locale.Fill(t.Overview.Counting, t.Number(p.Done), t.Number(p.Total))
}

// spanOfYears says from which year to which an address was captured.
func (t texts) spanOfYears(p *PageLink) string {
	from, to := p.First.Year(), p.Last.Year()
	if from == to {
		return t.year(from)
	}
	return locale.Fill(t.Overview.SpanOf, t.year(from), t.year(to))
}

// fromTo says from which day to which.
func (t texts) fromTo(first, last cdx.Timestamp) string {
	if from, to := t.Day(first), t.Day(last); from != to {
		return locale.Fill(t.FromTo, from, to)
	}
	return t.Day(first)
}

// whatOf says how often a page was captured and changed.
func (t texts) whatOf(p *PageLink) string {
	return t.List(t.Some(t.Versions, p.Versions), t.Some(t.Captures, p.Captures), t.spanOfYears(p))
}

// shortAddress leaves out what is alike in most addresses.
func shortAddress(uriR string) string {
	_, rest, ok := strings.Cut(uriR, "://")
	if !ok {
		return uriR
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest, "www."), "/")
}

// versionsIn describes a year of a collection.
func (t texts) versionsIn(y YearBar) string {
	return t.year(y.Year) + ": " + t.List(t.Count(t.Captures, y.Captures), t.Some(t.Versions, y.Changes))
}

func mostIn(years []YearBar) (most int) {
	for _, y := range years {
		most = max(most, y.Captures)
	}
	return most
}

func (t texts) calendarTitle(v *CalendarView) string {
	if len(v.Colls) > 0 {
		return t.Overview.InCollections
	}
	return t.CalendarOf
}
