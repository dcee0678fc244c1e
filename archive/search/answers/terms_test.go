package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/memento"
)

func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		domain, prefix, from, to string
		want                     search.Bounds
		wrong                    string
	}{
		{"", "", "", "", search.Bounds{}, ""},
		{"a.example", "", "", "", search.Bounds{From: "example,a)", To: "example,a-"}, ""},
		{"", "a.example/dir/", "", "", search.Bounds{From: "example,a)/dir/", To: "example,a)/dir0", Also: "example,a)/dir"}, ""},
		{"a.example", "a.example/dir/", "", "", search.Bounds{From: "example,a)/dir/", To: "example,a)/dir0", Also: "example,a)/dir"}, ""},
		{"a.example", "b.example/", "", "", search.Bounds{From: "example,b)/", To: "example,a-"}, ""},
		{"", "", "2019", "2020", search.Bounds{Since: 20190101000000, Until: 20201231235959}, ""},
		{"/", "", "", "", search.Bounds{}, "matchType=domain needs"},
		{"", "", "2019x", "", search.Bounds{}, "from \"2019x\""},
		{"", "", "", "20191301", search.Bounds{}, "to \"20191301\""},
	} {
		got, err := answers.Bounds(tt.domain, tt.prefix, tt.from, tt.to)
		if tt.wrong != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tt.wrong) {
				t.Errorf("%+v: %v", tt, err)
			}
		} else if err != nil || got != tt.want {
			t.Errorf("%q %q %q %q: %+v, %v; want %+v", tt.domain, tt.prefix, tt.from, tt.to, got, err, tt.want)
		}
	}
}

func TestWhatMayBeAskedOfTerms(t *testing.T) {
	for _, tt := range []struct {
		q     answers.TermsQuery
		wrong string
	}{
		{answers.TermsQuery{}, ""},
		{answers.TermsQuery{Change: "added", Limit: 1}, ""},
		{answers.TermsQuery{Change: "deleted", Limit: answers.MaxTerms}, ""},
		{answers.TermsQuery{Limit: answers.MaxTerms + 1}, "limit 1001"},
		{answers.TermsQuery{Limit: -1}, "limit -1"},
		{answers.TermsQuery{Change: "changed"}, `change "changed"`},
		{answers.TermsQuery{Change: search.SemiDeleted.String()}, "change"},
		{answers.TermsQuery{From: "x"}, `from "x"`},
	} {
		if err := tt.q.Check(); (err == nil) != (tt.wrong == "") || err != nil && !strings.HasPrefix(err.Error(), tt.wrong) {
			t.Errorf("%+v: %v, want %s", tt.q, err, tt.wrong)
		}
	}
}

// The table has a column for each year between the first and the last, also for years without changes.
func TestTermsAsCSV(t *testing.T) {
	l := answers.TermList{
		Years: []answers.Facet{{Name: "2018", Count: 1}, {Name: "2020", Count: 4}},
		Terms: []answers.TermItem{
			{Term: "mill", Changes: 3, Times: 5, Years: []answers.Facet{{Name: "2018", Count: 1}, {Name: "2020", Count: 2}}},
			{Term: "=sum", Changes: 2, Times: 2, Years: []answers.Facet{{Name: "2020", Count: 2}, {Name: "2031", Count: 9}}},
		},
	}
	var out strings.Builder
	err := l.WriteCSV(&out)
	if want := "term,changes,times,2018,2019,2020\nmill,3,5,1,0,2\n'=sum,2,2,0,0,2\n"; err != nil || out.String() != want {
		t.Errorf("%v: %s", err, out.String())
	}
	if got := answers.YearSpan(nil); got != nil {
		t.Errorf("no years: %q", got)
	}
	q := answers.TermsQuery{Domain: "a.example", To: "2020"}
	got := q.SearchFor(memento.URIs{Coll: "web"}, search.Deleted, "old mill")
	if got != "/web/search?change=deleted&domain=a.example&q=old+mill&to=2020" {
		t.Error(got)
	}
}

func TestFacetsAreBounded(t *testing.T) {
	var counts []search.Count
	for i := range 101 {
		counts = append(counts, search.Count{Name: fmt.Sprint(i), Count: i})
	}
	got := answers.Facets(counts)
	if len(got) != 100 || got[99] != (answers.Facet{Name: "99", Count: 99}) || answers.Facets(nil) == nil {
		t.Errorf("%d, the last is %v", len(got), got[len(got)-1])
	}
}

func TestNotes(t *testing.T) {
	for _, tt := range []struct {
		state answers.State
		want  string
	}{
		{answers.State{Pages: 9, Searched: 4}, ""},
		{answers.State{Pages: 9, Searched: 4, Building: true}, "the search is still being built; pages that can be searched so far: 4 of 9"},
		{answers.State{Pages: 9, Searched: 9, Building: true}, "the search is still being built: what was indexed last may be missing"},
	} {
		if got := tt.state.Note(); got != tt.want {
			t.Errorf("%+v: %s", tt.state, got)
		}
	}
	both := answers.State{Pages: 1, Searched: 1}
	if both.Add(answers.State{Pages: 2, Searched: 1, Building: true}); both != (answers.State{Pages: 3, Searched: 2, Building: true}) {
		t.Errorf("%+v", both)
	}
	if both.Add(answers.State{}); !both.Building {
		t.Error("a collection that is built makes another so")
	}
	for want, got := range map[string]string{
		"": answers.BoundsNote(0, nil), "more": answers.BoundsNote(1, nil), "not all": answers.BoundsNote(0, []string{"a*"}),
	} {
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %s", want, got)
		}
	}
	if got := answers.BoundsNote(1, []string{"a*"}); !strings.HasPrefix(got, "not all") || !strings.Contains(got, "; more pages") {
		t.Error(got)
	}
}

func TestRankingsByName(t *testing.T) {
	own, usual := rank.Default(), rank.Default()
	some := &answers.Settings{Rankings: map[string]*rank.Ranking{"": usual, "old": own, "new": own}}
	if got := some.Names(); !slices.Equal(got, []string{"new", "old"}) {
		t.Errorf("%q", got)
	}
	for _, tt := range []struct {
		of    *answers.Settings
		name  string
		want  *rank.Ranking
		wrong string
	}{
		{some, "", usual, ""},
		{some, "old", own, ""},
		{some, "odd", nil, `ranking "odd": want one of new, old`},
		{nil, "old", nil, `ranking "old": this collection has only one`},
	} {
		got, err := tt.of.Ranking(tt.name)
		if got != tt.want || err != nil && err.Error() != tt.wrong || (err == nil) != (tt.wrong == "") {
			t.Errorf("%q: %v, want %s", tt.name, err, tt.wrong)
		}
	}
	var none *answers.Settings
	if got, err := none.Ranking(""); got == nil || err != nil {
		t.Error(got, err)
	}
}
