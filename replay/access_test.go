package replay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// The pages of the test. What hiddenRules exclude comes last, so that it moves nothing else in the file.
const (
	freePage   = "http://free.example/"
	datedPage  = "http://dated.example/river"
	secretPage = "http://free.example/secret/page"
	hiddenPage = "http://hidden.example/map?a=1"
	movedPage  = "http://free.example/moved"
)

const hiddenRules = `rules:
- {url: "http://free.example/secret/page", match: exact, access: exclude}
- {url: "http://hidden.example/", match: host, access: exclude}
- {url: "http://dated.example/", match: domain, captured: {from: 2013}, access: exclude}
`

func shown() []replaytest.Record {
	body := func(words string) string {
		return `<!doctype html><title>The river</title><h1>The river</h1><p>It rises in the hills and runs for a hundred ` +
			`miles to the sea, past ` + words + `.</p><p><a href="` + secretPage + `">more</a> <a href="` +
			hiddenPage + `">map</a> <a href="` + datedPage + `">dated</a></p>`
	}
	return []replaytest.Record{
		{Date: "20100101000000", URI: freePage, Status: 200, Body: body("meadows and mills")},
		{Date: "20120101000000", URI: freePage, Status: 200, Body: body("meadows and two towns")},
		{Date: "20160101000000", URI: freePage, Status: 200, Body: body("two towns and a harbour")},
		{Date: "20100101000000", URI: datedPage, Status: 200, Body: body("orchards and farms")},
		{Date: "20120101000000", URI: datedPage, Status: 200, Body: body("orchards and a bridge")},
		{Date: "20120601000000", URI: movedPage, Status: 301, Location: secretPage},
	}
}

func hidden() []replaytest.Record {
	body := func(words string) string {
		return `<!doctype html><title>Classified</title><h1>The river</h1><p>It rises in the hills and runs for a hundred ` +
			`miles to the sea, past ` + words + `.</p>`
	}
	return []replaytest.Record{
		{Date: "20140101000000", URI: datedPage, Status: 200, Body: body("orchards and a zeppelin")},
		{Date: "20150101000000", URI: datedPage, Status: 200, Body: body("a zeppelin and a quagga")},
		{Date: "20110101000000", URI: secretPage, Status: 200, Body: body("meadows and a basilisk")},
		{Date: "20130101000000", URI: secretPage, Status: 200, Body: body("a basilisk and a wyvern")},
		{Date: "20110101000000", URI: hiddenPage, Status: 200, Body: body("meadows and a krait")},
		{Date: "20130101000000", URI: hiddenPage, Status: 200, Body: body("a krait and a caiman")},
	}
}

// words stand only in what is excluded.
var words = []string{"zeppelin", "quagga", "basilisk", "wyvern", "krait", "caiman", "classified"}

// guarded returns a server over records, with access rules ("" for none).
func guarded(t *testing.T, records []replaytest.Record, rules string) (*replay.Server, *access.Policy) {
	t.Helper()
	return guardedIn(t, records, rules, searches.Config{Dir: filepath.Join(t.TempDir(), "search")})
}

// guardedIn does so with searches elsewhere than in a folder.
func guardedIn(t *testing.T, records []replaytest.Record, rules string, of searches.Config) (*replay.Server, *access.Policy) {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	policy := &access.Policy{}
	pictures := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	picture(t, pictures, records)
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store, Access: policy, Pictures: pictures}, of)
	t.Cleanup(func() {
		_ = cfg.Searches.Close()
		store.Close()
	})
	cfg.Trust = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	put(t, policy, rules)
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.Write(t, records)}); err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	return s, policy
}

