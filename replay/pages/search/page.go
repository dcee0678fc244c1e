package search

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A searchPage builds a page of the search in changes.
type searchPage struct {
	s    *Handler
	of   *searches.Collection
	coll string
	uris memento.URIs
	ask  *searchParams

	untold bool // some change could not be checked, perhaps one of another kind
}

// SearchIn returns the page for searching what was deleted from a URI-R, or "" if the server has no search.
func (s *Handler) SearchIn(uris memento.URIs, uriR string) string {
	if !s.searches.Exist() {
		return ""
	}
	v := url.Values{"url": {uriR}, "matchType": {string(surt.Exact)}, "change": {search.Deleted.String()}}
	return uris.Endpoint("search", v.Encode())
}

// Paths returns the search and the terms of a collection, or "" if the server has no search.
func (s *Handler) Paths(uris memento.URIs) (search, terms string) {
	if !s.searches.Exist() {
		return "", ""
	}
	return uris.Endpoint("search", ""), uris.Endpoint("terms", "")
}

// searchPage answers /{coll}/search for browsers: the form, and what was found, or why nothing was.
func (s *Handler) searchPage(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	ask, err := parseSearchParams(p)
	refused, ok := refusedAs(p, err)
	if !ok {
		return err
	}
	if ask == nil {
		ask = uncheckedParams(p)
		ask.request.Kind, _ = search.ParseKind(ask.change)
	}
	g := &searchPage{s: s, of: of, coll: p.Coll, uris: s.site.Local(p.Coll), ask: ask}
	return s.render(w, r, p, g, refused, err == nil)
}

// A results builds the page of a search.
type results interface {
	view(context.Context, layout.Page) (searchView, error)
	fill(context.Context, *searchView) error
}

// render answers with a search page: with the results if the request is valid, else with what is wrong with it.
func (s *Handler) render(w http.ResponseWriter, r *http.Request, p respond.Path, g results, refused refusal, whole bool) error {
	v, err := g.view(r.Context(), s.Shared(r, p))
	if err != nil {
		return err
	}
	if refused != refusedNot {
		v.Refused = refused
		return respond.Render(w, r, http.StatusBadRequest, resultsPage(v))
	}
	if whole && v.Refused == refusedNot {
		if err := g.fill(r.Context(), &v); err != nil {
			return err
		}
	}
	return respond.Render(w, r, http.StatusOK, resultsPage(v))
}

// refusedAs says what is wrong with a request, in the page's terms. ok is false if the page can't say it. A page
// without a query asks for one.
func refusedAs(p respond.Path, err error) (r refusal, ok bool) {
	get := p.Params.Get
	_, wrongTime := answers.Bounds("", "", get("from"), get("to"))
	_, wrongFilter := answers.Bounds(get("domain"), get("url"), "", "")
	switch {
	case err == nil, errors.Is(err, search.ErrEmpty):
		return refusedNot, true
	case errors.Is(err, search.ErrLong):
		return refusedLong, true
	case errors.Is(err, search.ErrQuote):
		return refusedQuotes, true
	case errors.Is(err, search.ErrNoWord):
		return refusedNoWords, true
	case wrongTime != nil:
		return refusedTime, true
	case wrongFilter != nil:
		return refusedFilter, true
	}
	return refusedNot, false
}

// view returns the page without results.
func (g *searchPage) view(ctx context.Context, page layout.Page) (searchView, error) {
	a := g.ask
	state, err := g.of.State(ctx)
	if a.exact {
		page.URIR = a.url
	}
	page.Asks, page.Asked, page.Feed = true, a.q, a.follow(g.uris, a.request.Kind)
	var hidden []layout.Hidden
	if a.sort != "" {
		hidden = append(hidden, layout.Hidden{Name: "sort", Value: a.sort})
	}
	return searchView{
		Hidden: hidden,
		Page:   page, Q: a.q, Change: textChange(a.request.Kind),
		URL: a.shownURL(), Exact: a.exact, Domain: a.domain, From: a.from, To: a.to, Filters: a.filters(g.link),
		Building: building(state), Terms: g.uris.Endpoint("terms", ""),
	}, err
}

// link is a [linkTo]. It leads to the first page.
func (g *searchPage) link(change ...string) string {
	return g.uris.Endpoint("search", changed(g.ask.values(), change))
}

// A linkTo returns a search with some parameters changed: names and values in turn, and "" removes a parameter.
type linkTo func(change ...string) string

// shownURL returns the address to which the search is limited, without the scheme, which makes no difference.
func (a *asked) shownURL() string {
	return strings.TrimPrefix(strings.TrimPrefix(a.url, "http://"), "https://")
}

// filters returns the active ones.
func (a *asked) filters(link linkTo) []filter {
	var out []filter
	for _, f := range []struct {
		by    filterBy
		value string
		off   []string
	}{
		{byURL, a.shownURL(), []string{"url", "", "matchType", ""}},
		{byDomain, a.domain, []string{"domain", ""}},
		{byFrom, a.from, []string{"from", ""}},
		{byTo, a.to, []string{"to", ""}},
	} {
		if f.by == byURL && a.exact {
			f.by = byPage
		}
		if f.value != "" {
			out = append(out, filter{By: f.by, Text: f.value, Href: link(f.off...)})
		}
	}
	return out
}

// building returns the progress of a search, or nil if it is complete.
func building(state answers.State) *layout.Progress {
	if !state.Building {
		return nil
	}
	return &layout.Progress{Done: int(state.Searched), Total: int(state.Pages)}
}
