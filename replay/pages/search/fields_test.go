package search_test

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// shops serves two collections: one with a template, and one without.
func shops(t *testing.T) *replay.Server {
	t.Helper()
	page := func(title, price, text string) string {
		return "<title>" + title + "</title><h1>" + title + "</h1><p>" + text + `<b class="price">` + price + "</b>"
	}
	set, err := fields.NewSet([]fields.Rule{{URLs: []string{"shop.example/*"}, Fields: []fields.Field{
		{Name: "price", CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]"}},
		{Name: "name", CSS: "h1"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	for coll, file := range map[string]string{
		"web": replaytest.WriteTyped(t, []replaytest.Typed{
			{
				Date: "20150101000000", URI: "http://shop.example/ladder", Kind: "text/html",
				Body: page("=Ladder", "1,250.50 EUR", "a wooden ladder "),
			},
			{
				Date: "20150101000000", URI: "http://shop.example/rope", Kind: "text/html",
				Body: page("Rope", "9 EUR", "wooden no more, a rope of hemp "),
			},
			{
				Date: "20150101000000", URI: "http://other.example/", Kind: "text/html",
				Body: page("Other", "3 EUR", "wooden, elsewhere "),
			},
		}),
		"old": replaytest.WriteTyped(t, []replaytest.Typed{
			{
				Date: "20090101000000", URI: "http://old.example/", Kind: "text/html",
				Body: page("Old", "5 EUR", "wooden wooden wooden "),
			},
		}),
	} {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: coll, Report: func(p ingest.Problem) { t.Error(p) }},
			[]string{file}); err != nil {
			t.Fatal(err)
		}
	}
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{
		Dir:    filepath.Join(t.TempDir(), "search"),
		Fields: func(coll string) *fields.Set { return map[string]*fields.Set{"web": set}[coll] },
	})
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cfg.Searches.Close(); err != nil {
			t.Error(err)
		}
		store.Close()
	})
	for _, coll := range []string{"web", "old"} {
		if _, err := cfg.Searches.Build(t.Context(), coll, false, nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// A list is what these tests look at in an answer.
type list struct {
	Total   int
	Columns []struct{ Name, Type string }
	Facets  struct{ Collection, Domain, Year [][2]any }
	Chart   [][2]any
	Results []struct {
		OriginalURI string `json:"original_uri"`
		Collection  string
		Fields      map[string]any
		Best        struct {
			URIM string `json:"uri_m"`
		}
	}
}

func ask(t *testing.T, s *replay.Server, path string) (l list, urls string) {
	t.Helper()
	if err := json.Unmarshal(replaytest.Fetch(t, s.Handler(), path), &l); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range l.Results {
		out = append(out, strings.TrimPrefix(r.OriginalURI, "http://"))
	}
	return l, strings.Join(out, " ")
}

func TestFieldsAreSearchedSortedAndShown(t *testing.T) {
	s := shops(t)
	for _, tt := range []struct{ query, want string }{
		{"q=price:9..10", "shop.example/rope"},
		{"q=price:..5000+wooden", "shop.example/ladder shop.example/rope"},
		{"q=name:ladder", "shop.example/ladder"},
		{"q=wooden+-price:9", "shop.example/ladder other.example/"},
		{"q=wooden&sort=price", "shop.example/rope shop.example/ladder other.example/"},
		{"q=wooden&sort=-price", "shop.example/ladder shop.example/rope other.example/"},
		{"q=wooden&sort=title", "shop.example/ladder other.example/ shop.example/rope"},
		{"q=wooden&sort=-url", "shop.example/rope shop.example/ladder other.example/"},
		{"q=price:wooden", ""},
	} {
		l, got := ask(t, s, "/web/search?"+tt.query)
		if got != tt.want && !strings.Contains(tt.query, "-price:9") || len(strings.Fields(got)) != len(strings.Fields(tt.want)) {
			t.Errorf("%s: %q, want %q", tt.query, got, tt.want)
		}
		if d := cmp.Diff([]struct{ Name, Type string }{{"price", "number"}, {"name", "text"}}, l.Columns); d != "" {
			t.Errorf("%s: columns %s", tt.query, d)
		}
	}
	l, _ := ask(t, s, "/web/search?q=wooden&sort=-price")
	if d := cmp.Diff(map[string]any{"price": 1250.5, "name": "=Ladder"}, l.Results[0].Fields); d != "" || l.Results[2].Fields != nil {
		t.Errorf("fields: %s, then %v", d, l.Results[2].Fields)
	}
	if w := replaytest.Get(t, s.Handler(), "/web/search?q=wooden&sort=weight"); w.Code != 400 {
		t.Errorf("sorting by a field that is none: %d", w.Code)
	}
	page := replaytest.Get(t, s.Handler(), "/web/search?q=wooden&sort=price", "Accept", "text/html").Body.String()
	for _, want := range []string{
		`aria-sort="ascending"`, `sort=-price`, `sort=title`, `sort=url`,
		`sort=-versions`, `<bdi>1250.5</bdi>`, `output=csv`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

func TestResultsAsATable(t *testing.T) {
	s := shops(t)
	w := replaytest.Get(t, s.Handler(), "/web/search?q=wooden&sort=price&output=csv")
	if got := w.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/csv") {
		t.Errorf("Content-Type: %s", got)
	}
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(rows, err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join([]string{row[0], row[1], row[2], row[8], row[9]}, "|"))
	}
	if d := cmp.Diff([]string{
		"url|title|versions|price|name", "http://shop.example/rope|Rope|1|9|Rope", "http://shop.example/ladder|'=Ladder|1|1250.5|'=Ladder",
		"http://other.example/|Other|1||",
	}, got); d != "" {
		t.Error(d)
	}
}

func TestSearchEverywhere(t *testing.T) {
	s := shops(t)
	l, _ := ask(t, s, "/-/search?q=wooden")
	if l.Total != 4 || len(l.Results) != 4 {
		t.Fatalf("%+v", l)
	}
	if d := cmp.Diff([][2]any{{"web", 3.0}, {"old", 1.0}}, l.Facets.Collection); d != "" {
		t.Errorf("by collection: %s", d)
	}
	for name, tt := range map[string]struct {
		got  [][2]any
		want [][2]any
	}{
		"by domain, the most first":        {l.Facets.Domain, [][2]any{{"shop.example", 2.0}, {"old.example", 1.0}, {"other.example", 1.0}}},
		"by year, in their order":          {l.Facets.Year, [][2]any{{"2009", 1.0}, {"2015", 3.0}}},
		"the chart, in the order of years": {l.Chart[:1], [][2]any{{"2009", 1.0}}},
	} {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	in := map[string]string{}
	for _, r := range l.Results {
		in[r.OriginalURI] = r.Collection
		if !strings.Contains(r.Best.URIM, "/"+r.Collection+"/20") {
			t.Errorf("%s is in %s", r.Best.URIM, r.Collection)
		}
	}
	if in["http://old.example/"] != "old" || in["http://shop.example/rope"] != "web" {
		t.Errorf("collections: %v", in)
	}
	if _, got := ask(t, s, "/-/search?q=wooden&sort=oldest&limit=1"); got != "old.example/" {
		t.Errorf("the oldest: %s", got)
	}
	if l, got := ask(t, s, "/-/search?q=wooden&sort=oldest&limit=3&page=2"); l.Total != 4 || len(strings.Fields(got)) != 1 {
		t.Errorf("the second page: %s", got)
	}
	if _, got := ask(t, s, "/-/search?q=wooden&collection=old"); got != "old.example/" {
		t.Errorf("in one collection: %s", got)
	}
	var changes struct {
		Total   int
		Results []struct{ Collection string }
		Facets  struct{ Collections []struct{ Name string } }
	}
	if err := json.Unmarshal(replaytest.Fetch(t, s.Handler(), "/-/search?q=wooden&change=added&limit=2"), &changes); err != nil {
		t.Fatal(err)
	}
	if changes.Total != 4 || len(changes.Results) != 2 || len(changes.Facets.Collections) != 2 || changes.Results[0].Collection == "" {
		t.Errorf("changes: %+v", changes)
	}
	for path, status := range map[string]int{"/-/search?q=": 400, "/-/search?q=a&collection=none": 404, "/-/search?q=a&sort=price": 400} {
		if w := replaytest.Get(t, s.Handler(), path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	page := replaytest.Get(t, s.Handler(), "/-/search?q=wooden", "Accept", "text/html").Body.String()
	for _, want := range []string{`collection=old`, `>old</bdi>`, `name="q"`, "http://old.example/"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Count(page, `role="search"`) != 1 {
		t.Errorf("the page has %d boxes", strings.Count(page, `role="search"`))
	}
}

// Results of all collections are in one order, and what no page has together is counted in each of them.
func TestCollectionsAreOneSearch(t *testing.T) {
	t.Parallel()
	s := shops(t)
	for sort, want := range map[string]string{
		"url":  "old.example/ other.example/ shop.example/ladder shop.example/rope",
		"-url": "shop.example/rope shop.example/ladder other.example/ old.example/",
	} {
		if _, got := ask(t, s, "/-/search?q=wooden&sort="+sort); got != want {
			t.Errorf("by %s: %s, want %s", sort, got, want)
		}
	}
	page := replaytest.Get(t, s.Handler(), "/-/search?q=%2Bladder+%2Bold", "Accept", "text/html").Body.String()
	for _, want := range []string{"No version has all of these together.", ">+ladder</bdi>", ">+old</bdi>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q\n%s", want, page)
		}
	}
}

func TestParametersOfASearchInPages(t *testing.T) {
	t.Parallel()
	h := shops(t).Handler()
	for query, status := range map[string]int{
		"status=99": 400, "status=100": 200, "status=999": 200, "status=1000": 400, "status=x": 400, "at=x": 400, "at=2015": 200,
		"match=any": 200, "match=all": 200, "match=some": 400, "sort=x": 400, "page=0": 400, "limit=1001": 400, "limit=1000": 200,
	} {
		if w := replaytest.Get(t, h, "/web/search?q=wooden&"+query); w.Code != status {
			t.Errorf("%s: %d, want %d: %s", query, w.Code, status, w.Body)
		}
	}
	for query, says := range map[string]string{
		"from=x": "A time is 1 to 14 digits", "domain=+": "That is not a valid address or domain", "": "",
	} {
		w := replaytest.Get(t, h, "/web/terms?"+query, "Accept", "text/html")
		if refused := says != ""; (w.Code == 400) != refused || !strings.Contains(w.Body.String(), says) {
			t.Errorf("terms of %s: %d\n%s", query, w.Code, w.Body)
		}
	}
	w := replaytest.Get(t, h, "/web/opensearch.xml")
	for _, want := range []string{
		"<?xml", "<ShortName>varve web<", "/web/?url={searchTerms}", "/web/suggest?q={searchTerms}", "/web/opensearch.xml",
	} {
		if !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Header().Get("Content-Type"), "opensearchdescription") {
			t.Errorf("browsers are told %s of %s", w.Body, w.Header().Get("Content-Type"))
		}
	}
}

// A page of results leads to the one before it and the one behind it, where there are some.
func TestPagesOfResultsLeadOn(t *testing.T) {
	s, link := shops(t), regexp.MustCompile(`rel="(prev|next)" href="/web/search\?limit=1&amp;page=(\d+)&amp;q=wooden"`)
	for page, want := range map[string][]string{
		"": {"next 2"}, "1": {"next 2"}, "2": {"prev 1", "next 3"}, "3": {"prev 2"}, "4": nil,
	} {
		path := "/web/search?limit=1&q=wooden"
		if page != "" {
			path += "&page=" + page
		}
		shown := replaytest.Get(t, s.Handler(), path, "Accept", "text/html").Body.String()
		var got []string
		for _, m := range link.FindAllStringSubmatch(shown, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		if !slices.Equal(got, want) {
			t.Errorf("page %q leads to %q, want %q", page, got, want)
		}
	}
}

// One box takes addresses and words, and a search's box keeps its limits.
func TestTheBoxOfASearch(t *testing.T) {
	s := shops(t)
	for path, want := range map[string]string{
		"/web/?q=wooden+rope&domain=shop.example&from=&change=deleted": "/web/search?change=deleted&domain=shop.example&q=wooden+rope",
		"/web/?url=wooden+rope":              "/web/search?q=wooden+rope",
		"/web/?q=shop.example/rope&domain=a": "/web/*/http://shop.example/rope",
		"/web/?q=shop.example/none":          "/web/*/http://shop.example/none", // the host is archived
		"/web/?q=none.example/rope":          "/web/search?q=none.example%2Frope",
		"/web/?q=none.example:8080/rope":     "/web/*/http://none.example:8080/rope",
		"/web/?q=none.example.org":           "/web/*/http://none.example.org",
		"/web/?q=192.0.2.1":                  "/web/*/http://192.0.2.1",
		"/web/?q=node.js":                    "/web/search?q=node.js",
		"/?q=wooden+rope":                    "/-/search?q=wooden+rope",
		"/?url=old.example":                  "/old/*/http://old.example",
	} {
		if got := replaytest.Get(t, s.Handler(), path).Header().Get("Location"); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{
		"/web/search?q=wooden", "/web/search", "/web/search?q=wooden&change=added", "/web/", "/", "/-/search?q=rope",
	} {
		page := replaytest.Get(t, s.Handler(), path, "Accept", "text/html").Body.String()
		if n := strings.Count(page, `role="search"`); n != 1 {
			t.Errorf("%s has %d boxes", path, n)
		}
	}
}

// Whoever types the beginning of an address is offered archived ones: those of a path, or one for each host.
func TestSuggestedAddresses(t *testing.T) {
	s := shops(t)
	const ladder, rope = "http://shop.example/ladder", "http://shop.example/rope"
	for path, want := range map[string][]string{
		"/web/suggest?q=shop.example/":               {ladder, rope},
		"/web/suggest?q=http://www.shop.example/rop": {rope},
		"/web/suggest?q=sho":                         {ladder},
		"/web/suggest?q=shop.example/x":              {},
		"/web/suggest?q=shop.example/rope/":          {rope},
		"/-/suggest?q=old.":                          {"http://old.example/"},
	} {
		var answer []any
		if err := json.Unmarshal(replaytest.Fetch(t, s.Handler(), path), &answer); err != nil || len(answer) != 4 {
			t.Fatalf("%s: %v, %v", path, answer, err)
		}
		got := []string{}
		for _, a := range answer[1].([]any) {
			if text := a.(string); strings.HasPrefix(text, "http://") {
				got = append(got, text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", path, diff)
		}
	}
}
