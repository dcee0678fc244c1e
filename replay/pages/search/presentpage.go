package search

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A presentPage builds a page of the search in pages.
type presentPage struct {
	s    *Handler
	from source
	ask  *presentParams
}

// presentPage answers /{coll}/search for browsers: the form, and the pages that were found, or why none were.
func (s *Handler) presentPage(w http.ResponseWriter, r *http.Request, p respond.Path, from source) error {
	ask, err := parsePresentParams(p, from)
	refused, ok := presentRefusedAs(p, err)
	if !ok {
		return err
	}
	if ask == nil {
		ask = uncheckedPresentParams(p)
	}
	g := &presentPage{s: s, from: from, ask: ask}
	return s.render(w, r, p, g, refused, err == nil)
}

// presentRefusedAs says what is wrong with a request, in the page's terms. ok is false if the page can't say it.
func presentRefusedAs(p respond.Path, err error) (r refusal, ok bool) {
	switch {
	case errors.Is(err, query.ErrEmpty):
		return refusedNot, true
	case errors.Is(err, query.ErrLong):
		return refusedLong, true
	case err != nil && p.Params.Get("at") != "":
		if _, wrong := cdx.ParseAsked(p.Params.Get("at")); wrong != nil {
			return refusedTime, true
		}
	}
	return refusedAs(p, err)
}

// view returns the page without results.
func (g *presentPage) view(ctx context.Context, page layout.Page) (searchView, error) {
	a := g.ask
	if a.exact {
		page.URIR = a.url
	}
	page.Asks, page.Asked = true, a.q
	v := searchView{
		Page: page, Q: a.q, Change: textPresent,
		URL: a.shownURL(), Exact: a.exact, Domain: a.domain, From: a.from, To: a.to, Filters: g.filters(),
	}
	if a.query.Wordless {
		v.Refused = refusedNoWords
	}
	err := g.from.describe(ctx, &v)
	for _, h := range a.hidden() {
		if h.Value != "" {
			v.Hidden = append(v.Hidden, h)
		}
	}
	return v, err
}

// hidden returns the parameters that the form has no fields for. Some may be empty.
func (a *presentParams) hidden() []layout.Hidden {
	return []layout.Hidden{
		{Name: "at", Value: a.at},
		{Name: "mime", Value: a.mime},
		{Name: "status", Value: a.status},
		{Name: "lang", Value: a.lang},
		{Name: "sort", Value: a.sort},
		{Name: "match", Value: a.match},
		{Name: "ranking", Value: a.ranking},
		{Name: "collection", Value: a.collection},
	}
}

// link is a [linkTo].
func (g *presentPage) link(change ...string) string {
	v := g.ask.values()
	v.Set("change", "")
	for _, h := range g.ask.hidden() {
		v.Set(h.Name, h.Value)
	}
	return g.from.link(changed(v, change))
}

// values returns the parameters as they are in links. Some may be empty.
func (a *asked) values() url.Values {
	v := url.Values{
		"q": {a.q}, "change": {a.change}, "domain": {a.domain}, "url": {a.url}, "from": {a.from}, "to": {a.to}, "sort": {a.sort},
	}
	if a.exact {
		v.Set("matchType", string(surt.Exact))
	}
	if a.limit != DefaultSearchLimit {
		v.Set("limit", strconv.Itoa(a.limit))
	}
	return v
}

// changed sets parameters, names and values in turn, and returns the query of those that are not empty.
func changed(v url.Values, change []string) string {
	for i := 0; i+1 < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	for name := range v {
		if v.Get(name) == "" {
			v.Del(name)
		}
	}
	return v.Encode()
}

func (g *presentPage) filters() []filter {
	a := g.ask
	out := a.filters(g.link)
	for _, f := range []struct {
		by          filterBy
		name, value string
	}{
		{byAt, "at", a.at},
		{byMIME, "mime", a.mime},
		{byStatus, "status", a.status},
		{byLang, "lang", a.lang},
	} {
		if f.value != "" {
			out = append(out, filter{By: f.by, Text: f.value, Href: g.link(f.name, "")})
		}
	}
	return out
}

