package opensearch

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search"
)

// hits are the answer to a query.
type hits[T any] struct {
	Hits struct {
		Hits []struct {
			ID     string `json:"_id"`
			Source T      `json:"_source"`
		}
	}
	Aggregations aggregations
	TimedOut     bool                 `json:"timed_out"`
	Shards       struct{ Failed int } `json:"_shards"`
}

// aggregations are the answers to the aggregations of a query, by their names.
type aggregations map[string]aggregation

// of returns one of them, an empty one if the index isn't there.
func (all aggregations) of(name string) *aggregation {
	a := all[name]
	return &a
}

// keysOf returns the keys of what was found, in its order.
func keysOf(answer *hits[keyed]) (keys []string) {
	for i := range answer.Hits.Hits {
		keys = append(keys, answer.Hits.Hits[i].Source.Key)
	}
	return keys
}

// An aggregation is the answer to any of the aggregations that are used here.
type aggregation struct {
	Value    float64 `json:"value"`
	DocCount int     `json:"doc_count"`
	Buckets  []bucket
	AfterKey map[string]string `json:"after_key"`
	Pages    *aggregation      `json:"pages"` // inside a filter
	Words    *aggregation      `json:"words"`
}

type bucket struct {
	Key      any         `json:"key"`
	DocCount int         `json:"doc_count"`
	Pages    aggregation `json:"pages"`
	Years    aggregation `json:"years"`
	Hosts    aggregation `json:"hosts"`
}

func (b *bucket) name() string {
	switch k := b.Key.(type) {
	case string:
		return k
	case map[string]any:
		s, _ := k["word"].(string)
		return s
	}
	return fmt.Sprint(b.Key)
}

// counts returns the buckets with their numbers of pages, or of documents.
func (a *aggregation) counts(pages bool) (out []search.Count) {
	for i := range a.Buckets {
		n := a.Buckets[i].DocCount
		if pages {
			n = int(a.Buckets[i].Pages.Value)
		}
		out = append(out, search.Count{Name: a.Buckets[i].name(), Count: n})
	}
	return out
}

// searchIndex queries the index. A partial answer, because some shards are unavailable, is an error. If there is no index yet, the answer
// is empty.
func searchIndex[T any](ctx context.Context, x *Index, q object) (answer *hits[T], err error) {
	answer = &hits[T]{}
	err = x.cluster.ask(ctx, "/"+x.alias+"/_search?allow_partial_search_results=false", q, answer)
	if hasStatus(err, http.StatusNotFound) {
		return answer, nil
	}
	if hasStatus(err, http.StatusUnauthorized) || hasStatus(err, http.StatusForbidden) {
		err = fmt.Errorf("%w (%w)", ErrAway, err)
	}
	if err == nil && (answer.TimedOut || answer.Shards.Failed > 0) {
		err = fmt.Errorf("%w (it answers in part)", ErrAway)
	}
	return answer, err
}

// aggregate sums up the documents that a query selects.
func (x *Index) aggregate(ctx context.Context, query, aggs object) (aggregations, error) {
	answer, err := searchIndex[object](ctx, x, object{"size": 0, "track_total_hits": false, "query": query, "aggs": aggs})
	return answer.Aggregations, err
}

func spaced(words []string) string { return strings.Join(words, " ") }

func term(field string, value any) object { return object{"term": object{field: value}} }

func terms(field string, values any) object { return object{"terms": object{field: values}} }

func from(field string, least any) object {
	return object{"range": object{field: object{"gte": least}}}
}

func until(field string, most any) object { return object{"range": object{field: object{"lte": most}}} }

// anyOf selects what matches at least one query.
func anyOf(list []object) object {
	if len(list) == 1 {
		return list[0]
	}
	return object{"bool": object{"should": list, "minimum_should_match": 1}}
}

// phrase selects what has the words of a phrase, one after the other.
func phrase(field string, p search.Phrase) object {
	words := make([]string, len(p))
	for i, w := range p {
		words[i] = search.Clip(w)
	}
	if len(words) == 1 {
		return term(field, words[0])
	}
	return object{"match_phrase": object{field: spaced(words)}}
}

const (
	// manyPhrases is the number of phrases of a clause up to which each is rated for itself. word* may expand to a thousand.
	manyPhrases = 64
	// maxPhrases bounds the phrases of a question that are rated for themselves: an engine refuses questions of more than 1,024.
	maxPhrases = 500
)

