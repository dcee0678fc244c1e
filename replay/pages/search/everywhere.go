package search

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// Everywhere returns the page of a search over all collections.
func (s *Handler) Everywhere(params string) string { return s.site.Path() + "/-/search?" + params }

// SearchEverywhere answers /-/search.
func (s *Handler) SearchEverywhere(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	all := &everywhere{s: s, uris: func(coll string) memento.URIs { return s.site.Local(coll) }}
	if !respond.IsBrowser(r) {
		all.uris = func(coll string) memento.URIs { return s.site.Absolute(r, coll) }
	}
	colls := s.archive.Index.Collections()
	if name := p.Params.Get("collection"); name != "" {
		if !slices.Contains(colls, name) {
			return respond.NotFound("there is no collection of this name here")
		}
		colls = []string{name}
	}
	var lacking error
	for _, coll := range colls {
		of, err := s.searches.Of(coll)
		switch {
		case errors.Is(err, searches.ErrNoSearch):
			lacking = err
		case err != nil:
			return err
		default:
			all.list = append(all.list, named{coll: coll, of: of})
		}
	}
	if lacking != nil && len(all.list) == 0 {
		return lacking
	}
	respond.Vary(w.Header(), "Accept")
	if change := p.Params.Get("change"); change != "" && change != changePresent {
		return s.changesEverywhere(w, r, p, all)
	}
	switch output, err := outputOf(p); {
	case err != nil:
		return err
	case output != "":
		return s.everywhereOutput(w, r, p, all, output)
	case respond.IsBrowser(r):
		return s.presentPage(w, r, p, all)
	}
	return s.presentJSON(w, r, p, all)
}

// everywhereOutput answers with every result, collection by collection, or with a page of them in the requested order.
func (s *Handler) everywhereOutput(w http.ResponseWriter, r *http.Request, p respond.Path, all *everywhere, output string) error {
	all.uris = func(coll string) memento.URIs { return s.site.Absolute(r, coll) }
	switch {
	case isPage(p):
		return s.presentJSON(w, r, p, all)
	case output == outputCSV:
		return s.presentTable(w, r, p, all, all.list)
	}
	return s.presentAll(w, r, p, all, all.list)
}

// everywhere is the search in all collections. Scores are only comparable between collections with the same ranking.
// It implements [searcher] and [source].
type everywhere struct {
	s    *Handler
	list []named
	uris func(coll string) memento.URIs
}

// A named is a collection's search with its name.
type named struct {
	coll  string
	of    *searches.Collection
	asked query.Query // as parsed for this collection
}

// Parse implements [searcher]: collections may have fields of their own, all together have none.
func (e *everywhere) Parse(typed string) (query.Query, error) { return query.Parse(typed) }

func (e *everywhere) Columns() []fields.Column { return nil }

// A foundIn is a page with its collection.
type foundIn struct {
	search.Found
	*named
	missing []string
}

func (e *everywhere) find(ctx context.Context, ask *presentParams) (*PresentList, error) {
	var all []*answers.PagesAnswer
	var hits []foundIn
	for i := range e.list {
		n := &e.list[i]
		req := ask.request
		req.Skip, req.Limit = 0, ask.skip()+ask.limit
		req.Work = answers.MaxPresentWork / int64(len(e.list))
		found, err := n.of.Pages(ctx, n.ranking(ask.ranking), ask.query, req)
		if err != nil {
			return nil, err
		}
		all, n.asked = append(all, found), found.Asked
		for _, h := range found.Hits {
			hits = append(hits, foundIn{h, n, found.Missing(&h)})
		}
	}
	out, err := e.answer(ctx, ask, all)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(hits, func(a, b foundIn) int { return ask.request.Compare(&a.Found, &b.Found) })
	return out, e.describeHits(ctx, ask, pageOf(hits, ask.skip(), ask.limit), out)
}

func (e *everywhere) answer(ctx context.Context, ask *presentParams, all []*answers.PagesAnswer) (*PresentList, error) {
	out, lost := newPresentList(ask), false
	sums := map[*[]Facet][]search.Count{}
	var in []*searches.Collection
	for i, found := range all {
		n := &e.list[i]
		in = append(in, n.of)
		out.count(found)
		lost = lost || len(found.Lost) > 0
		state, err := n.of.State(ctx)
		if err != nil {
			return nil, err
		}
		out.Index.Add(state)
		f := &out.Facets
		for to, counts := range map[*[]Facet][]search.Count{
			&f.Domain: found.Hosts, &f.Year: found.Years, &f.MIME: found.MIMEs, &f.Lang: found.Langs, &out.Chart: found.Chart,
			&f.Collection: {{Name: n.coll, Count: found.Total}},
		} {
			sums[to] = append(sums[to], counts...)
		}
	}
	for to, counts := range sums {
		*to = facets(summed(counts, to == &out.Facets.Year || to == &out.Chart))
	}
	out.note()
	if out.Total > 0 && !lost {
		return out, nil
	}
	return out, out.suggest(ctx, ask, in...)
}

// pageOf returns those of a list that are on a page of results.
func pageOf[T any](list []T, skip, limit int) []T {
	list = list[min(skip, len(list)):]
	return list[:min(limit, len(list))]
}

