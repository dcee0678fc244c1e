package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/cdx"
)

// Pages that an engine on other machines found are answered about exactly as an index answers.
func TestDocumentsAnswerAsTheIndexDoes(t *testing.T) {
	t.Parallel()
	f := randomArchive(rand.New(rand.NewPCG(3, 9)), 12, 8)
	f.kinds = true
	weighed := func(s *search.Statistics, m *search.Match) (score float64) {
		for i := range m.Heading {
			score += float64(5*m.Heading[i] + 7*m.Furniture[i])
		}
		return score + search.UsualBM25.Score(s, m)
	}
	x := open(t, "")
	update(t, x, f)
	maker, err := search.NewDocumentMaker()
	if err != nil {
		t.Fatal(err)
	}
	var pages []search.StoredPage
	for p := range f.Pages(t.Context()) {
		d, err := maker.Make(t.Context(), f, p, func(*search.VersionDocument) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, search.StoredPage{Key: p.Key, Parts: d.Parts, Heading: d.Heading, Furniture: d.Furniture})
	}
	for _, words := range []string{"a", "b", "a b", `"a b"`, `"b c a"`, "nowhere", "c nowhere"} {
		q, err := search.Parse(words)
		if err != nil {
			t.Fatal(err)
		}
		req := search.PresentRequest{Limit: 100, Score: weighed}
		var having []int
		for _, p := range q.Phrases {
			clause := search.Clause{Any: []search.Phrase{p}}
			req.All = append(req.All, clause)
			one, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{clause}, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			having = append(having, one.Statistics.Having...)
		}
		want, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		all := want.Statistics.Documents
		got, err := search.Rate(nil, req, want.Statistics, pages)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(summaryOf(want), summaryOf(got)); d != "" {
			t.Errorf("%s (-index +documents)\n%s", words, d)
		}
		for _, kind := range []search.Kind{search.Deleted, search.SemiDeleted, search.Added} {
			asked := search.Request{Query: q, Kind: kind, Skip: 1, Limit: 100}
			want, err := x.Search(t.Context(), search.Request{Query: q, Kind: kind, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			got, err := search.RateChanges(asked, having, all, pages)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(fmt.Sprintf("%+v", want.Hits), fmt.Sprintf("%+v", got.Hits)); d != "" || want.Total != got.Total {
				t.Errorf("%s %s (-index +documents)\n%s", kind, words, d)
			}
		}
		for i := range pages {
			want, _, err := x.Turns(t.Context(), f.page(pages[i].Key), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := search.TurnsOf(&pages[i], q)
			if d := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); d != "" || err != nil {
				t.Errorf("%s in %s: %v (-index +documents)\n%s", words, pages[i].Key, err, d)
			}
		}
	}
}

// A document has what is looked up of a page: words once, titles once, links of the newest version, and what each version changed.
func TestWhatADocumentHas(t *testing.T) {
	t.Parallel()
	const key = "org,example)/rain"
	f := &fake{pages: map[string][]string{key: {"acid rain rain", "-", "rain rain fog", "rain rain fog", "rain snow"}}, title: "Rain Gauge"}
	f.links = func(_ string, v search.Version) (list []search.Link) {
		for _, to := range []string{key, "org,example)/lake", "org,example)/lake"} {
			list = append(list, search.Link{Key: to, Text: "the lake"})
		}
		if v.First < year(2) {
			list = append(list, search.Link{Key: "org,example)/old", Text: "old"})
		}
		return list
	}
	maker, err := search.NewDocumentMaker()
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	d, err := maker.Make(t.Context(), f, f.page(key), func(v *search.VersionDocument) error {
		versions = append(versions, fmt.Sprint(v.Row.First, v.Until, " ", v.Text, v.Older, v.OlderTitle, v.Fewer, v.Edit, v.Cut, v.Put))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		fmt.Sprint(year(0), year(1), " [acid rain rain] [][] false map[] map[]"),
		fmt.Sprint(year(1), year(2), " [] [acid rain rain]Rain Gauge[] false map[] map[]"),
		fmt.Sprint(year(2), year(3), " [rain rain fog] [][] false map[] map[]"),
		fmt.Sprint(year(3), year(4), " [rain rain fog] [rain rain fog]Rain Gauge[] false map[] map[]"),
		fmt.Sprint(year(4), cdx.Timestamp(0), " [rain snow] [rain rain fog]Rain Gauge[rain] true map[fog:1] map[snow:1]"),
	} {
		if i >= len(versions) || versions[i] != want {
			t.Errorf("version %d of %q, want %q", i, versions, want)
		}
	}
	slices.Sort(d.Words)
	const want = "[acid fog rain snow] 5 [org example rain] [rain gauge] 1 [org,example)/lake] 2 1"
	if got := fmt.Sprint(d.Words, d.Versions, d.Address, d.TitleWords, len(d.Titles), d.Links, len(d.Anchors), len(d.Parts)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDocumentsOfManyLinksAreBounded: an engine refuses too long a document, and with it an update.
func TestDocumentsOfManyLinksAreBounded(t *testing.T) {
	t.Parallel()
	const key = "org,example)/a"
	f := &fake{pages: map[string][]string{key: {"one"}}, links: func(string, search.Version) (out []search.Link) {
		for i := range 2000 {
			out = append(out, search.Link{
				Key: fmt.Sprintf("org,other)/%d/%01900d", i, 0), Text: "a b c d e f g h i j k l m n o p q r s t u v w x y z",
			})
		}
		return out
	}}
	maker, err := search.NewDocumentMaker()
	if err != nil {
		t.Fatal(err)
	}
	d, err := maker.Make(t.Context(), f, f.page(key), func(*search.VersionDocument) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, s := range slices.Concat(d.Links, d.Anchors) {
		size += len(s)
	}
	if size < 1<<20 || size > 10<<20 {
		t.Errorf("%d links and %d anchors in %d bytes", len(d.Links), len(d.Anchors), size)
	}
}
