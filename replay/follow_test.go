package replay_test

import (
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

// Whoever measures sees how late what is published is captured, unless the server shows no crawls.
func TestFollowMetrics(t *testing.T) {
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	s := status.Status{Name: "news", Collection: "web", Waiting: 2, Sources: []status.Source{{Kind: "feed", URL: "http://a.example/feed"}}}
	s.Polls, s.Useful, s.Totals.Requests = 7, 3, 20
	s.Lag.Add(3 * time.Second)
	s.Lag.Add(time.Hour)
	s.Lag.Add(1000 * time.Hour * 24)
	if err := os.MkdirAll(folder.Home("news"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := folder.Write(s); err != nil {
		t.Fatal(err)
	}
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Follows = &crawls.Config{Folder: runs.Folder(t.TempDir())}, folder
	})
	got := at(h, "GET", loopback, "/-/metrics", "").Body.String()
	for _, want := range []string{
		`varve_follow_sources{follow="news"} 1`, `varve_follow_waiting_pages{follow="news"} 2`, `varve_follow_requests_total{follow="news"} 20`,
		`varve_follow_polls_total{follow="news"} 7`, `varve_follow_useful_polls_total{follow="news"} 3`,
		`varve_follow_lag_seconds_bucket{follow="news",le="2"} 0`, `varve_follow_lag_seconds_bucket{follow="news",le="4"} 1`,
		`varve_follow_lag_seconds_bucket{follow="news",le="4096"} 2`, `varve_follow_lag_seconds_bucket{follow="news",le="+Inf"} 3`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	without := replaytest.Configured(t, x, func(c *replay.Config) { c.Follows = folder })
	if got := at(without, "GET", loopback, "/-/metrics", "").Body.String(); strings.Contains(got, "varve_follow") {
		t.Error("a server that shows no crawls measures those who follow")
	}
}

// followed returns a folder in which a page that everybody may know is followed beside one that may be excluded, and the latter alone.
func followed(t *testing.T) status.Folder {
	t.Helper()
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	free := status.Source{Kind: "page", URL: freePage, Title: "Free"}
	secret := status.Source{Kind: "feed", URL: secretPage, Title: "<i>Secret</i>"}
	for name, sources := range map[string][]status.Source{"news": {secret, free}, "secrets": {secret}} {
		if err := os.MkdirAll(folder.Home(name), 0o755); err != nil {
			t.Fatal(err)
		}
		err := folder.Write(status.Status{Name: name, Collection: "web", Running: true, Written: time.Now(), Sources: sources})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// What is followed is seen where crawls are seen, without what access rules exclude.
func TestExcludedSourcesAreNotNamed(t *testing.T) {
	for rules, want := range map[string]bool{"": true, hiddenRules: false} {
		folder := followed(t)
		s, _ := guarded(t, shown(), rules)
		with, err := replay.New(replay.Config{
			Archive: s.Archive(), Follows: folder, Crawls: &crawls.Config{Folder: runs.Folder(t.TempDir())},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, accept := range []string{"text/html", "application/json"} {
			all := at(with.Handler(), "GET", loopback, "/-/follow", "", "Accept", accept).Body.String()
			if !strings.Contains(all, "news") || strings.Contains(all, "secrets") != want {
				t.Errorf("as %s: names the one of excluded sources alone: %t", accept, !want)
			}
			one := at(with.Handler(), "GET", loopback, "/-/follow/news", "", "Accept", accept).Body.String()
			raw := accept == "text/html" && strings.Contains(one, "<i>Secret")
			if !strings.Contains(one, "free.example") || strings.Contains(one, "secret/page") != want || raw {
				t.Errorf("as %s: %s", accept, one)
			}
		}
		code := map[bool]int{true: 200, false: 404}[want]
		if w := at(with.Handler(), "GET", loopback, "/-/follow/secrets", ""); w.Code != code {
			t.Errorf("the page of excluded sources alone: %d, want %d", w.Code, code)
		}
		if err := os.RemoveAll(folder.Home("news")); err != nil {
			t.Fatal(err)
		}
		if got := at(with.Handler(), "GET", loopback, "/", "").Body.String(); strings.Contains(got, "/-/follow") != want {
			t.Errorf("of excluded sources alone the home page knows: %t", !want)
		}
	}
}
