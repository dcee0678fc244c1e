package crawls_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/replaytest"
)

const loopback = replaytest.Loopback

var at, token, asWindow = replaytest.At, replaytest.Token, replaytest.AsWindow()

// crawling returns a folder with a crawl that runs until the test ends, and what it was told last.
func crawling(t *testing.T, run runs.Run) (runs.Folder, func() runs.Order) {
	t.Helper()
	folder := runs.Folder(filepath.Join(t.TempDir(), "crawls"))
	mine, err := folder.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	var told atomic.Value
	told.Store(runs.Order(""))
	run.Name, run.Collection = "river", "web"
	report := func() runs.Run {
		r := run
		r.State = runs.Running
		if told.Load() == runs.Pause {
			r.State = runs.Paused
		}
		return r
	}
	if err := mine.Write(report()); err != nil {
		t.Fatal(err)
	}
	stop := mine.Keep(report, func(o runs.Order) { told.Store(o) })
	t.Cleanup(func() {
		stop()
		_ = mine.End()
	})
	return folder, func() runs.Order { return told.Load().(runs.Order) }
}

const (
	freePage   = "http://free.example/"
	secretPage = "http://free.example/secret/page"
	hiddenPage = "http://hidden.example/map?a=1"
)

const hiddenRules = `rules:
- {url: "http://free.example/secret/page", match: exact, access: exclude}
- {url: "http://hidden.example/", match: host, access: exclude}
`

// archived returns the index of an archive of one page.
func archived(t *testing.T) *index.Index {
	t.Helper()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: freePage, Status: 200, Body: replaytest.PageOf("A", "one two three")},
	}))
	return x
}

// guarded returns a server that shows crawls, with access rules.
func guarded(t *testing.T, rules string, folder runs.Folder) http.Handler {
	t.Helper()
	x := archived(t)
	return replaytest.Configured(t, x, func(c *replay.Config) {
		c.Archive = replaytest.Archive(t, archive.Config{
			Index: x, Records: archivetest.NoRecords{}, Access: archivetest.Policy(t, rules),
		})
		c.Crawls = &crawls.Config{Folder: folder}
	})
}

const hostileAddress = `http://a.example/"><script>alert(1)</script>`

func aRun() runs.Run {
	now := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	return runs.Run{
		Report: runs.Report{
			Totals: runs.Totals{Pages: 3, Skipped: map[string]int64{"robots": 2}}, URL: secretPage,
			Run: &runs.Stats{Visited: 3, Parameters: []runs.Parameter{
				{Host: "hidden.example", Name: "ref", Equal: 4}, {Host: "a.example", Name: "x", Equal: 3},
			}},
		},
		Runs:   []runs.Stats{{Visited: 2, Parameters: []runs.Parameter{{Host: "hidden.example", Name: "ref", Equal: 4}}}},
		Recent: []runs.Asked{{Time: now, URL: hostileAddress, Kind: "page", Status: 200}, {Time: now, URL: freePage, Kind: "page", Status: 200}},
		Failed: []runs.Asked{{Time: now, URL: secretPage, Kind: "page", Reason: "unreachable", Error: "<b>refused</b>"}},
		Settings: runs.Settings{
			Seeds: []string{freePage, secretPage}, Scope: "host", Order: "breadth",
		},
	}
}

