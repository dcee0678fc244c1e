package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

// A cut is a way to cut histories. paired are letters that are words so common that pairs of them are counted when the
// index is built.
type cut struct {
	name string
	history.Sizes
	history.Limits
	paired string
}

func (c *cut) isPaired(w string) bool { return strings.Contains(c.paired, w) }

// Many passages and parts must answer as one does, with and without pairs.
var cuts = []cut{
	{"as they are", history.DefaultSizes, history.DefaultLimits, ""},
	{"short passages", history.Sizes{Least: 2, Often: 2, Most: 5}, history.DefaultLimits, "ab"},
	{"short passages and parts", history.Sizes{Least: 1, Often: 4, Most: 9}, history.Limits{Bytes: 80, Lists: 1 << 20}, "abcd"},
	{"a part for each version", history.Sizes{Least: 3, Often: 2, Most: 3}, history.Limits{}, "acd"},
}

// randomArchive returns pages of a small vocabulary, some of whose versions are missing.
func randomArchive(r *rand.Rand, pages, versions int) *fake {
	f := &fake{pages: map[string][]string{}}
	for p := range pages {
		var words []string
		var texts []string
		for range versions {
			words = mutated(r, words)
			text := strings.Join(words, " ")
			if text == "" || r.IntN(9) == 0 {
				text = "-"
			}
			texts = append(texts, text)
		}
		f.pages[fmt.Sprintf("org,example)/%02d", p)] = texts
	}
	return f
}

// A stand says which versions of a page match, by their numbers.
func stand(texts []string, matches func(i int, words []string) bool) (out []int) {
	for i, text := range texts {
		if text != "-" && matches(i, search.Words(text)) {
			out = append(out, i)
		}
	}
	return out
}

func clauses(phrases []search.Phrase) (out []search.Clause) {
	for _, p := range phrases {
		out = append(out, search.Clause{Any: []search.Phrase{p}})
	}
	return out
}

func describe(key string, texts []string, match []int) string {
	last := match[len(match)-1]
	return fmt.Sprintf("%s: %d versions, %s to %s, still %v", key, len(match), year(match[0]), year(last)+5_00_00_00_00, last == len(texts)-1)
}

// Which versions of which pages have all words and phrases and none of others, at any time or at one, must be found
// exactly, however the histories are cut.
func TestPresentMatchesBruteForce(t *testing.T) {
	t.Parallel()
	for _, cut := range cuts {
		t.Run(cut.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(17, 8))
			f := randomArchive(r, 12, 9)
			x := open(t, "")
			x.Sizes, x.Limits = cut.Sizes, cut.Limits
			x.Paired = cut.isPaired
			update(t, x, f)
			phrase := func() search.Phrase {
				p := mutated(r, nil)
				if len(p) == 0 {
					p = []string{"a", "b"}
				}
				return p[:1+r.IntN(min(len(p), 5))]
			}
			answers := 0
			for range 400 {
				var all, none []search.Phrase
				for range 1 + r.IntN(2) {
					all = append(all, phrase())
				}
				for range r.IntN(2) {
					none = append(none, phrase())
				}
				req := search.PresentRequest{All: clauses(all), None: clauses(none), Limit: 100}
				either := r.IntN(4) == 0
				if either {
					req.All = []search.Clause{{Any: all}}
				}
				if r.IntN(3) == 0 {
					req.At = year(r.IntN(9)) + cdx.Timestamp(r.IntN(11))*1_00_00_00_00
				}
				if r.IntN(4) == 0 {
					req.Since = year(r.IntN(9))
				}
				if r.IntN(4) == 0 {
					req.Until = year(r.IntN(9))
				}
				want := []string{}
				for key, texts := range f.pages {
					match := stand(texts, func(i int, words []string) bool {
						first, last := year(i), year(i)+5_00_00_00_00
						if req.At != 0 && (first > req.At || i+1 < len(texts) && year(i+1) <= req.At) {
							return false
						}
						if last < req.Since || req.Until != 0 && first > req.Until {
							return false
						}
						has := 0
						for _, p := range all {
							if p.Count(words) > 0 {
								has++
							}
						}
						for _, p := range none {
							if p.Count(words) > 0 {
								return false
							}
						}
						return has == len(all) || either && has > 0
					})
					if len(match) > 0 {
						want = append(want, describe(key, texts, match))
					}
				}
				a, err := x.Present(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				got := []string{}
				for _, h := range a.Hits {
					got = append(got, fmt.Sprintf("%s: %d versions, %s to %s, still %v", h.Key, h.Versions, h.First, h.Last, h.Still))
					checkBest(t, f, all, &h)
				}
				slices.Sort(got)
				slices.Sort(want)
				if d := cmp.Diff(want, got); d != "" || a.Total != len(want) {
					t.Fatalf("all of %q (either %v), none of %q, at %s, %s to %s: total %d (-want +got):\n%s",
						all, either, none, req.At, req.Since, req.Until, a.Total, d)
				}
				answers += len(got)
			}
			if answers < 200 {
				t.Errorf("only %d pages were found, so little was compared", answers)
			}
		})
	}
}

// checkBest checks the counts of the best version of a page.
func checkBest(t *testing.T, f *fake, all []search.Phrase, h *search.Found) {
	t.Helper()
	words := search.Words(f.at(h.Key, h.Best.Version.First))
	if h.Best.Words != len(words) {
		t.Errorf("%s: %d words, want %d", h.Key, h.Best.Words, len(words))
	}
	if len(h.Best.Text) != len(all) {
		return // one clause for all
	}
	for i, p := range all {
		if got := h.Best.Text[i]; got != p.Count(words) {
			t.Errorf("%s: %q occurs %d times, want %d", h.Key, p, got, p.Count(words))
		}
	}
}

// Deleted, partly deleted and added must be exact however the histories are cut.
func TestChangesMatchBruteForceHoweverCut(t *testing.T) {
	t.Parallel()
	for _, cut := range cuts[1:] {
		t.Run(cut.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 8))
			f := randomArchive(r, 8, 8)
			x := open(t, "")
			x.Sizes, x.Limits = cut.Sizes, cut.Limits
			x.Paired = cut.isPaired
			update(t, x, f)
			compareChanges(t, x, f, r, 200)
		})
	}
}
