package following_test

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/replaytest"
)

// showing returns a server over one page that shows what is followed: the statuses that were written into folder.
func showing(t *testing.T, folder status.Folder, change func(*replay.Config), list ...status.Status) http.Handler {
	t.Helper()
	for _, s := range list {
		if err := errors.Join(os.MkdirAll(folder.Home(s.Name), 0o755), folder.Write(s)); err != nil {
			t.Fatal(err)
		}
	}
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"},
	}))
	return replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Follows = &crawls.Config{Folder: runs.Folder(t.TempDir())}, folder
		change(c)
	})
}

func shown(h http.Handler, path string) (code int, page string) {
	w := replaytest.At(h, "GET", replaytest.Loopback, path, "", replaytest.AsWindow()...)
	return w.Code, w.Body.String()
}

var (
	fact = regexp.MustCompile(`<dt>([^<]+)</dt>\s*<dd[^>]*>((?:[^<]|<[^/]|</[^d])*)</dd>`)
	cell = regexp.MustCompile(`<td[^>]*>([^<]*)</td>`)
	tag  = regexp.MustCompile(`<[^>]*>`)
)

// facts are the numbers of a page, by what stands before them.
func facts(page string) map[string]string {
	out := map[string]string{}
	for _, m := range fact.FindAllStringSubmatch(page, -1) {
		out[m[1]] = strings.ReplaceAll(tag.ReplaceAllString(m[2], ""), "\u00a0", " ")
	}
	return out
}

func TestEachNumberStandsBesideItsName(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	s := status.Status{
		Name: "news", Collection: "web", Running: true, Written: now,
		Today: status.Usage{Requests: 11, Bytes: 12_000}, Budget: status.Usage{Requests: 100},
		Waiting: 13, Totals: status.Totals{
			Requests: 14, Bytes: 15, Polls: 16, Useful: 17, New: 18, Changed: 19, Captured: 20, Lost: 21, Refused: 22, Pushed: 23, Forged: 24,
		},
		Sources: []status.Source{{
			Kind: "feed", URL: "http://a.example/feed", Asked: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC),
			Next: time.Date(2999, 2, 3, 4, 5, 6, 0, time.UTC), News: time.Date(2019, 3, 4, 5, 6, 7, 0, time.UTC), PerDay: 2.5,
			Polls: 31, Useful: 32, Entries: 33, Captured: 34, Push: "told by its hub",
		}},
	}
	s.Totals.Lag.Add(25 * time.Second)
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	h := showing(t, folder, func(*replay.Config) {}, s)
	_, page := shown(h, "/-/follow/news")
	got := facts(page)
	delete(got, "Last heard of") // is when the test ran
	want := map[string]string{
		"Sources": "1", "Requests today": "11 of at most 100", "Received today": "12 kB", "Pages to be visited": "13",
		"Requests to sources that found something new": "17 / 16", "From published to captured, on average": "0:25", "Collection": "web",
		"New entries and pages": "18", "Changed ones": "19", "Answers captured": "20", "Pages that never answered": "21", "Left out": "22",
		"Told by hubs and pings": "23", "Deliveries not accepted": "24",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
	var row []string
	for _, m := range cell.FindAllStringSubmatch(page, -1) {
		row = append(row, m[1])
	}
	if got := strings.Join(row, "|"); got != "2 Jan 2020, 03:04 UTC|3 Feb 2999, 04:05 UTC|4 Mar 2019, 05:06 UTC|2.5|32 / 31|33" {
		t.Errorf("the source: %s", got)
	}
	if !strings.Contains(page, "told by its hub") || strings.Contains(page, "<strong>") {
		t.Error("what is said of the source isn't there, or it is set aside")
	}
	if !strings.Contains(page, `<a href="/-/follow">`) {
		t.Error("it doesn't lead to all")
	}
}