// picture makes a picture of each page, as a browser would. The free page of 2012 embeds a part of the secret page if that is there, so
// that there is none of it for readers.
func picture(t *testing.T, store *visual.Store, records []replaytest.Record) {
	t.Helper()
	all := slices.ContainsFunc(records, func(r replaytest.Record) bool { return r.URI == secretPage })
	for i, r := range records {
		ts, err := cdx.ParseTimestamp(r.Date)
		if err != nil {
			t.Fatal(err)
		}
		embeds := r.URI == freePage && r.Date == "20120101000000"
		if r.Status != http.StatusOK || embeds && !all {
			continue
		}
		p := &visual.Picture{Recipe: visual.Recipe, URL: r.URI, Time: ts, Width: 1280}
		if embeds {
			p.Parts = []visual.Part{{URL: secretPage, Time: 20130101000000}}
		}
		img := image.NewGray(image.Rect(0, 0, 64, 48))
		for n := range img.Pix { // a look that few others are like
			img.Pix[n] = byte((n%64/7*(len(r.Body)+3)+n/64/6*31+41*i)%8) * 30
		}
		var content bytes.Buffer
		if err := png.Encode(&content, img); err != nil {
			t.Fatal(err)
		}
		if err := store.Develop(p, &visual.Shot{Kept: content.Bytes(), Exact: content.Bytes()}); err != nil {
			t.Fatal(err)
		}
		if err := store.Save(visual.At{Coll: "web", Key: surt.Of(r.URI), Time: ts, Width: 1280}, p); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, policy *access.Policy, text string) {
	t.Helper()
	policy.Put(archivetest.Rules(t, text))
}

// routes lists for each path of the API description requests about a URI-R.
func routes(uriR string) map[string][]string {
	e, at := url.QueryEscape(uriR), []string{"2010", "2011", "20130101000000", "2014", "20150101000000"}
	each := func(format string) (out []string) {
		for _, ts := range at {
			out = append(out, strings.ReplaceAll(format, "TS", ts))
		}
		return out
	}
	var finds, everywhere []string
	queries := []string{"river", "meadows", "orchards", `"a bridge"`, "wyv*", "basilisc~", "site:hidden.example", "title:classified"}
	for _, w := range append(queries, words...) {
		for _, change := range []string{"present", "deleted", "added", "semi-deleted"} {
			find := "/search?q=" + url.QueryEscape(w) + "&change=" + change
			finds, everywhere = append(finds, "/web"+find, "/web"+find+"&url="+e), append(everywhere, "/-"+find)
		}
	}
	var suggestions []string
	for _, w := range append([]string{"h", "http://", "free.example/s", "hidden", "dated", "the ri"}, words...) {
		suggestions = append(suggestions, "/web/suggest?q="+url.QueryEscape(w), "/web/suggest?q="+url.QueryEscape(w[:len(w)-1]))
	}
	return map[string][]string{
		"/": {"/", "/?url=" + e},
		"/{coll}/": {
			"/web/", "/web/?url=" + e, "/web/?url=free.example*", "/web/?url=*.example",
			"/web/?url=" + e + "&at=2013", "/web/?url=" + e + "&level=text",
			"/web/?url=*", "/web/?url=*&type=any", "/web/?url=*&output=json&sort=-captures", "/web/?url=*&output=csv", "/web/?url=*&versions=2",
			"/web/?url=*&sort=-last", "/web/?url=*&sort=-size&level=text", "/web/?url=*&has=hidden", "/web/?url=*&since=2013",
		},
		"/{coll}/{uri}":           {"/web/" + uriR},
		"/{coll}/{ts}/{uri}":      each("/web/TS/" + uriR),
		"/{coll}/{ts}{mod}/{uri}": append(each("/web/TSid_/"+uriR), each("/web/TSif_/"+uriR)...),
		"/{coll}/timemap/{format}/{uri}": {
			"/web/timemap/link/" + uriR, "/web/timemap/json/" + uriR, "/web/timemap/cdxj/" + uriR, "/web/timemap/html/" + uriR,
		},
		"/{coll}/timemap/{format}/{page}/{uri}": {"/web/timemap/link/1/" + uriR, "/web/timemap/json/2/" + uriR},
		"/{coll}/cdx": {
			"/web/cdx?url=" + e, "/web/cdx?url=" + e + "&closest=2013", "/web/cdx?url=" + e + "&limit=-1", "/web/cdx?url=" + e + "&sort=reverse",
			"/web/cdx?url=*", "/web/cdx?url=*&output=json&showResumeKey=true&limit=3", "/web/cdx?url=*.example&matchType=domain",
			"/web/cdx?url=*&showNumPages=true&pageSize=1", "/web/cdx?url=*&page=1&pageSize=1", "/web/cdx?url=*&collapse=urlkey&showDupeCount=true",
			"/web/cdx?url=*&showSkipCount=true&lastSkipTimestamp=true&collapse=urlkey", "/web/cdx?url=" + e + "&fl=timestamp,range,change",
			"/web/cdx?url=" + e + "&fastLatest=true&limit=-2", "/web/cdx?url=" + freePage + "&matchType=prefix",
		},
		"/{coll}/changes": {
			"/web/changes?url=" + e, "/web/changes?url=" + e + "&level=text", "/web/changes?level=visual&url=" + e,
			"/web/changes?url=" + e + "&at=2015",
		},
		"/{coll}/changes/{uri}": {"/web/changes/" + uriR},
		"/{coll}/diff": {
			"/web/diff?url=" + e, "/web/diff?url=" + e + "&at=2014", "/web/diff?url=" + e + "&from=2010&to=2015",
			"/web/diff?url=" + e + "&term=zeppelin", "/web/diff?url=" + e + "&term=basilisk",
		},
		"/{coll}/diff/{uri}":                {"/web/diff/" + uriR},
		"/{coll}/diff/{from}/{to}/{uri}":    {"/web/diff/2011/2013/" + uriR, "/web/diff/2010/2016/" + uriR},
		"/{coll}/animate":                   {"/web/animate?url=" + e + "&from=2010&to=2015"},
		"/{coll}/animate/{from}/{to}/{uri}": {"/web/animate/2011/2013/" + uriR},
		"/{coll}/landing":                   {"/web/landing?url=" + e + "&at=2012"},
		"/{coll}/landing/{ts}/{uri}":        each("/web/landing/TS/" + uriR),
		"/{coll}/similar":                   {"/web/similar?url=" + e + "&at=2012"},
		"/{coll}/similar/{ts}/{uri}":        each("/web/similar/TS/" + uriR),
		"/{coll}/{ts}/info":                 each("/web/TS/info?url=" + e),
		"/{coll}/inspect": append(each("/web/inspect?url="+e+"&at=TS&css=p&xpath="), append(
			each("/web/inspect?url="+e+"&at=TS&element=5&level=any"), append(
				each("/web/inspect?url="+e+"&at=TS&css=p&all=1&output=csv&level=content"),
				each("/web/inspect?url="+e+"&at=TS&template="+url.QueryEscape("- {name: a, css: a, type: link}"))...)...)...),
		"/{coll}/inspect/{ts}/{uri}": each("/web/inspect/TS/" + uriR),
		"/{coll}/still/{ts}/{uri}":   each("/web/still/TS/" + uriR),
		"/{coll}/thumb/{ts}/{uri}":   each("/web/thumb/TS/" + uriR),
		"/{coll}/thumb":              each("/web/thumb?at=TS&size=full&url=" + e),
		"/{coll}/visual":             {"/web/visual?url=" + e + "&from=2010&to=2016", "/web/visual?url=" + e + "&from=2012&to=2013"},
		"/{coll}/*/{uri}": {
			"/web/*/" + uriR, "/web/*/http://free.example/*", "/web/*/http://hidden.example/*", "/web/*/*.example",
		},
		"/{coll}/search":         finds,
		"/-/search":              append(everywhere, "/-/search?q=river&collection=web"),
		"/{coll}/suggest":        suggestions,
		"/-/calendar":            {"/-/calendar?url=" + e, "/-/calendar?url=" + e + "&on=2013", "/-/calendar?url=" + e + "&level=text"},
		"/-/suggest":             elsewhere(suggestions),
		"/{coll}/opensearch.xml": {"/web/opensearch.xml"},
		"/{coll}/terms":          {"/web/terms?change=deleted", "/web/terms?change=added"},
		"/{coll}/duplicates": {
			"/web/duplicates?threshold=0.2", "/web/duplicates?threshold=0.2&across=1", "/web/duplicates?threshold=0.2&pairs=1",
		},
		"/{coll}/terms/table": {
			"/web/terms/table?terms=zeppelin&terms=river&at=2011&at=2014&at=2015&urls=" + e,
			"/web/terms/table?output=html&terms=zeppelin&terms=basilisk&at=2011&at=2014&at=2020&urls=" + e,
			"/web/terms/table?output=csv&terms=basilisk%0Akrait&at=2011&at=2013&at=2020&urls=" + e,
		},
		"/{coll}/feed": {
			"/web/feed", "/web/feed?url=" + e, "/web/feed?url=" + e + "&matchType=host&type=any", "/web/feed?url=" + e + "&level=text",
			"/web/feed?q=zeppelin&change=added", "/web/feed?q=river&change=added&url=" + e, "/web/feed?watch=zeppelin,harbour,bridge&threshold=0",
		},
		"/{coll}/monitor": {
			"/web/monitor?since=2000&until=2020", "/web/monitor?since=2000&until=2020&type=any&url=" + e,
			"/web/monitor?since=2019&until=2020", "/web/monitor?since=2012&until=2012&rising=added",
			"/web/monitor?since=2011&until=2016&rising=deleted",
		},
		"/-/available": {
			"/-/available?url=" + e, "/wayback/available?url=" + e + "&timestamp=2014", "/-/available?url=" + e + "&collection=web",
			"/cdx/search/cdx?url=*", "/cdx/search/cdx?url=" + e,
		},
	}
}

// elsewhere asks the same over all collections.
func elsewhere(targets []string) (out []string) {
	for _, target := range targets {
		out = append(out, strings.Replace(target, "/web/", "/-/", 1))
	}
	return out
}

// showNothing are the paths of the description whose answers don't depend on captures; those of deliveries, crawls,
// jobs and what is followed have tests of their own: TestExcludedPagesOfFilesAreNotNamed, TestExcludedAddressesOfCrawlsAreNotNamed,
// TestExcludedPagesAreInNoJobAndNoDocument and TestExcludedSourcesAreNotNamed.
var showNothing = []string{
	"/-/healthz", "/-/readyz", "/-/metrics", "/-/api/openapi.json", "/-/static/{file}", "/collinfo.json", "/-/uploads", "/-/uploads/{id}",
	"/-/crawls", "/-/crawls/{name}", "/-/follow", "/-/follow/{name}", "/-/crawls/{name}/documents", "/-/jobs", "/-/jobs/{id}", "/-/settings",
}

// What access rules exclude shows in no answer: every route answers, byte for byte, as a server does that never had it.
// A route that is new must be added here.
func TestWhatIsExcludedWasNeverArchived(t *testing.T) {
	with, _ := guarded(t, append(shown(), hidden()...), hiddenRules)
	without, _ := guarded(t, shown(), "")
	known := routes(freePage)
	for _, path := range described(t, without.Handler()) {
		if known[path] == nil && !slices.Contains(showNothing, path) {
			t.Errorf("is what is excluded kept out of %s?", path)
		}
	}
	asked := 0
	for _, uriR := range []string{secretPage, hiddenPage, datedPage, freePage, movedPage} {
		for path, targets := range routes(uriR) {
			for _, target := range targets {
				for _, accept := range []string{"text/html", "application/json"} {
					asked++
					got, want := said(with.Handler(), target, accept), said(without.Handler(), target, accept)
					if got != want {
						t.Errorf("%s: %s as %s:\n%s", path, target, accept, replaytest.FirstDifference(got, want))
					}
				}
			}
		}
	}
	t.Logf("%d requests", asked)
}

// described lists the paths of the API description.
func described(t *testing.T, h http.Handler) (out []string) {
	t.Helper()
	var api struct{ Paths map[string]any }
	if err := json.Unmarshal(request(h, "GET", "/-/api/openapi.json").Body.Bytes(), &api); err != nil || len(api.Paths) < 10 {
		t.Fatal(err, len(api.Paths))
	}
	for path := range api.Paths {
		out = append(out, path)
	}
	return out
}

// said returns an answer without what moves with the index.
func said(h http.Handler, target, accept string) string {
	w := request(h, "GET", target, "Accept", accept)
	w.Header().Del("Etag")
	return fmt.Sprint(w.Code, headerOf(w), w.Body.String())
}

func headerOf(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	_ = w.Header().Write(&b)
	return b.String()
}

// New rules hold for the search at once. Until it has been built anew it answers nothing.
func TestNewRulesHoldForTheSearch(t *testing.T) {
	s, policy := guarded(t, append(shown(), hidden()...), "")
	without, _ := guarded(t, shown(), "")
	finds := func(word string) bool {
		w := request(s.Handler(), "GET", "/web/search?q="+word)
		return w.Code == http.StatusOK && strings.Contains(w.Body.String(), `"total":1`)
	}
	for _, w := range words[:6] {
		if !finds(w) {
			t.Errorf("%s isn't found, so this shows nothing", w)
		}
	}
	put(t, policy, hiddenRules)
	for _, target := range []string{"/web/search?q=zeppelin", "/web/suggest?q=zep", "/web/terms?change=deleted", "/-/search?q=zeppelin"} {
		w := request(s.Handler(), "GET", target)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if _, err := s.Searches().Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	for path, targets := range routes(datedPage) {
		for _, target := range targets {
			if got, want := said(s.Handler(), target, "application/json"), said(without.Handler(), target, "application/json"); got != want {
				t.Errorf("%s: %s:\n%s", path, target, replaytest.FirstDifference(got, want))
			}
		}
	}
	for _, w := range words {
		if got := request(s.Handler(), "GET", "/web/suggest?q="+w[:4]).Body.String(); strings.Contains(got, w) {
			t.Errorf("suggested: %s", got)
		}
	}
	put(t, policy, "rules: []")
	if _, err := s.Searches().Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	if !finds("wyvern") {
		t.Error("without rules it isn't found again")
	}
}

// What is blocked is listed, and nobody gets to know what it holds.
func TestWhatIsBlockedIsListed(t *testing.T) {
	s, _ := guarded(t, append(shown(), hidden()...), `rules:
- {url: "http://free.example/secret/page", match: exact, access: block, say: "Withdrawn <by> the author."}
`)
	h, e := s.Handler(), url.QueryEscape(secretPage)
	for target, listed := range map[string]string{
		"/web/cdx?url=" + e:               "20130101000000",
		"/web/timemap/link/" + secretPage: "/web/20130101000000/" + secretPage,
		"/web/changes?url=" + e:           `"captures":1`,
		"/web/*/" + secretPage:            "20130101000000",
		"/web/*/http://free.example/*":    "secret/page",
		"/web/20100101000000/" + freePage: "/web/20110101000000/" + secretPage,
	} {
		if w := request(h, "GET", target); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), listed) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{
		"/web/20130101000000/" + secretPage, "/web/20130101000000id_/" + secretPage, "/web/20130101000000if_/" + secretPage,
		"/web/diff?url=" + e + "&from=2011&to=2013", "/web/diff/2011/2013/" + secretPage, "/web/animate?url=" + e + "&from=2011&to=2013",
		"/web/animate/2011/2013/" + secretPage,
	} {
		w := request(h, "GET", target)
		if w.Code != http.StatusUnavailableForLegalReasons || !strings.Contains(w.Body.String(), "Withdrawn <by> the author") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
		w = request(h, "GET", target, "Accept", "text/html")
		if w.Code != http.StatusUnavailableForLegalReasons || !strings.Contains(w.Body.String(), "Withdrawn &lt;by&gt; the author.") {
			t.Errorf("%s in a browser: %d %s", target, w.Code, w.Body)
		}
	}
	for _, targets := range routes(secretPage) {
		for _, target := range targets {
			for _, accept := range []string{"text/html", "application/json"} {
				w := request(h, "GET", target, "Accept", accept)
				for _, word := range []string{"a basilisk", "a wyvern"} { // a word alone may be that of the question
					if strings.Contains(w.Body.String(), word) {
						t.Errorf("%s says %s", target, word)
					}
				}
			}
		}
	}
}

// The title of a page is part of what it holds: no list of other pages has that of a blocked one.
func TestTitlesOfWhatIsBlocked(t *testing.T) {
	s, _ := guarded(t, append(shown(), hidden()...), `rules:
- {url: "`+secretPage+`", match: exact, access: block}
- {url: "`+hiddenPage+`", match: exact, access: block}
- {url: "`+datedPage+`", access: block, captured: {from: 2014}}
`)
	for _, uriR := range []string{secretPage, hiddenPage, datedPage, freePage, movedPage, "http://free.example/secret/pages"} {
		for _, targets := range routes(uriR) {
			for _, target := range targets {
				for _, accept := range []string{"text/html", "application/json"} {
					if w := request(s.Handler(), "GET", target, "Accept", accept); w.Code >= 500 || strings.Contains(w.Body.String(), "Classified") {
						t.Errorf("%s as %s: %d, with the title: %t", target, accept, w.Code, w.Code < 500)
					}
				}
			}
		}
	}
}

// A server in front that is trusted names the reader's group; nobody else does.
func TestGroupsOfReaders(t *testing.T) {
	s, _ := guarded(t, append(shown(), hidden()...), hiddenRules+`
- {url: "http://free.example/secret/page", match: exact, group: staff, access: allow}
`)
	ask := func(from, group string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/web/20130101000000id_/"+secretPage, nil)
		r.RequestURI, r.RemoteAddr = "/web/20130101000000id_/"+secretPage, from
		r.Header.Set("X-Varve-Group", group)
		s.Handler().ServeHTTP(w, r)
		return w
	}
	const trusted, other = "192.0.2.7:4711", "198.51.100.1:4711"
	for _, tt := range []struct {
		from, group string
		status      int
		vary        bool
	}{
		{trusted, "staff", http.StatusOK, true},
		{trusted, "guests", http.StatusNotFound, true},
		{trusted, "", http.StatusNotFound, true},
		{trusted, "Staff", http.StatusNotFound, true},
		{other, "staff", http.StatusNotFound, false},
		{"[::ffff:192.0.2.7]:80", "staff", http.StatusOK, true},
		{"", "staff", http.StatusNotFound, false},
	} {
		for range 2 { // the second time from caches
			w := ask(tt.from, tt.group)
			vary := slices.ContainsFunc(w.Header().Values("Vary"), func(v string) bool { return strings.Contains(v, "X-Varve-Group") })
			if w.Code != tt.status || vary != tt.vary {
				t.Errorf("%q from %q: %d, Vary %q", tt.group, tt.from, w.Code, w.Header().Values("Vary"))
			}
		}
	}
}

// Proxy mode answers as everybody may see it.
func TestProxyKeepsBackWhatIsExcluded(t *testing.T) {
	ask := func(records []replaytest.Record, rules string) string {
		s, _ := guarded(t, records, rules)
		p, err := s.NewProxy(proxy.Config{Dir: t.TempDir(), ServerURL: "http://varve.example/", Collection: "web"})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, uriR := range []string{secretPage, hiddenPage, datedPage, freePage, movedPage} {
			for _, ts := range []string{"", "Wed, 01 Jan 2014 00:00:00 GMT"} {
				w, r := httptest.NewRecorder(), httptest.NewRequest("GET", uriR, nil)
				r.Header.Set("Accept-Datetime", ts)
				p.ServeHTTP(w, r)
				w.Header().Del("Etag")
				fmt.Fprintln(&b, uriR, ts, w.Code, headerOf(w), w.Body)
			}
		}
		return b.String()
	}
	got, want := ask(append(shown(), hidden()...), hiddenRules), ask(shown(), "")
	if got != want || strings.Contains(got, "wyvern") || !strings.Contains(got, "harbour") {
		t.Error(replaytest.FirstDifference(got, want))
	}
}
