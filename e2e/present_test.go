package e2e

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// had is the answer of a search for what stood on pages.
type had struct {
	Q, Change   string
	Total, Page int
	Suggestion  *string
	Facets      struct{ Domain, Year, MIME, Lang [][2]any }
	Chart       [][2]any
	Results     []struct {
		OriginalURI       string `json:"original_uri"`
		Title             string
		Versions          int
		Best, First, Last searchEnd
		Still             bool
		Gone              *struct {
			Datetime, Diff string
		}
		Snippets []struct {
			Text  string
			Marks [][2]int
		}
	}
}

func (s *server) present(t *testing.T, params ...string) *had {
	t.Helper()
	v := url.Values{}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	var out had
	a := s.get(t, "/web/search?"+v.Encode()).expect(t, 200, "Content-Type: application/json", "Access-Control-Allow-Origin: *")
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// What stood on pages is what the search answers unless it is asked for changes.
func TestSearchForWhatStoodOnPages(t *testing.T) {
	s := searchable(t)
	const water = "http://www.riverbend.example/water.html"
	f := s.present(t, "q", `"the tannery"`, "url", water, "matchType", "exact")
	if f.Change != "present" || f.Total != 1 || len(f.Results) != 1 {
		t.Fatalf("%+v", f)
	}
	r := f.Results[0]
	if r.OriginalURI != water || r.Versions < 2 || r.Still || r.First.Datetime != "20080301091942" || r.Last.Datetime != "20161201092451" {
		t.Errorf("%+v", r)
	}
	if r.Gone == nil || r.Gone.Datetime != "20170301092254" {
		t.Fatalf("gone: %+v", r.Gone)
	}
	if diff := plain(t, s.get(t, r.Gone.Diff[len(s.url):], "Accept: text/html").expect(t, 200).body); !strings.Contains(diff, "tannery") {
		t.Errorf("the change that removed it does not show it: %.500s", diff)
	}
	for _, n := range r.Snippets {
		text := []rune(n.Text)
		for _, m := range n.Marks {
			if got := strings.ToLower(string(text[m[0]:m[1]])); got != "the tannery" {
				t.Errorf("%q is marked in %s", got, n.Text)
			}
		}
	}
	if len(r.Snippets) == 0 || len(f.Chart) < 5 || len(f.Facets.Domain) != 1 || len(f.Facets.Lang) != 1 {
		t.Errorf("snippets %v, chart %v, facets %v", r.Snippets, f.Chart, f.Facets)
	}
}

func TestOperatorsOfTheSearch(t *testing.T) {
	s := searchable(t)
	count := func(params ...string) int { return s.present(t, params...).Total }
	all := count("q", "tannery")
	if all < 2 {
		t.Fatalf("%d pages had the tannery", all)
	}
	for q, holds := range map[string]func(n int) bool{
		"tannery -history":                    func(n int) bool { return n < all },
		"tann*":                               func(n int) bool { return n >= all },
		"tanery~":                             func(n int) bool { return n >= all },
		"title:water tannery":                 func(n int) bool { return n > 0 && n < all },
		"tannery site:riverbend.example":      func(n int) bool { return n == all },
		"tannery site:elsewhere.example":      func(n int) bool { return n == 0 },
		"tannery -site:www.riverbend.example": func(n int) bool { return n == 0 },
		"tannery url:history":                 func(n int) bool { return n == 1 },
		"tannery url:www.riverbend.example":   func(n int) bool { return n == all },
		`"tannery at upper mill`:              func(n int) bool { return n > 0 }, // no quote closes it
		"tannery AND":                         func(n int) bool { return n >= 0 },
	} {
		if n := count("q", q); !holds(n) {
			t.Errorf("%s: %d pages, tannery alone %d", q, n, all)
		}
	}
	if f := s.present(t, "q", "tanenry"); f.Total != 0 || f.Suggestion == nil || *f.Suggestion != "tannery" {
		t.Errorf("two letters swapped: %d pages, suggestion %v", f.Total, f.Suggestion)
	}
	const water = "http://www.riverbend.example/water.html"
	if before, after := count("q", "tannery", "url", water, "matchType", "exact", "at", "2016"),
		count("q", "tannery", "url", water, "matchType", "exact", "at", "2018"); before != 1 || after != 0 {
		t.Errorf("as of 2016 %d pages, as of 2018 %d", before, after)
	}
	first := s.present(t, "q", "tannery", "sort", "oldest").Results[0].First.Datetime
	for _, r := range s.present(t, "q", "tannery").Results {
		if r.First.Datetime < first {
			t.Errorf("%s is older than the oldest, %s", r.First.Datetime, first)
		}
	}
	for _, bad := range []string{"q=a&sort=best", "q=a&status=many", "q=a&at=then", "q=a&page=0", "q=", "q=a&change=gone"} {
		if a := s.get(t, "/web/search?"+bad, "Accept: application/json"); a.status != 400 || !strings.HasPrefix(a.body, "{") {
			t.Errorf("%s: %d %s", bad, a.status, a.body)
		}
	}
}

func TestPageOfWhatStoodOnPages(t *testing.T) {
	s := searchable(t)
	for _, c := range []struct {
		query  string
		status int
		want   []string
	}{
		{"q=tannery", 200, []string{
			"Pages with tannery", "present 4 pages", "deleted 2 changes", "best first newest first oldest first", "gone since 1 March 2017",
			"still there in the newest version", "first capture with it: 1 March 2008",
		}},
		{"q=tannery&from=2020&to=2020", 200, []string{"from 2020 on", "until 2020"}},
		{"q=tanery", 200, []string{"Did you mean tannery ?", "No version of any page in this collection contains this."}},
		{"q=chromium+zeppelin", 200, []string{"None of these pages has “zeppelin”."}},
		{"q=chromium+zeppelin&match=all", 200, []string{"No version has all of these together. Alone there is: chromium"}},
		{"q=tannery&at=1999", 200, []string{"Within these limits there is nothing; without them there are 4 pages."}},
		{"q=www.riverbend.example", 200, []string{"Open http://www.riverbend.example as an address"}},
		{"", 200, []string{"Search in the pages", "One or two letters may be wrong: pollution~"}},
		{"q=%3F%21", 200, []string{"The query has no words, only punctuation"}},
		{"q=tannery&at=then", 400, []string{"A time is 1 to 14 digits"}},
	} {
		text := plain(t, s.get(t, "/web/search?"+c.query, "Accept: text/html").expect(t, c.status).body)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %.2000s", c.query, want, text)
			}
		}
	}
}

