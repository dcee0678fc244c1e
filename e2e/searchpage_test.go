package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// searchable returns the server of the sample archive after its change-text search is built.
func searchable(t testing.TB) *server {
	t.Helper()
	s := demo(t)
	eventually(t, "the search of the sample archive", func() bool {
		var a struct {
			Total int
			Index struct {
				Pages, Searched int
				Building        bool
			}
		}
		err := json.Unmarshal([]byte(s.get(t, "/web/search?q=tannery&change=deleted").body), &a)
		return err == nil && a.Total > 0 && a.Index.Searched == a.Index.Pages && !a.Index.Building
	})
	return s
}

// plain returns the text of a page's content with its white space collapsed.
func plain(t testing.TB, page string) string {
	t.Helper()
	var b strings.Builder
	for n := range parse(t, page).Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// There must be one result for each change, and a useful page without results.
func TestSearchPage(t *testing.T) {
	s := searchable(t)
	const shown = "www.riverbend.example/history.html"
	const history = "http://" + shown
	for _, c := range []struct {
		name, query string
		status      int
		want        []string // in the page's text
	}{
		{"a deletion", "q=tannery", 200, []string{
			"Where tannery was deleted", "2 changes", "History – Riverbend River Observatory", history,
			"First there 1 March 2008, 09:19 UTC", "Last there 1 August 2016, 09:20 UTC 1 time", "Gone 1 September 2016, 09:21 UTC 0 times",
			"There for 8 years, 6 months or longer", "what changed", "all versions side by side", "watch it change",
		}},
		{
			"a page that went as a whole says so", "q=tannery", 200,
			[]string{"The whole page was removed: after this the address answers that there is no such page."},
		},
		{
			"a redirect", "q=river+observatory&url=http://www.riverbend.example/about.html", 200,
			[]string{"The whole page was removed: after this the address sends visitors elsewhere."},
		},
		{
			"an addition", "q=tannery&change=added", 200,
			[]string{
				"Where tannery was added", "Not there nothing archived",
				"This is the first version that was archived: the text may be older.",
			},
		},
		{"a part of it", "q=river&change=semi-deleted", 200, []string{"Where river was partly deleted", "10 changes", "Before ", "After "}},
		{"a phrase", "q=%22dye+and+chromium%22", 200, []string{"1 change ", "History – Riverbend River Observatory"}},
		{"one address", "q=tannery&matchType=exact&url=" + history, 200, []string{"only " + shown, "1 change History"}},
		{
			"a domain and times", "q=tannery&domain=riverbend.example&from=2017&to=2017", 200,
			[]string{"on riverbend.example", "changed from 2017 on", "1 change What is in the water"},
		},
		{"nothing asked", "", 200, []string{
			"Search in what changed", "When did a sentence disappear, and from where?",
			"In double quotes: exactly this phrase.",
		}},
		{"nothing asked of one address", "matchType=exact&url=" + history, 200, []string{"Find what was deleted from this page " + shown}},
		{"an open quote", "q=%22tannery", 400, []string{"A quotation mark is not closed"}},
		{"signs", "q=%3F%21", 400, []string{"The query has no words, only punctuation"}},
		{"10 kB", "q=" + strings.Repeat("x", 10<<10), 400, []string{"The query is too long"}},
		{"no datetime", "q=tannery&from=then", 400, []string{"A time is 1 to 14 digits, the year first"}},
		{"operators of other engines", "q=tan*+OR+%2Btitle:mill", 200, []string{"have no special meaning here"}},
		{"a misspelt word", "q=tanery", 200, []string{"Did you mean tannery ?"}},
		{"nowhere", "q=zeppelin", 200, []string{"No version of any page in this collection contains this."}},
		{
			"never deleted", "q=observatory&matchType=exact&url=" + history, 200,
			[]string{"was never deleted: the newest version of 1 page still has it", "See where it was added", "It stands here, for one: History"},
		},
		{
			"only partly", "q=river&matchType=exact&url=http://www.riverbend.example/water.html", 200,
			[]string{"This was never deleted completely; 1 change deleted a part of it.", "See where it was partly deleted"},
		},
		{
			"outside the limits", "q=tannery&from=2020", 200,
			[]string{"Within these limits there is nothing; without them there are 2 changes.", "Search without the limits"},
		},
		{"not together", "q=chromium+kingfishers", 200, []string{"No change has all of these together. Alone there is: chromium kingfishers"}},
		{"behind the last page", "q=tannery&page=7", 200, []string{"There is no such page of results.", "Go to the first page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.get(t, "/web/search?"+ofDeletions(c.query), "Accept: text/html").expect(t, c.status, "Content-Type: text/html; charset=utf-8",
				"Vary: Accept, Accept-Language, Accept-Encoding")
			text := plain(t, a.body)
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in %.3000s", want, text)
				}
			}
		})
	}
}

// Each page of results must have different changes, and all pages together each change once.
func TestSearchResultsArePaged(t *testing.T) {
	s := searchable(t)
	target, seen, pages := "/web/search?q=flood&change=added&limit=3", map[string]bool{}, 0
	for target != "" {
		if pages++; pages > 100 {
			t.Fatal("the pages don't end")
		}
		a := s.get(t, target, "Accept: text/html").expect(t, 200)
		target = ""
		for n := range parse(t, a.body).Descendants() {
			switch {
			case n.Data == "a" && attribute(n, "rel") == "next":
				target = attribute(n, "href")
			case n.Data == "a" && n.Parent.Data == "h2":
				if href := attribute(n, "href"); seen[href] {
					t.Errorf("%s is on two pages", href)
				} else {
					seen[href] = true
				}
			}
		}
	}
	var all struct{ Total int }
	if err := json.Unmarshal([]byte(s.get(t, "/web/search?q=flood&change=added").body), &all); err != nil || all.Total != len(seen) ||
		pages < 2 {
		t.Errorf("%d pages have %d changes, want %d (%v)", pages, len(seen), all.Total, err)
	}
}

