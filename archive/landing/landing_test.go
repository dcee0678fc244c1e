package landing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
)

// Some texts that share nothing.
var (
	acid = prose("acid rain harms lakes forests fish soils and stone")
	fog  = prose("fog is a cloud that touches ground near cold water")
	snow = prose("snow falls in crystals when air is below freezing point")
	ice  = prose("ice covers rivers in winter and melts in spring floods")
)

const notFound = archivetest.NotFound

func find(t *testing.T, s *timeline.Timelines, uriR, date string) *landing.Landing {
	t.Helper()
	ts, err := cdx.ParseTimestamp(date)
	if err != nil {
		t.Fatal(err)
	}
	l, err := landing.Find(t.Context(), s, "web", uriR, ts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// proposed lists the alternatives as "why URI-R".
func proposed(l *landing.Landing) []string {
	var out []string
	for _, a := range l.Facts(uris).Alternatives {
		out = append(out, a.Why+" "+strings.TrimPrefix(a.OriginalURI, "http://a.example"))
	}
	return out
}

func hops(l *landing.Landing) string {
	var out []string
	for _, h := range l.Hops {
		step := strings.TrimPrefix(h.URIR, "http://a.example")
		if h.Capture == nil {
			step += " (none)"
		}
		if h.Loop {
			step += " (loop)"
		}
		out = append(out, step)
	}
	return strings.Join(out, " → ")
}

func TestLandingFollowsRedirects(t *testing.T) {
	const old = "http://a.example/old"
	moved := func(from, to string) archivetest.Record {
		return archivetest.Moved("2020", "http://a.example"+from, to)
	}
	tests := []struct {
		name     string
		records  []archivetest.Record
		hops     string
		target   string
		leadsTo  string // the URI-R at which a reader arrives
		end      string
		likeness any
	}{
		{
			"to the same text",
			[]archivetest.Record{on("2019", old, acid), moved("/old", "/new"), on("2020", "http://a.example/new", acid)},
			"/old → /new", "http://a.example/new", "http://a.example/new", "http://a.example/new", 1.0,
		},
		{
			"to another text",
			[]archivetest.Record{on("2019", old, acid), moved("/old", "/new"), on("2020", "http://a.example/new", fog)},
			"/old → /new", "http://a.example/new", "http://a.example/new", "http://a.example/new", 0.0,
		},
		{
			"compared with the page after it, if there is none before",
			[]archivetest.Record{moved("/old", "/new"), on("2021", old, acid), on("2020", "http://a.example/new", acid)},
			"/old → /new", "http://a.example/new", "http://a.example/new", "http://a.example/new", 1.0,
		},
		{
			"from what never was a page",
			[]archivetest.Record{moved("/old", "/new"), on("2020", "http://a.example/new", acid)},
			"/old → /new", "http://a.example/new", "http://a.example/new", "http://a.example/new", nil,
		},
		{
			"step by step",
			[]archivetest.Record{
				on("2019", old, acid), moved("/old", "/a"), moved("/a", "/b"), on("2020", "http://a.example/b", acid),
			},
			"/old → /a → /b", "http://a.example/a", "http://a.example/b", "http://a.example/b", 1.0,
		},
		{
			"to what was never captured",
			[]archivetest.Record{moved("/old", "/a"), moved("/a", "/b")},
			"/old → /a → /b (none)", "http://a.example/a", "http://a.example/a", "http://a.example/b", nil,
		},
		{
			"in a circle",
			[]archivetest.Record{moved("/old", "/a"), moved("/a", "/b"), moved("/b", "/a")},
			"/old → /a → /b → /a (loop)", "http://a.example/a", "http://a.example/a", "http://a.example/a", nil,
		},
		{
			"to a redirect without a target",
			[]archivetest.Record{moved("/old", "/a"), {Date: "2020", URI: "http://a.example/a", Status: 302}},
			"/old → /a", "http://a.example/a", "http://a.example/a", "http://a.example/a", nil,
		},
		{
			"to an error page",
			[]archivetest.Record{on("2019", old, acid), moved("/old", "/a"), missing("2020", "http://a.example/a")},
			"/old → /a", "http://a.example/a", "http://a.example/a", "http://a.example/a", 0.0,
		},
		{
			"a redirect without a target",
			[]archivetest.Record{{Date: "2020", URI: old, Status: 301}},
			"", "", "", "", nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, tt.records...)
			l := find(t, s, old, "2020")
			facts := l.Facts(uris)
			if l.Kind != change.Redirect || facts.Kind != "redirect" {
				t.Errorf("kind %s, %s", l.Kind, facts.Kind)
			}
			leadsTo := ""
			if c := l.LeadsTo(); c != nil {
				leadsTo = c.URL
			}
			if hops(l) != tt.hops || l.Target != tt.target || leadsTo != tt.leadsTo || l.EndURIR() != tt.end {
				t.Errorf("%s; target %q, leads to %q, ends at %q", hops(l), l.Target, leadsTo, l.EndURIR())
			}
			if tt.likeness == nil && l.Similarity != nil || tt.likeness != nil && (l.Similarity == nil || *l.Similarity != tt.likeness) {
				t.Errorf("similarity %v, want %v", l.Similarity, tt.likeness)
			}
		})
	}
}

