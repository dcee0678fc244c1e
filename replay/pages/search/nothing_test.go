package search_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

var onwards = regexp.MustCompile(`<a class="button main" href="([^"]*)"`)

// A search without results says why, and leads to where there are some.
func TestASearchWithoutResultsLeadsOn(t *testing.T) {
	h := attic(t)
	for _, tt := range []struct {
		name, query string
		says        string
		to          string // the query to which it leads, "" for nowhere
		also        []string
	}{
		{"behind the last page", `q="silver spoon"&page=2`, "", `q="silver spoon"&change=deleted`, nil},
		{
			"it still stands", `q="harbour lantern"`, "the newest version of 1 page still has it", `q="harbour lantern"&change=added`,
			[]string{"It stands here, for one", "/web/20160101000000/" + replaytest.Site + "/stays"},
		},
		{
			"two words that came together still stand", `q=harbour lantern`, "the newest version of 1 page still has it",
			`q=harbour lantern&change=added`,
			[]string{"/web/20160101000000/" + replaytest.Site + "/stays"},
		},
		{
			"a part of it went", `q="copper kettle"`, "This was never deleted completely; 1 change deleted a part of it.",
			`q="copper kettle"&change=semi-deleted`, nil,
		},
		{
			"none of it went in part, but all of it", `q="silver spoon"&change=semi-deleted`,
			"There is none of this kind, but it was deleted in 1 change.", `q="silver spoon"&change=deleted`, nil,
		},
		{
			"none of it went in part, and it still stands", `q="violet scarf"&change=semi-deleted`, "the newest version of 1 page still has it",
			`q="violet scarf"&change=added`,
			[]string{"/web/20160101000000/" + replaytest.Site + "/came"},
		},
		{"nowhere", `q=unheard`, "No version of any page in this collection contains this.", "", nil},
		{
			"its parts are on different pages", `q=silver scarf`, "No change has all of these together. Alone there is:", "",
			[]string{">silver</bdi>", ">scarf</bdi>"},
		},
		{
			"its parts came one after the other", `q=harbour granite`, "No change has all of these together. Alone there is:", "",
			[]string{">harbour</bdi>", ">granite</bdi>"},
		},
		{
			"one part is nowhere", `q=silver unheard`, "No change has all of these together. Alone there is:", "", []string{">silver</bdi>"},
		},
		{
			"outside of the years", `q="silver spoon"&from=2017`, "Within these limits there is nothing; without them there is 1 change.",
			`q="silver spoon"&change=deleted`, nil,
		},
		{
			"outside of the domain", `q="silver spoon"&domain=other.example`,
			"Within these limits there is nothing; without them there is 1 change.",
			`q="silver spoon"&change=deleted`, nil,
		},
		{
			"outside of the page", `q="silver spoon"&matchType=exact&url=` + replaytest.Site + "/stays",
			"Within these limits there is nothing; without them there is 1 change.", `q="silver spoon"&change=deleted`, nil,
		},
		{
			"outside of both", `q="silver spoon"&from=2017&domain=other.example`,
			"Within these limits there is nothing; without them there is 1 change.", `q="silver spoon"&change=deleted`, nil,
		},
		{
			"in other years there is another kind", `q="violet scarf"&to=2010`, "the newest version of 1 page still has it",
			`q="violet scarf"&change=added`, nil,
		},
		{
			"in the years only another kind, outside of them this one", `q="silver spoon"&to=2015&from=2015`,
			"Within these limits there is nothing; without them there is 1 change.", `q="silver spoon"&change=deleted`, nil,
		},
		{"in other years nothing either", `q=unheard&from=2017`, "No version of any page in this collection contains this.", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := replaytest.Get(t, h, "/web/search?"+encoded(t, ofDeletions(tt.query)), "Accept", "text/html")
			body := w.Body.String()
			if w.Code != http.StatusOK || !strings.Contains(body, `class="happened"`) {
				t.Fatalf("%d\n%s", w.Code, body)
			}
			for _, want := range append(tt.also, tt.says) {
				if !strings.Contains(body, want) {
					t.Errorf("want %q in\n%s", want, body)
				}
			}
			to := ""
			if m := onwards.FindStringSubmatch(body); m != nil {
				to = html.UnescapeString(m[1])
			}
			want := ""
			if tt.to != "" {
				want = "/web/search?" + encoded(t, tt.to)
			}
			if to != want {
				t.Errorf("leads to %s, want %s", to, want)
			}
		})
	}
}

