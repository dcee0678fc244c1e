package search_test

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/replaytest"
)

// The page of changes leads on to fewer of them, to other pages of them, and to the same as data.
func TestThePageOfChangesLeadsOn(t *testing.T) {
	t.Parallel()
	page := func(date, uri, more string) replaytest.Record {
		body := "<!doctype html><title>Chair</title><main><p>A chair of oak" + more + "."
		return replaytest.Record{Date: date, URI: uri, Status: 200, Body: body}
	}
	var list []replaytest.Record
	for i, year := range []string{"2015", "2015", "2016"} {
		uri := fmt.Sprintf("http://%c.example/%d", "aab"[i], i)
		list = append(list, page("20140101000000", uri, " that lasted"), page(year+"0101000000", uri, ""))
	}
	s := replaytest.Searchable(t, []string{replaytest.Write(t, list)})
	var got search.SearchList
	text := replaytest.Fetch(t, s.Handler(), "/web/search?change=deleted&q=lasted&domain=b.example")
	if err := json.Unmarshal(text, &got); err != nil || len(got.Results) != 1 {
		t.Fatal(err, string(text))
	}
	const base, at = "http://example.com/web", "=20140101000000&level=text&term=lasted&"
	if diff := cmp.Diff(search.SearchLinks{
		Diff:      base + "/diff?from" + at + "to=20160101000000&url=http%3A%2F%2Fb.example%2F2",
		Sliding:   base + "/diff?at" + at + "url=http%3A%2F%2Fb.example%2F2",
		Animation: base + "/animate?from=20140101000000&term=lasted&to=20160101000000&url=http%3A%2F%2Fb.example%2F2",
	}, got.Results[0].Links); diff != "" {
		t.Error(diff)
	}
	if r := got.Results[0]; r.Addition == nil || r.Addition.Datetime != "20140101000000" || r.LifespanDays != 730 {
		t.Errorf("the text was added %+v, and there for %d days", r.Addition, r.LifespanDays)
	}
	link := func(other string) string { return `"/web/search?change=deleted&amp;` + html.EscapeString(other) + `"` }
	pages := replaytest.Get(t, s.Handler(), "/web/search?q=chair&limit=1&page=2", "Accept", "text/html").Body.String()
	if !strings.Contains(pages, `<ol class="changes" start="2">`) {
		t.Errorf("the numbers of pages don't go on: %s", pages)
	}
	for query, tt := range map[string]struct{ has, not []string }{
		"limit=2": {
			[]string{
				link("domain=a.example&limit=2&q=lasted"), link("domain=b.example&limit=2&q=lasted"),
				link("from=2015&limit=2&q=lasted&to=2015"), link("from=2016&limit=2&q=lasted&to=2016"),
				`rel="next" href=` + link("limit=2&page=2&q=lasted"), link("limit=2&output=csv&q=lasted"), link("limit=2&output=json&q=lasted"),
				link("limit=2&q=lasted&sort=title"),
			}, []string{`rel="prev"`, "a.example/1<"},
		},
		"limit=2&page=2": {
			[]string{`rel="prev" href=` + link("limit=2&page=1&q=lasted"), "a.example/1<"},
			[]string{`rel="next"`, "a.example/0<"},
		},
		"limit=2&page=3":     {nil, []string{`rel="prev"`, `rel="next"`, "output=csv"}},
		"limit=1":            {[]string{`rel="next" href=` + link("limit=1&page=2&q=lasted"), ` start="1"`}, []string{`rel="prev"`}},
		"limit=1&page=2":     {[]string{`rel="next" href=` + link("limit=1&page=3&q=lasted"), ` start="2"`}, nil},
		"limit=3":            {nil, []string{`rel="prev"`, `rel="next"`}},
		"from=2015&to=2015":  {[]string{link("q=lasted"), "a.example/0<", "a.example/1<"}, []string{"b.example/2<"}},
		"domain=b.example":   {[]string{link("q=lasted"), "b.example/2<"}, []string{"a.example/0<", link("from=2016&q=lasted&to=2016")}},
		"domain=nil.example": {nil, []string{"output=csv"}},
	} {
		body := replaytest.Get(t, s.Handler(), "/web/search?change=deleted&q=lasted&"+query, "Accept", "text/html").Body.String()
		for _, want := range tt.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s", query, want)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: %s is there", query, not)
			}
		}
	}
}