// fill puts the results into the view.
func (g *presentPage) fill(ctx context.Context, v *searchView) error {
	found, err := g.from.find(ctx, g.ask)
	if err != nil {
		return err
	}
	v.Total, v.PageNo, v.First = found.Total, g.ask.page, g.ask.skip()+1
	if v.Tabs, err = g.tabs(ctx, found.Total); err != nil {
		return err
	}
	v.Domains = g.facet(found.Facets.Domain, "domain", g.ask.domain)
	v.Years = facetChoices(found.Facets.Year, g.ask.year(), g.link, "from", "to")
	v.Types, v.Langs = g.facet(found.Facets.MIME, "mime", g.ask.mime), g.facet(found.Facets.Lang, "lang", g.ask.lang)
	v.Chart, v.Sorts = g.chart(found.Chart), g.ask.sorts(found.Total, g.link, "title", "url", "-versions")
	v.Rankings = g.rankings(found.Total)
	if found.Suggestion != nil {
		v.Suggestion = banner.Link{Href: g.link("q", *found.Suggestion), Text: *found.Suggestion}
	}
	if found.Untold > 0 {
		v.Notices = append(v.Notices, noticeUntoldPages)
	}
	if len(found.Bounded) > 0 {
		v.Notices = append(v.Notices, noticeBounded)
	}
	if found.Relaxed {
		v.Notices = append(v.Notices, noticeRelaxed)
	}
	g.missing(v, found)
	for i := range found.Results {
		page := foundPage(&found.Results[i], v.NoneHas)
		if page.Thumb, err = g.picture(ctx, &found.Results[i]); err != nil {
			return err
		}
		v.Pages = append(v.Pages, page)
	}
	g.columns(v, found)
	v.Collections = g.facet(found.Facets.Collection, "collection", g.ask.collection)
	v.Prev, v.Next = g.ask.beside(found.Total, len(found.Results), g.link)
	v.Address = g.from.address(ctx, g.ask.q)
	if len(v.Pages) == 0 {
		v.Nothing, err = g.nothing(ctx, found)
	}
	return err
}

// missing sets the words that no result has, and a link that requires all words, or no longer does.
func (g *presentPage) missing(v *searchView, found *PresentList) {
	v.WithAll = found.WithAll
	for i := range found.Results {
		missing := found.Results[i].Missing
		if i == 0 {
			v.NoneHas = slices.Clone(missing)
		}
		v.NoneHas = slices.DeleteFunc(v.NoneHas, func(w string) bool { return !slices.Contains(missing, w) })
	}
	switch {
	case g.ask.match == matchAll:
		v.Match = &banner.Link{Href: g.link("match", "")}
	case found.WithAll > 0 && found.WithAll < found.Total:
		v.Match = &banner.Link{Href: g.link("match", matchAll), Text: matchAll}
	}
}

// picture returns the picture of the best version of a result, nil if there is none.
func (g *presentPage) picture(ctx context.Context, r *PresentResult) (*film.Frame, error) {
	coll := r.Collection
	if in, ok := g.from.(*oneCollection); ok {
		coll = in.coll
	}
	return film.Small(ctx, g.s.archive, g.s.site.Local(coll), r.OriginalURI, side(&r.Best).Time)
}

// foundPage converts a result into the page's terms.
func foundPage(r *PresentResult, noneHas []string) shownPage {
	out := shownPage{
		Title: r.Title, URIR: r.OriginalURI, Row: r.Row, Best: side(&r.Best).CaptureLink, First: side(&r.First).CaptureLink,
		Last: side(&r.Last).CaptureLink, Versions: r.Versions, Still: r.Still, Unreadable: r.Unreadable,
	}
	if r.Collection != "" {
		out.Collection = banner.Link{Href: r.collectionHome, Text: r.Collection}
	}
	if r.Gone != nil {
		gone := side(&r.Gone.SearchEnd).CaptureLink
		gone.Href = r.Gone.Diff
		out.Gone = &gone
	}
	for _, w := range r.Missing {
		if !slices.Contains(noneHas, w) {
			out.Missing = append(out.Missing, w)
		}
	}
	for _, s := range r.Snippets {
		whole := Snippet{Text: s.Text, Marks: s.Marks}
		out.Snippets = append(out.Snippets, whole.spans())
	}
	return out
}

// columns shows the fields of templates, if any page has a value.
func (g *presentPage) columns(v *searchView, found *PresentList) {
	if len(found.Results) == 0 {
		return
	}
	v.CSV, v.JSON = g.link("output", "csv"), g.link("output", "json")
	some := false
	for i := range found.Results {
		for _, c := range found.Columns {
			values := found.Results[i].values[c.Name]
			v.Pages[i].Values = append(v.Pages[i].Values, g.shown(c, &found.Results[i], values))
			some = some || len(values) > 0
		}
	}
	if !some {
		return
	}
	for _, c := range found.Columns {
		column := valueColumn{Name: c.Name, Href: g.link("sort", c.Name)}
		switch g.ask.sort {
		case c.Name:
			column.Sorted, column.Href = "ascending", g.link("sort", "-"+c.Name)
		case "-" + c.Name:
			column.Sorted = "descending"
		}
		v.Columns = append(v.Columns, column)
	}
}

// shown returns values of a field as the page shows them: pictures and links as of the page's capture.
func (g *presentPage) shown(c PresentColumn, r *PresentResult, values []string) (out []shownValue) {
	in, ok := g.from.(*oneCollection)
	at, err := cdx.ParseTimestamp(r.Best.Datetime)
	for _, v := range values {
		shown := shownValue{Text: v}
		if ok && err == nil && (c.Type == fields.Link || c.Type == fields.Image) {
			uris := g.s.site.Local(in.coll)
			shown.Href = uris.Memento(at, "", v)
			if c.Type == fields.Image {
				shown.Picture = uris.Memento(at, "im_", v)
			}
		}
		out = append(out, shown)
	}
	return out
}

