package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// Limits of a page of results: how many it has by default and at most, and how far paging goes.
const (
	DefaultSearchLimit = 20
	maxSearchLimit     = 1000
	maxSearchSkip      = 100_000
)

// A SearchList is the answer of /{coll}/search: the changes that deleted or added the text, the best first.
type SearchList struct {
	Q      string `json:"q"`
	Change string `json:"change"`
	Total  int    `json:"total"`
	Page   int    `json:"page"`
	// Untold is the number of further changes that may match: their versions can't be read, or there are more versions than one search
	// reads.
	Untold int `json:"untold,omitempty"`
	// Totals has the number of changes of each kind if none of the requested kind was found.
	Totals map[string]int `json:"totals,omitempty"`
	// Suggestion is the query with words that the collection doesn't have replaced by words that it has.
	Suggestion string `json:"suggestion,omitempty"`
	// Note is a sentence on how the query was read or what could not be checked.
	Note    string         `json:"note,omitempty"`
	Index   answers.State  `json:"index"`
	Results []SearchResult `json:"results"`
	Facets  SearchFacets   `json:"facets"`
}

// SearchFacets count the found changes by domain, the most frequent first, and by year, in order.
type SearchFacets struct {
	Domains []answers.Facet `json:"domains"`
	Years   []answers.Facet `json:"years"`
	// Collections counts the changes of a search over all collections.
	Collections []answers.Facet `json:"collections,omitempty"`
}

// A SearchResult is one change.
type SearchResult struct {
	OriginalURI string  `json:"original_uri"`
	Title       string  `json:"title"`
	Score       float64 `json:"score"`
	Soft404     bool    `json:"soft404"`
	// Whole says that the whole content was deleted or added, which is rarely an edit.
	Whole        bool       `json:"whole"`
	Before       *SearchEnd `json:"before"` // null if the page's first version added the text
	After        SearchEnd  `json:"after"`
	Addition     *SearchEnd `json:"addition"`
	LifespanDays int        `json:"lifespan_days"`
	Size         int        `json:"size"` // deleted and added words
	Snippets     []Snippet  `json:"snippets"`
	// Unreadable says that the record of a version can't be read now, so that snippets may be missing.
	Unreadable bool        `json:"unreadable,omitempty"`
	Links      SearchLinks `json:"links"`
	// Collection is where the page is, in a search over all.
	Collection string `json:"collection,omitempty"`

	hit *search.Hit
}

// A SearchEnd is a memento, and how many times the text occurs in it.
type SearchEnd struct {
	URIM     string `json:"uri_m"`
	Datetime string `json:"datetime"`
	Count    *int   `json:"count,omitempty"`
}

// SearchLinks lead to pages about the change; "" means that there is none.
type SearchLinks struct {
	Diff      string `json:"diff"`
	Sliding   string `json:"sliding"`
	Animation string `json:"animation"`
}

// asked are the parameters that all kinds of search have in common.
type asked struct {
	q, change   string
	sort        string
	domain, url string
	from, to    string
	exact       bool // url is one address, not a prefix
	page, limit int
}

// readAsked returns the parameters without checking them.
func readAsked(p respond.Path) asked {
	get := p.Params.Get
	return asked{
		q: get("q"), change: get("change"), sort: get("sort"), domain: get("domain"), url: get("url"), from: get("from"), to: get("to"),
		exact: get("matchType") == string(surt.Exact) && get("url") != "", page: 1, limit: DefaultSearchLimit,
	}
}

// setPage reads which page of results is requested.
func (a *asked) setPage(p respond.Path) (err error) {
	for _, n := range []struct {
		name string
		at   *int
		most int
	}{{"page", &a.page, maxSearchSkip}, {"limit", &a.limit, maxSearchLimit}} {
		if v := p.Params.Get(n.name); v != "" {
			if *n.at, err = strconv.Atoi(v); err != nil || *n.at < 1 || *n.at > n.most {
				return respond.BadRequest(fmt.Sprintf("%s %.20q: want a whole number from 1 to %d", n.name, v, n.most))
			}
		}
	}
	if a.skip() > maxSearchSkip {
		const say = "there are no pages behind the first %d results: narrow the search by domain, url, from or to"
		return respond.BadRequest(fmt.Sprintf(say, maxSearchSkip))
	}
	return nil
}

// skip returns how many results are on the pages before.
func (a *asked) skip() int { return (a.page - 1) * a.limit }

// bounds returns the filters as the key of a page, if they name one, and bounds.
func (a *asked) bounds() (page string, b search.Bounds, err error) {
	prefix := a.url
	if a.exact {
		prefix, page = "", surt.Of(memento.ParseURIR(a.url))
	}
	b, err = answers.Bounds(a.domain, prefix, a.from, a.to)
	return page, b, err
}

// searchParams are the parameters of a request for changes.
type searchParams struct {
	asked
	request search.Request
}