// Between two spellings of one address a redirect is no circle if a page was captured under one of them.
func TestLandingBetweenSpellings(t *testing.T) {
	records := []archivetest.Record{
		archivetest.Moved("20200101000000", page, "/b"), archivetest.Moved("20200101000001", "http://a.example/b", page),
		on("20200101000002", page, acid),
	}
	s := open(t, records...)
	l := find(t, s, page, "20200101000000")
	if got := hops(l); got != "/page → /b → /page (loop)" {
		t.Errorf("back to the redirect: %s", got)
	}
	secure := []archivetest.Record{
		archivetest.Moved("20200101000000", page, "/b"),
		archivetest.Moved("20200103000000", "http://a.example/b", "https://www.a.example/page"),
		on("20200103000000", "https://www.a.example/page", acid),
	}
	s = open(t, secure...)
	l = find(t, s, page, "20200101000000")
	if got := hops(l); got != "/page → /b → https://www.a.example/page" || l.LeadsTo() == nil || l.LeadsTo().Status != 200 {
		t.Errorf("to the page: %s", got)
	}
}

func TestAChainOfRedirectsEndsAfterTwentySteps(t *testing.T) {
	for steps, arrives := range map[int]bool{20: true, 21: false} {
		var records []archivetest.Record
		for i := range steps {
			records = append(records, archivetest.Moved("2020", fmt.Sprintf("http://a.example/%d", i), fmt.Sprintf("/%d", i+1)))
		}
		records = append(records, on("2020", fmt.Sprintf("http://a.example/%d", steps), acid))
		s := open(t, records...)
		l := find(t, s, "http://a.example/0", "2020")
		if last := l.Hops[len(l.Hops)-1]; len(l.Hops) != 21 || (last.Capture.Status == 200) != arrives {
			t.Errorf("%d redirects: %d hops, the last is %d", steps, len(l.Hops), last.Capture.Status)
		}
	}
}

