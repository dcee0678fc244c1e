package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/memento"
)

// collection builds the search of records.
func collection(t *testing.T, records ...archivetest.Record) *searches.Collection {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir()})
	t.Cleanup(func() { s.Close() })
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	of, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func TestPages(t *testing.T) {
	of := collection(t,
		archivetest.On("2019", "http://a.example/one", "<title>Mill</title><p>water turns the wheel"),
		archivetest.On("2020", "http://a.example/two", "<title>River</title><p>water, mill and bridge"),
		archivetest.On("2021", "http://b.example/dir/three", "<title>Bridge</title><p>the bridges of the town"),
		archivetest.On("2021", "http://www.b.example/four", "<title>Town</title><p>the old wheel"),
	)
	for _, tt := range []struct {
		typed  string
		bounds search.Bounds
		want   string
		note   string // what was left out of the question
	}{
		{"wheel", search.Bounds{}, "four one", ""},
		{"mill", search.Bounds{}, "one two", ""},
		{"bridge", search.Bounds{}, "three two", ""}, // also in another form
		{"water wheel", search.Bounds{}, "four one two", ""},
		{"+water +wheel", search.Bounds{}, "one", ""},
		{"water -mill", search.Bounds{}, "", ""},
		{"wheel -mill", search.Bounds{}, "four", ""},
		{"title:mill", search.Bounds{}, "one", ""},
		{"url:dir", search.Bounds{}, "three", ""},
		{"wheel site:b.example", search.Bounds{}, "four", ""},
		{"wheel -site:b.example", search.Bounds{}, "one", ""},
		{"wheel site:c.example", search.Bounds{}, "", ""},
		{`"old wheel"`, search.Bounds{}, "four", ""},
		{`"wheel old"`, search.Bounds{}, "", ""},
		{"whe*", search.Bounds{}, "four one", ""},
		{"whel~", search.Bounds{}, "four one", ""},
		{"url:thre*", search.Bounds{}, "three", ""},
		{"mill xyzzy", search.Bounds{}, "one two", "lost xyzzy"},
		{"+mill +xyzzy", search.Bounds{}, "", ""},
		{"xyzzy", search.Bounds{}, "", "lost xyzzy"},
		{"wheel", search.Bounds{Since: 20200101000000}, "four", ""},
		{"wheel", search.Bounds{Until: 20191231235959}, "one", ""},
		{"wheel", search.Bounds{From: "example,a", To: "example,a-"}, "one", ""},
		{"wheel site:b.example", search.Bounds{From: "example,a", To: "example,a-"}, "", ""},
	} {
		q, err := of.Parse(tt.typed)
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		found, err := of.Pages(t.Context(), "", q, search.PresentRequest{Bounds: tt.bounds, Limit: 10})
		if err != nil {
			t.Fatal(tt.typed, err)
		}
		var got []string
		for _, f := range found.Hits {
			got = append(got, f.Key[strings.LastIndexByte(f.Key, '/')+1:])
		}
		slices.Sort(got)
		var notes []string
		for what, list := range map[string][]string{"lost": found.Lost, "bounded": found.Bounded} {
			if len(list) > 0 {
				notes = append(notes, what+" "+strings.Join(list, " "))
			}
		}
		if found.Relaxed {
			notes = append(notes, "relaxed")
		}
		slices.Sort(notes)
		if all := strings.Join(got, " "); all != tt.want || strings.Join(notes, ", ") != tt.note || found.Total != len(got) {
			t.Errorf("%s %+v: %s of %d (%s), want %s (%s)", tt.typed, tt.bounds, all, found.Total, strings.Join(notes, ", "), tt.want, tt.note)
		}
	}
	if _, err := of.Parse(`"`); err == nil {
		t.Error("a quote that nothing closes was parsed")
	}
}

func TestTerms(t *testing.T) {
	const page = "http://a.example/page"
	of := collection(t,
		archivetest.On("20180101", page, "<p>mill and wheel"), archivetest.On("20190101", page, "<p>and wheel"),
		archivetest.On("20200101", page, "<p>and bridge"),
		archivetest.On("20200101", "http://b.example/", "<p>mill here"), archivetest.On("20210101", "http://b.example/", "<p>here"))
	list := func(q answers.TermsQuery) string {
		l, err := of.CountTerms(t.Context(), memento.URIs{Coll: "web"}, q)
		if err != nil {
			t.Fatal(err)
		}
		out := []string{fmt.Sprint(l.Change, " ", l.Changes)}
		for _, term := range l.Terms {
			out = append(out, fmt.Sprint(term.Term, " ", term.Changes))
		}
		return strings.Join(out, ", ")
	}
	for _, tt := range []struct {
		q    answers.TermsQuery
		want string
	}{
		{answers.TermsQuery{}, "deleted 3, mill 2, wheel 1"},
		{answers.TermsQuery{Limit: 1}, "deleted 3, mill 2"},
		{answers.TermsQuery{Change: "added"}, "added 3, bridge 1"},
		{answers.TermsQuery{Domain: "b.example"}, "deleted 1, mill 1"},
		{answers.TermsQuery{To: "2019"}, "deleted 1, mill 1"},
		{answers.TermsQuery{From: "2020"}, "deleted 2, mill 1, wheel 1"},
	} {
		if got := list(tt.q); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.q, got, tt.want)
		}
	}
}
