package search_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/varve-archive/varve/archive/search"
)

// A titled archive has another title for some of its versions.
type titled struct{ *fake }

func (f titled) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	t, err := f.fake.Text(ctx, key, v)
	t.Title = "a mill"
	if v.First > year(3) && strings.HasSuffix(key, "1") {
		t.Title = "b b"
	}
	return t, err
}

// What postings and facts tell must be what the histories tell: which pages, in which order, with which scores, and every
// count beside them.
func TestPreviewsTellWhatHistoriesTell(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 18))
	f := randomArchive(r, 60, 4)
	for key, texts := range f.pages {
		f.pages[key] = texts[:1+r.IntN(len(texts))]
	}
	f.pages["org,example)/many"] = slices.Repeat([]string{"a b", "a c"}, 200) // too many versions for facts
	f.links, f.kinds = randomLinks(r, slices.Sorted(maps.Keys(f.pages))), true
	x := open(t, "")
	x.Paired = (&cut{paired: "abmill"}).isPaired
	update(t, x, titled{f})
	weighed := func(s *search.Statistics, m *search.Match) float64 {
		return search.UsualBM25.Score(s, m) + 3*float64(m.Title[0]) + float64(m.URL[0])/2 +
			float64(m.Anchors[0]) + float64(m.Inlinks)/8 + 5*float64(m.Heading[0]) + 7*float64(m.Furniture[0])
	}
	words := []string{"a", "b", "c", "d", "mill", "org", "nowhere"}
	answers := 0
	for range 600 {
		req := search.PresentRequest{
			Order: search.Order{Sort: search.Sort(r.IntN(int(search.ByField))), Falling: r.IntN(2) == 0},
			Limit: 1 + r.IntN(12), Skip: r.IntN(4), Score: weighed, Anchors: true, Inlinks: true,
		}
		for range 1 + r.IntN(2) {
			c := search.Clause{Field: search.Field(r.IntN(6) / 3 * r.IntN(3)), Any: []search.Phrase{{words[r.IntN(len(words))]}}}
			if r.IntN(4) == 0 {
				c.Any = append(c.Any, search.Phrase{words[r.IntN(len(words))]})
			}
			if r.IntN(3) == 0 {
				c.Any[0] = search.Phrase{words[r.IntN(2)], words[r.IntN(2)]}
			}
			req.All = append(req.All, c)
		}
		if r.IntN(3) == 0 {
			req.None = []search.Clause{{Any: []search.Phrase{{words[r.IntN(len(words))]}}}}
		}
		if r.IntN(3) == 0 {
			req.At = year(r.IntN(4))
		}
		if r.IntN(4) == 0 {
			req.Since, req.Until = year(r.IntN(4)), year(r.IntN(6))
		}
		previewed, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.Whole = true
		whole, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(whole, previewed, cmpopts.IgnoreUnexported(search.Found{})); d != "" {
			t.Fatalf("%+v (-whole +previewed):\n%s", req, d)
		}
		answers += len(whole.Hits)
	}
	if answers < 1000 {
		t.Errorf("only %d pages were compared", answers)
	}
}

// A word that every page has, and keeps, is answered without reading histories: a bound on what may be read does not matter.
func TestCommonWordsNeedNoHistories(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{}}
	for i := range 500 {
		text := fmt.Sprintf("every page has these words and w%d", i)
		f.pages[fmt.Sprintf("org,example)/%03d", i)] = []string{text, text + " and more", "-"}
	}
	x := open(t, "")
	update(t, x, f)
	a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{{"words"}}), Limit: 10, Work: 1})
	if err != nil || a.Total != 500 || a.Untold != 0 || len(a.Hits) != 10 || a.Hits[0].Versions != 2 || a.Hits[0].Still {
		t.Errorf("%+v, %v", a, err)
	}
	q, _ := search.Parse("words")
	n, untold, err := x.Totals(t.Context(), search.Request{Query: q, Work: 1})
	if want := (search.Totals{500, 0, 500}); n != want || untold != 0 || err != nil {
		t.Errorf("totals %v, %d untold, %v", n, untold, err)
	}
	found, err := x.Search(t.Context(), search.Request{Query: q, Kind: search.Deleted, Limit: 3, Work: 1})
	if err != nil || found.Total != 500 || found.Untold != 0 || len(found.Hits) != 3 || found.Hits[0].CountBefore != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// The same holds for a phrase of two common words, and for each kind of change of it; a longer phrase has only those as
// candidates that have its pairs.
func TestPhrasesOfCommonWordsNeedNoHistories(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{}}
	for i := range 500 {
		text := fmt.Sprintf("the level of the w%d\nof the", i)
		f.pages[fmt.Sprintf("org,example)/%03d", i)] = []string{text, text + " mill of", "-"}
	}
	f.pages["org,example)/not"] = []string{"to be or not to be"}
	x := open(t, "")
	update(t, x, f)
	for phrase, want := range map[string]struct{ pages, untold int }{
		"of the": {500, 0}, "the the": {0, 0}, "the of": {0, 0}, "not to": {1, 0}, "to be or not to be": {1, 0}, "be or the": {0, 0},
	} {
		p := search.Phrase(strings.Fields(phrase))
		a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{p}), Limit: 10, Work: 1})
		if err != nil || a.Total != want.pages || a.Untold != want.untold || len(a.Hits) != min(want.pages, 10) {
			t.Errorf("%s: %+v, %v, want %+v", phrase, a, err, want)
		}
	}
	q, _ := search.Parse(`"of the"`)
	n, untold, err := x.Totals(t.Context(), search.Request{Query: q, Work: 1})
	if want := (search.Totals{500, 0, 500}); n != want || untold != 0 || err != nil {
		t.Errorf("totals %v, %d untold, %v", n, untold, err)
	}
}

// BenchmarkCommonWord asks for a word that is on every page, and for one that is on a single page.
func BenchmarkCommonWord(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	f := &fake{pages: map[string][]string{}}
	for i := range 20_000 {
		var text strings.Builder
		fmt.Fprintf(&text, "rare%d", i)
		for n := 20 + r.IntN(200); n > 0; n-- {
			fmt.Fprintf(&text, " common w%d", r.IntN(30_000))
		}
		f.pages[fmt.Sprintf("org,example)/%05d", i)] = []string{text.String()}
	}
	x := open(b, b.TempDir())
	update(b, x, f)
	ask := func(word string, limit int) {
		a, err := x.Present(b.Context(), search.PresentRequest{All: clauses([]search.Phrase{{word}}), Limit: limit})
		if err != nil || a.Total == 0 {
			b.Fatal(a, err)
		}
	}
	var common, whole, rare float64
	began := b.Elapsed()
	took := func() float64 {
		d := b.Elapsed() - began
		began = b.Elapsed()
		return d.Seconds()
	}
	for b.Loop() {
		took()
		ask("common", 20)
		common += took()
		req := search.PresentRequest{All: clauses([]search.Phrase{{"common"}}), Limit: 20, Whole: true}
		if _, err := x.Present(b.Context(), req); err != nil {
			b.Fatal(err)
		}
		whole += took()
		ask("rare77", 20)
		rare += took()
	}
	b.ReportMetric(common/rare, "x-rare")
	b.ReportMetric(common/float64(b.N)*1000, "ms-common")
	b.ReportMetric(common/whole, "x-read-whole")
}
