package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/search"
)

func params(query string) web.Path {
	v, _ := url.ParseQuery(query)
	return web.Path{Coll: "web", Params: v}
}

func TestNumbersOfParametersHaveBounds(t *testing.T) {
	similar := func(p web.Path) error { _, _, err := similarParams(p); return err }
	terms := func(p web.Path) error { _, err := termsQuery(p); return err }
	searched := func(p web.Path) error { _, err := parseSearchParams(p); return err }
	for _, tt := range []struct {
		name  string
		read  func(web.Path) error
		query string
		ok    bool
	}{
		{"similar: none", similar, "", true},
		{"similar: the least threshold", similar, "threshold=0", true},
		{"similar: the greatest threshold", similar, "threshold=1", true},
		{"similar: below", similar, "threshold=-0.01", false},
		{"similar: above", similar, "threshold=1.01", false},
		{"similar: no number", similar, "threshold=NaN", false},
		{"similar: one", similar, "limit=1", true},
		{"similar: none of them", similar, "limit=0", false},
		{"similar: as many as can be", similar, fmt.Sprint("limit=", archive.MaxSimilarResults), true},
		{"similar: one more", similar, fmt.Sprint("limit=", archive.MaxSimilarResults+1), false},
		{"terms: none", terms, "", true},
		{"terms: one", terms, "limit=1", true},
		{"terms: none of them", terms, "limit=0", false},
		{"terms: as many as can be", terms, fmt.Sprint("limit=", archive.MaxTerms), true},
		{"terms: one more", terms, fmt.Sprint("limit=", archive.MaxTerms+1), false},
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
		} else if err != nil && web.AsFailure(err).Status != http.StatusBadRequest {
			t.Errorf("%s: %d", tt.name, web.AsFailure(err).Status)
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
		got, err := termsFormat(w, r, params(tt.query))
		if got != tt.want || (err == nil) != (tt.want != "") || (w.Header().Get("Vary") == "Accept") != tt.varies {
			t.Errorf("%q %q: %q, %v, Vary: %s", tt.query, tt.accept, got, err, w.Header().Get("Vary"))
		}
	}
}

func TestLinksOfTermsKeepTheRest(t *testing.T) {
	q := termsParams{archive.TermsQuery{Change: "added", Domain: "a.example", From: "2014", Limit: 5}}
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
	v := q.view(banner.Page{}, uris)
	if len(v.Filters) != 2 || v.Filters[0].By != banner.ByDomain || v.Filters[1].By != banner.ByFrom ||
		!v.Tabs[1].Current || v.Tabs[0].Current {
		t.Errorf("%+v, tabs %+v", v.Filters, v.Tabs)
	}
}

