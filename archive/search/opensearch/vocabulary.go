package opensearch

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
)

// wordsAtOnce is the number of words that are fetched at a time.
const wordsAtOnce = 10_000

// Vocabulary yields the words of a field that begin with prefix, in the order of their bytes; "" yields all.
func (x *Index) Vocabulary(ctx context.Context, f search.Field, prefix string) iter.Seq2[search.Term, error] {
	field := [...]string{search.FieldText: "words", search.FieldURL: "addresswords"}[f]
	if prefix != "" {
		return x.named(ctx, field, prefix, wordsAtOnce)
	}
	return func(yield func(search.Term, error) bool) {
		source := object{"size": wordsAtOnce, "sources": []object{{"word": object{"terms": object{"field": field}}}}}
		for {
			answer, err := x.aggregate(ctx, term("kind", kindPage), object{"words": object{"composite": source}})
			if err != nil {
				yield(search.Term{}, err)
				return
			}
			of := answer.of("words")
			for _, c := range of.counts(false) {
				if search.IsWhole(c.Name) && !yield(search.Term{Word: c.Name, Documents: c.Count}, nil) {
					return
				}
			}
			if of.AfterKey == nil || len(of.Buckets) < wordsAtOnce {
				return
			}
			source["after"] = of.AfterKey
		}
	}
}

// named yields the terms with a prefix in a field of page documents, in the order of their bytes.
func (x *Index) named(ctx context.Context, field, prefix string, most int) iter.Seq2[search.Term, error] {
	return func(yield func(search.Term, error) bool) {
		if len(quoted(prefix))+len(".*") > maxExpression {
			return // no term is so long
		}
		query := object{"bool": object{"filter": []object{term("kind", kindPage), {"prefix": object{field: prefix}}}}}
		answer, err := x.aggregate(ctx, query, object{"words": object{"terms": object{
			"field": field, "size": most, "order": object{"_key": "asc"}, "include": quoted(prefix) + ".*",
		}}})
		if err != nil {
			yield(search.Term{}, err)
			return
		}
		for _, c := range answer.of("words").counts(false) {
			if !yield(search.Term{Word: c.Name, Documents: c.Count}, nil) {
				return
			}
		}
	}
}

// maxExpression is the greatest length of an expression that engines take.
const maxExpression = 1000

// engineSyntax are characters with a meaning in the engine's expressions but not in Go's.
var engineSyntax = regexp.MustCompile(`[#@&<>~"]`)

func quoted(s string) string { return engineSyntax.ReplaceAllString(regexp.QuoteMeta(s), `\$0`) }

// Similar yields the words of a field within a [query.Distance] of word, in the order of their bytes. They begin with
// prefix.
func (x *Index) Similar(ctx context.Context, f search.Field, word string, distance int, prefix string) iter.Seq2[search.Term, error] {
	return func(yield func(search.Term, error) bool) {
		for t, err := range x.Vocabulary(ctx, f, prefix) {
			if err == nil && query.Distance(word, t.Word, distance) > distance {
				continue
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// maxTitles bounds the titles that are looked up for a prefix.
const maxTitles = 100

// Titles yields the titles whose words begin with prefix, as [search.Index.Titles] does.
func (x *Index) Titles(ctx context.Context, prefix string) iter.Seq2[search.Term, error] {
	return func(yield func(search.Term, error) bool) {
		for t, err := range x.named(ctx, "titles", prefix, maxTitles) {
			_, t.Word, _ = strings.Cut(t.Word, "\x00")
			if !yield(t, err) {
				return
			}
		}
	}
}

// Languages returns the languages of the collection's versions, by their ISO 639 codes, most first.
func (x *Index) Languages(ctx context.Context) ([]search.Count, error) {
	answer, err := x.aggregate(ctx, term("kind", kindVersion), object{
		"langs": object{"terms": object{"field": "lang", "size": facetSize, "min_doc_count": 1}},
	})
	known := slices.DeleteFunc(answer.of("langs").counts(false), func(c search.Count) bool { return c.Name == "" })
	return search.MostFirst(known), err
}
