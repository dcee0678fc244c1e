package ways_test

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/replay/replaytest"
)

var links = regexp.MustCompile(`href="(/[^"]*)"`)

// linksIn returns where the content of a page leads.
func linksIn(body string) (out []string) {
	_, body, _ = strings.Cut(body, "<main")
	for _, m := range links.FindAllStringSubmatch(body, -1) {
		out = append(out, html.UnescapeString(m[1]))
	}
	return out
}

// An address may have half a million folders. Only the nearest are looked up.
func TestFewFoldersAreLookedUp(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://river.org/": 1})
	h := replaytest.ServeIndex(t, x).Handler()
	for _, folders := range []int{10, 3000} {
		reads.Reset()
		w := replaytest.Get(t, h, "/web/http://never.net/"+strings.Repeat("x/", folders), "Accept", "text/html")
		if n := reads.Views.Load(); w.Code != http.StatusNotFound || n > 200 {
			t.Errorf("of %d folders: %d, %d snapshots are read", folders, w.Code, n)
		}
	}
}

// From what was never captured ways lead to what there is: none to where one is, none to nothing.
func TestWaysFromWhatWasNeverCaptured(t *testing.T) {
	s := replaytest.Searchable(t, []string{replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: "http://www.river.org/", Status: 200, Body: "<title>Home</title><p>one two three"},
		{Date: "20150101000000", URI: "http://www.river.org/mills/old", Status: 200, Body: "<title>Mills</title><p>water wheel miller"},
		{Date: "20150101000000", URI: "http://blog.river.org/a", Status: 200, Body: "<title>Blog</title><p>four five six"},
		{Date: "20150101000000", URI: "http://lake.net/a", Status: 200, Body: "<title>Lake</title><p>seven eight nine"},
	})})
	more := replaytest.Write(t, []replaytest.Record{{Date: "20160101000000", URI: "http://sea.com/", Status: 200, Body: "sea"}})
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.Archive().Index.Whole, Collection: "news"}, []string{more}); err != nil {
		t.Fatal(err)
	}
	const all = "/web/*/*"
	for _, tt := range []struct {
		path string
		want []string
	}{
		{
			"/web/http://www.river.org/mills/wheel.html", []string{
				"/web/*/http://www.river.org/mills/*", "/web/*/http://www.river.org/*", "/web/search?q=mills+wheel", all,
			},
		},
		{
			"/web/*/http://www.river.org/dams/a/b", []string{"/web/*/http://www.river.org/*", all},
		},
		{
			"/web/*/http://forum.river.org/x", []string{"/web/*/*.river.org", all},
		},
		{"/web/http://never.net/lake/", []string{"/web/search?q=lake", all}},
		{"/web/http://never.net/", []string{all}},
		{"/web/*/http://never.net/*", []string{all}},
		{"/web/*/*.never.net", []string{all}},
		{"/web/http://sea.com/", []string{"/news/*/http://sea.com/", all}},
		{"/web/20150101000000/http://never.net/miller", []string{"/web/search?q=miller", all}},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html")
		var got []string
		for _, href := range linksIn(w.Body.String()) {
			if strings.Contains(href, "*") || strings.Contains(href, "search?q=") {
				got = append(got, href)
			}
			if href == tt.path {
				t.Errorf("%s leads to itself", tt.path)
			}
			if there := replaytest.Get(t, s.Handler(), href, "Accept", "text/html"); there.Code >= http.StatusBadRequest {
				t.Errorf("%s leads to %s, where there is nothing: %d", tt.path, href, there.Code)
			}
		}
		if w.Code != http.StatusNotFound || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d, leads to %q, want %q", tt.path, w.Code, got, tt.want)
		}
	}
}

// Without a search what is typed is completed by addresses all the same.
func TestAddressesAreSuggestedWithoutASearch(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: "http://www.river.org/mills", Status: 200, Body: "<title>Home</title><p>one two three"},
	}))
	const mills = `["http://www.river.org/mills"]`
	for typed, want := range map[string]string{"riv": mills, "river.org/m": mills, "lak": "[]"} {
		if got := replaytest.Get(t, s.Handler(), "/web/suggest?q="+typed).Body.String(); !strings.HasPrefix(got, `["`+typed+`",`+want) {
			t.Errorf("%s: %s", typed, got)
		}
	}
	body := replaytest.Get(t, s.Handler(), "/web/", "Accept", "text/html").Body.String()
	if !strings.Contains(body, `data-suggest="/web/suggest"`) {
		t.Error("the box asks for no completions")
	}
}
