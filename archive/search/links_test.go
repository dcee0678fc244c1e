package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// randomLinks gives each version of each page links to some pages, some of them by several texts, and to itself.
func randomLinks(r *rand.Rand, pages []string) func(string, search.Version) []search.Link {
	seed := r.Uint64()
	return func(key string, v search.Version) (out []search.Link) {
		r := rand.New(rand.NewPCG(seed, uint64(v.First)^uint64(len(key))<<40^uint64(key[len(key)-1])<<50))
		for range r.IntN(8) {
			text := mutated(r, nil)
			out = append(out, search.Link{Key: pages[r.IntN(len(pages))], Text: strings.Join(text[:min(len(text), 3)], " ")})
		}
		return append(out, search.Link{Key: key, Text: "a b c d"})
	}
}

// linksTo are the texts of all links to a page in the newest shown versions of others, by page.
func linksTo(f *fake, to string) map[string][]string {
	out := map[string][]string{}
	for key, texts := range f.pages {
		for i := len(texts) - 1; i >= 0 && key != to; i-- {
			if texts[i] == "-" {
				continue
			}
			for i > 0 && texts[i] == texts[i-1] { // a text is read once
				i--
			}
			for _, l := range f.links(key, search.Version{First: year(i)}) {
				if l.Key == to {
					out[key] = append(out[key], l.Text)
				}
			}
			break
		}
	}
	return out
}

// bruteAnchors counts the pages whose links to a page have all words of a phrase.
func bruteAnchors(f *fake, to string, p search.Phrase) (n int) {
	least := -1
	for _, w := range p {
		pages := 0
		for _, texts := range linksTo(f, to) {
			if slices.Contains(strings.Fields(strings.Join(texts, " ")), w) {
				pages++
			}
		}
		if least < 0 || pages < least {
			least = pages
		}
	}
	return least
}

// compareLinks compares what every match says of links with counting.
func compareLinks(t *testing.T, x *search.Index, f *fake) {
	t.Helper()
	compared, anchors := 0, 0
	for _, p := range []search.Phrase{{"a"}, {"b"}, {"c"}, {"a", "b"}, {"c", "d", "c"}} {
		for _, whole := range []bool{false, true} {
			a, err := x.Present(t.Context(), search.PresentRequest{
				All: clauses([]search.Phrase{p}), Limit: 1000, Anchors: true, Inlinks: true, Whole: whole,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range a.Hits {
				got := [2]int{h.Best.Inlinks, h.Best.Anchors[0]}
				if want := [2]int{len(linksTo(f, h.Key)), bruteAnchors(f, h.Key, p)}; got != want {
					t.Errorf("%s, %q: links and anchors %v, want %v", h.Key, p, got, want)
				}
				compared += got[0]
				anchors += got[1]
			}
		}
	}
	if compared == 0 || anchors == 0 {
		t.Errorf("only %d links and %d anchors were compared", compared, anchors)
	}
}

// What is known of links must be what counting them gives: when it is built at once, in parts, and when pages change their
// links, lose their versions or go.
func TestLinksMatchBruteForce(t *testing.T) {
	t.Parallel()
	for _, cut := range cuts {
		t.Run(cut.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(23, 24))
			f := randomArchive(r, 25, 4)
			pages := slices.Sorted(maps.Keys(f.pages))
			f.links = randomLinks(r, append(pages, "org,elsewhere)/"))
			x := open(t, "")
			x.Sizes, x.Limits = cut.Sizes, cut.Limits
			x.Paired = cut.isPaired
			update(t, x, f)
			compareLinks(t, x, f)
			for step := range 4 {
				for range 4 {
					key := pages[r.IntN(len(pages))]
					f.pages[key] = append(f.pages[key], fmt.Sprint("a b c new", step), "-")
				}
				delete(f.pages, pages[step])
				update(t, x, f)
				compareLinks(t, x, f)
			}
		})
	}
}

// Links don't make pages match, and nobody pays for them who doesn't ask.
func TestLinksOnlyCount(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{"a": {"one mill"}, "b": {"two"}}}
	f.links = func(string, search.Version) []search.Link {
		return []search.Link{{Key: "a", Text: "old"}, {Key: "b", Text: "mill"}}
	}
	dir := filepath.Join(t.TempDir(), "search")
	x := open(t, dir)
	update(t, x, f)
	ask := func(word string, req search.PresentRequest) []search.Found {
		t.Helper()
		req.All, req.Limit = clauses([]search.Phrase{{word}}), 10
		a, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return a.Hits
	}
	if got := ask("old", search.PresentRequest{Anchors: true}); len(got) != 0 {
		t.Errorf("a link makes %d pages match", len(got))
	}
	if got := ask("mill", search.PresentRequest{}); len(got) != 1 || got[0].Best.Anchors != nil || got[0].Best.Inlinks != 0 {
		t.Errorf("without being asked: %+v", got)
	}
	if got := ask("two", search.PresentRequest{Inlinks: true}); len(got) != 1 || got[0].Best.Anchors != nil || got[0].Best.Inlinks != 1 {
		t.Errorf("asked for links, not for their words: %+v", got)
	}
	if got := ask("two", search.PresentRequest{Anchors: true}); len(got) != 1 || got[0].Best.Anchors == nil || got[0].Best.Inlinks != 0 {
		t.Errorf("asked for the words of links alone: %+v", got)
	}
	two := ask("two", search.PresentRequest{Anchors: true, Inlinks: true})
	if len(two) != 1 || two[0].Best.Inlinks != 1 || cmp.Diff([]int{0}, two[0].Best.Anchors) != "" {
		t.Errorf("two: %+v", two)
	}
}
