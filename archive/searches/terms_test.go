package searches_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/memento"
)

// searchable returns an archive of records with its search.
func searchable(t *testing.T, records ...archivetest.Record) (*searches.Searches, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf}, searches.Config{Dir: t.TempDir()})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	build(t, s)
	return s, shelf
}

func build(t *testing.T, s *searches.Searches) *search.Progress {
	t.Helper()
	p, err := s.Build(t.Context(), "web", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// edits are two pages that lose a word, one of them twice.
func edits() []archivetest.Record {
	const other = "http://b.example/other"
	return []archivetest.Record{
		on("2018", page, acid+"<p>Lakes and a mill."), on("2019", page, acid+"<p>Ponds and a mill."),
		on("2020", page, acid+"<p>Ponds and a house."),
		on("2018", other, fog+"<p>Lakes and a tower."), on("2020", other, fog+"<p>Meadows and a tower."),
	}
}

func TestTermsAreCountedByChanges(t *testing.T) {
	s, _ := searchable(t, edits()...)
	list, err := s.CountTerms(t.Context(), memento.URIs{Base: "http://varve.example", Coll: "web"}, answers.TermsQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if list.Change != "deleted" || list.Changes != 3 || list.Index != (answers.State{Pages: 2, Searched: 2}) {
		t.Errorf("%s, %d changes, index %+v", list.Change, list.Changes, list.Index)
	}
	years := []answers.Facet{{Name: "2019", Count: 1}, {Name: "2020", Count: 2}}
	if diff := cmp.Diff(years, list.Years); diff != "" {
		t.Error(diff)
	}
	if len(list.Terms) != 2 || list.Terms[0].Term != "lakes" || list.Terms[0].Changes != 2 || list.Terms[0].Times != 2 ||
		list.Terms[1].Term != "mill" || list.Terms[1].Changes != 1 {
		t.Errorf("%+v", list.Terms)
	}
	if got := list.Terms[1].Search; got != "http://varve.example/web/search?change=deleted&q=mill" {
		t.Errorf("the search of a term: %s", got)
	}
	var b bytes.Buffer
	if err := list.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "term,changes,times,2019,2020\nlakes,2,2,1,1\nmill,1,1,0,1\n"; b.String() != want {
		t.Errorf("as CSV: %s", &b)
	}
	if err := list.WriteCSV(full{}); err == nil {
		t.Error("no error if the CSV can't be written")
	}
}

func TestTermsWithinBounds(t *testing.T) {
	s, _ := searchable(t, edits()...)
	tests := []struct {
		name  string
		query answers.TermsQuery
		want  string
	}{
		{"deleted", answers.TermsQuery{Change: "deleted"}, "lakes mill"},
		{"added", answers.TermsQuery{Change: "added"}, "house meadows ponds"},
		{"of a domain", answers.TermsQuery{Domain: "b.example"}, "lakes"},
		{"from a year on", answers.TermsQuery{Domain: "a.example", From: "2020"}, "mill"},
		{"up to a year", answers.TermsQuery{Domain: "a.example", To: "2019"}, "lakes"},
		{"at most one", answers.TermsQuery{Limit: 1}, "lakes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := s.CountTerms(t.Context(), uris(), tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, term := range list.Terms {
				got = append(got, term.Term)
			}
			slices.Sort(got)
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("got %q, want %q", g, tt.want)
			}
		})
	}
}