// Crawls are seen and steered by whom files are taken from, and by nobody else.
func TestWhoMaySteerCrawls(t *testing.T) {
	x := archived(t)
	folder, told := crawling(t, aRun())
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: folder} })
	public := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.PublicURL = &crawls.Config{Folder: folder, Asked: true}, "https://archive.example"
	})
	reads := replaytest.Configured(t, x, func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: folder, ReadOnly: true} })
	own := token(h, loopback, "/-/crawls/river", asWindow...)
	ownPublic := token(public, "archive.example", "/-/crawls", asWindow...)
	if own == "" || ownPublic == "" || own == ownPublic {
		t.Fatal("no tokens")
	}
	if got := token(h, loopback, "/-/crawls/river", "Accept", "text/html", "Sec-Fetch-Dest", "empty", "Sec-Fetch-Mode", "cors"); got != "" {
		t.Error("a script gets the token")
	}
	if token(reads, loopback, "/-/crawls", asWindow...) != "" {
		t.Error("there are buttons where nothing is written")
	}
	const here = "http://" + loopback
	for _, tt := range []struct {
		name          string
		h             http.Handler
		host          string
		header        []string
		reads, steers int
	}{
		{"a client that is no browser", h, loopback, nil, 200, 200},
		{"varve's own page", h, loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + "/-/crawls", "X-Varve-Token", own,
		}, 200, 200},
		{"… without the token", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + "/-/crawls"}, 200, 403},
		{"… with another", h, loopback, []string{"Origin", here, "Referer", here + "/-/crawls", "X-Varve-Token", ownPublic}, 200, 403},
		{"another site", h, loopback, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "X-Varve-Token", own}, 200, 403},
		{"a name that leads here", h, "evil.example:8080", nil, 403, 403},
		{"through another server", h, loopback, []string{"X-Forwarded-For", "192.0.2.1"}, 403, 403},
		{"an archived page", h, loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "empty", "X-Varve-Token", own,
			"Referer", here + "/web/20140101000000/http://a.example/",
		}, 403, 403},
		{"the public address", public, "archive.example", []string{"Origin", "https://archive.example", "X-Varve-Token", ownPublic}, 200, 200},
		{"a server that writes nothing", reads, loopback, nil, 200, 403},
		{"a server that shows none", replaytest.Configured(t, x, nil), loopback, nil, 403, 403},
	} {
		before := told()
		order := map[runs.Order]runs.Order{runs.Pause: runs.Resume}[before]
		if order == "" {
			order = runs.Pause
		}
		w := at(tt.h, "GET", tt.host, "/-/crawls/river", "", tt.header...)
		if w.Code != tt.reads || w.Header().Get("Access-Control-Allow-Origin") != "" && w.Code == 200 {
			t.Errorf("%s: reading: %d %v", tt.name, w.Code, w.Header())
		}
		header := append([]string{"Content-Type", "application/x-www-form-urlencoded"}, tt.header...)
		w = at(tt.h, "POST", tt.host, "/-/crawls/river", url.Values{"order": {string(order)}}.Encode(), header...)
		if w.Code != tt.steers || (told() == order) != (tt.steers == 200) {
			t.Errorf("%s: steering: %d, told %q after %q: %s", tt.name, w.Code, told(), before, w.Body)
		}
	}
}

// What is asked for in vain is answered with what is wrong.
func TestOrdersToCrawls(t *testing.T) {
	x := archived(t)
	folder, told := crawling(t, aRun())
	ended, err := folder.Begin(t.Context(), "ended")
	if err != nil {
		t.Fatal(err)
	}
	if err := ended.Write(runs.Run{Report: runs.Report{State: runs.Completed}}); err != nil {
		t.Fatal(err)
	}
	if err := ended.End(); err != nil {
		t.Fatal(err)
	}
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: folder} })
	for _, tt := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/-/crawls/river", "order=explode", 400},
		{"POST", "/-/crawls/river", "", 400},
		{"POST", "/-/crawls/river", "order=" + strings.Repeat("x", 10_000), 400},
		{"POST", "/-/crawls/none", "order=pause", 404},
		{"POST", "/-/crawls/..%2friver", "order=pause", 404},
		{"POST", "/-/crawls/ended", "order=resume", 409},
		{"POST", "/-/crawls", "order=pause", 405},
		{"DELETE", "/-/crawls/river", "", 405},
		{"GET", "/-/crawls/none", "", 404},
		{"GET", "/-/crawls/../x", "", 404},
		{"HEAD", "/-/crawls/river", "", 200},
		{"POST", "/-/crawls/river", "order=pause", 200},
	} {
		w := at(h, tt.method, loopback, tt.path, tt.body, "Content-Type", "application/x-www-form-urlencoded")
		if w.Code != tt.want {
			t.Errorf("%s %s %.20s: %d %s", tt.method, tt.path, tt.body, w.Code, w.Body)
		}
	}
	if told() != runs.Pause {
		t.Errorf("it was told %q", told())
	}
	w := at(h, "POST", loopback, "/-/crawls/river", "order=resume", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/-/crawls/river" {
		t.Errorf("a browser: %d %v", w.Code, w.Header())
	}
	var all struct{ Crawls []runs.Report }
	if err := json.Unmarshal(at(h, "GET", loopback, "/-/crawls", "").Body.Bytes(), &all); err != nil || len(all.Crawls) != 2 ||
		all.Crawls[0].Name != "river" || all.Crawls[0].State != runs.Running || all.Crawls[1].State != runs.Completed {
		t.Errorf("%+v, %v", all, err)
	}
}