func TestHostPrefix(t *testing.T) {
	for uriR, want := range map[string]string{
		"http://a.example/b?c": "http://a.example/*", "http://a.example": "http://a.example/*", "http://a.example?b/c": "http://a.example/*",
		"https://a.example:8080/b": "https://a.example:8080/*", "urn:isbn:1": "urn:isbn:1*", "://a/b": "://a/*",
	} {
		if got := hostPrefix(uriR); got != want {
			t.Errorf("%s: %s, want %s", uriR, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for say, want := range map[string]string{"": "", "a": "A.", "no such page": "No such page."} {
		if got := sentence(say); got != want {
			t.Errorf("%q: %q", say, got)
		}
	}
}

func TestPreviewIsTheBeginningOfWhatThePageItselfSays(t *testing.T) {
	long, accents := strings.Repeat("word ", maxPreview/5), strings.Repeat("é", maxPreview)
	main := func(text string, links float32) change.Block {
		return change.Block{Text: text, Region: change.Main, Links: links}
	}
	for _, tt := range []struct {
		name   string
		blocks []change.Block
		want   string
	}{
		{"nothing", nil, ""},
		{"all of it", []change.Block{main("one", 0), main("two", 0.8)}, "one two"},
		{"without navigation", []change.Block{main("one", 0), {Text: "menu", Region: change.Nav}, main("two", 0)}, "one two"},
		{"without lists of links", []change.Block{main("one", 0), main("see also", 0.81), main("two", 0)}, "one two"},
		{"just as long", []change.Block{main(long[:maxPreview], 0)}, long[:maxPreview]},
		{"cut at a word", []change.Block{main(long, 0), main("more", 0)}, long[:maxPreview-1] + "…"},
		{"cut in a long word", []change.Block{main("a "+strings.Repeat("b", maxPreview), 0)}, "a " + strings.Repeat("b", maxPreview-2) + "…"},
		{"cut between letters", []change.Block{main("a"+accents, 0)}, "a" + accents[:maxPreview-2] + "…"},
	} {
		if got := preview(&change.Text{Blocks: tt.blocks}); got != tt.want {
			t.Errorf("%s: %d bytes %q", tt.name, len(got), got)
		}
	}
}

// captured is a timeline of captures, one for each datetime.
func captured(at ...cdx.Timestamp) *archive.Timeline {
	tl := &archive.Timeline{Coll: "web"}
	for i, ts := range at {
		tl.Captures = append(tl.Captures, cdx.Capture{Time: ts, URL: "http://a.example/", Status: 200, Location: cdx.Location{Offset: int64(i)}})
	}
	return tl
}

// versionsOf are validity ranges that begin at datetimes.
func versionsOf(first ...cdx.Timestamp) []change.Range {
	var out []change.Range
	for i, ts := range first {
		r := change.Range{First: ts, Last: ts, Kind: change.Page}
		if i > 0 {
			out[i-1].Until = ts
			r.Change = &change.Delta{Added: i}
		}
		out = append(out, r)
	}
	return out
}

func TestDaysLeadToTheirFirstChange(t *testing.T) {
	tl := captured(20150101100000, 20150101230000, 20150102000000, 20150102120000, 20150102130000, 20150102140000)
	got := days(tl, versionsOf(20150101100000, 20150102120000, 20150102130000), memento.URIs{Coll: "web"})
	want := []banner.Day{
		{Time: 20150101100000, Href: "/web/20150101100000/http://a.example/", Captures: 2, Kind: banner.KindPage},
		{Time: 20150102000000, Href: "/web/20150102120000/http://a.example/", Captures: 4, Changes: 2, Kind: banner.KindPage},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWhatACaptureShows(t *testing.T) {
	tl := captured(20150101000000, 20150102000000)
	ranges := versionsOf(20150101000000)
	ranges[0].Unshown = []int{1}
	failed := cdx.Capture{Status: 503, Location: cdx.Location{Offset: 9}}
	short := cdx.Capture{Status: 200, Truncated: true, Location: cdx.Location{Offset: 9}}
	for _, tt := range []struct {
		name string
		c    *cdx.Capture
		r    int
		want banner.Kind
	}{
		{"a page", &tl.Captures[0], 0, banner.KindPage},
		{"a wall", &tl.Captures[1], 0, banner.KindError},
		{"a failed capture", &failed, 0, banner.KindError},
		{"a failed capture before all versions", &failed, -1, banner.KindError},
		{"a capture that was cut short", &short, 0, banner.KindPage},
		{"a capture before all versions", &tl.Captures[0], -1, banner.KindPage},
	} {
		if got := shownKind(tl, tt.c, ranges, tt.r); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	ranges[0].Kind = change.Missing
	if got := shownKind(tl, &tl.Captures[0], ranges, 0); got != banner.KindMissing {
		t.Errorf("missing: %v", got)
	}
}

func TestTheBannerCountsWithinItsVersion(t *testing.T) {
	tl := captured(20150101000000, 20150102000000, 20150103000000, 20150104000000, 20150105000000)
	ranges := versionsOf(20150101000000, 20150102000000, 20150105000000)
	ranges[1].Last, ranges[1].Captures = 20150104000000, 3
	uris := memento.URIs{Coll: "web"}
	for _, tt := range []struct {
		capture, version, number int
		listed                   int
		prev, next               string
		diff                     string
	}{
		{0, 0, 1, 1, "", "/web/20150102000000/http://a.example/", ""},
		{
			1, 1, 1, 3, "/web/20150101000000/http://a.example/", "/web/20150105000000/http://a.example/",
			"/web/diff/20150101000000/20150102000000/http://a.example/",
		},
		{
			3, 1, 3, 3, "/web/20150101000000/http://a.example/", "/web/20150105000000/http://a.example/",
			"/web/diff/20150101000000/20150104000000/http://a.example/",
		},
		{4, 2, 1, 1, "/web/20150104000000/http://a.example/", "", "/web/diff/20150104000000/20150105000000/http://a.example/"},
	} {
		var v banner.BannerView
		versions(&v, &web.BannerRequest{Timeline: tl, Capture: &tl.Captures[tt.capture], Pages: uris, Moves: uris}, ranges, tt.version)
		href := func(l *banner.VersionLink) string {
			if l == nil {
				return ""
			}
			return l.Href
		}
		if v.Version != tt.version+1 || v.Versions != 3 || v.Capture != tt.number || len(v.CaptureList) != tt.listed ||
			href(v.PrevVersion) != tt.prev || href(v.NextVersion) != tt.next || v.Diff != tt.diff {
			t.Errorf("capture %d: %+v, from %s to %s", tt.capture, v, href(v.PrevVersion), href(v.NextVersion))
		}
	}
	ranges[0].Kind = change.Error
	var v banner.BannerView
	versions(&v, &web.BannerRequest{Timeline: tl, Capture: &tl.Captures[1], Pages: uris, Moves: uris}, ranges, 1)
	if v.Diff != "" || v.PrevVersion == nil || !v.PrevVersion.Delta.Known || v.PrevVersion.Delta.Added != 1 {
		t.Errorf("an error before the page: %+v", v)
	}
}

func TestTicksSampleLongTimelines(t *testing.T) {
	var at, changed []cdx.Timestamp
	for i := range 4 * maxTicks {
		at = append(at, cdx.Timestamp(20100101000000+i))
		if i%2 == 0 {
			changed = append(changed, at[i])
		}
	}
	for _, tt := range []struct {
		name           string
		captures       int
		versions       int
		ticks, changes int
	}{
		{"a few", 5, 2, 5, 1},
		{"as many as fit", maxTicks - 1, 3, maxTicks - 1, 2},
		{"many captures, few versions", 2 * maxTicks, 3, maxTicks/3*2 + 3, 2}, // each third, the last, and the changes between
		{"many captures, many versions", 4 * maxTicks, 2 * maxTicks, 0, 199},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tl := captured(at[:tt.captures]...)
			got := ticks(tl, versionsOf(changed[:tt.versions]...), memento.URIs{Coll: "web"})
			changes := 0
			for _, tick := range got {
				if tick.Changed {
					changes++
				}
				if (tick.Href != "") != tick.Changed {
					t.Errorf("%s leads to %q", tick.Time, tick.Href)
				}
			}
			if tt.ticks != 0 && len(got) != tt.ticks || changes != tt.changes || len(got) > 2*maxTicks {
				t.Errorf("%d ticks, %d of them changes", len(got), changes)
			}
			if got[0].Changed || got[0].Time != at[0] || got[len(got)-1].Time != at[tt.captures-1] {
				t.Errorf("from %+v to %+v", got[0], got[len(got)-1])
			}
		})
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
func wordText(text string) *archive.WordText {
	w := &archive.WordText{Text: text}
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
