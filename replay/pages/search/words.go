package search

import (
	"strconv"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// texts is the language of a page.
type texts = *locale.Language

func (c textChange) words(t texts) string {
	return [...]string{
		textDeleted: t.ChangeDeleted, textAdded: t.ChangeAdded, textSemiDeleted: t.ChangeSemiDeleted, textPresent: t.Present.Kind,
	}[c]
}

// title returns the title of the page; {0} is still to be replaced by the query.
func (v *searchView) title(t texts) string {
	switch {
	case v.needsQuery() && v.Change == textPresent:
		return t.Present.SearchPages
	case v.needsQuery() && v.URL != "" && v.Exact:
		return t.FindDeleted
	case v.needsQuery():
		return t.SearchChanges
	}
	return [...]string{
		textDeleted: t.Find.WhereDeleted, textAdded: t.Find.WhereAdded, textSemiDeleted: t.Find.WhereFewer, textPresent: t.Present.Where,
	}[v.Change]
}

// needsQuery reports whether the page has no results to show, but asks for a query.
func (v *searchView) needsQuery() bool { return v.Q == "" || v.Refused != refusedNot }

// limited reports whether a filter is filled in, even if wrongly.
func (v *searchView) limited() bool { return v.URL+v.Domain+v.From+v.To != "" }

func (by filterBy) words(t texts, of textChange) string {
	if p := &t.Present; of == textPresent && (by == byFrom || by == byTo) {
		return map[filterBy]string{byFrom: p.ByFrom, byTo: p.ByTo}[by]
	}
	return [...]string{
		byURL: t.Find.ByURL, byPage: t.Find.ByPage, byDomain: t.Find.ByDomain, byFrom: t.Find.ByFrom, byTo: t.Find.ByTo,
		byAt: t.Present.ByAt, byMIME: t.Present.ByMIME, byStatus: t.Present.ByStatus, byLang: t.Present.ByLang,
	}[by]
}

// unit is the unit in which results are counted.
func (c textChange) unit(t texts) locale.Count {
	if c == textPresent {
		return t.Present.Pages
	}
	return t.Changes
}

// words says how to correct a query that was refused.
func (r refusal) words(t texts) string {
	return [...]string{
		refusedNot: "", refusedLong: t.Find.RefusedLong, refusedQuotes: t.Find.RefusedQuotes, refusedNoWords: t.Find.RefusedNoWords,
		refusedTime: t.Find.RefusedTime, refusedFilter: t.Find.RefusedFilter,
	}[r]
}

func (n notice) words(t texts) string {
	return [...]string{
		noticeOperators:  t.Find.NoticeOperators,
		noticeCharacters: t.Find.NoticeCharacters,
		noticeUntold:     t.Find.NoticeUntold, noticeUntoldPages: t.Present.Untold, noticeBounded: t.Present.Bounded,
		noticeRelaxed: t.Present.Relaxed,
	}[n]
}

// reason says why there are no results.
func (n *noResults) reason(t texts) string {
	switch n.Why {
	case nothingFiltered:
		return t.Count(t.Find.Filtered, n.Count)
	case nothingStands:
		return t.Count(t.Find.StandsOn, n.Count)
	case nothingPartly:
		return t.Count(t.Find.Partly, n.Count)
	case nothingKind:
		return t.Count([...]locale.Count{
			textDeleted: t.Find.OtherDeleted, textAdded: t.Find.OtherAdded, textSemiDeleted: t.Find.OtherFewer,
		}[n.Other],
			n.Count)
	case nothingApart:
		return t.Find.Apart
	case nothingPage:
		return t.Find.PastTheEnd
	case nothingFilteredPages:
		return t.Count(t.Present.Filtered, n.Count)
	case nothingApartPages:
		return t.Present.Apart
	case nothingYet:
		return t.Find.Yet
	}
	return t.Find.Never
}

// elsewhere labels the link to other results.
func (n *noResults) elsewhere(t texts) string {
	switch n.Why {
	case nothingFiltered, nothingFilteredPages:
		return t.Find.LiftAll
	case nothingPage:
		return t.Find.FirstPage
	}
	return [...]string{textDeleted: t.Find.SeeDeleted, textAdded: t.Find.SeeAdded, textSemiDeleted: t.Find.SeeFewer}[n.Other]
}

func (r remark) words(t texts) string {
	f := &t.Find
	return [...]string{
		remarkNone: "", remarkSoft404: f.RemarkSoft404, remarkMissing: f.RemarkMissing, remarkRedirect: f.RemarkRedirect,
		remarkScript:  f.RemarkScript,
		remarkEmptied: f.RemarkEmptied, remarkFirst: f.RemarkFirst, remarkCame: f.RemarkCame, remarkFilled: f.RemarkFilled,
	}[r]
}

// value formats the value of a filter or facet. Numbers get the digits of the language.
func value(t texts, s string) string {
	if _, err := strconv.Atoi(s); err == nil {
		return t.Digits(s)
	}
	return s
}

// facts returns a phrase like "1,234 changes, page 2".
func (v *searchView) facts(t texts) string {
	page := ""
	if v.PageNo > 1 || v.Next != "" {
		page = locale.Fill(t.Find.PageNo, t.Number(v.PageNo))
	}
	with := ""
	if v.Match != nil && v.Match.Text != "" {
		with = t.Count(t.Present.WithAll, v.WithAll)
	}
	return t.List(t.Count(v.Change.unit(t), v.Total), with, page)
}

// quoted lists words, each in quotation marks.
func quoted(t texts, words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = "“" + w + "”"
	}
	return t.List(list...)
}

