package search

import (
	"context"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/banner"
)

// Limits: pages that are checked for still having a text, and texts that are read.
const (
	maxStanding = 1000
	maxRead     = 30
)

// A scope is a search with some of its filters removed, and the parameters for that.
type scope struct {
	request search.Request
	lift    []string
}

// nothing finds out why there are no results, and where there are some: in other kinds of change, outside the requested
// datetimes, or without filters. It returns nil if it can't tell.
func (g *searchPage) nothing(ctx context.Context, found *SearchList, totals search.Totals) (*noResults, error) {
	switch {
	case found.Total > 0:
		return &noResults{Why: nothingPage, Href: g.link()}, nil
	case found.Index.Building:
		return &noResults{Why: nothingYet}, nil
	case found.Untold > 0:
		return nil, nil
	}
	for i, sc := range g.scopes() {
		if i > 0 {
			var err error
			if totals, err = g.totals(ctx, sc.request); err != nil {
				return nil, err
			}
			if n := totals[g.ask.request.Kind]; n > 0 {
				return &noResults{Why: nothingFiltered, Count: n, Href: g.link(sc.lift...)}, nil
			}
			if totals == (search.Totals{}) {
				continue
			}
		} else if totals == (search.Totals{}) || g.ask.from+g.ask.to != "" {
			continue // changes at other times decide
		}
		return g.otherKinds(ctx, sc, totals)
	}
	return g.neverOrInParts(ctx)
}

// scopes returns the search as it is, without its datetimes, and without any filter.
func (g *searchPage) scopes() []scope {
	a := g.ask
	out := []scope{{a.request, nil}}
	lift := []string{"from", "", "to", ""}
	if a.from+a.to != "" {
		req := out[0].request
		req.Since, req.Until = 0, 0
		out = append(out, scope{req, lift})
	}
	if a.url+a.domain != "" {
		req := out[0].request
		req.Bounds, req.Page = search.Bounds{}, ""
		out = append(out, scope{req, append(lift, "url", "", "matchType", "", "domain", "")})
	}
	return out
}

// otherKinds links to changes of another kind. A text that was added and never deleted still exists.
func (g *searchPage) otherKinds(ctx context.Context, sc scope, totals search.Totals) (*noResults, error) {
	other := func(why noResultsReason, k search.Kind) *noResults {
		href := g.link(append([]string{"change", k.String()}, sc.lift...)...)
		return &noResults{Why: why, Count: totals[k], Other: textChange(k), Href: href}
	}
	kind := g.ask.request.Kind
	switch {
	case kind == search.Deleted && totals[search.SemiDeleted] > 0:
		return other(nothingPartly, search.SemiDeleted), nil
	case kind != search.Deleted && totals[search.Deleted] > 0:
		return other(nothingKind, search.Deleted), nil
	case kind == search.Added:
		return other(nothingKind, search.SemiDeleted), nil
	}
	n, card, err := g.stillStanding(ctx, sc.request)
	if err != nil || card == nil {
		return other(nothingKind, search.Added), err
	}
	out := other(nothingStands, search.Added)
	out.Count, out.Stands = n, card
	return out, nil
}

// stillStanding counts the pages whose newest version has the text, and returns one such memento. A single phrase that was added and
// never deleted is still there. Several phrases may have been deleted one by one, so texts have to be read.
func (g *searchPage) stillStanding(ctx context.Context, req search.Request) (n int, card *standing, err error) {
	req.Kind, req.Skip, req.Limit = search.Added, 0, maxStanding
	req.Since, req.Until = 0, 0
	found, err := g.of.Search(ctx, req)
	if err != nil {
		return 0, nil, err
	}
	one, seen := len(req.Query.Phrases) == 1, map[string]bool{}
	for _, h := range found.Hits {
		if seen[h.Key] {
			continue
		}
		seen[h.Key] = true
		if len(seen) > maxRead || one && card != nil {
			continue
		}
		stands, err := g.newest(ctx, h.Key, &req.Query)
		if err != nil {
			return 0, nil, err
		}
		if stands != nil {
			n++
			if card == nil {
				card = stands
			}
		}
	}
	if one {
		n = len(seen)
	}
	return n, card, nil
}

// neverOrInParts tells whether none of the phrases is anywhere, or which of them are, so that only their combination is missing.
func (g *searchPage) neverOrInParts(ctx context.Context) (*noResults, error) {
	out := &noResults{Why: nothingNever}
	phrases := g.ask.request.Query.Phrases
	if len(phrases) < 2 {
		if g.untold {
			return nil, nil
		}
		return out, nil
	}
	for _, p := range phrases {
		req := search.Request{Query: search.Query{Phrases: []search.Phrase{p}}, Kind: search.Added, Work: maxSearchWork / int64(len(phrases))}
		found, err := g.of.Search(ctx, req)
		if err != nil {
			return nil, err
		}
		if found.Total == 0 && found.Untold > 0 {
			return nil, nil
		}
		if found.Total == 0 {
			continue
		}
		out.Why = nothingApart
		q := p.Typed()
		out.Parts = append(out.Parts, banner.Link{Href: g.link("q", q), Text: q})
	}
	return out, nil
}
