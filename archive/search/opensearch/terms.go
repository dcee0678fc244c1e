package opensearch

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/search"
)

// edits selects the edits within bounds.
func edits(b *search.Bounds) object {
	return object{"bool": object{"filter": append([]object{term("kind", kindVersion), term("edit", true)}, cameWithin(b)...)}}
}

// editField returns the field with the words that edits deleted or added.
func editField(k search.Kind) string {
	if k == search.Added {
		return "put"
	}
	return "cut"
}

func byYear() object {
	return object{"terms": object{"field": "year", "size": facetSize, "order": object{"_key": "asc"}}}
}

func byHost() object { return object{"terms": object{"field": "host", "size": facetSize}} }

// Terms counts the terms that most edits deleted or added, as [search.Index.Terms] does.
func (x *Index) Terms(ctx context.Context, req search.TermsRequest) (*search.TermsAnswer, error) {
	field, query := editField(req.Kind), edits(&req.Bounds)
	answer, err := x.aggregate(ctx, query, object{
		"years": byYear(), "hosts": byHost(),
		"words": object{"terms": object{"field": field, "size": 2 * req.Limit, "order": []object{{"_count": "desc"}, {"_key": "asc"}}}},
	})
	if err != nil {
		return nil, err
	}
	out := &search.TermsAnswer{
		Years: answer.of("years").counts(false), Hosts: search.MostFirst(answer.of("hosts").counts(false)),
	}
	times, err := x.times(ctx, field, query, answer.of("words"))
	if err != nil {
		return nil, err
	}
	for _, b := range answer.of("words").Buckets {
		out.Terms = append(out.Terms, search.TermCount{Term: b.name(), Changes: b.DocCount, Times: times[b.name()]})
	}
	slices.SortStableFunc(out.Terms, func(a, b search.TermCount) int {
		return cmp.Or(cmp.Compare(b.Changes, a.Changes), cmp.Compare(b.Times, a.Times), strings.Compare(a.Term, b.Term))
	})
	out.Terms = out.Terms[:min(req.Limit, len(out.Terms))]
	return out, x.places(ctx, field, query, out.Terms)
}

// placedAtOnce is the number of words whose years and hosts are counted at once: an engine's answer has at most 65,535 buckets, those
// of a shard included, which has half as many again of each list.
const placedAtOnce = 40

// places sets the years and hosts of words that edits deleted or added.
func (x *Index) places(ctx context.Context, field string, query object, of []search.TermCount) error {
	for list := range slices.Chunk(of, placedAtOnce) {
		var words []string
		for i := range list {
			words = append(words, list[i].Term)
		}
		answer, err := x.aggregate(ctx, query, object{"words": object{
			"terms": object{"field": field, "size": len(words), "include": words}, "aggs": object{"years": byYear(), "hosts": byHost()},
		}})
		if err != nil {
			return err
		}
		found := map[string]*bucket{}
		of := answer["words"].Buckets
		for i := range of {
			found[of[i].name()] = &of[i]
		}
		for i := range list {
			if b := found[list[i].Term]; b != nil {
				list[i].Years, list[i].Hosts = b.Years.counts(false), search.MostFirst(b.Hosts.counts(false))
			}
		}
	}
	return nil
}

// times returns how many occurrences of each word the edits deleted or added.
func (x *Index) times(ctx context.Context, field string, query object, of *aggregation) (map[string]int, error) {
	out := map[string]int{}
	var words []string
	for _, c := range of.counts(false) {
		words = append(words, quoted(c.Name))
	}
	for len(words) > 0 {
		n, length := 0, len(`()\|[0-9]+`)
		for n < len(words) && (n == 0 || length+len(words[n])+1 <= maxExpression) {
			length += len(words[n]) + 1
			n++
		}
		answer, err := x.aggregate(ctx, query, object{"words": object{"terms": object{
			"field": field + "times", "size": wordsAtOnce, "include": "(" + strings.Join(words[:n], "|") + `)\|[0-9]+`,
		}}})
		if err != nil {
			return nil, err
		}
		for _, c := range answer.of("words").counts(false) {
			at := strings.LastIndexByte(c.Name, '|')
			each, err := strconv.Atoi(c.Name[at+1:])
			if err != nil {
				return nil, err
			}
			out[c.Name[:at]] += each * c.Count
		}
		words = words[n:]
	}
	return out, nil
}

// Rising counts the rising terms, as [search.Index.Rising] does, but only among those that most recent edits deleted or added.
func (x *Index) Rising(ctx context.Context, req search.RisingRequest) ([]search.Rising, error) {
	field := editField(req.Kind)
	count := func(b search.Bounds, only []string) (all int, of map[string]int, err error) {
		words := object{"field": field, "size": wordsAtOnce}
		if only != nil {
			words["include"] = only
		}
		answer, err := x.aggregate(ctx, edits(&b), object{
			"words": object{"terms": words}, "all": object{"value_count": object{"field": "key"}},
		})
		if err != nil {
			return 0, nil, err
		}
		of = map[string]int{}
		for _, c := range answer.of("words").counts(false) {
			of[c.Name] = c.Count
		}
		return int(answer["all"].Value), of, nil
	}
	now, words, err := count(req.Bounds, nil)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	before, of, err := count(req.Past(), slices.Collect(maps.Keys(words)))
	if err != nil || before == 0 {
		return nil, err
	}
	return search.RisingOf(words, of, now, before, req.Limit), nil
}
