package opensearch

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/varve-archive/varve/archive/search"
)

// A keyed is the part of a candidate that is fetched first.
type keyed struct{ Key string }

// Present finds the pages that had words and phrases in any version, as [search.Index.Present] does. If there are very many, only those
// that the engine rates best are sorted exactly.
func (x *Index) Present(ctx context.Context, req search.PresentRequest) (*search.PresentAnswer, error) {
	scored := req.Scored()
	if len(scored) == 0 {
		return &search.PresentAnswer{}, nil
	}
	if req.Sort == search.ByField {
		if _, ok := x.Fields().Column(req.By); !ok {
			return nil, fmt.Errorf("search: no template has the field %s", req.By)
		}
	}
	most := min(max(maxOrdered, req.Skip+req.Limit), 10_000)
	aggs := object{
		"pages": pagesOf(), "hosts": facet("host", "_count"), "years": facet("years", "_key"), "mimes": facet("mime", "_count"),
		"langs": facet("lang", "_count"), "whole": object{"filter": withAllOptional(&req), "aggs": object{"pages": pagesOf()}},
	}
	if r := ranked(&req.Order, most); r != nil {
		aggs["ranked"] = r
	}
	answer, err := searchIndex[keyed](ctx, x, object{
		"size": most, "_source": []string{"key"}, "track_total_hits": false, "query": matching(&req), "sort": x.sorted(&req),
		"collapse": object{"field": "key"}, "aggs": aggs,
	})
	if err != nil || len(answer.Hits.Hits) == 0 {
		return &search.PresentAnswer{}, err
	}
	stats, err := x.statistics(ctx, scored)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, c := range answer.Aggregations.of("ranked").counts(false) {
		keys = append(keys, c.Name)
	}
	if len(keys) == 0 {
		keys = keysOf(answer)
	}
	out, err := x.rate(ctx, req, stats, keys)
	if err != nil {
		return nil, err
	}
	out.Statistics = stats
	if n := int(answer.Aggregations["pages"].Value); n > len(keys) {
		out.Total, out.Ordered = n, n
		out.Whole = out.Total
		if w := answer.Aggregations["whole"].Pages; w != nil {
			out.Whole = int(w.Value)
		}
		by := func(name string) []search.Count { return answer.Aggregations.of(name).counts(true) }
		out.Hosts, out.Years, out.MIMEs = search.MostFirst(by("hosts")), by("years"), search.MostFirst(by("mimes"))
		out.Langs, out.Chart = search.MostFirst(by("langs")), answer.Aggregations.of("years").counts(false)
	}
	hits := out.Hits[min(req.Skip, len(out.Hits)):]
	out.Hits = hits[:min(req.Limit, len(hits))]
	return out, nil
}

// rate fetches pages and rates them.
func (x *Index) rate(
	ctx context.Context, req search.PresentRequest, stats search.Statistics, keys []string,
) (*search.PresentAnswer, error) {
	pages, err := x.storedPages(ctx, keys)
	if err != nil {
		return nil, err
	}
	if err := x.linked(ctx, &req, req.Scored(), pages); err != nil {
		return nil, err
	}
	return search.Rate(x.Fields(), req, stats, pages)
}

// Each yields every page that matches, as [search.Index.Each] does: by address, some hundred at a time.
func (x *Index) Each(ctx context.Context, req search.PresentRequest) iter.Seq2[search.Found, error] {
	req.Order = search.Order{}
	return func(yield func(search.Found, error) bool) {
		scored := req.Scored()
		if len(scored) == 0 {
			return
		}
		stats, err := x.statistics(ctx, scored)
		for after := ""; err == nil; {
			var answer *hits[keyed]
			answer, err = searchIndex[keyed](ctx, x, object{
				"size": maxOrdered, "_source": []string{"key"}, "track_total_hits": false, "collapse": object{"field": "key"},
				"sort": []object{{"key": "asc"}}, "query": object{"bool": object{"filter": []object{
					matching(&req), {"range": object{"key": object{"gt": after}}},
				}}},
			})
			if err != nil || len(answer.Hits.Hits) == 0 {
				break
			}
			keys := keysOf(answer)
			after = keys[len(keys)-1]
			var found *search.PresentAnswer
			found, err = x.rate(ctx, req, stats, keys)
			for i := 0; err == nil && i < len(found.Hits); i++ {
				if !yield(found.Hits[i], nil) {
					return
				}
			}
		}
		if err != nil {
			yield(search.Found{}, err)
		}
	}
}

// matching selects the versions that match a request.
func matching(req *search.PresentRequest) object {
	filter := append([]object{term("kind", kindVersion), term("shown", true)}, within(&req.Bounds)...)
	if req.Page != "" {
		filter = append(filter, term("key", req.Page))
	}
	if req.Since != 0 {
		filter = append(filter, from("last", req.Since))
	}
	if req.Until != 0 {
		filter = append(filter, until("first", req.Until))
	}
	if req.At != 0 {
		filter = append(filter, until("first", req.At), anyOf([]object{term("until", 0), {"range": object{"until": object{"gt": req.At}}}}))
	}
	for field, value := range map[string]string{"mime": req.MIME, "lang": req.Lang} {
		if value != "" {
			filter = append(filter, term(field, value))
		}
	}
	if req.Status != 0 {
		filter = append(filter, term("status", req.Status))
	}
	var must, none []object
	text, rated := false, ratedIn(req.Scored())
	demand := func(c *search.Clause) object {
		text = text || c.Field == search.FieldText || c.Field == search.FieldTitle
		return clause(c, rated)
	}
	for i := range req.All {
		must = append(must, demand(&req.All[i]))
	}
	for _, group := range req.Any {
		var any []object
		for i := range group {
			any = append(any, demand(&group[i]))
		}
		must = append(must, anyOf(any))
	}
	for i := range req.None {
		none = append(none, clause(&req.None[i], unrated))
	}
	for _, off := range req.Off {
		none = append(none, within(&search.Bounds{From: off.From, To: off.To})...)
	}
	out := object{"filter": filter, "must": must, "must_not": none}
	if len(req.Optional) > 0 {
		var optional []object
		for i := range req.Optional {
			optional = append(optional, clause(&req.Optional[i], rated))
		}
		least := 1
		if text {
			least = 0
		}
		out["must"] = append(must, object{"bool": object{"should": optional, "minimum_should_match": least}})
		if len(optional) > 1 {
			out["should"] = []object{{"constant_score": object{"filter": withAllOptional(req), "boost": wholeBoost}}}
		}
	}
	return object{"bool": out}
}

