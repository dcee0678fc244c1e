package opensearch

import (
	"context"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/search"
)

// Search finds the changes that deleted or added all phrases of a query, as [search.Index.Search] does. If there are very many, only those
// that the engine rates best are sorted exactly.
func (x *Index) Search(ctx context.Context, req search.Request) (*search.Answer, error) {
	if len(req.Query.Phrases) == 0 {
		return &search.Answer{}, nil
	}
	most := max(maxOrdered, req.Skip+req.Limit)
	whole, titled := "gone", "oldertitled"
	if req.Kind == search.Added {
		whole, titled = "came", "titled"
	}
	order := []object{{whole: "asc"}, {"_score": "desc"}, {"after": "desc"}}
	if field := map[search.Sort]string{
		search.ByURL: "key", search.ByTitle: titled, search.ByBefore: "before", search.ByAfter: "after", search.BySize: "size",
		search.ByWhole: whole,
	}[req.Sort]; field != "" {
		order = append([]object{by(field, &req.Order)}, order[1:]...)
	}
	answer, err := searchIndex[keyed](ctx, x, object{
		"size": min(most, 10_000), "_source": []string{"key"}, "query": changes(&req), "sort": order, "track_total_hits": false,
		"aggs": object{
			"all":   object{"value_count": object{"field": "key"}},
			"hosts": byHost(),
			"years": byYear(),
		},
	})
	if err != nil || len(answer.Hits.Hits) == 0 {
		return &search.Answer{}, err
	}
	keys := keysOf(answer)
	slices.Sort(keys)
	pages, err := x.storedPages(ctx, slices.Compact(keys))
	if err != nil {
		return nil, err
	}
	var asked []search.Clause
	for _, p := range req.Query.Phrases {
		asked = append(asked, search.Clause{Any: []search.Phrase{p}})
	}
	stats, err := x.statistics(ctx, asked)
	if err != nil {
		return nil, err
	}
	out, err := search.RateChanges(req, stats.Having, stats.Documents, pages)
	if err != nil {
		return nil, err
	}
	found := int(answer.Aggregations["all"].Value)
	switch {
	case found <= len(answer.Hits.Hits):
	case exactlyKnown(&req):
		out.Total = found
		out.Hosts, out.Years = search.MostFirst(answer.Aggregations.of("hosts").counts(false)), answer.Aggregations.of("years").counts(false)
	default:
		out.Untold = found - len(answer.Hits.Hits)
	}
	hits := out.Hits[min(req.Skip, len(out.Hits)):]
	out.Hits = hits[:min(req.Limit, len(hits))]
	return out, nil
}

// exactlyKnown reports whether the engine's query selects exactly the requested changes. It can't for phrases of several words that occur
// less often in the newer version: that needs histories.
func exactlyKnown(req *search.Request) bool {
	return req.Kind != search.SemiDeleted || !slices.ContainsFunc(req.Query.Phrases, func(p search.Phrase) bool { return len(p) > 1 })
}

// changes selects the versions that may be a change that the request asks for.
func changes(req *search.Request) object {
	filter := append([]object{term("kind", kindVersion)}, cameWithin(&req.Bounds)...)
	if req.Page != "" {
		filter = append(filter, term("key", req.Page))
	}
	var must, none []object
	for _, p := range req.Query.Phrases {
		switch {
		case req.Kind == search.Deleted:
			must, none = append(must, phrase("older", p)), append(none, phrase("text", p))
		case req.Kind == search.Added:
			must, none = append(must, phrase("text", p)), append(none, phrase("older", p))
		case len(p) == 1:
			must = append(must, term("fewer", search.Clip(p[0])))
		default:
			must = append(must, phrase("older", p), phrase("text", p))
		}
	}
	return object{"bool": object{"filter": filter, "must": must, "must_not": none}}
}

// Totals counts the changes of every kind that match a request, whatever its kind, as [search.Index.Totals] does.
func (x *Index) Totals(ctx context.Context, req search.Request) (n search.Totals, untold int, err error) {
	req.Skip, req.Limit = 0, 1
	for k := range n {
		req.Kind = search.Kind(k)
		answer, err := x.Search(ctx, req)
		if err != nil {
			return n, 0, err
		}
		n[k] = answer.Total
		untold += answer.Untold
	}
	return n, untold, nil
}

// Turns returns the changes of a page in which the count of any phrase of the query differs, as [search.Index.Turns] does.
func (x *Index) Turns(ctx context.Context, p search.Page, q search.Query) (turns []search.Change, indexed bool, err error) {
	answer, err := searchIndex[storedPage](ctx, x, object{
		"size": 1, "_source": []string{"key", "signature", "history"}, "query": pagesWith(p.Key),
	})
	if err != nil || len(answer.Hits.Hits) == 0 || answer.Hits.Hits[0].Source.Signature != signatureOf(p) {
		return nil, false, err
	}
	turns, err = search.TurnsOf(&search.StoredPage{Key: p.Key, Parts: answer.Hits.Hits[0].Source.History}, q)
	if err != nil {
		return nil, false, fmt.Errorf("search: changes of %s: %w", p.Key, err)
	}
	return turns, true, nil
}
