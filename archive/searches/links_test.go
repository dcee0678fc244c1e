package searches_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/searches"
)

// A linking is what the search knows of links to a page of these tests.
type linking struct{ inlinks, mills int }

// linked returns it, for the page that has the word quarry.
func linked(t *testing.T, s *searches.Searches) linking {
	t.Helper()
	x, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	a, err := x.Present(t.Context(), search.PresentRequest{
		All:   []search.Clause{{Any: []search.Phrase{{"quarry"}}}, {Any: []search.Phrase{{"mill"}, {"quarry"}}}},
		Limit: 2, Anchors: true, Inlinks: true,
	})
	if err != nil || len(a.Hits) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	return linking{a.Hits[0].Best.Inlinks, a.Hits[0].Best.Anchors[1]}
}

const quarry = "http://a.example/stones/quarry"

// linkers are pages that link to the quarry in several ways, or don't any more. One came without a Content-Type.
func linkers() []archivetest.Record {
	plain := on("2018", "http://e.example/", fog+"<p>e<a href='"+quarry+"'>mill</a>")
	plain.Head = "Content-Type: \n"
	return []archivetest.Record{
		on("2018", quarry, acid+"<p>The quarry. <a href='/stones/quarry'>mill</a>"),
		on("2018", "http://a.example/stones/list", fog+"<a href='quarry#top'>The old mill</a>"),
		on("2018", "http://b.example/", fog+"<p>b<a href='https://www.a.example/stones/quarry'>quarry</a> <a href='ftp://a.example/'>x</a>"),
		on("2018", "http://c.example/", "<base href='//a.example/stones/'>"+fog+"<p>c<a href='quarry'>stones</a><a href='quarry'>mill</a>"),
		on("2018", "http://d.example/", fog+"<p>d<a href='"+quarry+"'>mill</a>"),
		on("2020", "http://d.example/", fog+"<p>d without links"),
		plain, missing("2020", "http://e.example/"),
	}
}

// Pages link as their newest version does that shows them. What is new of one page is known of all that it links to.
func TestLinksToAPage(t *testing.T) {
	s, shelf := searchable(t, linkers()...)
	check := func(when string, want linking) {
		t.Helper()
		if got := linked(t, s); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	check("built", linking{4, 4}) // the list, b (quarry), c, e
	shelf.Add(t, on("2021", "http://b.example/", fog+"<p>b no longer"), on("2021", "http://f.example/", fog+"<p>f<a href='"+quarry+"'>f</a>"))
	if p := build(t, s); p.Indexed.Load() != 2 {
		t.Errorf("%d pages are indexed for two that changed", p.Indexed.Load())
	}
	check("followed", linking{4, 3})
	if _, err := s.Build(t.Context(), "web", true, nil); err != nil {
		t.Fatal(err)
	}
	check("built anew", linking{4, 3})
}

// A page that readers may not see neither counts nor lends its words, and a capture that they may not see links nowhere.
func TestExcludedPagesDontLink(t *testing.T) {
	p := archivetest.Policy(t, `rules:
- {url: "http://c.example/", access: exclude}
- {url: "http://d.example/", captured: {from: 2019}, access: exclude}
- {url: "http://a.example/stones/list", access: exclude}
- {url: "http://a.example/stones/list", access: allow, group: staff}
`)
	shelf := archivetest.Keep(t, linkers()...)
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: p}, searches.Config{Dir: t.TempDir()})
	t.Cleanup(func() { _ = s.Close() })
	for group, want := range map[string]linking{"": {3, 3}, "staff": {4, 4}} { // b, d as it was, e; and the list
		a := s.For(group)
		build(t, a)
		if got := linked(t, a); got != want {
			t.Errorf("group %q: %+v, want %+v", group, got, want)
		}
	}
}

// Links decide which of two equal pages comes first, by their words and by the formula.
func TestLinksRank(t *testing.T) {
	const one, other = "http://a.example/one", "http://a.example/two"
	s, _ := searchable(t,
		on("2018", one, acid+"<p>A mill and a bridge."), on("2018", other, acid+"<p>A mill and a bridge."),
		on("2018", "http://b.example/", fog+"<p>b<a href='"+one+"'>here</a>"),
		on("2018", "http://c.example/", fog+"<p>c<a href='"+one+"'>there</a>"),
		on("2018", "http://d.example/", fog+"<p>d<a href='"+other+"'>bridge</a>"),
	)
	x, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	none := 0.0
	for _, tt := range []struct {
		name        string
		settings    rank.Settings
		typed, want string
	}{
		{"a link by that word", rank.Settings{}, "bridge", other},
		{"no link by that word, and the formula", rank.Settings{Boost: "log(1 + versions) + 0.2 * inlinks"}, "mill", one},
		{"the word weighs less than the links", rank.Settings{Boost: "1 + 10 * inlinks"}, "bridge", one},
		{"the words of links weigh nothing", rank.Settings{Weights: rank.Weights{Anchors: &none}, Boost: "1 + 0.01 * inlinks"}, "bridge", one},
	} {
		r, err := rank.New(tt.settings, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := query.Parse(tt.typed)
		if err != nil {
			t.Fatal(err)
		}
		a, err := x.RankedPages(t.Context(), r, q, search.PresentRequest{Limit: 10})
		if err != nil || len(a.Hits) < 2 {
			t.Fatalf("%s: %+v, %v", tt.name, a, err)
		}
		if got := "http://a.example" + strings.TrimPrefix(a.Hits[0].Key, "example,a)"); got != tt.want || a.Hits[0].Score <= a.Hits[1].Score {
			t.Errorf("%s: %s comes first by %f to %f, want %s", tt.name, got, a.Hits[0].Score, a.Hits[1].Score, tt.want)
		}
	}
}