// Who hasn't written for ten minutes has ended. What was used of a budget on another day says nothing about today.
func TestWhatIsSaidOfAnOldStatus(t *testing.T) {
	t.Parallel()
	now := time.Now()
	used := status.Usage{Requests: 7, Bytes: 7000}
	list := []status.Status{
		{Name: "writes", Running: true, Written: now.Add(-9 * time.Minute)},
		{Name: "silent", Running: true, Written: now.Add(-10*time.Minute - 5*time.Second)},
		{Name: "ended", Written: now},
		{Name: "spent", Written: now, Today: used, Budget: status.Usage{Requests: 7}},
		{Name: "bytes", Written: now, Today: used, Budget: status.Usage{Bytes: 7000}},
		{Name: "left", Written: now, Today: used, Budget: status.Usage{Requests: 8, Bytes: 7001}},
		{Name: "yesterday", Written: now.Add(-24 * time.Hour), Today: used, Budget: status.Usage{Requests: 7}},
	}
	h := showing(t, status.Folder(filepath.Join(t.TempDir(), "follow")), func(*replay.Config) {}, list...)
	for name, want := range map[string]struct {
		runs, spent      bool
		requests, amount string
	}{
		"writes": {true, false, "0", "0 B"}, "silent": {false, false, "0", "0 B"}, "ended": {false, false, "0", "0 B"},
		"spent": {false, true, "7 of at most 7", "7.0 kB"}, "bytes": {false, true, "7", "7.0 kB"},
		"left":      {false, false, "7 of at most 8", "7.0 kB"},
		"yesterday": {false, false, "0 of at most 7", "0 B"},
	} {
		code, page := shown(h, "/-/follow/"+name)
		got, runs, spent := facts(page), strings.Contains(page, "crawlstate running"), strings.Contains(page, "budget is used up")
		if code != 200 || runs != want.runs || spent != want.spent ||
			got["Requests today"] != want.requests || got["Received today"] != want.amount {
			t.Errorf("%s: %d, want %+v: %v", name, code, want, got)
		}
	}
}

// Readers see nothing of excluded sources, and nothing of a name that has no others: it may say what they are.
func TestExcludedSourcesAreInNoStatus(t *testing.T) {
	t.Parallel()
	policy := archivetest.Policy(t, `rules: [{url: "http://secret.example/", match: host, access: exclude}]`)
	sources := func(list ...string) (out []status.Source) {
		for _, s := range list {
			out = append(out, status.Source{Kind: "feed", URL: s})
		}
		return out
	}
	const open, secret = "http://a.example/feed", "http://secret.example/feed"
	now := time.Now()
	h := showing(t, status.Folder(filepath.Join(t.TempDir(), "follow")), func(c *replay.Config) {
		c.Archive = replaytest.Archive(t, archive.Config{Index: c.Archive.Index.Whole, Records: archivetest.NoRecords{}, Access: policy})
	},
		status.Status{Name: "quail", Collection: "web", Written: now, Sources: sources(secret)},
		status.Status{Name: "snipe", Collection: "web", Written: now, Sources: sources(secret, open)},
		status.Status{Name: "heron", Collection: "web", Written: now},
	)
	for _, header := range [][]string{nil, replaytest.AsWindow()} {
		all := replaytest.At(h, "GET", replaytest.Loopback, "/-/follow", "", header...).Body.String()
		for name, code := range map[string]int{"quail": 404, "snipe": 200, "heron": 200} {
			w := replaytest.At(h, "GET", replaytest.Loopback, "/-/follow/"+name, "", header...)
			if one := w.Body.String(); w.Code != code || strings.Contains(one, secret) || strings.Contains(one, open) != (name == "snipe") {
				t.Errorf("%s as %v: %d %s", name, header, w.Code, one)
			}
			if strings.Contains(all, name) != (code == 200) || strings.Contains(all, secret) {
				t.Errorf("%s in all as %v: %s", name, header, all)
			}
		}
	}
}