// A resultMoment is a capture of a result with its meaning and how often the text occurs in it.
type resultMoment struct {
	label   string
	capture banner.CaptureLink // zero if nothing was archived
	times   string
}

// moments returns the captures at which the text appeared and disappeared, as far as the change shows them, in time order.
func (r *shownChange) moments(t texts) []resultMoment {
	f := &t.Find
	before, after := [...]string{textDeleted: f.LastThere, textAdded: f.NotThere, textSemiDeleted: f.Before}[r.Change],
		[...]string{textDeleted: f.Gone, textAdded: f.Came, textSemiDeleted: f.After}[r.Change]
	var out []resultMoment
	if r.Addition != nil && r.Change != textAdded {
		out = append(out, resultMoment{f.FirstThere, *r.Addition, ""})
	}
	if r.Before != nil {
		out = append(out, resultMoment{before, r.Before.CaptureLink, t.Count(t.Times, r.Before.Count)})
	} else {
		out = append(out, resultMoment{before, banner.CaptureLink{}, f.NoVersion})
	}
	return append(out, resultMoment{after, r.After.CaptureLink, t.Count(t.Times, r.After.Count)})
}

// timeThere says how long a deleted text existed, "" if that is unknown.
func (r *shownChange) timeThere(t texts) string {
	switch {
	case r.Addition == nil || r.Change != textDeleted:
		return ""
	case r.FromStart:
		return locale.Fill(t.Find.ThereAlso, lifespan(t, r.Addition.Time, r.After.Time))
	}
	return locale.Fill(t.Find.There, lifespan(t, r.Addition.Time, r.After.Time))
}

// lifespan returns a phrase like "6 years, 4 months", "4 months, 12 days" or "12 days", by the calendar.
func lifespan(t texts, from, to cdx.Timestamp) string {
	years, months, days := span(from, to)
	switch {
	case years > 0 && months > 0:
		return locale.Fill(t.Find.Together, t.Count(t.Years, years), t.Count(t.Find.Months, months))
	case years > 0:
		return t.Count(t.Years, years)
	case months > 0 && days > 0:
		return locale.Fill(t.Find.Together, t.Count(t.Find.Months, months), t.Count(t.Days, days))
	case months > 0:
		return t.Count(t.Find.Months, months)
	case days > 0:
		return t.Count(t.Days, days)
	}
	return t.Find.UnderADay
}

// span counts whole years, then whole months, then whole days.
func span(from, to cdx.Timestamp) (years, months, days int) {
	a, b := from.Time(), to.Time()
	for !a.AddDate(years+1, 0, 0).After(b) {
		years++
	}
	for !a.AddDate(years, months+1, 0).After(b) {
		months++
	}
	return years, months, int(max(b.Sub(a.AddDate(years, months, 0)).Hours(), 0)) / 24
}

// sign precedes a line that was deleted or added as a whole.
func (s shownLine) sign() string {
	return [...]string{layout.Equal: "", layout.Deleted: "−", layout.Added: "+"}[s.op()]
}

func (s shownLine) class() string {
	return [...]string{layout.Equal: "", layout.Deleted: "gone", layout.Added: "new"}[s.op()]
}

// op returns the operation that all spans have, Equal if they differ.
func (s shownLine) op() layout.SpanOp {
	for i := range s {
		if s[i].Op != s[0].Op {
			return layout.Equal
		}
	}
	if len(s) == 0 {
		return layout.Equal
	}
	return s[0].Op
}

// runs joins neighbouring spans with the same operation, so that a marked word stays inside the element of its line.
func (s shownLine) runs() []shownLine {
	var out []shownLine
	for i, p := range s {
		if i == 0 || p.Op != s[i-1].Op {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// An operator of the query language, with an example.
type operator struct{ label, example string }

// operators lists the operators of the query language.
func operators(t texts) []operator {
	p, words := &t.Present, strings.Fields(t.Find.Example)
	word := words[len(words)-1]
	return []operator{
		{p.AskAll, "+" + words[0] + " +" + word + "  (" + words[0] + " OR " + word + ")"},
		{p.AskWithout, "-" + word},
		{p.AskBegin, word + "*"},
		{p.AskNear, word + "~"},
		{p.AskField, "title:" + word + "  url:" + word + "  site:example.org"},
	}
}

// fieldFrom labels the field for the earliest datetime.
func (c textChange) fieldFrom(t texts) string {
	if c == textPresent {
		return t.Present.FieldFrom
	}
	return t.Find.FieldFrom
}

// sortLabel names an order by what it is in addresses.
func sortLabel(t texts, name string) string {
	p := &t.Present
	return map[string]string{
		"": p.Best, "newest": p.Newest, "oldest": p.Oldest, "title": p.ByTitle, "url": p.ByAddress, "versions": p.ByVersions, "size": p.BySize,
	}[name]
}

// goneSince says since which day the text has been gone.
func (r *shownPage) goneSince(t texts) string {
	return locale.Fill(t.Present.GoneSince, t.Day(r.Gone.Time))
}

// built says how much of a search is built.
func built(t texts, p *layout.Progress) string {
	if p.Done < p.Total {
		return p.In(t, t.Find.Building)
	}
	return t.Find.BuildingLast
}
