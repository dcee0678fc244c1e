package search_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/varve-archive/varve/archive/search"
)

// An answer is the same whether the index was built at once or page by page, so that it has several segments.
func TestStepsAnswerLikeOneBuild(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(31, 10))
	f := &fake{pages: map[string][]string{}, title: "a title of b"}
	for i := range 150 {
		var texts, words []string
		for range 1 + r.IntN(6) {
			words = mutated(r, words)
			texts = append(texts, strings.Join(append(words, fmt.Sprintf("w%d", r.IntN(60)), "mill"), " "))
		}
		f.pages[fmt.Sprintf("org,host%d)/w%d/%d", i%23, i%7, i)] = texts
	}
	f.pages["urn:uuid:1"], f.pages["urn:uuid:2"] = []string{"a mill", "b"}, []string{"a mill"}
	keys := slices.Sorted(maps.Keys(f.pages))
	f.links = randomLinks(r, keys)
	whole, stepped := open(t, t.TempDir()), open(t, t.TempDir())
	update(t, whole, f)
	some := &fake{pages: map[string][]string{}, title: f.title, links: f.links}
	for i, key := range keys {
		if some.pages[key] = f.pages[key]; i%40 == 0 || i == len(keys)-1 {
			update(t, stepped, some)
		}
	}
	compareAnswers(t, r, f, whole, stepped)
}

// compareAnswers compares what two indexes say of the same archive.
func compareAnswers(t *testing.T, r *rand.Rand, f *fake, whole, stepped *search.Index) {
	t.Helper()
	same := func(what string, ask func(*search.Index) (any, error)) {
		t.Helper()
		want, err1 := ask(whole)
		got, err2 := ask(stepped)
		if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(search.Found{}, search.Hit{})); d != "" || err1 != nil || err2 != nil {
			t.Errorf("%s: %v, %v (-whole +stepped):\n%s", what, err1, err2, d)
		}
	}
	ctx, keys := t.Context(), slices.Sorted(maps.Keys(f.pages))
	for i := range 60 {
		phrase := search.Phrase(append(mutated(r, nil), "mill"))
		phrase = phrase[:1+r.IntN(min(3, len(phrase)))]
		q := search.Query{Phrases: []search.Phrase{phrase, {fmt.Sprintf("w%d", r.IntN(60))}}[:1+i%2]}
		for _, k := range []search.Kind{search.Deleted, search.Added, search.SemiDeleted} {
			same(fmt.Sprint(k, q), func(x *search.Index) (any, error) {
				return x.Search(ctx, search.Request{Query: q, Kind: k, Skip: i % 5, Limit: 20})
			})
			same("totals", func(x *search.Index) (any, error) {
				n, _, err := x.Totals(ctx, search.Request{Query: q, Kind: k})
				return n, err
			})
		}
		key := keys[r.IntN(len(keys))]
		same("turns", func(x *search.Index) (any, error) {
			turns, indexed, err := x.Turns(ctx, f.page(key), q)
			return fmt.Sprint(turns, indexed), err
		})
		many := search.Clause{Field: search.Field(i % 3)}
		for n := range 20 {
			many.Any = append(many.Any, search.Phrase{fmt.Sprintf("w%d", n+r.IntN(30))})
		}
		for _, req := range []search.PresentRequest{
			{All: clauses(q.Phrases)},
			{All: clauses(q.Phrases), Order: search.Order{Sort: search.ByLast, Falling: true}, Skip: 3},
			{All: clauses(q.Phrases), Order: search.Order{Sort: search.ByFirst}, Whole: true},
			{All: clauses(q.Phrases), Anchors: true, Inlinks: true},
			{All: clauses(q.Phrases), Page: key},
			{All: []search.Clause{many}, None: clauses(q.Phrases)},
			{All: []search.Clause{many}, Bounds: search.Bounds{From: "org,host2", To: "org,host5"}},
		} {
			req.Limit = 30
			same(fmt.Sprint(req), func(x *search.Index) (any, error) { return x.Present(ctx, req) })
		}
	}
	same("terms", func(x *search.Index) (any, error) { return x.Terms(ctx, search.TermsRequest{Limit: 30}) })
	same("inlinks", func(x *search.Index) (any, error) { return x.Inlinks(ctx, keys) })
	for what, of := range map[string]func(x *search.Index) iter.Seq2[search.Term, error]{
		"vocabulary": func(x *search.Index) iter.Seq2[search.Term, error] { return x.Vocabulary(ctx, search.FieldText, "") },
		"near words": func(x *search.Index) iter.Seq2[search.Term, error] {
			return x.Similar(ctx, search.FieldText, "w1", 1, "")
		},
		"titles": func(x *search.Index) iter.Seq2[search.Term, error] { return x.Titles(ctx, "a title") },
	} {
		same(what, func(x *search.Index) (any, error) {
			var all []search.Term
			for term, err := range of(x) {
				if err != nil {
					return nil, err
				}
				all = append(all, term)
			}
			if len(all) == 0 {
				return nil, errors.New("nothing was compared")
			}
			return all, nil
		})
	}
}