// One box takes addresses, patterns and words.
func TestTheBoxKnowsAddressesFromWords(t *testing.T) {
	s := searchable(t)
	for typed, want := range map[string]string{
		"river flood":                      "/web/search?q=river+flood",
		"tannery":                          "/web/search?q=tannery",
		"tann*":                            "/web/search?q=tann%2A",
		`"the tannery"`:                    "/web/search?q=%22the+tannery%22",
		"title:water":                      "/web/search?q=title%3Awater",
		"node.js":                          "/web/search?q=node.js",
		"3.14":                             "/web/search?q=3.14",
		"www.riverbend.example/water.html": "/web/*/http://www.riverbend.example/water.html",
		"riverbend.example":                "/web/*/http://riverbend.example",
		"http://never.example/":            "/web/*/http://never.example/",
		"www.never-archived.org/page":      "/web/*/http://www.never-archived.org/page",
		"localhost:8080":                   "/web/*/http://localhost:8080",
	} {
		for _, box := range []string{"/web/", "/"} {
			a := s.get(t, box+"?url="+url.QueryEscape(typed), "Accept: text/html")
			if got := a.header.Get("Location"); a.status != 302 || got != want {
				t.Errorf("%s in the box of %s: %d to %s, want %s", typed, box, a.status, got, want)
			}
		}
	}
	text := plain(t, s.get(t, "/web/?url=*.riverbend.example", "Accept: text/html").expect(t, 200).body)
	if !strings.Contains(text, "water.html") {
		t.Errorf("a pattern lists %s", text)
	}
}

func TestSuggestions(t *testing.T) {
	s := searchable(t)
	for typed, want := range map[string]string{
		"tann":                     "tannery",
		"old tann":                 "old tannery",
		"tanenry":                  "tannery",
		"www.riverbend.example/wa": "http://www.riverbend.example/water.html",
		"riverb":                   "http://www.riverbend.example/",
		"what is in the w":         `"what is in the water riverbend river observatory"`,
	} {
		a := s.get(t, "/web/suggest?q="+url.QueryEscape(typed)).expect(t, 200, "Content-Type: application/x-suggestions+json")
		var all []any
		if err := json.Unmarshal([]byte(a.body), &all); err != nil || len(all) != 4 || all[0] != typed {
			t.Fatalf("%s: %v %s", typed, err, a.body)
		}
		if list, _ := json.Marshal(all[1]); !strings.Contains(string(list), strings.ReplaceAll(want, `"`, `\"`)) {
			t.Errorf("%s: %s is not in %s", typed, want, list)
		}
	}
	page := s.get(t, "/web/", "Accept: text/html").expect(t, 200).body
	if !strings.Contains(page, `type="application/opensearchdescription+xml"`) || !strings.Contains(page, `href="/web/opensearch.xml"`) {
		t.Error("no page tells browsers of the search")
	}
	xml := s.get(t, "/web/opensearch.xml").expect(t, 200, "Content-Type: application/opensearchdescription+xml").body
	for _, want := range []string{
		s.url + "/web/?url={searchTerms}", s.url + "/web/suggest?q={searchTerms}",
		"<ShortName>varve web</ShortName>",
	} {
		if !strings.Contains(xml, want) {
			t.Errorf("%s is not in %s", want, xml)
		}
	}
}