func TestLandingSaysWhatThePageWas(t *testing.T) {
	tests := []struct {
		name    string
		history string // of a URI-R, day by day
		day     int
		kind    change.Kind
		soft    bool
		before  string
		after   string
	}{
		{"missing for good", "acid 404", 1, change.Missing, false, "0", "none"},
		{"missing for a while", "acid 404 fog", 1, change.Missing, false, "0", "2"},
		{"missing at first", "404 acid fog", 0, change.Missing, false, "none", "1"},
		{"the last capture that showed it", "acid acid 404 410 404 fog fog", 3, change.Missing, false, "1", "5"},
		{"the nearest versions", "acid fog 404 ice snow", 2, change.Missing, false, "1", "3"},
		{"a page is no landing", "acid", 0, change.Page, false, "none", "none"},
		{"the page of a moment between two", "acid acid", 0, change.Page, false, "none", "none"},
		{"refused", "acid 403", 1, change.Missing, false, "0", "none"},
		{"an error within a day of the page", "acid 503 acid", 1, change.Missing, false, "none", "none"},
		{"a page that says it is missing", "acid gone acid", 1, change.Missing, true, "0", "2"},
		{"a page between two of another kind", "404 acid 404", 1, change.Page, false, "none", "none"},
		{"a redirect", "acid >/new fog", 1, change.Redirect, false, "0", "2"},
		{"missing after a redirect", "acid >/new 404", 2, change.Missing, false, "0", "none"},
	}
	texts := strings.NewReplacer("acid", strings.ReplaceAll(acid, " ", "_"), "fog", strings.ReplaceAll(fog, " ", "_"),
		"ice", strings.ReplaceAll(ice, " ", "_"), "snow", strings.ReplaceAll(snow, " ", "_"), "gone", strings.ReplaceAll(notFound, " ", "_"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var words []string
			for _, w := range strings.Fields(tt.history) {
				words = append(words, strings.ReplaceAll(texts.Replace(w), "_", " "))
			}
			s := open(t, days(page, words...)...)
			l := find(t, s, page, archivetest.Day(tt.day))
			if l.Kind != tt.kind || l.Soft != tt.soft || dayOf(l.Capture) != fmt.Sprint(tt.day) {
				t.Errorf("day %s: kind %s, soft %v", dayOf(l.Capture), l.Kind, l.Soft)
			}
			if tt.kind != change.Page && (dayOf(l.Before) != tt.before || dayOf(l.After) != tt.after) {
				t.Errorf("before day %s, after day %s", dayOf(l.Before), dayOf(l.After))
			}
			if tt.kind == change.Page && l.Alternatives != nil {
				t.Errorf("alternatives to a page: %v", proposed(l))
			}
		})
	}
}

func TestKindAt(t *testing.T) {
	ranges := []change.Range{{Kind: change.Page}, {Kind: change.Missing, Soft404: true}}
	tests := []struct {
		name   string
		status int
		in     int
		kind   change.Kind
		soft   bool
	}{
		{"a page", 200, 0, change.Page, false},
		{"a soft 404", 200, 1, change.Missing, true},
		{"a redirect, whatever its range", 301, 0, change.Redirect, false},
		{"an error, whatever its range", 400, 0, change.Missing, false},
		{"below the errors", 304, 0, change.Page, false},
		{"before all ranges", 200, -1, change.Resource, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			kind, soft := timeline.KindAt(&cdx.Capture{Status: tt.status}, ranges, tt.in)
			if kind != tt.kind || soft != tt.soft {
				t.Errorf("%s, soft %v", kind, soft)
			}
		})
	}
}

func TestLandingFactsAreTheAnswer(t *testing.T) {
	s := open(t,
		on("20190101000000", page, acid), archivetest.Moved("20200101000000", page, "/new"), on("20210101000000", page, fog),
		on("20200102000000", "http://a.example/new", acid), on("20200103000000", "http://a.example/copy", acid))
	target, targetMemento := "http://a.example/new", "/web/20200102000000/http://a.example/new"
	before, after, likeness := "/web/20190101000000/"+page, "/web/20210101000000/"+page, 1.0
	want := &landing.Facts{
		Kind: "redirect", Status: 301, OriginalURI: page, Datetime: "20200101000000",
		Target: &target, TargetMemento: &targetMemento, Similarity: &likeness, Before: &before, After: &after,
		Alternatives: []landing.Entry{{
			URIM: "/web/20200103000000/http://a.example/copy", OriginalURI: "http://a.example/copy", Datetime: "20200103000000",
			Similarity: &likeness, Why: "similar content",
		}},
	}
	if diff := cmp.Diff(want, find(t, s, page, "20200101000000").Facts(uris)); diff != "" {
		t.Error(diff)
	}
	gone := open(t, on("20190101000000", page, acid), missing("20200101000000", page), on("20210101000000", page, notFound))
	if f := find(t, gone, page, "2020").Facts(uris); f.Kind != "missing" || f.Status != 404 || f.Target != nil || f.TargetMemento != nil {
		t.Errorf("missing: %+v", f)
	}
	if f := find(t, gone, page, "2021").Facts(uris); f.Kind != "soft404" || f.Status != 200 {
		t.Errorf("a soft 404: %+v", f)
	}
}