// wholeBoost puts versions with all optional clauses before the others.
const wholeBoost = 10_000

// withAllOptional selects versions with all optional clauses.
func withAllOptional(req *search.PresentRequest) object {
	all := []object{{"match_all": object{}}}
	for i := range req.Optional {
		all = append(all, clause(&req.Optional[i], unrated))
	}
	return object{"bool": object{"filter": all}}
}

// sorted returns the engine's order of versions. That of pages by their first or last match, or their number of matches, is made of
// aggregations, see [ranked].
func (x *Index) sorted(req *search.PresentRequest) []object {
	best := []object{{"_score": "desc"}, {"last": "desc"}}
	field := map[search.Sort]string{
		search.ByURL: "key", search.ByTitle: "titled", search.ByMemento: "first", search.ByStatus: "status", search.ByMIME: "mime",
		search.ByLang: "lang", search.ByField: "named." + req.By + ".value",
	}[req.Sort]
	if c, _ := x.Fields().Column(req.By); req.Sort == search.ByField && c.Type.Ordered() {
		field = "named." + req.By + ".number"
	}
	if field == "" {
		return best
	}
	return append([]object{by(field, &req.Order)}, best...)
}

// by sorts by a field; what has no value comes last.
func by(field string, o *search.Order) object {
	return object{field: object{"order": direction(o), "missing": "_last"}}
}

func direction(o *search.Order) string {
	if o.Falling {
		return "desc"
	}
	return "asc"
}

// ranked is an aggregation with the keys of the first pages in an order that is about all versions that match; nil for other orders.
func ranked(o *search.Order, most int) object {
	sum := map[search.Sort]object{
		search.ByFirst: {"min": object{"field": "first"}}, search.ByLast: {"max": object{"field": "last"}},
		search.ByVersions: {"value_count": object{"field": "key"}},
	}[o.Sort]
	if sum == nil {
		return nil
	}
	return object{
		"terms": object{"field": "key", "size": most, "order": []object{{"sum": direction(o)}, {"_key": "asc"}}}, "aggs": object{"sum": sum},
	}
}

// linked sets how many pages link to each of pages, and by which words, if the request asks for that.
func (x *Index) linked(ctx context.Context, req *search.PresentRequest, scored []search.Clause, pages []search.StoredPage) error {
	if req.Inlinks {
		keys := make([]string, len(pages))
		for i := range pages {
			keys[i] = pages[i].Key
		}
		in, err := x.Inlinks(ctx, keys)
		if err != nil {
			return err
		}
		for i := range in {
			pages[i].Inlinks = in[i]
		}
	}
	n, words := 0, map[string]bool{}
	for i := range scored {
		n += len(scored[i].Any)
		for _, w := range slices.Concat(scored[i].Any...) {
			words[w] = true
		}
	}
	if !req.Anchors || n > manyPhrases {
		return nil
	}
	var names []string
	for i := range pages {
		for w := range words {
			names = append(names, search.AnchorOf(w, pages[i].Key))
		}
	}
	by, err := x.exact(ctx, "anchors", names)
	if err != nil {
		return err
	}
	for i := range pages {
		p := &pages[i]
		p.Anchors = make([]int, len(scored))
		for j := range scored {
			for _, phrase := range scored[j].Any {
				fewest := -1
				for _, w := range phrase {
					if n := by[search.AnchorOf(w, p.Key)]; fewest < 0 || n < fewest {
						fewest = n
					}
				}
				p.Anchors[j] += max(fewest, 0)
			}
		}
	}
	return nil
}

// exact counts the pages that have each of some terms in a field.
func (x *Index) exact(ctx context.Context, field string, names []string) (map[string]int, error) {
	out := map[string]int{}
	for len(names) > 0 {
		n := min(len(names), 10_000)
		query := object{"bool": object{"filter": []object{term("kind", kindPage), terms(field, names[:n])}}}
		answer, err := x.aggregate(ctx, query, object{
			"names": object{"terms": object{"field": field, "size": n, "include": names[:n]}},
		})
		if err != nil {
			return nil, err
		}
		for _, c := range answer.of("names").counts(false) {
			out[c.Name] = c.Count
		}
		names = names[n:]
	}
	return out, nil
}

// Inlinks returns how many other pages link to each of some pages, given by their SURTs.
func (x *Index) Inlinks(ctx context.Context, keys []string) ([]int, error) {
	of, err := x.exact(ctx, "links", keys)
	out := make([]int, len(keys))
	for i, key := range keys {
		out[i] = of[key]
	}
	return out, err
}
