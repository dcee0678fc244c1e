package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	pagejobs "github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/pages/settings"
	"github.com/varve-archive/varve/replay/replaytest"
)

const loopback = replaytest.Loopback

var at, token, asWindow = replaytest.At, replaytest.Token, replaytest.AsWindow()

// texts keep what is saved.
type texts struct{ templates, rankings string }

func (t *texts) Templates(string) (text, file string, err error) {
	return t.templates, "fields: []", nil
}
func (t *texts) Rankings(string) (text, file string, err error) { return t.rankings, "", nil }
func (t *texts) SaveTemplates(_, text string) error {
	t.templates = text
	return nil
}

func (t *texts) SaveRankings(_, text string) error {
	t.rankings = text
	return nil
}

// checked reads crawl files as far as the tests need.
func checked(string) (string, []string, error) { return "river", []string{freePage}, nil }

// ordering returns what makes a server take orders and save settings.
func ordering(folder jobs.Folder, shown runs.Folder, kept *texts, change func(*crawls.Config)) func(*replay.Config) {
	return func(c *replay.Config) {
		c.Crawls = &crawls.Config{Folder: shown}
		if change != nil {
			change(c.Crawls)
		}
		c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
		c.Settings = &settings.Config{Store: kept, Asked: c.Crawls.Asked, ReadOnly: c.Crawls.ReadOnly}
	}
}

// Crawls are ordered, and settings saved, by whom files are taken from, and by nobody else: above all by no archived page.
func TestWhoMayOrderAndSave(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	folder, kept := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), &texts{}
	shown := runs.Folder(t.TempDir())
	h := replaytest.Configured(t, x, ordering(folder, shown, kept, nil))
	public := replaytest.Configured(t, x, func(c *replay.Config) {
		ordering(folder, shown, kept, func(c *crawls.Config) { c.Asked = true })(c)
		c.PublicURL = "https://archive.example"
	})
	reads := replaytest.Configured(t, x, ordering(folder, shown, kept, func(c *crawls.Config) { c.ReadOnly = true }))
	const here = "http://" + loopback
	saved := 0
	for _, route := range []struct{ path, body string }{
		{"/-/jobs", "seeds=" + freePage},
		{"/-/settings", "part=templates&text="},
		{"/-/settings", "part=rankings&text="},
	} {
		own, ownPublic := token(h, loopback, route.path, asWindow...), token(public, "archive.example", route.path, asWindow...)
		if own == "" || ownPublic == "" || own == ownPublic {
			t.Fatalf("%s: no tokens", route.path)
		}
		if got := token(h, loopback, route.path, "Accept", "text/html", "Sec-Fetch-Dest", "iframe", "Sec-Fetch-Mode", "navigate"); got != "" {
			t.Errorf("%s: a frame gets the token", route.path)
		}
		if token(reads, loopback, route.path, asWindow...) != "" {
			t.Errorf("%s: there is a form where nothing is written", route.path)
		}
		for _, tt := range []struct {
			name   string
			h      http.Handler
			host   string
			header []string
			want   bool
		}{
			{"a client that is no browser", h, loopback, nil, true},
			{"varve's own page", h, loopback, []string{
				"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own,
				"Referer", here + route.path,
			}, true},
			{"… without the token", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + route.path}, false},
			{"… with another", h, loopback, []string{"Origin", here, "X-Varve-Token", ownPublic, "Referer", here + route.path}, false},
			{"another site", h, loopback, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "X-Varve-Token", own}, false},
			{"a name that leads here", h, "evil.example:8080", nil, false},
			{"through another server", h, loopback, []string{"X-Forwarded-For", "192.0.2.1"}, false},
			{"an archived page", h, loopback, []string{
				"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own, "Referer", here + "/web/20140101000000/http://a.example/",
			}, false},
			{"the public address", public, "archive.example", []string{"Origin", "https://archive.example", "X-Varve-Token", ownPublic}, true},
			{"a server that writes nothing", reads, loopback, nil, false},
			{"a server that takes no orders", replaytest.Configured(t, x, nil), loopback, nil, false},
		} {
			saved++
			before, err := folder.All()
			if err != nil {
				t.Fatal(err)
			}
			header := append([]string{"Content-Type", "application/x-www-form-urlencoded"}, tt.header...)
			body := route.body
			if route.path == "/-/settings" {
				body += fmt.Sprint("text-", saved)
			}
			w := at(tt.h, "POST", tt.host, route.path, body, header...)
			after, err := folder.All()
			if err != nil {
				t.Fatal(err)
			}
			now := fmt.Sprint("text-", saved)
			done := len(after) > len(before) || kept.templates == now || kept.rankings == now
			if done != tt.want || (w.Code < 300) != tt.want || !tt.want && w.Code != http.StatusForbidden {
				t.Errorf("%s: %s: %d, done %v: %s", route.path, tt.name, w.Code, done, w.Body)
			}
		}
	}
}

