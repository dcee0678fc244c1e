package opensearch

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive/search"
)

// hits are what a question finds.
type hits[T any] struct {
	Hits struct {
		Hits []struct {
			ID     string `json:"_id"`
			Source T      `json:"_source"`
		}
	}
	Aggregations map[string]aggregation
	TimedOut     bool                 `json:"timed_out"`
	Shards       struct{ Failed int } `json:"_shards"`
}

// An aggregation is any of those that are asked for.
type aggregation struct {
	Value    float64 `json:"value"`
	DocCount int     `json:"doc_count"`
	Buckets  []bucket
	AfterKey map[string]string `json:"after_key"`
	Pages    *aggregation      `json:"pages"` // in a filter
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

// counts returns the buckets as they are counted: pages if they are, documents otherwise.
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

// question asks the index. An answer of a part of it, because some shards are away, is none. Where there is no index yet there is nothing.
func question[T any](ctx context.Context, x *Index, q object) (answer *hits[T], err error) {
	answer = &hits[T]{}
	err = x.cluster.ask(ctx, "/"+x.alias+"/_search?allow_partial_search_results=false", q, answer)
	if is(err, http.StatusNotFound) {
		return answer, nil
	}
	if is(err, http.StatusUnauthorized) || is(err, http.StatusForbidden) {
		err = fmt.Errorf("%w (%w)", ErrAway, err)
	}
	if err == nil && (answer.TimedOut || answer.Shards.Failed > 0) {
		err = fmt.Errorf("%w (it answers in part)", ErrAway)
	}
	return answer, err
}

func joined(words []string) string { return strings.Join(words, " ") }

func term(field string, value any) object { return object{"term": object{field: value}} }

func terms(field string, values any) object { return object{"terms": object{field: values}} }

func from(field string, least any) object {
	return object{"range": object{field: object{"gte": least}}}
}

func until(field string, most any) object { return object{"range": object{field: object{"lte": most}}} }

// anyOf demands one of some queries.
func anyOf(list []object) object {
	if len(list) == 1 {
		return list[0]
	}
	return object{"bool": object{"should": list, "minimum_should_match": 1}}
}

// phrase demands the words of a phrase, as they follow each other.
func phrase(field string, p search.Phrase) object {
	words := make([]string, len(p))
	for i, w := range p {
		words[i] = search.Clip(w)
	}
	if len(words) == 1 {
		return term(field, words[0])
	}
	return object{"match_phrase": object{field: joined(words)}}
}

// manyPhrases is how many phrases are looked for one by one. word* may stand for a thousand.
const manyPhrases = 64

// phrases demands one of some phrases.
func phrases(field string, list []search.Phrase) object {
	var out []object
	var words []string
	for _, p := range list {
		if len(p) == 1 && len(list) > manyPhrases {
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

// clause demands what a clause means, in whatever form.
func (x *Index) clause(c *search.Clause) object {
	field := map[search.Field]string{search.FieldText: "text", search.FieldTitle: "title", search.FieldURL: "address"}[c.Field]
	if c.Field == search.FieldNamed {
		field = "named." + c.Name + ".words"
		if c.Numbers != nil {
			return numbers("named."+c.Name+".number", c.Numbers)
		}
	}
	own := phrases(field, c.Any)
	if len(c.Forms) == 0 {
		return own
	}
	forms := object{"bool": object{"must": phrases(field, c.Forms), "boost": search.FormWeight}}
	return object{"dis_max": object{"queries": []object{own, forms}}}
}

// numbers demands a number in a range, whose ends may be infinite.
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

// within demands that a key is within bounds.
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
		list = append(list, term("key", b.Also))
	}
	return []object{anyOf(list)}
}

// mostOrdered is how many pages are rated one by one, the best by the engine's own score. Answers of so many pages, or fewer, are counted
// as in a folder; those of more are counted by the engine.
const mostOrdered = 400

// exactly is up to how many pages the engine counts nearly exactly.
const exactly = 40_000

func pagesOf() object {
	return object{"cardinality": object{"field": "key", "precision_threshold": exactly}}
}

// facet counts pages by a field.
func facet(field string, order string) object {
	return object{
		"terms": object{"field": field, "size": facetSize, "order": object{order: map[string]string{"_key": "asc", "_count": "desc"}[order]}},
		"aggs":  object{"pages": pagesOf()},
	}
}

// facetSize is how many names a facet has at most, those with the most versions.
const facetSize = 500

// keep is what a page has in the index that is rated.
type keep struct {
	Key       string
	Signature string
	History   [][]byte
	Beside    beside
}

// kept fetches the histories of pages.
func (x *Index) kept(ctx context.Context, keys []string) (out []search.Kept, err error) {
	for len(keys) > 0 {
		n := min(len(keys), 100)
		ids := make([]string, n)
		for i, key := range keys[:n] {
			ids[i] = hashOf(key)
		}
		keys = keys[n:]
		answer, err := question[keep](ctx, x, object{
			"size": n, "_source": []string{"key", "signature", "history", "beside"}, "query": object{"ids": object{"values": ids}},
		})
		if err != nil {
			return nil, err
		}
		for i := range answer.Hits.Hits {
			p := &answer.Hits.Hits[i].Source
			out = append(out, search.Kept{Key: p.Key, Parts: p.History, Heading: p.Beside.Heading, Furniture: p.Beside.Furniture})
		}
	}
	return out, nil
}