// All links of a result page must lead somewhere: to mementos, diffs and narrower searches.
func TestSearchPageLinksLeadSomewhere(t *testing.T) {
	s := searchable(t)
	for _, page := range []string{
		"/web/search?q=tannery", "/web/search?q=tannery&from=2020",
		"/web/search?q=observatory&domain=riverbend.example", "/web/terms?limit=10", "/web/", "/web/*/http://www.riverbend.example/",
	} {
		a := s.get(t, page, "Accept: text/html").expect(t, 200)
		for _, href := range hrefs(t, a.body) {
			if !strings.HasPrefix(href, "/") {
				continue
			}
			if got := s.get(t, href, "Accept: text/html"); got.status != 200 && got.header.Get("Memento-Datetime") == "" {
				t.Errorf("%s leads to %s: %d", page, href, got.status)
			}
		}
	}
}

// The collection page, the calendar and the banner must lead to the search.
func TestSearchIsReachedFromEverywhere(t *testing.T) {
	s := searchable(t)
	const history = "http://www.riverbend.example/history.html"
	for target, want := range map[string]string{
		"/web/":                            `role="search" action="/web/"`, // the one box
		"/web/*/" + history:                `<input type="hidden" name="url" value="` + history + `">`,
		"/web/20160901092136/" + history:   `href="/web/search?change=deleted&amp;matchType=exact&amp;url=` + url.QueryEscape(history) + `"`,
		"/web/search?matchType=exact&url=": `role="search" action="/web/"`,
	} {
		if a := s.get(t, target, "Accept: text/html").expect(t, 200); !strings.Contains(a.body, want) {
			t.Errorf("%s does not have %s", target, want)
		}
	}
}

// The terms of a collection as a page, as JSON, as CSV; one click must lead from a term to its changes.
func TestTermsOfACollection(t *testing.T) {
	s := searchable(t)
	var list struct {
		Change  string
		Changes int
		Years   []struct {
			Name  string
			Count int
		}
		Terms []struct {
			Term    string
			Changes int
			Times   int
			Search  string
		}
	}
	a := s.get(t, "/web/terms?limit=1000").expect(t, 200, "Content-Type: application/json", "Vary: Accept, Accept-Encoding",
		"Access-Control-Allow-Origin: *")
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || len(list.Terms) < 100 {
		t.Fatalf("%d terms, %v", len(list.Terms), err)
	}
	sum := 0
	for _, y := range list.Years {
		sum += y.Count
	}
	if list.Change != "deleted" || list.Changes != sum {
		t.Errorf("%d changes that were %s, %d in all years", list.Changes, list.Change, sum)
	}
	for i, term := range list.Terms[:20] {
		if i > 0 && term.Changes > list.Terms[i-1].Changes {
			t.Errorf("%s is in more changes than %s before it", term.Term, list.Terms[i-1].Term)
		}
		_, target, _ := strings.Cut(strings.TrimPrefix(term.Search, "http://"), "/")
		var found struct{ Total int }
		if err := json.Unmarshal([]byte(s.get(t, "/"+target).body), &found); err != nil || found.Total < term.Changes {
			t.Errorf("%s: %d changes, its search has %d (%v)", term.Term, term.Changes, found.Total, err)
		}
	}

	a = s.get(t, "/web/terms?limit=1000", "Accept: text/csv").expect(t, 200, "Content-Type: text/csv; charset=utf-8")
	lines, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	if err != nil || len(lines) != len(list.Terms)+1 {
		t.Fatalf("%d lines for %d terms, %v", len(lines), len(list.Terms), err)
	}
	if got, want := strings.Join(lines[1][:3], ","),
		fmt.Sprintf("%s,%d,%d", list.Terms[0].Term, list.Terms[0].Changes, list.Terms[0].Times); got != want {
		t.Errorf("the first line is %s, want %s", got, want)
	}
	if b := s.get(t, "/web/terms?limit=1000&format=csv", "Accept: text/html"); b.body != a.body {
		t.Error("format=csv says something else than Accept: text/csv")
	}

	text := plain(t, s.get(t, "/web/terms?change=added&from=2016&to=2017", "Accept: text/html").expect(t, 200).body)
	for _, want := range []string{
		"Words most often added", "changed from 2016 on", "changed until 2017", "Changes, by year",
		"riverbend.example",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for query, want := range map[string]string{
		"change=semi-deleted": "want deleted or added", "limit=0": "from 1 to 1000", "format=xml": "want html, json or csv",
		"from=then": "1 to 14 digits", "domain=%20": "",
	} {
		if a := s.get(t, "/web/terms?"+query); a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	if text := plain(t, s.get(t, "/web/terms?domain=nowhere.example", "Accept: text/html").expect(t, 200).body); !strings.Contains(text,
		"Nothing changed within these limits.") {
		t.Error("an empty page does not say so")
	}
}
