package search

import (
	"context"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
)

// A source is a search in pages: that of a collection, or of all collections.
type source interface {
	searcher
	// find searches, and describes what it found.
	find(ctx context.Context, ask *presentParams) (*PresentList, error)
	// answer returns the answer to a search without its results.
	answer(ctx context.Context, ask *presentParams, found []*answers.PagesAnswer) (*PresentList, error)
	// count counts the pages that match, within a limit of work; all is false if there may be more.
	count(ctx context.Context, q query.Query, work int64) (n int, all bool, err error)
	// address returns the calendar of the address that a query may be, or nil.
	address(ctx context.Context, typed string) *banner.Link
	// rankings returns the names of the rankings that can be chosen.
	rankings() []string
	// link returns the search with other parameters.
	link(params string) string
	// describe fills in what is searched.
	describe(ctx context.Context, v *searchView) error
}

// oneCollection is the search in a collection.
type oneCollection struct {
	*searches.Collection
	s    *Handler
	coll string
	uris memento.URIs
}

func (o *oneCollection) find(ctx context.Context, ask *presentParams) (*PresentList, error) {
	found, err := o.Pages(ctx, ask.ranking, ask.query, ask.request)
	if err != nil {
		return nil, err
	}
	out, err := o.answer(ctx, ask, []*answers.PagesAnswer{found})
	if err != nil {
		return nil, err
	}
	if out.Results, err = o.s.describePages(ctx, o.uris, ask, found.Asked, found.Hits, o.Columns(), maxShown); err != nil {
		return nil, err
	}
	for i := range found.Hits {
		out.Results[i].Missing = found.Missing(&found.Hits[i])
	}
	return out, nil
}

func (o *oneCollection) answer(ctx context.Context, ask *presentParams, of []*answers.PagesAnswer) (*PresentList, error) {
	state, err := o.State(ctx)
	if err != nil {
		return nil, err
	}
	found := of[0]
	out := newPresentList(ask)
	out.Index, out.Ranking, out.Rankings = state, ask.ranking, o.rankings()
	out.Facets = PresentFacets{
		Domain: facets(found.Hosts), Year: facets(found.Years), MIME: facets(found.MIMEs), Lang: facets(found.Langs),
	}
	out.Chart, out.Columns = facets(found.Chart), columns(o.Columns())
	out.count(found)
	out.note()
	if found.Total == 0 || len(found.Lost) > 0 {
		err = out.suggest(ctx, ask, o.Collection)
	}
	return out, err
}

// tabWork bounds the bytes of the index that are read to count changes beside pages: about a tenth of a second.
const tabWork = 16 << 20

// changes counts the changes of each kind; -1 is unknown.
func (o *oneCollection) changes(ctx context.Context, req search.Request) (search.Totals, error) {
	req.Work = tabWork
	n, untold, err := o.Totals(ctx, req)
	if untold > 0 {
		n = search.Totals{-1, -1, -1}
	}
	return n, err
}

func (o *oneCollection) count(ctx context.Context, q query.Query, work int64) (n int, all bool, err error) {
	found, err := o.Pages(ctx, "", q, search.PresentRequest{Work: work})
	if err != nil {
		return 0, false, err
	}
	return found.Total, found.Untold == 0 && len(found.Bounded) == 0, nil
}

func (o *oneCollection) address(ctx context.Context, typed string) *banner.Link {
	uriR := memento.ParseURIR(typed)
	if uriR == "" || !o.s.isAddress(ctx, o.coll, typed) {
		return nil
	}
	return &banner.Link{Href: o.uris.Calendar(uriR), Text: uriR}
}

func (o *oneCollection) rankings() []string { return o.Settings().Names() }

func (o *oneCollection) link(params string) string { return o.uris.Endpoint("search", params) }

func (o *oneCollection) describe(ctx context.Context, v *searchView) error {
	state, err := o.State(ctx)
	v.Building, v.Terms = building(state), o.uris.Endpoint("terms", "")
	v.Feed = (&asked{q: v.Q, domain: v.Domain, url: v.URL, exact: v.Exact}).follow(o.uris, search.Added)
	return err
}
