package search

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

func params(typed string) respond.Path {
	v, _ := url.ParseQuery(typed)
	return respond.Path{Coll: "web", Params: v}
}

func TestNumbersOfParametersHaveBounds(t *testing.T) {
	terms := func(p respond.Path) error { _, err := termsQuery(p); return err }
	searched := func(p respond.Path) error { _, err := parseSearchParams(p); return err }
	for _, tt := range []struct {
		name  string
		read  func(respond.Path) error
		query string
		ok    bool
	}{
		{"terms: none", terms, "", true},
		{"terms: one", terms, "limit=1", true},
		{"terms: none of them", terms, "limit=0", false},
		{"terms: as many as can be", terms, fmt.Sprint("limit=", answers.MaxTerms), true},
		{"terms: one more", terms, fmt.Sprint("limit=", answers.MaxTerms+1), false},
		{"terms: no number", terms, "limit=x", false},
		{"search: one", searched, "q=a&limit=1&page=1", true},
		{"search: none", searched, "q=a&limit=0", false},
		{"search: as many as can be", searched, fmt.Sprint("q=a&limit=", maxSearchLimit), true},
		{"search: one more", searched, fmt.Sprint("q=a&limit=", maxSearchLimit+1), false},
		{"search: as far as can be", searched, fmt.Sprint("q=a&limit=1&page=", maxSearchSkip), true},
		{"search: a page beyond", searched, fmt.Sprint("q=a&limit=1&page=", maxSearchSkip+1), false},
		{"search: the last page of many results", searched, fmt.Sprint("q=a&limit=1000&page=", 1+maxSearchSkip/1000), true},
		{"search: a result beyond", searched, fmt.Sprint("q=a&limit=1000&page=", 2+maxSearchSkip/1000), false},
	} {
		if err := tt.read(params(tt.query)); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		} else if err != nil && respond.AsFailure(err).Status != http.StatusBadRequest {
			t.Errorf("%s: %d", tt.name, respond.AsFailure(err).Status)
		}
	}
}

func TestTermsComeAsAsked(t *testing.T) {
	for _, tt := range []struct {
		query, accept, want string
		varies              bool
	}{
		{"", "", "json", true},
		{"", "text/html,*/*", "html", true},
		{"", "Text/CSV", "csv", true},
		{"", "text/csv, text/html", "html", true},
		{"format=json", "text/html", "json", false},
		{"format=html", "", "html", false},
		{"format=csv", "text/html", "csv", false},
		{"format=xml", "", "", false},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept", tt.accept)
		got, err := respond.Format(w, r, params(tt.query), "format")
		if got != tt.want || (err == nil) != (tt.want != "") || (w.Header().Get("Vary") == "Accept") != tt.varies {
			t.Errorf("%q %q: %q, %v, Vary: %s", tt.query, tt.accept, got, err, w.Header().Get("Vary"))
		}
	}
}

func TestLinksOfTermsKeepTheRest(t *testing.T) {
	q := termsParams{answers.TermsQuery{Change: "added", Domain: "a.example", From: "2014", Limit: 5}}
	uris := memento.URIs{Coll: "web"}
	for _, tt := range []struct {
		change []string
		want   string
	}{
		{nil, "/web/terms?change=added&domain=a.example&from=2014&limit=5"},
		{[]string{"from", "", "to", "2015"}, "/web/terms?change=added&domain=a.example&limit=5&to=2015"},
		{[]string{"domain", "", "format", "csv"}, "/web/terms?change=added&format=csv&from=2014&limit=5"},
	} {
		if got := q.link(uris, tt.change...); got != tt.want {
			t.Errorf("%v leads to %s, want %s", tt.change, got, tt.want)
		}
	}
	v := q.view(layout.Page{}, uris)
	if len(v.Filters) != 2 || v.Filters[0].By != byDomain || v.Filters[1].By != byFrom ||
		!v.Tabs[1].Current || v.Tabs[0].Current {
		t.Errorf("%+v, tabs %+v", v.Filters, v.Tabs)
	}
}

func TestLatestAddition(t *testing.T) {
	times := []cdx.Timestamp{20150101000000, 20170101000000, 20160101000000}
	for ts, want := range map[cdx.Timestamp]cdx.Timestamp{
		20140101000000: 0, 20150101000000: 20150101000000, 20161231000000: 20160101000000, 20300101000000: 20170101000000,
	} {
		if got := latest(times, ts); got != want {
			t.Errorf("up to %s: %s", ts, got)
		}
	}
}

// wordText is a text with its words, which stand between single spaces.
func wordText(text string) *searches.WordText {
	w := &searches.WordText{Text: text}
	at := 0
	for _, one := range strings.Split(text, " ") {
		w.Words = append(w.Words, one)
		w.At = append(w.At, search.Place{Start: at, End: at + len(one)})
		at += len(one) + 1
	}
	return w
}