func TestTermsQueriesThatAreWrong(t *testing.T) {
	s, _ := searchable(t)
	for _, q := range []answers.TermsQuery{
		{Change: "semi-deleted"}, {Change: "moved"}, {Limit: -1}, {Limit: answers.MaxTerms + 1}, {From: "x"}, {To: "123456789012345"},
	} {
		var wrong *answers.QueryError
		if _, err := s.CountTerms(t.Context(), uris(), q); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	for _, limit := range []int{0, 1, answers.MaxTerms} {
		if _, err := s.CountTerms(t.Context(), uris(), answers.TermsQuery{Limit: limit}); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	without, _ := open(t)
	if _, err := without.CountTerms(t.Context(), uris(), answers.TermsQuery{}); !errors.Is(err, searches.ErrNoSearch) {
		t.Errorf("without a search: %v", err)
	}
}

func TestTermsFollowTheSearch(t *testing.T) {
	s, shelf := searchable(t, edits()...)
	count := func() *answers.TermList {
		t.Helper()
		list, err := s.CountTerms(t.Context(), uris(), answers.TermsQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if before := count(); before.Changes != 3 {
		t.Fatalf("%d changes", before.Changes)
	}
	shelf.Add(t, on("2022", page, acid+"<p>Ponds and a castle."))
	if kept := count(); kept.Changes != 3 {
		t.Errorf("%d changes before the search is built again", kept.Changes)
	}
	build(t, s)
	if after := count(); after.Changes != 4 || after.Terms[0].Term != "lakes" || len(after.Terms) != 3 {
		t.Errorf("%d changes, terms %+v", after.Changes, after.Terms)
	}
}

func TestSearchForATermKeepsTheFilters(t *testing.T) {
	q := answers.TermsQuery{Domain: "b.example", From: "2019", To: "2020"}
	if got := q.SearchFor(uris(), search.Added, "a b"); got != "/web/search?change=added&domain=b.example&from=2019&q=a+b&to=2020" {
		t.Error(got)
	}
}

func TestBounds(t *testing.T) {
	tests := []struct {
		name                     string
		domain, prefix, from, to string
		want                     search.Bounds
	}{
		{"none", "", "", "", "", search.Bounds{}},
		{"a domain", "b.example", "", "", "", search.Bounds{From: "example,b)", To: "example,b-"}},
		{"a prefix", "", "http://a.example/dir/", "", "", search.Bounds{From: "example,a)/dir/", To: "example,a)/dir0", Also: "example,a)/dir"}},
		{"a year", "", "", "2019", "2019", search.Bounds{Since: 20190101000000, Until: 20191231235959}},
		{
			"a prefix of the domain", "a.example", "http://a.example/dir/", "", "",
			search.Bounds{From: "example,a)/dir/", To: "example,a)/dir0", Also: "example,a)/dir"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := answers.Bounds(tt.domain, tt.prefix, tt.from, tt.to)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	both, err := answers.Bounds("b.example", "http://a.example/dir/", "", "")
	if err != nil || both.From < both.To || both.Also != "" {
		t.Errorf("a prefix outside the domain leaves keys: %+v, %v", both, err)
	}
}

func TestYearsAreListedWithoutGaps(t *testing.T) {
	counts := []answers.Facet{{Name: "1998", Count: 2}, {Name: "2001", Count: 5}}
	years := answers.YearSpan(counts)
	if want := []string{"1998", "1999", "2000", "2001"}; !slices.Equal(years, want) {
		t.Errorf("%q", years)
	}
	if got := answers.PerYear(years, append(counts, answers.Facet{Name: "2005", Count: 1})); !slices.Equal(got, []int{2, 0, 0, 5}) {
		t.Errorf("%v", got)
	}
	if got := answers.YearSpan(nil); got != nil {
		t.Errorf("of no years: %q", got)
	}
	if got := answers.YearSpan(counts[:1]); !slices.Equal(got, []string{"1998"}) {
		t.Errorf("of one year: %q", got)
	}
}

func TestFacetsAreTheFirstHundred(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 100: 100, 101: 100} {
		var counts []search.Count
		for i := range n {
			counts = append(counts, search.Count{Name: fmt.Sprint(i), Count: n - i})
		}
		got := answers.Facets(counts)
		if len(got) != want || n > 0 && got[want-1] != (answers.Facet{Name: fmt.Sprint(want - 1), Count: n - want + 1}) {
			t.Errorf("%d: %d", n, len(got))
		}
	}
}

// full takes no byte.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