// The same for searches in pages.
func TestASearchInPagesWithoutResultsLeadsOn(t *testing.T) {
	t.Parallel()
	h := attic(t)
	const limits = "Within these limits there is nothing; without them there is 1 page."
	const never = "No version of any page in this collection contains this."
	for _, tt := range []struct {
		query, says string
		to          string // the query to which it leads, "" for nowhere
		also        []string
	}{
		{`q="silver spoon"&page=2`, "There is no such page of results.", `q="silver spoon"`, nil},
		{`q=unheard`, never, "", nil},
		{`q="unheard of"`, never, "", nil},
		{`q=unheard&from=2017`, never, "", nil},
		{`q=+silver +scarf`, "No version has all of these together. Alone there is:", "", []string{">+silver</bdi>", ">+scarf</bdi>"}},
		{`q=+silver +unheard`, "No version has all of these together. Alone there is:", "", []string{">+silver</bdi>"}},
		{`q="silver spoon"&from=2017`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&to=2014`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&at=2017`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&mime=text/plain`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&status=404`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&lang=de`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&domain=other.example`, limits, `q="silver spoon"`, nil},
		{`q="silver spoon"&url=http://other.example/`, limits, `q="silver spoon"`, nil},
	} {
		w := replaytest.Get(t, h, "/web/search?"+encoded(t, tt.query), "Accept", "text/html")
		body, to, want := w.Body.String(), "", ""
		if m := onwards.FindStringSubmatch(body); m != nil {
			to = html.UnescapeString(m[1])
		}
		if tt.to != "" {
			want = "/web/search?" + encoded(t, tt.to)
		}
		if w.Code != http.StatusOK || to != want {
			t.Errorf("%s: %d, leads to %s, want %s", tt.query, w.Code, to, want)
		}
		for _, text := range append(tt.also, tt.says) {
			if !strings.Contains(body, text) {
				t.Errorf("%s: want %q in\n%s", tt.query, text, body)
			}
		}
	}
}

// What can't be asked is said on a page that still has what was typed.
func TestAPageSaysWhatCannotBeAsked(t *testing.T) {
	t.Parallel()
	h := attic(t)
	for _, tt := range []struct {
		query, says string
		status      int
	}{
		{`q="silver&change=deleted`, "A quotation mark is not closed", http.StatusBadRequest},
		{`q=silver&change=added&from=x`, "A time is 1 to 14 digits, the ", http.StatusBadRequest},
		{`q=silver&from=x`, "A time is 1 to 14 digits, the ", http.StatusBadRequest},
		{`q=silver&change=added`, "", http.StatusOK},
		{`q=silver`, "", http.StatusOK},
	} {
		w := replaytest.Get(t, h, "/web/search?"+encoded(t, tt.query), "Accept", "text/html")
		body := w.Body.String()
		if w.Code != tt.status || !strings.Contains(body, tt.says) || strings.Contains(body, `role="alert"`) != (tt.says != "") {
			t.Errorf("%s: %d\n%s", tt.query, w.Code, body)
		}
	}
}

// Signs alone find nothing, which is no error.
func TestASearchForSigns(t *testing.T) {
	h := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/", Status: 200, Body: "<title>Attic</title><p>A - in the \" attic."},
	})}).Handler()
	for _, q := range []string{`"`, "-", "*", "()", "site:a.example", "😀"} {
		for accept, want := range map[string][]string{
			"application/json": {`"total":0`, `"results":[]`, "there is no word in this query: words have letters or digits"},
			"text/html":        {"The query has no words, only p"},
		} {
			w := replaytest.Get(t, h, "/web/search?"+url.Values{"q": {q}}.Encode(), "Accept", accept)
			for _, text := range want {
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), text) {
					t.Errorf("%s as %s: %d, want %q in\n%s", q, accept, w.Code, text, w.Body)
				}
			}
		}
	}
}

// encoded is a query with its parameters escaped and in order.
func encoded(t *testing.T, query string) string {
	t.Helper()
	v := url.Values{}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		v.Set(name, value)
	}
	return v.Encode()
}

// ofDeletions returns the parameters of a search for changes, deletions unless they say otherwise.
func ofDeletions(query string) string {
	if strings.Contains(query, "change=") {
		return query
	}
	return query + "&change=deleted"
}

// attic serves a collection of a few pages that changed.
func attic(t *testing.T) http.Handler {
	t.Helper()
	page := func(year, path, text string) replaytest.Record {
		return replaytest.Record{
			Date: year + "0101000000", URI: replaytest.Site + path, Status: 200,
			Body: "<!doctype html><title>" + path + "</title><main><h1>Attic</h1><p>A list of what is kept in the attic of the house.</p><p>" +
				text + "</p></main>",
		}
	}
	return replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		page("2015", "/stays", "A harbour lantern."), page("2016", "/stays", "A harbour lantern, and a block of granite."),
		page("2015", "/partly", "A copper kettle here and a copper kettle there."), page("2016", "/partly", "A copper kettle here."),
		page("2015", "/gone", "A silver spoon."), page("2016", "/gone", "Nothing."),
		page("2015", "/came", "Nothing."), page("2016", "/came", "A violet scarf."),
	})}).Handler()
}