func TestSnippetsShowWhatWentOrCame(t *testing.T) {
	var filler []string
	for i := range 40 {
		filler = append(filler, "w"+strconv.Itoa(i))
	}
	many := strings.Join(filler, " ")
	around := func(from, to int) string { return strings.Join(filler[from:to], " ") }
	for _, tt := range []struct {
		name         string
		query        string
		kind         search.Kind
		older, newer string
		want         []string // op, text, marks, changed
	}{
		{"a word went", "mill", search.Deleted, "the old mill stands", "the old stands", []string{"- the old mill stands [[8 12]] [[8 12]]"}},
		{"a word came", "mill", search.Added, "the old stands", "the old mill stands", []string{"+ the old mill stands [[8 12]] [[8 12]]"}},
		{"a word stayed", "mill", search.Deleted, "the old mill stands", "the mill stands", nil},
		{"one word of a phrase went", `"old mill"`, search.Deleted, "the old mill", "the mill", []string{"- the old mill [[4 12]] [[4 7]]"}},
		{"something came between", `"old mill"`, search.Deleted, "the old mill", "the old red mill", []string{"- the old mill [[4 12]] []"}},
		{"something came before", `"old mill"`, search.Deleted, "the old mill", "the very old mill", nil},
		{"something came behind", `"old mill"`, search.Deleted, "the old mill", "the old mill burns", nil},
		{
			"in a long text", "mill", search.Deleted, many + " mill " + many, many + " " + many,
			[]string{"- … " + around(28, 40) + " mill " + around(0, 12) + " … [[50 54]] [[50 54]]"},
		},
		{
			"in code points", "mühle", search.Deleted, "für die mühle da", "für die da", []string{"- für die mühle da [[8 13]] [[8 13]]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := search.Parse(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range snippets(&q, tt.kind, wordText(tt.older), wordText(tt.newer)) {
				got = append(got, fmt.Sprint(s.Op, " ", s.Text, " ", s.Marks, " ", s.Changed))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSnippetsAreFewAndDontOverlap(t *testing.T) {
	gap := strings.Repeat(" x", 2*snippetWords)
	q, err := search.Parse("mill")
	if err != nil {
		t.Fatal(err)
	}
	text := wordText("mill" + gap + " mill" + gap + " mill" + gap + " mill")
	got := snippets(&q, search.Deleted, text, wordText("y"))
	if len(got) != maxSnippets {
		t.Errorf("%d snippets", len(got))
	}
	near := snippets(&q, search.Deleted, wordText("mill a mill b mill"), wordText("a b"))
	if len(near) != 1 || len(near[0].Marks) != 3 || len(near[0].Changed) != 3 {
		t.Errorf("of one place: %+v", near)
	}
}

// What is no word, or a word without an end, makes no snippet long.
func TestSnippetsAreShort(t *testing.T) {
	t.Parallel()
	long, dots := strings.Repeat("x", 5000), strings.Repeat(". ", 5000)
	q, err := search.Parse("mill")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"a mill b":                                 "a mill b",
		dots + "mill" + dots:                       "… mill …",
		"a " + dots + "mill " + dots + " b":        "… mill …",
		long + " mill " + long:                     "… mill …",
		"a " + long + " b mill c " + long + " d":   "… b mill c …",
		". a " + dots + " b mill" + dots + "c d .": "… b mill …",
	} {
		page := &searches.WordText{Text: text}
		tokenize.Terms(text, func(t tokenize.Term) bool {
			page.Words, page.At = append(page.Words, string(t.Norm)), append(page.At, search.Place{Start: t.Start, End: t.End})
			return true
		})
		if got := presentSnippets(query.Query{Clauses: []query.Clause{{Words: []string{"mill"}}}}, page); len(got) != 1 || got[0].Text != want ||
			len(got[0].Marks) != 1 {
			t.Errorf("%.20s: %.100v, want %s", text, got, want)
		}
		if got := snippets(&q, search.Deleted, page, wordText("y")); len(got) != 1 || got[0].Text != want || len(got[0].Marks) != 1 {
			t.Errorf("%.20s was deleted: %.100v, want %s", text, got, want)
		}
	}
}

// The chosen order leads to its reverse, and that back.
func TestAChosenOrderIsReversed(t *testing.T) {
	link := func(change ...string) string { return strings.Join(change, "=") }
	for sort, want := range map[string]string{
		"": "sort= sort=newest sort=oldest sort=url sort=-size", "newest": "sort= sort=newest sort=oldest sort=url sort=-size",
		"url": "sort= sort=newest sort=oldest sort=-url sort=-size", "-url": "sort= sort=newest sort=oldest sort=url sort=-size",
		"-size": "sort= sort=newest sort=oldest sort=url sort=size", "size": "sort= sort=newest sort=oldest sort=url sort=-size",
	} {
		var got []string
		for _, c := range (&asked{sort: sort}).sorts(2, link, "url", "-size") {
			got = append(got, c.Href)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("ordered by %q: %s, want %s", sort, got, want)
		}
	}
}