// A name leads to no file outside of the folder.
func TestNamesLeadNowhereElse(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	folder, other := status.Folder(filepath.Join(place, "follow")), status.Folder(filepath.Join(place, "other"))
	s := status.Status{Name: "news", Collection: "web", Written: time.Now()}
	h := showing(t, folder, func(*replay.Config) {}, s)
	err := errors.Join(os.MkdirAll(other.Home("secret"), 0o755), other.Write(status.Status{Name: "secret", Collection: "web"}))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/-/follow/news": 200, "/-/follow/../other/secret": 404, "/-/follow/..%2fother%2fsecret": 404, "/-/follow/news/../../other/secret": 404,
		"/-/follow/./news": 404, "/-/follow/": 404, "/-/follow/News": 404,
	} {
		w := replaytest.At(h, "GET", replaytest.Loopback, path, "")
		if w.Code != want || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// A status that can't be read hides no other, and the log says so. Its own page says that something fails, not that there is nothing.
func TestAStatusThatCannotBeRead(t *testing.T) {
	t.Parallel()
	var said logbuffer.Buffer
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	h := showing(t, folder, func(c *replay.Config) { c.Log = said.Logger() }, status.Status{Name: "news", Written: time.Now()})
	const warning, good, bad = "not everything that is followed can be shown", "/-/follow/news", "/-/follow/broken"
	if code, page := shown(h, "/-/follow"); code != 200 || !strings.Contains(page, good) || strings.Contains(said.String(), warning) {
		t.Errorf("%d, the log says %q: %s", code, &said, page)
	}
	home := folder.Home("broken")
	if err := errors.Join(os.Mkdir(home, 0o755), os.WriteFile(filepath.Join(home, "status.json"), []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	code, page := shown(h, "/-/follow")
	if code != 200 || !strings.Contains(page, good) || strings.Contains(page, bad) || !strings.Contains(said.String(), warning+`" error=`) {
		t.Errorf("beside a broken one: %d, the log says %q: %s", code, &said, page)
	}
	if code, page := shown(h, bad); code != http.StatusInternalServerError {
		t.Errorf("the broken one: %d %s", code, page)
	}
}

// Pages lead to what is followed where there is something, and the reader may see it.
func TestWhatLeadsToWhatIsFollowed(t *testing.T) {
	t.Parallel()
	const link = `href="/-/follow"`
	for name, tt := range map[string]struct {
		list   []status.Status
		header []string
		leads  bool
	}{
		"nothing is followed":    {nil, nil, false},
		"something is":           {[]status.Status{{Name: "news"}}, nil, true},
		"through another server": {[]status.Status{{Name: "news"}}, []string{"X-Forwarded-For", "192.0.2.1"}, false},
	} {
		h := showing(t, status.Folder(filepath.Join(t.TempDir(), "follow")), func(*replay.Config) {}, tt.list...)
		home := replaytest.At(h, "GET", replaytest.Loopback, "/web/", "", append(tt.header, "Accept", "text/html")...)
		if home.Code != 200 || strings.Contains(home.Body.String(), link) != tt.leads {
			t.Errorf("%s: %d, leads there: %v", name, home.Code, !tt.leads)
		}
	}
	h := showing(t, "", func(*replay.Config) {})
	if w := replaytest.At(h, "GET", replaytest.Loopback, "/-/follow", ""); w.Code != http.StatusForbidden {
		t.Errorf("a server that knows of no folder: %d", w.Code)
	}
	h = showing(t, status.Folder(t.TempDir()), func(*replay.Config) {})
	if w := replaytest.At(h, "GET", replaytest.Loopback, "/-/followed", ""); w.Code != 404 || strings.Contains(w.Body.String(), "follow") {
		t.Errorf("another path: %d %s", w.Code, w.Body)
	}
	w := replaytest.At(h, "GET", replaytest.Loopback, "/-/follow", "")
	vary := strings.Join(w.Header().Values("Vary"), ", ")
	if w.Code != 200 || !strings.HasPrefix(vary, "Accept, Sec-Fetch-Dest, Sec-Fetch-Mode") {
		t.Errorf("%d, varies by %q", w.Code, vary)
	}
}
