package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// What has to hold, what may be missing and what must not be there: pages with all optional words in one version are those of the same
// demands, and come first; the others have some.
func TestOptionalClausesMatchBruteForce(t *testing.T) {
	t.Parallel()
	for _, cut := range cuts {
		t.Run(cut.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(4, 2))
			f := randomArchive(r, 12, 9)
			x := open(t, "")
			x.Sizes, x.Limits, x.Paired = cut.Sizes, cut.Limits, cut.isPaired
			update(t, x, f)
			some := func(most int) (out []search.Phrase) {
				for range r.IntN(most + 1) {
					if p := mutated(r, nil); len(p) > 0 {
						out = append(out, p[:1+r.IntN(min(len(p), 2))])
					}
				}
				return out
			}
			lacking := 0
			for range 300 {
				must, group, optional, none := some(1), some(2), some(3), some(1)
				if len(must)+len(group)+len(optional) == 0 {
					continue
				}
				req := search.PresentRequest{All: clauses(must), Optional: clauses(optional), None: clauses(none), Limit: 100}
				if len(group) > 0 {
					req.Any = [][]search.Clause{clauses(group)}
				}
				want := []string{}
				for key, texts := range f.pages {
					whole := true
					count := func(words []string, list []search.Phrase) (n int) {
						for _, p := range list {
							if p.Count(words) > 0 {
								n++
							}
						}
						return n
					}
					fits := func(words []string, most int) bool {
						return count(words, must) == len(must) && (len(group) == 0 || count(words, group) > 0) && count(words, none) == 0 &&
							count(words, optional) >= most
					}
					match := stand(texts, func(_ int, words []string) bool { return fits(words, len(optional)) })
					if len(match) == 0 {
						whole = false
						least := 1
						if len(must)+len(group) > 0 {
							least = 0
						}
						match = stand(texts, func(_ int, words []string) bool { return fits(words, least) })
					}
					if len(match) > 0 {
						want = append(want, fmt.Sprintf("%s, all %t", describe(key, texts, match), whole))
					}
				}
				a, err := x.Present(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				got := []string{}
				for i := range a.Hits {
					h := &a.Hits[i]
					got = append(got, fmt.Sprintf("%s: %d versions, %s to %s, still %v, all %t", h.Key, h.Versions, h.First, h.Last, h.Still, h.Whole))
					if h.Whole != (len(h.Best.Missing) == 0) || h.Whole && i > 0 && !a.Hits[i-1].Whole {
						t.Fatalf("%v: %d: all %t, missing %v", req, i, h.Whole, h.Best.Missing)
					}
					if !h.Whole {
						lacking++
					}
				}
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" || a.Total != len(got) || a.Ordered != a.Total {
					t.Fatalf("must %v any %v optional %v none %v: total %d (-want +got)\n%s", must, group, optional, none, a.Total, diff)
				}
			}
			if lacking < 50 {
				t.Errorf("only %d results lack something", lacking)
			}
		})
	}
}

// Other forms count on pages that never have the word itself, and weigh less.
func TestFormsStandBehindTheWord(t *testing.T) {
	t.Parallel()
	x := open(t, "")
	update(t, x, &fake{pages: map[string][]string{
		"org,example)/exact": {"the flood came", "the floods went"}, "org,example)/form": {"the rain", "the floods came"},
		"org,example)/none": {"the river"},
	}})
	req := search.PresentRequest{Limit: 9}
	req.All = []search.Clause{{Any: []search.Phrase{{"flood"}}, Forms: []search.Phrase{{"floods"}, {"flooding"}}}}
	var got []string
	for range 2 {
		a, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			got = append(got, fmt.Sprintf("%s %d %t %v", strings.TrimPrefix(h.Key, "org,example)"), h.Versions, h.Still, h.Best.Formed))
		}
		req.All, req.Optional = nil, append(req.All, search.Clause{Any: []search.Phrase{{"tannery"}}})
	}
	want := []string{"/exact 1 false [false]", "/form 1 true [true]", "/exact 1 false [false false]", "/form 1 true [true false]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

// Of very many pages the best by an estimate are put in order, those with all words among them; the others are counted.
func TestTheBestOfManyAreOrdered(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{}}
	for i := range 1500 {
		often := []string{strings.Repeat("mill ", 5), strings.Repeat("weir ", 8)}[i%2]
		f.pages[fmt.Sprintf("org,example)/%04d", i)] = []string{often + "and common words on each page"}
	}
	f.pages["org,example)/both"] = []string{"the mill and the weir"}
	f.pages["org,example)/rare"] = []string{"a rare word"}
	f.pages["org,example)/whole"] = []string{"a rare word and common words"}
	x := open(t, "")
	update(t, x, f)
	a, err := x.Present(t.Context(), search.PresentRequest{Limit: 3, Optional: clauses([]search.Phrase{{"common"}, {"rare"}})})
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 1502 || a.Ordered != 1000 || a.Whole != 1 || a.Hits[0].Key != "org,example)/whole" || a.Hits[1].Key != "org,example)/rare" {
		t.Errorf("%d, %d in order, %d with all: %v", a.Total, a.Ordered, a.Whole, a.Hits)
	}
	a, err = x.Present(t.Context(), search.PresentRequest{Limit: 501, Optional: clauses([]search.Phrase{{"mill"}, {"weir"}})})
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 1501 || a.Ordered != 1000 || a.Whole != 1 || a.Hits[0].Key != "org,example)/both" {
		t.Errorf("who has one word often: %d, %d in order, %d with all: %v", a.Total, a.Ordered, a.Whole, a.Hits)
	}
	for _, h := range a.Hits[1:] {
		if h.Key[len(h.Key)-1]%2 == 0 {
			t.Fatalf("%s has its word less often than pages that aren't among the best", h.Key)
		}
	}
}

// Where only the address has to be something, one of the words has to be there.
func TestOptionalClausesBesideAnAddress(t *testing.T) {
	t.Parallel()
	x := open(t, "")
	update(t, x, &fake{pages: map[string][]string{
		"org,example)/mill": {"the river runs"}, "org,example)/mill/two": {"the wheel turns"}, "org,example)/weir": {"the river runs"},
	}})
	address := search.Clause{Field: search.FieldURL, Any: []search.Phrase{{"mill"}}}
	for name, test := range map[string]struct {
		words []search.Phrase
		want  int
	}{"none": {nil, 2}, "one": {[]search.Phrase{{"river"}}, 1}, "two": {[]search.Phrase{{"river"}, {"wheel"}}, 2}} {
		a, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{address}, Optional: clauses(test.words), Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != test.want {
			t.Errorf("%s: %d pages, want %d", name, a.Total, test.want)
		}
	}
}
