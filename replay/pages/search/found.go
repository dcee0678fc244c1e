package search

import (
	"context"
	"strconv"
	"unicode"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/banner"
)

// fill puts the results into the view.
func (g *searchPage) fill(ctx context.Context, v *searchView) error {
	found, err := g.s.find(ctx, g.of, g.ask, g.uris)
	if err != nil {
		return err
	}
	totals, err := g.totals(ctx, g.ask.request)
	if err != nil {
		return err
	}
	v.Total, v.PageNo, v.First = found.Total, g.ask.page, g.ask.request.Skip+1
	if v.Tabs, err = g.tabs(ctx, totals); err != nil {
		return err
	}
	v.Sorts = g.ask.sorts(found.Total, g.link, "title", "url", "-size")
	v.Domains = facetChoices(found.Facets.Domains, "domain", g.ask.domain, g.link)
	v.Years = listed(found.Facets.Years, g.year)
	if found.Suggestion != "" {
		v.Suggestion = banner.Link{Href: g.link("q", found.Suggestion), Text: found.Suggestion}
	}
	for i := range found.Results {
		result, err := g.result(ctx, &found.Results[i])
		if err != nil {
			return err
		}
		v.Results = append(v.Results, *result)
	}
	if g.ask.page > 1 {
		v.Prev = g.link("page", strconv.Itoa(g.ask.page-1))
	}
	if rest := found.Total - g.ask.request.Skip - len(found.Results); rest > 0 && len(found.Results) > 0 {
		v.Next = g.link("page", strconv.Itoa(g.ask.page+1))
	}
	if len(v.Results) == 0 {
		v.Prev = ""
		v.Nothing, err = g.nothing(ctx, found, totals)
	}
	if len(v.Results) > 0 {
		v.CSV, v.JSON = g.link("output", "csv"), g.link("output", "json")
	}
	v.Notices = g.notices(found.Total)
	return err
}

func (g *searchPage) totals(ctx context.Context, req search.Request) (search.Totals, error) {
	n, untold, err := g.of.Totals(ctx, req)
	g.untold = g.untold || untold > 0
	return n, err
}

func (g *searchPage) tabs(ctx context.Context, totals search.Totals) ([]tab, error) {
	present := tab{Change: textPresent, Href: g.link("change", changePresent, "sort", ""), Count: -1}
	if q, err := g.of.Parse(g.ask.q); err == nil {
		found, err := g.of.Pages(ctx, "", q, search.PresentRequest{Bounds: g.ask.request.Bounds, Page: g.ask.request.Page, Work: tabWork})
		if err != nil {
			return nil, err
		}
		if found.Untold == 0 && len(found.Bounded) == 0 {
			present.Count = found.Total
		}
	}
	out := []tab{present}
	for _, k := range []search.Kind{search.Deleted, search.Added, search.SemiDeleted} {
		out = append(out, tab{
			Change: textChange(k), Href: g.link("change", k.String(), "sort", ""), Count: totals[k], Current: k == g.ask.request.Kind,
		})
	}
	return out, nil
}

// spaceless are the scripts that are written without spaces between words.
func spaceless() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	}
}

func (g *searchPage) notices(total int) []notice {
	var out []notice
	if g.untold {
		out = append(out, noticeUntold)
	}
	if g.ask.request.Query.Plain {
		out = append(out, noticeOperators)
	}
	if total > 0 {
		return out
	}
	for _, r := range g.ask.q {
		if unicode.In(r, spaceless()...) {
			return append(out, noticeCharacters)
		}
	}
	return out
}

// maxDomains is how many domains the page lists.
const maxDomains = 20

func (g *searchPage) year(c search.Count) choice { return g.ask.year(c, g.link) }

// facetChoices returns the values of a facet by which the results can be narrowed down; link returns the search with parameters changed.
// There is none if there is only one to choose.
func facetChoices[F answers.Facet | Facet](counts []F, name, active string, link func(change ...string) string) []choice {
	return listed(counts[:min(len(counts), maxDomains)], func(c search.Count) choice {
		if c.Name == active {
			return choice{Text: c.Name, Count: c.Count, Href: link(name, ""), Active: true}
		}
		return choice{Text: c.Name, Count: c.Count, Href: link(name, c.Name)}
	})
}

func (a *asked) year(c search.Count, link func(change ...string) string) choice {
	if a.from == c.Name && a.to == c.Name {
		return choice{Text: c.Name, Count: c.Count, Href: link("from", "", "to", ""), Active: true}
	}
	return choice{Text: c.Name, Count: c.Count, Href: link("from", c.Name, "to", c.Name)}
}

// listed returns each value as a choice, none if there is only one to choose.
func listed[F answers.Facet | Facet](counts []F, of func(search.Count) choice) []choice {
	var out []choice
	for _, c := range counts {
		out = append(out, of(search.Count(c)))
	}
	if len(out) == 1 && !out[0].Active {
		return nil
	}
	return out
}