// A job whose addresses are excluded isn't there, nor are documents of excluded pages.
func TestExcludedPagesAreInNoJobAndNoDocument(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	j, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", Seeds: []string{secretPage}, File: "x"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shown1 := runs.Folder(filepath.Join(dir, "crawls"))
	mine, err := shown1.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	run := runs.Run{
		Report: runs.Report{Name: "river", State: runs.Completed}, Collection: "web", Written: time.Now(), Documents: filepath.Join(dir, "river"),
	}
	if err := errors.Join(mine.Write(run), mine.End()); err != nil {
		t.Fatal(err)
	}
	csv := "url,datetime,price\n" + freePage + ",2016-01-01T00:00:00Z,1\n" + secretPage + ",2013-01-01T00:00:00Z,\"2\n3\"\n" +
		datedPage + ",2010-01-01T00:00:00Z,4\n" + datedPage + ",2014-01-01T00:00:00Z,5\n"
	lines := ""
	for i, of := range [][2]string{{freePage, "2016"}, {secretPage, "2013"}, {datedPage, "2010"}, {datedPage, "2014"}} {
		line, err := json.Marshal(map[string]any{
			"url": of[0], "datetime": of[1] + "-01-01T00:00:00Z", "values": map[string][]string{"n": {fmt.Sprint(i)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines += string(line) + "\n"
	}
	err = errors.Join(os.WriteFile(run.Documents+".csv", []byte(csv), 0o644), os.WriteFile(run.Documents+".jsonl", []byte(lines), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]struct {
		job       int
		rows      int
		forbidden string
	}{"": {200, 4, "no such text"}, hiddenRules: {404, 2, "secret"}} {
		s, _ := guarded(t, shown(), rules)
		cfg := replay.Config{Archive: s.Archive()}
		ordering(folder, shown1, &texts{}, nil)(&cfg)
		with, err := replay.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		get := func(path string, header ...string) (int, string) {
			w := at(with.Handler(), "GET", loopback, path, "", header...)
			return w.Code, w.Body.String()
		}
		for _, accept := range []string{"text/html", "application/json"} {
			code, _ := get("/-/jobs/"+j.ID, "Accept", accept)
			if _, list := get("/-/jobs", "Accept", accept); code != want.job || strings.Contains(list, j.ID) != (want.job == 200) {
				t.Errorf("%q as %s: %d, %s", rules, accept, code, list)
			}
		}
		for path, ends := range map[string]int{"/-/crawls/river/documents": 1, "/-/crawls/river/documents?output=jsonl": 0} {
			code, said := get(path)
			if code != 200 || strings.Contains(said, want.forbidden) || strings.Count(said, "example/") != want.rows ||
				strings.Count(said, "\n") < want.rows+ends {
				t.Errorf("%q: %s: %d %s", rules, path, code, said)
			}
		}
		if code, _ := get("/-/crawls/river/documents?output=xls"); code != 400 {
			t.Errorf("another output: %d", code)
		}
		if code, _ := get("/-/crawls/none/documents"); code != 404 {
			t.Errorf("of no crawl: %d", code)
		}
		if _, said := get("/-/crawls/river"); !strings.Contains(said, `"documents":"/-/crawls/river/documents"`) || strings.Contains(said, dir) {
			t.Errorf("the crawl: %s", said)
		}
	}
}
