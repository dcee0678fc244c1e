package search_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/internal/testkit/countdown"
)

// Whoever leaves gets an error or the whole answer, wherever the work was.
func TestCanceledSearchesAnswerNothingElse(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(30, 11))
	f := randomArchive(r, 30, 5)
	f.links = randomLinks(r, []string{"org,example)/01", "org,example)/02"})
	x := open(t, "")
	update(t, x, f)
	query, err := search.Parse("a b")
	if err != nil {
		t.Fatal(err)
	}
	a, b := search.Clause{Any: []search.Phrase{{"a"}}}, search.Clause{Any: []search.Phrase{{"b"}}}
	edits := search.TermsRequest{Kind: search.Added, Limit: 5}
	for name, ask := range map[string]func(context.Context) (any, error){
		"changes": func(ctx context.Context) (any, error) {
			return x.Search(ctx, search.Request{Query: query, Kind: search.Deleted, Limit: 9})
		},
		"totals": func(ctx context.Context) (any, error) {
			n, untold, err := x.Totals(ctx, search.Request{Query: query, Kind: search.Deleted})
			return fmt.Sprint(n, untold), err
		},
		"what stood": func(ctx context.Context) (any, error) {
			return x.Present(ctx, search.PresentRequest{All: []search.Clause{a, b}, Limit: 9})
		},
		"what stood, by one word": func(ctx context.Context) (any, error) {
			return x.Present(ctx, search.PresentRequest{All: []search.Clause{a}, Limit: 9, Skip: 3})
		},
		"what stood, by URL": func(ctx context.Context) (any, error) {
			return x.Present(ctx, search.PresentRequest{All: []search.Clause{a}, Limit: 9, Order: search.Order{Sort: search.ByURL}})
		},
		"all that stood": func(ctx context.Context) (any, error) {
			all, err := gathered(x.Each(ctx, search.PresentRequest{Any: [][]search.Clause{{a, b}}}))
			slices.SortFunc(all, func(a, b search.Found) int { return cmp.Compare(a.Key, b.Key) })
			return all, err
		},
		"terms": func(ctx context.Context) (any, error) { return x.Terms(ctx, edits) },
		"rising terms": func(ctx context.Context) (any, error) {
			return x.Rising(ctx, search.RisingRequest{Kind: search.Added, Bounds: search.Bounds{Since: year(3)}, Windows: 2, Limit: 5})
		},
		"links": func(ctx context.Context) (any, error) {
			return x.Inlinks(ctx, []string{"org,example)/01", "org,example)/02", "org,example)/03"})
		},
		"words":         func(ctx context.Context) (any, error) { return gathered(x.Vocabulary(ctx, search.FieldText, "")) },
		"similar words": func(ctx context.Context) (any, error) { return gathered(x.Similar(ctx, search.FieldText, "ab", 1, "")) },
		"languages":     func(ctx context.Context) (any, error) { return x.Languages(ctx) },
		"turns": func(ctx context.Context) (any, error) {
			turns, indexed, err := x.Turns(ctx, f.page("org,example)/01"), query)
			return fmt.Sprint(len(turns), indexed), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := ask(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			left, steps := 0, 0
			for ; ; steps++ {
				ctx := countdown.New(t, steps)
				got, err := ask(ctx)
				if err != nil {
					left++
					if !errors.Is(err, context.Canceled) {
						t.Fatalf("canceled at step %d: %v", steps, err)
					}
				} else if d := gocmp.Diff(want, got, cmpopts.IgnoreUnexported(search.Found{}, search.Hit{})); d != "" {
					t.Fatalf("canceled at step %d (-whole +canceled):\n%s", steps, d)
				}
				if !ctx.Over() {
					break
				}
			}
			t.Logf("%d of %d steps fail", left, steps)
			if left == 0 {
				t.Error("nothing was canceled")
			}
		})
	}
}

// gathered returns all that a sequence has before its first error.
func gathered[T any](all iter.Seq2[T, error]) (out []T, err error) {
	for one, err := range all {
		if err != nil {
			return out, err
		}
		out = append(out, one)
	}
	return out, nil
}