func TestAlternatives(t *testing.T) {
	tests := []struct {
		name    string
		asked   string // a path of a.example, asked for at 2020
		records []archivetest.Record
		want    []string
	}{
		{"nothing is there", "/page", nil, nil},
		{
			"the root above many folders", "/a" + strings.Repeat("/b", 1000),
			[]archivetest.Record{on("2020", "http://a.example/", acid)},
			[]string{"parent folder /"},
		},
		{"a very long address", "/a/" + strings.Repeat("b", 8192), []archivetest.Record{on("2020", "http://a.example/", acid)}, nil},
		{"the page without its query", "/page?a=1", []archivetest.Record{on("2020", page, acid)}, []string{"same path without query /page"}},
		{
			"in another case", "/page",
			[]archivetest.Record{on("2019", "http://a.example/Page", acid), missing("2020", page)},
			[]string{"variant of the address /Page"},
		},
		{
			"with its parameters in another order", "/page?b=2&a=1",
			[]archivetest.Record{on("2019", page+"?a=1&b=2", acid), missing("2020", page+"?b=2&a=1")},
			[]string{"variant of the address /page?a=1&b=2"},
		},
		{
			"with more parameters, of which the fewest come first", "/page?a=1&b=2",
			[]archivetest.Record{
				on("2020", page+"?a=1&b=2&c=3&d=4", acid), on("2020", page+"?a=1&b=2&e=3", acid), on("2020", page+"?a=1&another=3", acid),
				on("2020", page+"?b=0", acid),
			},
			[]string{"variant of the address /page?a=1&b=2&e=3", "variant of the address /page?a=1&b=2&c=3&d=4"},
		},
		{
			"with fewer parameters", "/page?a=1&from=home",
			[]archivetest.Record{on("2020", page+"?a=1", acid), on("2020", page+"?b=1", acid)},
			[]string{"variant of the address /page?a=1"},
		},
		{"in another case, itself", "/page", []archivetest.Record{on("2019", page, acid), missing("2020", page)}, nil},
		{
			"in another case, shown as what was there before", "/page",
			[]archivetest.Record{on("2019", "http://a.example/Page", acid), missing("2020", "http://a.example/PAGE")},
			nil,
		},
		{
			"as it was before it was a soft 404", "/page/index.html",
			[]archivetest.Record{on("2019", page, acid), on("2020", page, notFound)},
			[]string{"variant of the address /page"},
		},
		{"without its session", "/page;jsessionid=12AB", []archivetest.Record{on("2020", page, acid)}, []string{"variant of the address /page"}},
		{"with another ending", "/page", []archivetest.Record{on("2020", page+".html", acid)}, []string{"variant of the address /page.html"}},
		{"its folder", "/dir/page", []archivetest.Record{on("2020", "http://a.example/dir/", acid)}, []string{"parent folder /dir/"}},
		{
			"two folders above it, the nearest first", "/a/b/c/page",
			[]archivetest.Record{
				on("2020", "http://a.example/", acid), on("2020", "http://a.example/a/", acid), on("2020", "http://a.example/a/b/", acid),
			},
			[]string{"parent folder /a/b/", "parent folder /a/"},
		},
		{
			"three similar spellings, the most similar first", "/weather",
			[]archivetest.Record{
				on("2020", "http://a.example/wetterr", acid), on("2020", "http://a.example/weathers", acid),
				on("2020", "http://a.example/weatherly", acid), on("2020", "http://a.example/whether", acid),
				on("2020", "http://a.example/weathe", acid),
			},
			[]string{"similar spelling /weathe", "similar spelling /weathers", "similar spelling /weatherly"},
		},
		{
			"each address once, for its best reason", "/page?a=1",
			[]archivetest.Record{
				on("2019", "http://a.example/page?a=1", acid), missing("2020", "http://a.example/page?a=1"), on("2020", page, acid),
			},
			[]string{"similar content /page"},
		},
		{"no page that is missing too", "/page?a=1", []archivetest.Record{missing("2020", page)}, nil},
		{"no redirect", "/page?a=1", []archivetest.Record{archivetest.Moved("2020", page, "/other")}, nil},
		{"no error", "/page?a=1", []archivetest.Record{{Date: "2020", URI: page, Status: 503, Body: "sorry"}}, nil},
		{
			"no page that says it is missing", "/page?a=1", []archivetest.Record{on("2019", page, notFound), on("2020", page, notFound)}, nil,
		},
		{
			"what is similar comes first", "/dir/page",
			[]archivetest.Record{
				on("2019", "http://a.example/dir/page", acid), missing("2020", "http://a.example/dir/page"),
				on("2020", "http://a.example/dir/", fog), on("2020", "http://a.example/elsewhere", acid),
			},
			[]string{"similar content /elsewhere", "parent folder /dir/"},
		},
		{
			"a neighbour with the same text comes before one with another", "/dir/page",
			[]archivetest.Record{
				on("2019", "http://a.example/dir/page", acid), missing("2020", "http://a.example/dir/page"),
				on("2020", "http://a.example/dir/page.html", fog), on("2020", "http://a.example/dir/", acid),
			},
			[]string{"similar content /dir/", "variant of the address /dir/page.html"},
		},
		{
			"not where the redirect leads anyway", "/page",
			[]archivetest.Record{
				on("2019", page, acid), archivetest.Moved("2020", page, "/a"), archivetest.Moved("2020", "http://a.example/a", "/page.html"),
				on("2020", page+".html", acid), on("2020", "http://a.example/", fog),
			},
			[]string{"parent folder /"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, tt.records...)
			l, err := landing.Find(t.Context(), s, "web", "http://a.example"+tt.asked, cdx.Timestamp(20200101000000))
			if err != nil {
				t.Fatal(err)
			}
			if l.Capture == nil { // Facts needs one
				l.Capture = &cdx.Capture{}
			}
			if diff := cmp.Diff(tt.want, proposed(l)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAtMostEightSimilarPagesAreProposed(t *testing.T) {
	records := []archivetest.Record{on("2019", page, acid), missing("2020", page)}
	for i := range 9 {
		records = append(records, on("2020", fmt.Sprintf("http://b.example/copies/%d", i), acid))
	}
	s := open(t, records...)
	if got := proposed(find(t, s, page, "2020")); len(got) != 8 {
		t.Errorf("%d: %v", len(got), got)
	}
}

func TestAlternativesHaveSimilarities(t *testing.T) {
	s := open(t,
		on("2019", "http://a.example/dir/page", "<title>Acid</title>"+acid), missing("2020", "http://a.example/dir/page"),
		on("2020", "http://a.example/dir/", "<title>Fog</title>"+fog), on("2020", "http://b.example/", "<title>Acid</title>"+acid),
		archivetest.Record{Date: "2020", URI: "http://a.example/", Head: "Content-Type: image/png\n", Body: "png"})
	var got []string
	for _, a := range find(t, s, "http://a.example/dir/page", "2020").Alternatives {
		likeness := "unknown"
		if a.Similarity != nil {
			likeness = fmt.Sprint(*a.Similarity)
		}
		got = append(got, a.Capture.URL+" "+likeness)
	}
	want := []string{"http://b.example/ 1", "http://a.example/dir/ 0", "http://a.example/ unknown"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRankCountsOnlySimilaritiesThatMeanSomething(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	for _, tt := range []struct {
		similarity *float64
		want       float64
	}{{nil, 0}, {number(0.29), 0}, {number(similar.Min), similar.Min}, {number(1), 1}} {
		a := landing.Alternative{Similarity: tt.similarity}
		if got := a.Rank(); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

// A failing index must not look like an archive without captures.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	text := prose("acid rain harms lakes forests fish soils and stone")
	records := append(days(page, text, "404", ">/other"), days("http://a.example/other", text, prose("snow and ice in winter"))...)
	for uri, days := range map[string][]int{page: {0, 2}, page + "/b?c=1": {0}} { // the page and a redirect
		for _, day := range days {
			archivetest.EachFault(t, records, func(s *archivetest.Shelf) error {
				in := timeline.New(timeline.Config{View: &view.View{Whole: s.Index}})
				_, err := landing.Find(t.Context(), in, "web", uri, archivetest.At(day))
				return err
			})
		}
	}
}
