package search

import (
	"context"
	"strconv"
	"strings"
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
	domains := found.Facets.Domains
	v.Domains = facetChoices(domains[:min(len(domains), maxDomains)], g.ask.domain, g.link, "domain")
	v.Years = facetChoices(found.Facets.Years, g.ask.year(), g.link, "from", "to")
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
	v.Prev, v.Next = g.ask.beside(found.Total, len(found.Results), g.link)
	if len(v.Results) == 0 {
		v.Nothing, err = g.nothing(ctx, found, totals)
	} else {
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

// beside returns links to the pages of results before and after one that has some.
func (a *asked) beside(total, here int, link linkTo) (prev, next string) {
	if a.page > 1 && here > 0 {
		prev = link("page", strconv.Itoa(a.page-1))
	}
	if total > a.skip()+here && here > 0 {
		next = link("page", strconv.Itoa(a.page+1))
	}
	return prev, next
}

// isSpaceless reports whether a character is of a script that is written without spaces between words.
func isSpaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func (g *searchPage) notices(total int) []notice {
	var out []notice
	if g.untold {
		out = append(out, noticeUntold)
	}
	if g.ask.request.Query.Plain {
		out = append(out, noticeOperators)
	}
	if total == 0 && strings.ContainsFunc(g.ask.q, isSpaceless) {
		out = append(out, noticeCharacters)
	}
	return out
}

// maxDomains is how many domains, media types and languages a page lists.
const maxDomains = 20

// facetChoices returns the values of a facet by which the results can be narrowed down; none if there is only one to choose.
func facetChoices[F answers.Facet | Facet](counts []F, active string, link linkTo, params ...string) []choice {
	var out []choice
	for _, c := range counts {
		out = append(out, choiceOf(search.Count(c), active, link, params...))
	}
	if len(out) == 1 && !out[0].Active {
		return nil
	}
	return out
}

// choiceOf returns the link that sets parameters to a value, or removes them if it is the active value.
func choiceOf(c search.Count, active string, link linkTo, params ...string) choice {
	value := c.Name
	if value == active {
		value = ""
	}
	var change []string
	for _, p := range params {
		change = append(change, p, value)
	}
	return choice{Text: c.Name, Count: c.Count, Href: link(change...), Active: c.Name == active}
}

// year returns the one to which the search is limited, or "".
func (a *asked) year() string {
	if a.from == a.to {
		return a.from
	}
	return ""
}
