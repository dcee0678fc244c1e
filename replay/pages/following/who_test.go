package following_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestWhoSeesWhatIsFollowed(t *testing.T) {
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"},
	}))
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	sources := []status.Source{{Kind: "feed", URL: "http://a.example/feed"}}
	err := errors.Join(os.MkdirAll(folder.Home("news"), 0o755),
		folder.Write(status.Status{Name: "news", Collection: "web", Running: true, Written: time.Now(), Sources: sources}))
	if err != nil {
		t.Fatal(err)
	}
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Follows = &crawls.Config{Folder: runs.Folder(t.TempDir())}, folder
	})
	without := replaytest.Configured(t, x, func(c *replay.Config) { c.Follows = folder })
	for _, tt := range []struct {
		name, method, path string
		h                  http.Handler
		header             []string
		want               int
	}{
		{"on its machine", "GET", "/-/follow/news", h, nil, 200},
		{"through another server", "GET", "/-/follow", h, []string{"X-Forwarded-For", "192.0.2.1"}, 403},
		{"a server that shows no crawls", "GET", "/-/follow", without, nil, 403},
		{"an order", "POST", "/-/follow/news", h, nil, 405},
		{"another name", "GET", "/-/follow/none", h, nil, 404},
		{"a path", "GET", "/-/follow/..%2fnews", h, nil, 404},
	} {
		if w := replaytest.At(tt.h, tt.method, replaytest.Loopback, tt.path, "", tt.header...); w.Code != tt.want {
			t.Errorf("%s: %d, want %d: %s", tt.name, w.Code, tt.want, w.Body)
		}
	}
	home := replaytest.At(h, "GET", replaytest.Loopback, "/web/", "", "Accept", "text/html").Body.String()
	if !strings.Contains(home, `href="/-/follow"`) {
		t.Error("the page of the collection doesn't lead there")
	}
	replaytest.Forbids(t, "/-/follow", func(c *replay.Config) {
		c.Crawls, c.Follows = &crawls.Config{Folder: runs.Folder(t.TempDir())}, folder
	}, "shows no sources that are followed", "--crawls", "look at them")
}

// The page of all names begins with the one that was heard of last, the page of one with the sources that somebody has to look after.
func TestWhatIsFollowedIsInOrder(t *testing.T) {
	t.Parallel()
	folder, now := status.Folder(filepath.Join(t.TempDir(), "follow")), time.Now()
	sources := []status.Source{
		{Kind: "feed", URL: "http://a.example/well", Title: "Well", Next: now.Add(time.Hour)},
		{Kind: "feed", URL: "http://a.example/due", Title: "Due", Next: now.Add(-time.Hour)},
		{Kind: "feed", URL: "http://a.example/problem", Title: "Problem", Next: now.Add(time.Hour), Problem: "its pattern matches nothing"},
		{Kind: "feed", URL: "http://a.example/aside", Title: "Aside", Next: now.Add(-time.Hour), Aside: "too many entries"},
	}
	for _, s := range []status.Status{
		{Name: "gone", Running: true, Written: now.Add(-48 * time.Hour), Today: status.Usage{Requests: 413}, Budget: status.Usage{Requests: 413}},
		{Name: "lives", Running: true, Written: now, Today: status.Usage{Requests: 411}, Budget: status.Usage{Requests: 411}, Sources: sources},
		{Name: "stopped", Written: now.Add(-time.Hour), Collection: "other", Sources: sources[1:2]},
	} {
		if s.Collection == "" {
			s.Collection = "web"
		}
		if err := errors.Join(os.MkdirAll(folder.Home(s.Name), 0o755), folder.Write(s)); err != nil {
			t.Fatal(err)
		}
	}
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"},
	}))
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Follows = &crawls.Config{Folder: runs.Folder(t.TempDir())}, folder
	})
	for path, want := range map[string]struct {
		order  []string
		counts map[string]int
	}{
		"/-/follow": {
			[]string{`"/-/follow/lives"`, `"/-/follow/stopped"`, `"/-/follow/gone"`},
			map[string]int{`crawlstate running`: 1, "411": 2, "413": 1, "budget is used up": 1, `href="/web/"`: 2},
		},
		"/-/follow/lives": {
			[]string{"Aside", "Problem", "Well", "Due"},
			map[string]int{"due now": 1, "budget is used up": 1, `href="/web/http://a.example/well"`: 1, "crawlstate running": 1},
		},
		"/-/follow/stopped": {[]string{"Due"}, map[string]int{"due now": 0, `href="/web/`: 0, "crawlstate running": 0}},
	} {
		w := replaytest.At(h, "GET", replaytest.Loopback, path, "", replaytest.AsWindow()...)
		page, at := w.Body.String(), 0
		data := replaytest.At(h, "GET", replaytest.Loopback, path, "")
		for form, answer := range map[string]http.ResponseWriter{"page": w, "data": data} {
			if kept := answer.Header().Get("Cache-Control"); kept != "no-store" {
				t.Errorf("%s as %s: Cache-Control is %q", path, form, kept)
			}
		}
		for _, text := range want.order {
			next := strings.Index(page[at:], text)
			if next < 0 {
				t.Errorf("%s: no %s behind %.40q", path, text, page[at:])
			}
			at += max(next, 0)
		}
		for text, n := range want.counts {
			if got := strings.Count(page, text); got != n {
				t.Errorf("%s: %d times %s, want %d", path, got, text, n)
			}
		}
	}
	var got struct{ Follows []status.Status }
	all := replaytest.At(h, "GET", replaytest.Loopback, "/-/follow", "").Body.Bytes()
	err := json.Unmarshal(all, &got)
	if err != nil || len(got.Follows) != 3 || got.Follows[0].Name != "lives" || len(got.Follows[0].Sources) != 4 {
		t.Errorf("%v: %s", err, all)
	}
	if !strings.Contains(string(all), `"sources":[]`) {
		t.Errorf("a name without sources has no list of them: %s", all)
	}
}
