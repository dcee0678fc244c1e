package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func (c TextChange) words(t texts) string {
	return [...]string{
		TextDeleted: t.ChangeDeleted, TextAdded: t.ChangeAdded, TextSemiDeleted: t.ChangeSemiDeleted, TextPresent: t.Present.Kind,
	}[c]
}

// title returns the title of the page; {0} is still to be replaced by the query.
func (v *SearchView) title(t texts) string {
	switch {
	case v.needsQuery() && v.Change == TextPresent:
		return t.Present.SearchPages
	case v.needsQuery() && v.URL != "" && v.Exact:
		return t.FindDeleted
	case v.needsQuery():
		return t.SearchChanges
	}
	return [...]string{
		TextDeleted: t.Find.WhereDeleted, TextAdded: t.Find.WhereAdded, TextSemiDeleted: t.Find.WhereFewer, TextPresent: t.Present.Where,
	}[v.Change]
}

// needsQuery reports whether the page has no results to show, but asks for a query.
func (v *SearchView) needsQuery() bool { return v.Q == "" || v.Refused != RefusedNot }

// limited reports whether a filter is filled in, even if wrongly.
func (v *SearchView) limited() bool { return v.URL+v.Domain+v.From+v.To != "" }

func (by FilterBy) words(t texts, of TextChange) string {
	if p := &t.Present; of == TextPresent && (by == ByFrom || by == ByTo) {
		return map[FilterBy]string{ByFrom: p.ByFrom, ByTo: p.ByTo}[by]
	}
	return [...]string{
		ByURL: t.Find.ByURL, ByPage: t.Find.ByPage, ByDomain: t.Find.ByDomain, ByFrom: t.Find.ByFrom, ByTo: t.Find.ByTo,
		ByAt: t.Present.ByAt, ByMIME: t.Present.ByMIME, ByStatus: t.Present.ByStatus, ByLang: t.Present.ByLang,
	}[by]
}

// unit is the unit in which results are counted.
func (c TextChange) unit(t texts) locale.Count {
	if c == TextPresent {
		return t.Present.Pages
	}
	return t.Changes
}

// words says how to correct a query that was refused.
func (r Refused) words(t texts) string {
	return [...]string{
		RefusedNot: "", RefusedLong: t.Find.RefusedLong, RefusedQuotes: t.Find.RefusedQuotes, RefusedNoWords: t.Find.RefusedNoWords,
		RefusedTime: t.Find.RefusedTime, RefusedFilter: t.Find.RefusedFilter,
	}[r]
}

func (n Notice) words(t texts) string {
	return [...]string{
		NoticeOperators:  t.Find.NoticeOperators,
		NoticeCharacters: t.Find.NoticeCharacters,
		NoticeUntold:     t.Find.NoticeUntold, NoticeUntoldPages: t.Present.Untold, NoticeBounded: t.Present.Bounded,
		NoticeRelaxed: t.Present.Relaxed,
	}[n]
}

// reason says why there are no results.
func (n *Nothing) reason(t texts) string {
	switch n.Why {
	case NothingFiltered:
		return t.Count(t.Find.Filtered, n.Count)
	case NothingStands:
		return t.Count(t.Find.StandsOn, n.Count)
	case NothingPartly:
		return t.Count(t.Find.Partly, n.Count)
	case NothingKind:
		return t.Count([...]locale.Count{
			TextDeleted: t.Find.OtherDeleted, TextAdded: t.Find.OtherAdded, TextSemiDeleted: t.Find.OtherFewer,
		}[n.Other],
			n.Count)
	case NothingApart:
		return t.Find.Apart
	case NothingPage:
		return t.Find.PastTheEnd
	case NothingFilteredPages:
		return t.Count(t.Present.Filtered, n.Count)
	case NothingApartPages:
		return t.Present.Apart
	case NothingYet:
		return t.Find.Yet
	}
	return t.Find.Never
}

// elsewhere labels the link to other results.
func (n *Nothing) elsewhere(t texts) string {
	switch n.Why {
	case NothingFiltered, NothingFilteredPages:
		return t.Find.LiftAll
	case NothingPage:
		return t.Find.FirstPage
	}
	return [...]string{TextDeleted: t.Find.SeeDeleted, TextAdded: t.Find.SeeAdded, TextSemiDeleted: t.Find.SeeFewer}[n.Other]
}

func (r Remark) words(t texts) string {
	f := &t.Find
	return [...]string{
		RemarkNone: "", RemarkSoft404: f.RemarkSoft404, RemarkMissing: f.RemarkMissing, RemarkRedirect: f.RemarkRedirect,
		RemarkScript:  f.RemarkScript,
		RemarkEmptied: f.RemarkEmptied, RemarkFirst: f.RemarkFirst, RemarkCame: f.RemarkCame, RemarkFilled: f.RemarkFilled,
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
func (v *SearchView) facts(t texts) string {
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
func (r *ChangeResult) moments(t texts) []resultMoment {
	f := &t.Find
	before, after := [...]string{TextDeleted: f.LastThere, TextAdded: f.NotThere, TextSemiDeleted: f.Before}[r.Change],
		[...]string{TextDeleted: f.Gone, TextAdded: f.Came, TextSemiDeleted: f.After}[r.Change]
	var out []resultMoment
	if r.Addition != nil && r.Change != TextAdded {
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
func (r *ChangeResult) timeThere(t texts) string {
	switch {
	case r.Addition == nil || r.Change != TextDeleted:
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
func (s Snippet) sign() string {
	return [...]string{layout.Equal: "", layout.Deleted: "−", layout.Added: "+"}[s.op()]
}

func (s Snippet) class() string {
	return [...]string{layout.Equal: "", layout.Deleted: "gone", layout.Added: "new"}[s.op()]
}

// op returns the operation that all spans have, Equal if they differ.
func (s Snippet) op() layout.SpanOp {
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
func (s Snippet) runs() []Snippet {
	var out []Snippet
	for i, p := range s {
		if i == 0 || p.Op != s[i-1].Op {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}