// uncheckedParams returns the parameters without checking them.
func uncheckedParams(p respond.Path) *searchParams { return &searchParams{asked: readAsked(p)} }

// parseSearchParams reads and checks the parameters. It reports an error of the query only if all else is right.
func parseSearchParams(p respond.Path) (*searchParams, error) {
	a := uncheckedParams(p)
	kind, err := search.ParseKind(a.change)
	if err != nil {
		return nil, respond.BadRequest(fmt.Sprintf("change %.20q: want %s, deleted, semi-deleted or added", a.change, changePresent))
	}
	if err := a.setPage(p); err != nil {
		return nil, err
	}
	a.change, a.request.Kind, a.request.Work = kind.String(), kind, maxSearchWork
	a.request.Skip, a.request.Limit = a.skip(), a.limit
	if a.request.Order, err = search.ChangeOrder(a.sort); err != nil {
		return nil, respond.BadRequest(err.Error())
	}
	if a.request.Page, a.request.Bounds, err = a.bounds(); err != nil {
		return nil, err
	}
	a.request.Query, err = search.Parse(a.q)
	return a, err
}

// Search answers /{coll}/search: a page for browsers, JSON for others.
func (s *Handler) Search(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	of, err := s.searches.Of(p.Coll)
	if err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	if change := p.Params.Get("change"); change == "" || change == changePresent {
		return s.present(w, r, p, of)
	}
	output, err := outputOf(p)
	switch {
	case err != nil:
		return err
	case output != "":
		return s.changesOutput(w, r, p, []named{{coll: p.Coll, of: of}}, output)
	case respond.IsBrowser(r):
		return s.searchPage(w, r, p, of)
	}
	ask, err := parseSearchParams(p)
	if err != nil {
		return queryRefused(err)
	}
	out, err := s.find(r.Context(), of, ask, s.site.Absolute(r, p.Coll))
	if err != nil {
		return err
	}
	if err := out.tellKinds(r.Context(), of, ask); err != nil {
		return err
	}
	return respond.WriteJSON(w, r, out)
}

// tellKinds says how many changes there are of each kind, if none of the requested kind was found.
func (l *SearchList) tellKinds(ctx context.Context, of *searches.Collection, ask *searchParams) error {
	if l.Total > 0 {
		return nil
	}
	totals, _, err := of.Totals(ctx, ask.request)
	if err != nil {
		return err
	}
	l.Totals = map[string]int{}
	for k, n := range totals {
		l.Totals[search.Kind(k).String()] = n
	}
	return nil
}

// queryRefused turns an error in a query into an answer for the client.
func queryRefused(err error) error {
	for _, known := range []error{
		search.ErrEmpty, search.ErrNoWord, search.ErrLong, search.ErrQuote, query.ErrEmpty, query.ErrLong,
	} {
		if errors.Is(err, known) {
			return respond.BadRequest(err.Error())
		}
	}
	return err
}

// plainNote explains to users of another search engine's operators how the query was read.
const plainNote = "there are no operators here: the words of the query were searched as they are"

// untoldNote says what to do if not all changes could be checked.
const untoldNote = "some changes could not be checked for the phrase: narrow the search by url, from or to to see all of them"

// maxSearchWork bounds how much of the index one search unpacks, in bytes: somewhat less than a second on one core.
const maxSearchWork = answers.MaxPresentWork

// find runs a search and describes each change that it found.
func (s *Handler) find(ctx context.Context, of *searches.Collection, ask *searchParams, uris memento.URIs) (*SearchList, error) {
	found, err := of.Search(ctx, ask.request)
	if err != nil {
		return nil, err
	}
	out, err := searchListOf(ctx, of, ask, found)
	if err != nil {
		return nil, err
	}
	d := &describer{s: s, of: of, ask: ask, uris: uris, added: map[string][][]cdx.Timestamp{}}
	if err := d.prefetch(ctx, found.Hits); err != nil {
		return nil, err
	}
	for i := range found.Hits {
		result, err := d.describe(ctx, &found.Hits[i])
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, *result)
	}
	return out, nil
}

// searchListOf returns an answer without its results.
func searchListOf(ctx context.Context, of *searches.Collection, ask *searchParams, found *search.Answer) (*SearchList, error) {
	state, err := of.State(ctx)
	if err != nil {
		return nil, err
	}
	out := &SearchList{
		Q: ask.q, Change: ask.change, Total: found.Total, Untold: found.Untold, Page: ask.page, Results: []SearchResult{},
		Index:  state,
		Facets: SearchFacets{Domains: answers.Facets(found.Hosts), Years: answers.Facets(found.Years)},
	}
	switch {
	case found.Untold > 0:
		out.Note = untoldNote
	case ask.request.Query.Plain:
		out.Note = plainNote
	}
	out.Note = joinNotes(out.Index.Note(), out.Note)
	if found.Total == 0 {
		if out.Suggestion, err = of.CorrectPhrases(ctx, ask.request.Query); err != nil {
			return nil, err
		}
	}
	return out, nil
}