// tabs links to the same words in each kind of change. Changes are counted if both searches interpret the query in the same way.
func (g *presentPage) tabs(ctx context.Context, pages int) ([]tab, error) {
	one, ok := g.from.(*oneCollection)
	if !ok {
		return nil, nil
	}
	out := []tab{{Change: textPresent, Href: g.link(), Count: pages, Current: true}}
	counts := search.Totals{-1, -1, -1} // unknown
	if req, ok := g.ask.forChanges(); ok {
		var err error
		if counts, err = one.changes(ctx, req); err != nil {
			return nil, err
		}
	}
	for _, k := range []search.Kind{search.Deleted, search.Added, search.SemiDeleted} {
		href := g.from.link(changed(g.ask.values(), []string{"change", k.String(), "sort", ""}))
		out = append(out, tab{Change: textChange(k), Href: href, Count: counts[k]})
	}
	return out, nil
}

// forChanges returns the request for changes of the same words. ok is false if the query has operators.
func (a *presentParams) forChanges() (req search.Request, ok bool) {
	for _, c := range a.query.Clauses {
		if c.Not || c.Field != query.Anywhere || c.Match != query.Exact {
			return req, false
		}
	}
	q, err := search.Parse(a.q)
	return search.Request{Query: q, Bounds: a.request.Bounds, Page: a.request.Page, Work: maxSearchWork}, err == nil
}

func (g *presentPage) facet(counts []Facet, name, active string) []choice {
	return facetChoices(counts[:min(len(counts), maxDomains)], active, g.link, name)
}

// chart returns every year from the first to the last.
func (g *presentPage) chart(counts []Facet) (out []choice) {
	last := 0
	for _, c := range counts {
		year, err := strconv.Atoi(c.Name)
		if err != nil {
			continue
		}
		for y := last + 1; last > 0 && y < year; y++ {
			out = append(out, choiceOf(search.Count{Name: strconv.Itoa(y)}, g.ask.year(), g.link, "from", "to"))
		}
		out = append(out, choiceOf(search.Count(c), g.ask.year(), g.link, "from", "to"))
		last = year
	}
	return out
}

// sorts returns the orders by their names, the chosen one with its reverse; none if there is nothing to order.
func (a *asked) sorts(total int, link linkTo, names ...string) []choice {
	if total < 2 {
		return nil
	}
	var out []choice
	for _, name := range append([]string{"", "newest", "oldest"}, names...) {
		plain := strings.TrimPrefix(name, "-")
		f := choice{Text: plain, Href: link("sort", name), Active: strings.TrimPrefix(a.sort, "-") == plain}
		if f.Active && slices.Contains(names, name) {
			if name = "-" + plain; a.sort == name {
				name = plain
			}
			f.Href = link("sort", name)
		}
		out = append(out, f)
	}
	return out
}

// rankings returns the available rankings, the default first; none if there is no choice or nothing to order.
func (g *presentPage) rankings(total int) []choice {
	names := g.from.rankings()
	if total < 2 || len(names) == 0 {
		return nil
	}
	var out []choice
	for _, name := range append([]string{""}, names...) {
		out = append(out, choice{Text: name, Href: g.link("ranking", name), Active: name == g.ask.ranking})
	}
	return out
}

// nothing finds out why there are no results, and where there are others. It returns nil if it can't tell.
func (g *presentPage) nothing(ctx context.Context, found *PresentList) (*noResults, error) {
	if found.Total > 0 {
		return &noResults{Why: nothingPage, Href: g.link()}, nil
	}
	if found.Index.Building {
		return &noResults{Why: nothingYet}, nil
	}
	if found.Untold > 0 || len(found.Bounded) > 0 {
		return nil, nil
	}
	a := g.ask
	if a.domain+a.url+a.from+a.to+a.at+a.mime+a.status+a.lang != "" {
		all, _, err := g.from.count(ctx, a.query, answers.MaxPresentWork)
		if err != nil {
			return nil, err
		}
		if all > 0 {
			href := g.from.link(url.Values{"q": {a.q}}.Encode())
			return &noResults{Why: nothingFilteredPages, Count: all, Href: href}, nil
		}
	}
	return g.neverOrInParts(ctx)
}

// neverOrInParts distinguishes words that occur nowhere from words that occur, but not together.
func (g *presentPage) neverOrInParts(ctx context.Context) (*noResults, error) {
	out := &noResults{Why: nothingNever}
	wanted := g.ask.query.Wanted()
	if len(wanted) < 2 {
		return out, nil
	}
	for _, c := range wanted {
		one := query.Query{Clauses: []query.Clause{c}}
		found, all, err := g.from.count(ctx, one, answers.MaxPresentWork/int64(len(wanted)))
		if err != nil {
			return nil, err
		}
		if found == 0 && !all {
			return nil, nil
		}
		if found > 0 {
			out.Why = nothingApartPages
			out.Parts = append(out.Parts, banner.Link{Href: g.link("q", one.String()), Text: one.String()})
		}
	}
	return out, nil
}
