package e2e

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found is the answer of /{coll}/search.
type found struct {
	Q, Change   string
	Total, Page int
	Totals      map[string]int
	Suggestion  string
	Note        string
	Results     []struct {
		OriginalURI  string `json:"original_uri"`
		Title        string
		Score        float64
		Soft404      bool
		Before       *searchEnd
		After        searchEnd
		Addition     searchEnd
		LifespanDays int `json:"lifespan_days"`
		Snippets     []struct {
			Op, Text string
			Marks    [][2]int
		}
		Links struct{ Diff, Sliding, Animation string }
	}
}

type searchEnd struct {
	URIM     string `json:"uri_m"`
	Datetime string
	Count    int
}

func (s *server) search(t *testing.T, params ...string) *found {
	t.Helper()
	v := url.Values{"change": {"deleted"}}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	a := s.get(t, "/web/search?"+v.Encode()).expect(t, 200, "Content-Type: application/json", "Access-Control-Allow-Origin: *")
	var f found
	if err := json.Unmarshal([]byte(a.body), &f); err != nil {
		t.Fatal(err)
	}
	return &f
}

// searched waits until the search, which is built in the background, knows a text.
func searched(t *testing.T, s *server, params ...string) *found {
	t.Helper()
	var f *found
	eventually(t, "the search knows of "+strings.Join(params, " "), func() bool {
		f = s.search(t, params...)
		return f.Total > 0
	})
	return f
}

// ofDeletions returns the parameters of a search for changes, deletions unless they say otherwise.
func ofDeletions(query string) string {
	if strings.Contains(query, "change=") {
		return query
	}
	return "change=deleted&" + query
}

// The change-text search.
func TestSearchForWhatWasDeleted(t *testing.T) {
	s := demo(t)
	const page = "http://www.riverbend.example/history.html"
	f := searched(t, s, "q", `"the tannery"`, "url", page)
	r := f.Results[0]
	at := s.url + "/web/"
	if f.Total != 1 || r.OriginalURI != page || r.Before == nil {
		t.Fatalf("%+v", f)
	}
	for _, c := range []struct{ what, got, want string }{
		{"change", f.Change, "deleted"},
		{"title", r.Title, "History – Riverbend River Observatory"},
		{"before", r.Before.URIM, at + "20160801092036/" + page},
		{"after", r.After.URIM, at + "20160901092136/" + page},
		{"addition", r.Addition.URIM, at + "20080301091927/" + page},
		{"addition's datetime", r.Addition.Datetime, "20080301091927"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if r.Before.Count == 0 || r.After.Count != 0 || r.LifespanDays != 3106 || r.Soft404 {
		t.Errorf("%d times before, %d after, %d days, soft 404 %v", r.Before.Count, r.After.Count, r.LifespanDays, r.Soft404)
	}
	if len(r.Snippets) == 0 || r.Snippets[0].Op != "-" || len(r.Snippets[0].Marks) == 0 {
		t.Fatalf("snippets %+v", r.Snippets)
	}
	mark := r.Snippets[0].Marks[0]
	if got := string([]rune(r.Snippets[0].Text)[mark[0]:mark[1]]); !strings.EqualFold(got, "the tannery") {
		t.Errorf("the mark is on %q of %q", got, r.Snippets[0].Text)
	}
	if s.get(t, strings.TrimPrefix(r.Links.Diff, s.url)).status != 200 {
		t.Errorf("the diff %s does not answer", r.Links.Diff)
	}
}

func TestSearchFiltersAndKinds(t *testing.T) {
	s := demo(t)
	searched(t, s, "q", "tannery")
	for _, test := range []struct {
		params []string
		want   bool
	}{
		{[]string{"q", "tannery", "url", "http://www.riverbend.example/"}, true},
		{[]string{"q", "tannery", "url", "http://www.riverbend.example/history.html"}, true},
		{[]string{"q", "tannery", "url", "http://www.riverbend.example/archive/"}, false},
		{[]string{"q", "tannery", "domain", "riverbend.example"}, true},
		{[]string{"q", "tannery", "domain", "nowhere.example"}, false},
		{[]string{"q", "tannery", "from", "2016", "to", "2016"}, true},
		{[]string{"q", "tannery", "from", "2018"}, false},
		{[]string{"q", "tannery", "change", "added"}, true},
		{[]string{"q", "tannery", "change", "semi-deleted"}, false},
		{[]string{"q", "tannery", "page", "2"}, false},
	} {
		f := s.search(t, test.params...)
		if got := len(f.Results) > 0; got != test.want {
			t.Errorf("%v: %d results", test.params, len(f.Results))
		}
	}
	if f := s.search(t, "q", "tanery"); f.Suggestion != "tannery" || f.Totals["added"] != 0 {
		t.Errorf("misspelt: suggestion %q, totals %v", f.Suggestion, f.Totals)
	}
	if f := s.search(t, "q", "+tannery"); f.Note == "" || f.Total == 0 {
		t.Errorf("an operator: note %q, total %d", f.Note, f.Total)
	}
}

// Bad queries must be answered with a sentence.
func TestBadQueriesGetASentence(t *testing.T) {
	s := demo(t)
	for _, query := range []string{
		"", "q=", "q=%20", "q=%22", "q=%22the+tannery", "q=!!!", "q=" + strings.Repeat("x", 10_000), "q=tannery&change=gone",
		"q=tannery&page=0", "q=tannery&limit=x", "q=tannery&limit=1001", "q=tannery&from=now", "q=tannery&to=20169999",
		"q=tannery&page=99999&limit=1000",
	} {
		a := s.get(t, "/web/search?"+ofDeletions(query))
		if a.status != 400 || strings.Count(strings.TrimSpace(a.body), "\n") != 0 || len(a.body) < 20 {
			t.Errorf("%.40s: %d %q", query, a.status, a.body)
		}
	}
	for _, q := range []string{`tannery AND (title:x OR "y z"~3) -w* /re/`, "\x00\xff", "*:*", `\"`, "tannery^1e999", "'; DROP TABLE"} {
		if a := s.get(t, "/web/search?q="+url.QueryEscape(q)); a.status != 200 && a.status != 400 || strings.Contains(a.body, "bleve") {
			t.Errorf("%q: %d %s", q, a.status, a.body)
		}
	}
}

// A capture that arrives between two others must move the change; its removal must move it back.
func TestSearchFollowsTheArchive(t *testing.T) {
	t.Parallel()
	page := func(ts, text string) []byte {
		return (&archive{}).page("http://a.example/", ts, "<title>A</title><p>"+text+"</p>", "Content-Type: text/html").bytes()
	}
	s, dir := serve(t, map[string][]byte{
		"2010.warc.gz": page("20100101000000", "zeppelin over the town"), "2014.warc.gz": page("20140101000000", "nothing over the town"),
	})
	changes := func() []string {
		out := []string{}
		for _, r := range s.search(t, "q", "zeppelin").Results {
			out = append(out, r.Before.Datetime+" "+r.After.Datetime)
		}
		return out
	}
	is := func(want ...string) func() bool {
		return func() bool { return cmp.Equal(want, changes()) }
	}
	eventually(t, "the deletion is found", is("20100101000000 20140101000000"))
	put(t, filepath.Join(dir, "2012.warc.gz"), page("20120101000000", "a zeppelin over the town"))
	eventually(t, "a capture in between moves it", is("20120101000000 20140101000000"))
	put(t, filepath.Join(dir, "2012.warc.gz"), page("20120101000000", "a balloon over the town"))
	eventually(t, "one that is replaced moves it back", is("20100101000000 20120101000000"))
}