// ratedIn returns the number of phrases of a clause up to which each is rated for itself in a question with these clauses.
func ratedIn(clauses []search.Clause) int {
	n := 0
	for i := range clauses {
		for _, list := range [][]search.Phrase{clauses[i].Any, clauses[i].Forms} {
			if len(list) <= manyPhrases {
				n += len(list)
			}
		}
	}
	if n > maxPhrases {
		return unrated
	}
	return manyPhrases
}

// unrated is ratedIn for what is not rated.
const unrated = 1

// phrases selects what has at least one of some phrases. Up to rated of them are rated for themselves.
func phrases(field string, list []search.Phrase, rated int) object {
	var out []object
	var words []string
	for _, p := range list {
		if len(p) == 1 && len(list) > rated {
			words = append(words, search.Clip(p[0]))
		} else {
			out = append(out, phrase(field, p))
		}
	}
	if len(words) > 0 {
		out = append(out, terms(field, words))
	}
	if len(out) == 0 {
		return object{"match_none": object{}}
	}
	return anyOf(out)
}

// clause selects what satisfies a clause, in any form. Up to rated phrases are rated for themselves.
func clause(c *search.Clause, rated int) object {
	field := map[search.Field]string{search.FieldText: "text", search.FieldTitle: "title", search.FieldURL: "address"}[c.Field]
	if c.Field == search.FieldNamed {
		field = "named." + c.Name + ".words"
		if c.Numbers != nil {
			return numbers("named."+c.Name+".number", c.Numbers)
		}
	}
	own := phrases(field, c.Any, rated)
	if len(c.Forms) == 0 {
		return own
	}
	forms := object{"bool": object{"must": phrases(field, c.Forms, rated), "boost": search.FormWeight}}
	return object{"dis_max": object{"queries": []object{own, forms}}}
}

// numbers selects numbers in a range, whose ends may be infinite.
func numbers(field string, r *search.Range) object {
	in := object{}
	if r.From > -1e308 {
		in["gte"] = r.From
	}
	if r.To < 1e308 {
		in["lte"] = r.To
	}
	return object{"range": object{field: in}}
}

// pagesWith selects the documents of pages by their keys.
func pagesWith(keys ...string) object {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = hashOf(key)
	}
	return object{"ids": object{"values": ids}}
}

// cameWithin selects versions that came within bounds.
func cameWithin(b *search.Bounds) []object {
	out := within(b)
	if b.Since != 0 {
		out = append(out, from("after", b.Since))
	}
	if b.Until != 0 {
		out = append(out, until("after", b.Until))
	}
	return out
}

// within selects keys within bounds.
func within(b *search.Bounds) (out []object) {
	keys := object{}
	if b.From != "" {
		keys["gte"] = b.From
	}
	if b.To != "" {
		keys["lt"] = b.To
	}
	if len(keys) == 0 {
		return nil
	}
	list := []object{{"range": object{"key": keys}}}
	if b.Also != "" {
		list = append(list, term("key", b.Also), object{"range": object{"key": object{"gte": b.Also + "?", "lt": b.Also + "@"}}})
	}
	return []object{anyOf(list)}
}

// maxOrdered bounds the pages that varve rates itself; the engine chooses them by its own score. If no more match, totals and facets are
// exact, as for an index in a folder; otherwise they are the engine's.
const maxOrdered = 400

// exactCount is the number of pages up to which the engine's counts are nearly exact.
const exactCount = 40_000

func pagesOf() object {
	return object{"cardinality": object{"field": "key", "precision_threshold": exactCount}}
}

// facet counts pages by a field.
func facet(field string, order string) object {
	return object{
		"terms": object{"field": field, "size": facetSize, "order": object{order: map[string]string{"_key": "asc", "_count": "desc"}[order]}},
		"aggs":  object{"pages": pagesOf()},
	}
}

// facetSize bounds the names of a facet. Those with the most versions are taken.
const facetSize = 500

// storedPage is the part of a page's document that is needed for rating.
type storedPage struct {
	Key       string
	Signature string
	History   [][]byte
	Beside    unindexed
}

// storedPages fetches the histories of pages.
func (x *Index) storedPages(ctx context.Context, keys []string) (out []search.StoredPage, err error) {
	for some := range slices.Chunk(keys, 100) {
		answer, err := searchIndex[storedPage](ctx, x, object{
			"size": len(some), "_source": []string{"key", "signature", "history", "beside"}, "query": pagesWith(some...),
		})
		if err != nil {
			return nil, err
		}
		for i := range answer.Hits.Hits {
			p := &answer.Hits.Hits[i].Source
			out = append(out, search.StoredPage{Key: p.Key, Parts: p.History, Heading: p.Beside.Heading, Furniture: p.Beside.Furniture})
		}
	}
	return out, nil
}
