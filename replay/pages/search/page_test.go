package search

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

func TestSnippetsAreCutWhereSomethingBegins(t *testing.T) {
	for _, c := range []struct {
		name    string
		snippet Snippet
		want    shownLine
	}{
		{
			"a marked word in a line that went",
			Snippet{Op: "-", Text: "the old mill", Marks: [][2]int{{4, 7}}, Changed: [][2]int{{0, 12}}},
			shownLine{
				{Op: layout.Deleted, Text: "the "}, {Op: layout.Deleted, Text: "old", Mark: true}, {Op: layout.Deleted, Text: " mill"},
			},
		},
		{
			"places are code points, not bytes",
			Snippet{Op: "+", Text: "… вода є", Marks: [][2]int{{2, 6}}, Changed: [][2]int{{2, 6}}},
			shownLine{
				{Text: "… "}, {Op: layout.Added, Text: "вода", Mark: true}, {Text: " є"},
			},
		},
		{
			"a phrase of which one word went",
			Snippet{Op: "-", Text: "old mill", Marks: [][2]int{{0, 8}}, Changed: [][2]int{{0, 3}}},
			shownLine{
				{Op: layout.Deleted, Text: "old", Mark: true}, {Text: " mill", Mark: true},
			},
		},
		{"nothing", Snippet{Op: "-"}, nil},
	} {
		if d := cmp.Diff(c.want, c.snippet.spans()); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// What came to an address that answered otherwise before, is no edit, even if that was the first the archive knows of it.
func TestWhatCameToAnAddressSaysSo(t *testing.T) {
	t.Parallel()
	ranges := []change.Range{
		{First: 20150101000000, Kind: change.Redirect},
		{First: 20160101000000},
		{First: 20170101000000, Kind: change.Missing},
		{First: 20180101000000, Soft404: true},
	}
	for before, want := range map[cdx.Timestamp]remark{
		20150601000000: remarkCame, 20160601000000: remarkNone, 20170601000000: remarkCame, 20180601000000: remarkCame,
	} {
		c := &shownChange{Change: textAdded, Before: &changeSide{CaptureLink: banner.CaptureLink{Time: before}}}
		if got := cameAs(ranges, &SearchResult{}, c); got != want {
			t.Errorf("after the capture of %s: %d, want %d", before, got, want)
		}
	}
}

func searchPath(query string) respond.Path {
	v, _ := url.ParseQuery(query)
	return respond.Path{Kind: respond.Search, Coll: "web", Params: v}
}

func TestPageSaysWhatIsWrongWithAQuery(t *testing.T) {
	var manyWords strings.Builder
	for i := range 100 {
		fmt.Fprintf(&manyWords, "word%d+", i)
	}
	for _, c := range []struct {
		query string
		want  refusal
		ok    bool
	}{
		{"", refusedNot, true},
		{"q=", refusedNot, true},
		{"q=+%20", refusedNot, true},
		{"q=a", refusedNot, true},
		{"q=%22a", refusedQuotes, true},
		{"q=%22%22", refusedNoWords, true},
		{"q=—", refusedNoWords, true},
		{"q=" + strings.Repeat("a", 10_000), refusedLong, true},
		{"q=" + manyWords.String(), refusedLong, true},
		{"q=a&from=then", refusedTime, true},
		{"q=a&to=20140231", refusedTime, true},
		{"q=a&domain=%20", refusedFilter, true},
		{"q=a&change=gone", refusedNot, false},
		{"q=a&page=0", refusedNot, false},
		{"q=a&page=99999", refusedNot, false},
		{"q=a&limit=many", refusedNot, false},
	} {
		_, err := parseSearchParams(searchPath(c.query))
		got, ok := refusedAs(searchPath(c.query), err)
		if got != c.want || ok != c.ok {
			t.Errorf("%.40s: %d, %v; want %d, %v (%v)", c.query, got, ok, c.want, c.ok, err)
		}
	}
}

// A datetime is named as what is wrong only if it is: one that doesn't exist is the nearest that does.
func TestPresentSaysThatADatetimeIsWrong(t *testing.T) {
	for at, want := range map[string]refusal{"then": refusedTime, "201402310000000": refusedTime, "20140231": refusedNot, "2014": refusedNot} {
		got, ok := presentRefusedAs(searchPath("q=a&at="+at), errors.New("another thing is wrong"))
		if got != want || ok != (want != refusedNot) {
			t.Errorf("%s: %d, %v", at, got, ok)
		}
	}
}

func TestLinksOfASearchKeepTheRest(t *testing.T) {
	ask, err := parseSearchParams(searchPath(`q="old+mill"&url=http://a.example/%3Fx%3D1%26y&matchType=exact&from=2010&page=3&limit=5`))
	if err != nil {
		t.Fatal(err)
	}
	g := &searchPage{uris: memento.URIs{Coll: "web"}, ask: ask}
	const rest = "&limit=5&matchType=exact&q=%22old+mill%22&url=http%3A%2F%2Fa.example%2F%3Fx%3D1%26y"
	for _, c := range []struct {
		change []string
		want   string
	}{
		{nil, "/web/search?change=deleted&from=2010" + rest},
		{[]string{"change", "added"}, "/web/search?change=added&from=2010" + rest},
		{[]string{"from", ""}, "/web/search?change=deleted" + rest},
		{
			[]string{"page", "4"},
			"/web/search?change=deleted&from=2010&limit=5&matchType=exact&page=4&q=%22old+mill%22&url=http%3A%2F%2Fa.example%2F%3Fx%3D1%26y",
		},
		{[]string{"url", "", "matchType", ""}, "/web/search?change=deleted&from=2010&limit=5&q=%22old+mill%22"},
	} {
		if got := g.link(c.change...); got != c.want {
			t.Errorf("%v leads to %s, want %s", c.change, got, c.want)
		}
	}
	if got := ask.filters(g.link); len(got) != 2 || got[0].By != byPage || got[1].By != byFrom {
		t.Errorf("the filters are %v", got)
	}
}

func TestTermsAsCSV(t *testing.T) {
	list := answers.TermList{
		Years: []answers.Facet{{Name: "2014", Count: 3}, {Name: "2016", Count: 1}},
		Terms: []answers.TermItem{
			{Term: "mill", Changes: 3, Times: 5, Years: []answers.Facet{{Name: "2014", Count: 2}, {Name: "2016", Count: 1}}},
			{Term: `a"b,c`, Changes: 1, Times: 1, Years: []answers.Facet{{Name: "2014", Count: 1}}},
		},
	}
	var b strings.Builder
	if err := list.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "term,changes,times,2014,2015,2016\nmill,3,5,2,0,1\n\"a\"\"b,c\",1,1,1,0,0\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	if err := (&answers.TermList{}).WriteCSV(&b); err != nil || b.String() != "term,changes,times\n" {
		t.Errorf("no terms are %q, %v", b.String(), err)
	}
}

// A table says in its head what it is, and how much it leaves out.
func TestHeadOfATable(t *testing.T) {
	for _, tt := range []struct {
		method, untold, body string
		left                 int
	}{
		{http.MethodGet, "", "a,b\r\n", 0},
		{http.MethodGet, "3", "a,b\r\n", 3},
		{http.MethodHead, "1", "", 1},
	} {
		w := httptest.NewRecorder()
		out, err := beginTable(w, httptest.NewRequest(tt.method, "/", nil), "what lasted", tt.left, []string{"a", "b"})
		if out != nil {
			out.Flush()
		}
		h := w.Header()
		if err != nil || w.Body.String() != tt.body || h.Get("X-Varve-Untold") != tt.untold || h.Get("Access-Control-Allow-Origin") != "*" ||
			h.Get("Content-Type") != "text/csv; charset=utf-8; header=present" ||
			h.Get("Content-Disposition") != `attachment; filename="what lasted.csv"` {
			t.Errorf("%s, %d left out: %q %v, %v", tt.method, tt.left, w.Body, h, err)
		}
	}
}

func TestDomainsNameTheirOwnTerms(t *testing.T) {
	terms := []answers.TermItem{
		{Term: "a", Domains: []answers.Facet{{Name: "x.example", Count: 1}, {Name: "y.example", Count: 9}}},
		{Term: "b", Domains: []answers.Facet{{Name: "x.example", Count: 3}}},
		{Term: "c", Domains: []answers.Facet{{Name: "x.example", Count: 1}}},
	}
	want := []answers.Facet{{Name: "b", Count: 3}, {Name: "a", Count: 1}, {Name: "c", Count: 1}}
	if d := cmp.Diff(want, mostIn(terms, "x.example")); d != "" {
		t.Error(d)
	}
	if got := mostIn(terms, "z.example"); got != nil {
		t.Errorf("a domain without terms has %v", got)
	}
}
