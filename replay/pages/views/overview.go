package views

import (
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// years says from which year to which an address was captured.
func (p *PageLink) years(t texts) string {
	from, to := p.First.Year(), p.Last.Year()
	if from == to {
		return t.Plain(from)
	}
	return locale.Fill(t.Overview.SpanOf, t.Plain(from), t.Plain(to))
}

// facts says how often a page was captured and changed.
func (p *PageLink) facts(t texts) string {
	return t.List(t.Some(t.Versions, p.Versions), t.Some(t.Captures, p.Captures), p.years(t))
}

// versions describes a year of a collection.
func yearVersions(t texts, y layout.YearBar) string {
	return t.Plain(y.Year) + ": " + t.List(t.Count(t.Captures, y.Captures), t.Some(t.Versions, y.Changes))
}