// Addresses that a site has made up stand on the page as text, and lead into the archive alone.
func TestCrawledAddressesAreText(t *testing.T) {
	x := archived(t)
	folder, _ := crawling(t, aRun())
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: folder} })
	got := at(h, "GET", loopback, "/-/crawls/river", "", asWindow...).Body.String()
	if strings.Contains(got, "<script>alert") || strings.Contains(got, "<b>refused") || !strings.Contains(got, "&lt;script&gt;alert(1)") {
		t.Error("an address isn't escaped, or not there")
	}
	if strings.Contains(got, `href="http`) || !strings.Contains(got, `href="/web/`+freePage+`"`) {
		t.Error("a link leads to the web, or none into the archive")
	}
	all := at(h, "GET", loopback, "/-/crawls", "", asWindow...).Body.String()
	for _, want := range []string{`http-equiv="refresh" content="5"`, `href="/-/crawls/river"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
	if home := at(h, "GET", loopback, "/", "", asWindow...).Body.String(); !strings.Contains(home, `href="/-/crawls"`) {
		t.Error("the home page doesn't lead to the crawls")
	}
}

func TestExcludedAddressesOfCrawlsAreNotNamed(t *testing.T) {
	folder, _ := crawling(t, aRun())
	secret := aRun()
	secret.Settings.Seeds = []string{secretPage}
	secrets, _ := crawling(t, secret)
	for rules, want := range map[string]bool{"rules: []": true, hiddenRules: false} {
		h := guarded(t, rules, folder)
		home := at(guarded(t, rules, secrets), "GET", loopback, "/", "", asWindow...).Body.String()
		if strings.Contains(home, `href="/-/crawls"`) != want {
			t.Errorf("of a crawl of excluded pages alone the home page knows: %t", !want)
		}
		for _, accept := range []string{"text/html", "application/json"} {
			for _, path := range []string{"/-/crawls", "/-/crawls/river"} {
				got := at(h, "GET", loopback, path, "", "Accept", accept).Body.String()
				if strings.Contains(got, "secret/page") != want {
					t.Errorf("%s as %s: names it: %v", path, accept, !want)
				}
				if names := strings.Contains(got, "hidden.example"); names && !want || want && !names && path != "/-/crawls" {
					t.Errorf("%s as %s: names the host of a parameter: %v", path, accept, names)
				}
				if path != "/-/crawls" && !strings.Contains(got, "free.example") {
					t.Errorf("%s as %s names nothing at all", path, accept)
				}
			}
		}
	}
}

// The documents of a crawl come row by row as its files have them, without those that rules exclude or that have no datetime.
func TestDocumentsOfACrawl(t *testing.T) {
	run := aRun()
	run.Documents = filepath.Join(t.TempDir(), "river")
	const when = "2026-11-23T15:00:00Z"
	for ending, text := range map[string]string{
		".csv": "title,url,datetime\nFree," + freePage + "," + when + "\n\"So, secret\"," + secretPage + "," + when + "\nOdd," + freePage + ",\n",
		".jsonl": `{"url":"` + freePage + `","datetime":"` + when + `","title":"Free"}` + "\n" +
			`{"url":"` + secretPage + `","datetime":"` + when + `"}` + "\n" + `{"url":"` + freePage + `"}` + "\n",
	} {
		if err := os.WriteFile(run.Documents+ending, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, _ := crawling(t, run)
	h := guarded(t, hiddenRules, folder)
	for _, tt := range []struct {
		method, path string
		status       int
		kind, body   string
	}{
		{"GET", "river/documents", 200, "text/csv; charset=utf-8", "title,url,datetime\nFree," + freePage + "," + when + "\n"},
		{"GET", "river/documents?output=csv", 200, "text/csv; charset=utf-8", "title,url,datetime\nFree," + freePage + "," + when + "\n"},
		{"HEAD", "river/documents", 200, "text/csv; charset=utf-8", ""},
		{
			"GET", "river/documents?output=jsonl", 200, "application/x-ndjson",
			`{"url":"` + freePage + `","datetime":"` + when + `","title":"Free"}` + "\n",
		},
		{"GET", "river/documents?output=xml", 400, "", ""},
		{"GET", "none/documents", 404, "", ""},
		{"POST", "river/documents", 405, "", ""},
	} {
		w := at(h, tt.method, loopback, "/-/crawls/"+tt.path, "")
		if w.Code != tt.status {
			t.Errorf("%s %s: %d", tt.method, tt.path, w.Code)
		}
		head := w.Header()
		if tt.status == 200 && (head.Get("Cache-Control") != "no-store" || head.Get("Content-Type") != tt.kind || w.Body.String() != tt.body ||
			!strings.HasPrefix(head.Get("Content-Disposition"), `attachment; filename="river.`) || head.Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s %s: %v %s", tt.method, tt.path, head, w.Body)
		}
	}
	if said := at(h, "GET", loopback, "/-/crawls/river", "").Body.String(); !strings.Contains(said, `"/-/crawls/river/documents"`) ||
		strings.Contains(said, run.Documents) {
		t.Errorf("where they are: %s", said)
	}
	page := at(h, "GET", loopback, "/-/crawls/river", "", asWindow...).Body.String()
	for _, want := range []string{
		`href="/-/crawls/river/documents"`, `http-equiv="refresh" content="5"`,
		`<th scope="row">Visited</th><td class="num">2</td><td class="num">3</td>`, `href="/web/"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	blocked := guarded(t, `rules: [{url: "`+freePage+`", match: exact, access: block}]`, folder)
	for _, output := range []string{"csv", "jsonl"} {
		w := at(blocked, "GET", loopback, "/-/crawls/river/documents?output="+output, "")
		if body := w.Body.String(); w.Code != 200 || strings.Contains(body, "Free") || !strings.Contains(body, secretPage) {
			t.Errorf("%s of a blocked page: %d %s", output, w.Code, body)
		}
	}
	if err := os.WriteFile(run.Documents+".csv", []byte("title,url\nFree,"+freePage+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := at(h, "GET", loopback, "/-/crawls/river/documents", ""); w.Code != 500 || strings.Contains(w.Body.String(), freePage) {
		t.Errorf("addresses without datetimes: %d %s", w.Code, w.Body)
	}
	if err := os.Remove(run.Documents + ".csv"); err != nil {
		t.Fatal(err)
	}
	if w := at(h, "GET", loopback, "/-/crawls/river/documents", ""); w.Code != 404 {
		t.Errorf("a file that is gone: %d", w.Code)
	}
}

// A crawl of nothing but excluded addresses may have their name, so it isn't there at all.
func TestCrawlsOfExcludedSitesAreNotThere(t *testing.T) {
	run := aRun()
	run.Settings.Seeds = []string{secretPage, hiddenPage}
	folder, told := crawling(t, run)
	for rules, want := range map[string]bool{"rules: []": true, hiddenRules: false} {
		h := guarded(t, rules, folder)
		for _, path := range []string{"/-/crawls", "/-/crawls/river", "/-/metrics"} {
			w := at(h, "GET", loopback, path, "", "Accept", "application/json")
			if got := w.Code == http.StatusOK && strings.Contains(w.Body.String(), `"river"`); got != want {
				t.Errorf("%s: %d, named %v", path, w.Code, got)
			}
		}
	}
	if told() != "" {
		t.Error("it was given an order")
	}
}

// Whoever measures sees crawls, unless the server shows none; what sites answer makes no labels without bound.
func TestCrawlMetrics(t *testing.T) {
	x := archived(t)
	run := aRun()
	run.Bytes, run.Docs, run.Status = 1234, 2, map[string]int64{"200": 3, "204": 1, "404": 5, "999": 7, "x\"\n": 1}
	folder, _ := crawling(t, run)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: folder} })
	got := at(h, "GET", loopback, "/-/metrics", "").Body.String()
	for _, want := range []string{
		`varve_crawl_state{crawl="river",state="running"} 1`,
		`varve_crawl_pages_total{crawl="river"} 3`,
		`varve_crawl_documents_total{crawl="river"} 2`,
		`varve_crawl_bytes_total{crawl="river"} 1234`,
		`varve_crawl_skipped_total{crawl="river",reason="robots"} 2`,
		`varve_crawl_answers_total{crawl="river",status="2xx"} 4`,
		`varve_crawl_answers_total{crawl="river",status="4xx"} 5`,
		`varve_crawl_answers_total{crawl="river",status="other"} 8`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(got, "varve_crawl_answers_total{"); n != 3 {
		t.Errorf("%d classes of answers", n)
	}
	if got := at(replaytest.Configured(t, x, nil), "GET", loopback, "/-/metrics", "").Body.String(); strings.Contains(got, "varve_crawl") {
		t.Error("a server that shows no crawls measures them")
	}
}

func TestWhereNoCrawlIsShown(t *testing.T) {
	t.Parallel()
	replaytest.Forbids(t, "/-/crawls", func(c *replay.Config) { c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir())} },
		"shows no crawls", "--crawls", "steer crawls")
}