// summed adds counts with the same name. The result is ordered by name, or by count.
func summed(counts []search.Count, byName bool) []search.Count {
	sums := map[string]int{}
	for _, c := range counts {
		sums[c.Name] += c.Count
	}
	var out []search.Count
	for name, n := range sums {
		if n > 0 {
			out = append(out, search.Count{Name: name, Count: n})
		}
	}
	slices.SortFunc(out, func(a, b search.Count) int {
		if byName {
			return strings.Compare(a.Name, b.Name)
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
	return out
}

// describeHits describes the pages of each collection together, and puts them in their positions.
func (e *everywhere) describeHits(ctx context.Context, ask *presentParams, hits []foundIn, out *PresentList) error {
	out.Results = make([]PresentResult, len(hits))
	for i := range e.list {
		n := &e.list[i]
		var places []int
		var found []search.Found
		for place, h := range hits {
			if h.named == n {
				places, found = append(places, place), append(found, h.Found)
			}
		}
		uris := e.uris(n.coll)
		results, err := e.s.describePages(ctx, uris, ask, n.asked, found, nil, maxShown)
		if err != nil {
			return err
		}
		for j, place := range places {
			results[j].Collection, results[j].collectionHome = n.coll, uris.Home()
			results[j].Missing = hits[place].missing
			out.Results[place] = results[j]
		}
	}
	return nil
}

func (e *everywhere) count(ctx context.Context, q query.Query, work int64) (n int, all bool, err error) {
	all = true
	for i := range e.list {
		found, told, err := (&oneCollection{Collection: e.list[i].of}).count(ctx, q, work/int64(len(e.list)))
		if err != nil {
			return 0, false, err
		}
		n += found
		all = all && told
	}
	return n, all, nil
}

func (e *everywhere) address(ctx context.Context, typed string) *banner.Link {
	for i := range e.list {
		one := oneCollection{nil, e.s, e.list[i].coll, e.uris(e.list[i].coll)}
		if link := one.address(ctx, typed); link != nil {
			return link
		}
	}
	return nil
}

// ranking returns the name of a ranking, "" if the collection has none of this name.
func (n *named) ranking(name string) string {
	if slices.Contains(n.of.Settings().Names(), name) {
		return name
	}
	return ""
}

func (e *everywhere) rankings() (out []string) {
	for i := range e.list {
		out = appendNew(out, e.list[i].of.Settings().Names(), maxRankings)
	}
	return out
}

// maxRankings bounds the rankings that are offered over all collections.
const maxRankings = 100

func (e *everywhere) link(params string) string { return e.s.Everywhere(params) }

func (e *everywhere) describe(ctx context.Context, v *searchView) (err error) {
	v.Everywhere = true
	var all, one answers.State
	for i := 0; i < len(e.list) && err == nil; i++ {
		one, err = e.list[i].of.State(ctx)
		all.Add(one)
	}
	v.Building = building(all)
	return err
}

// changesEverywhere answers searches in changes, with data for browsers too.
func (s *Handler) changesEverywhere(w http.ResponseWriter, r *http.Request, p respond.Path, all *everywhere) error {
	output, err := outputOf(p)
	switch {
	case err != nil:
		return err
	case output != "" && !isPage(p):
		return s.changesOutput(w, r, p, all.list, output)
	}
	ask, err := parseSearchParams(p)
	if err != nil {
		return queryRefused(err)
	}
	skip, limit := ask.skip(), ask.limit
	out := &SearchList{Q: ask.q, Change: ask.change, Page: ask.page, Results: []SearchResult{}}
	for i := range all.list {
		n := &all.list[i]
		one := *ask
		one.request.Skip, one.request.Limit, one.request.Work = 0, skip+limit, maxSearchWork/int64(len(all.list))
		found, err := s.find(r.Context(), n.of, &one, all.uris(n.coll))
		if err != nil {
			return err
		}
		for j := range found.Results {
			found.Results[j].Collection = n.coll
		}
		out.join(n.coll, found)
	}
	slices.SortStableFunc(out.Results, func(a, b SearchResult) int { return ask.request.CompareChanges(a.hit, b.hit) })
	out.Results = pageOf(out.Results, skip, limit)
	if output == outputCSV {
		row := func(c *SearchResult) []string { return c.row(out.Change) }
		return everywhereTable(w, r, out.Change, out.Untold, changeHead(true), out.Results, row)
	}
	return respond.WriteJSON(w, r, out)
}

// join adds what was found in a collection.
func (l *SearchList) join(coll string, o *SearchList) {
	l.Total += o.Total
	l.Untold += o.Untold
	l.Note = cmp.Or(l.Note, o.Note)
	l.Suggestion = cmp.Or(l.Suggestion, o.Suggestion)
	l.Index.Add(o.Index)
	l.Results = append(l.Results, o.Results...)
	l.Facets.Domains = joined(l.Facets.Domains, o.Facets.Domains)
	l.Facets.Years = joined(l.Facets.Years, o.Facets.Years)
	if o.Total > 0 {
		l.Facets.Collections = append(l.Facets.Collections, answers.Facet{Name: coll, Count: o.Total})
	}
}

func joined(a, b []answers.Facet) []answers.Facet {
	for _, f := range b {
		if i := slices.IndexFunc(a, func(o answers.Facet) bool { return o.Name == f.Name }); i >= 0 {
			a[i].Count += f.Count
		} else {
			a = append(a, f)
		}
	}
	return a
}
