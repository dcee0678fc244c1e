package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/loadlimit"
)

// declared are the names of metrics that were registered.
type declared map[string]bool

func (d declared) Register(prometheus.Collector) error  { return nil }
func (d declared) Unregister(prometheus.Collector) bool { return false }

func (d declared) MustRegister(all ...prometheus.Collector) {
	name := regexp.MustCompile(`fqName: "([^"]+)"`)
	for _, c := range all {
		out := make(chan *prometheus.Desc, 1000)
		c.Describe(out)
		close(out)
		for desc := range out {
			d[name.FindStringSubmatch(desc.String())[1]] = true
		}
	}
}

// all returns the names of all metrics that a server may have, but for what Prometheus adds itself.
func all(t *testing.T) declared {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	a, err := archive.New(archive.Config{Index: x, Records: archivetest.NoRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	names := declared{"up": true}
	m := within(names, nil)
	m.Index(x)
	m.Foundation(Foundation{})
	m.Searches(a, searches.New(searches.Config{Archive: a, Dir: t.TempDir()}), nil)
	m.Crawls(runs.Folder(t.TempDir()), func(*runs.Run) bool { return false })
	m.Follow(status.Folder(t.TempDir()), func(*status.Status) bool { return false })
	return names
}

// used returns the names of metrics in an expression of PromQL: what is neither a function, nor a label, nor a text.
func used(expr string) (names []string) {
	expr = regexp.MustCompile(`"[^"]*"`).ReplaceAllString(expr, "")
	expr = regexp.MustCompile(`\{[^}]*\}|(by|without) *\([^)]*\)`).ReplaceAllString(expr, "")
	words := []string{"by", "and", "without", "sum", "min", "max"}
	for _, name := range regexp.MustCompile(`[a-z_]{2,}[ (]?`).FindAllString(expr, -1) {
		if name = strings.TrimSpace(name); !strings.HasSuffix(name, "(") && !slices.Contains(words, name) {
			names = append(names, regexp.MustCompile(`_bucket$`).ReplaceAllString(name, ""))
		}
	}
	return names
}

// The dashboard and the alert rules ask for metrics that the server has, and for nearly all of its own.
func TestDashboardAndAlerts(t *testing.T) {
	t.Parallel()
	known, asked := all(t), map[string]bool{}
	ask := func(where, expr string) {
		if len(used(expr)) == 0 {
			t.Errorf("%s: %q asks for nothing", where, expr)
		}
		for _, name := range used(expr) {
			if asked[name] = true; !known[name] {
				t.Errorf("%s: there is no metric %q", where, name)
			}
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	read := func(name string, parse func([]byte, any) error, into any) {
		b, err := os.ReadFile(filepath.Join("../../docs/deploy", name))
		if err == nil {
			err = parse(b, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	read("grafana.json", json.Unmarshal, &dashboard)
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			ask("the panel "+p.Title, target.Expr)
		}
	}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	read("alerts.yaml", func(b []byte, into any) error { return yaml.Unmarshal(b, into) }, &alerts)
	for _, r := range alerts.Groups[0].Rules {
		ask("the alert "+r.Alert, r.Expr)
	}
	if len(dashboard.Panels) < 10 || len(alerts.Groups[0].Rules) < 5 {
		t.Errorf("%d panels, %d rules", len(dashboard.Panels), len(alerts.Groups[0].Rules))
	}
	for _, name := range []string{"varve_need_met", "varve_http_requests_total", "varve_index_files", "varve_storage_failures_total"} {
		if !asked[name] {
			t.Errorf("nobody looks at %s", name)
		}
	}
}

// What a server stands on is shown as it is at that moment.
func TestFoundation(t *testing.T) {
	t.Parallel()
	m := New()
	m.Foundation(Foundation{
		Needs: func() map[string]bool { return map[string]bool{"the database": false, "the storage": true} },
		Pools: func() []kv.Pool {
			return []kv.Pool{{Name: "read", Used: 3, Idle: 4, Limit: 10, Waits: 7, Waited: 1500 * time.Millisecond}}
		},
		Storage: func() s3.Counts {
			return s3.Counts{Requests: map[string]int64{"GET": 12}, Failures: 2, Received: 4096}
		},
		Ranges: func() (int64, int64) { return 30, 5 },
	})
	m.Count("memento", 200, time.Millisecond)
	for _, want := range []string{
		`varve_need_met{need="the database"} 0`, `varve_need_met{need="the storage"} 1`, `varve_database_connections{pool="read",state="used"} 3`,
		`varve_database_connections{pool="read",state="idle"} 4`, `varve_database_connections_limit{pool="read"} 10`,
		`varve_database_waits_total{pool="read"} 7`, `varve_database_waited_seconds_total{pool="read"} 1.5`,
		`varve_storage_requests_total{method="GET"} 12`, "varve_storage_failures_total 2", "varve_storage_received_bytes_total 4096",
		`varve_range_cache_requests_total{result="hit"} 30`, `varve_range_cache_requests_total{result="miss"} 5`,
		`varve_http_requests_total{route="memento",status="200"} 1`, `varve_http_request_seconds_count{route="memento"} 1`,
	} {
		if !shows(m, want) {
			t.Errorf("%q is not there", want)
		}
	}
}

// shows reports whether a line is among the metrics.
func shows(m *Metrics, line string) bool {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/-/metrics", nil))
	return strings.Contains(w.Body.String(), line+"\n")
}

// What crawls, followers and the index did is shown by name; what is hidden, and all but the newest, is not.
func TestWhatWasGathered(t *testing.T) {
	t.Parallel()
	crawls, follows := t.TempDir(), status.Folder(t.TempDir())
	write := func(name, text string) {
		home := runs.Folder(crawls).Home(name)
		if err := errors.Join(os.Mkdir(home, 0o700), os.WriteFile(filepath.Join(home, "status.json"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	follow := func(s status.Status) {
		if err := errors.Join(os.Mkdir(follows.Home(s.Name), 0o700), follows.Write(s)); err != nil {
			t.Fatal(err)
		}
	}
	write("news", `{"state": "completed", "pages": 3, "docs": 2, "parts": 9, "bytes": 4096, "seconds": 1.5, "written": "2021-01-01T00:00:00Z",
		"skipped": {"robots": 4}, "status": {"200": 2, "204": 3, "599": 5, "100": 6, "99": 1, "600": 7, "0xx": 1}}`)
	write("secret", `{"state": "stopped", "written": "2023-01-01T00:00:00Z"}`)
	all := status.Status{Name: "feeds", Written: time.Unix(1e9, 0), Waiting: 2, Sources: make([]status.Source, 3), Totals: status.Totals{
		Requests: 11, Bytes: 12, Polls: 13, Useful: 14, New: 15, Changed: 16, Pushed: 17, Forged: 18,
	}}
	for _, late := range []time.Duration{time.Second, 3 * time.Second, 4 * time.Second, 1e6 * time.Hour} {
		all.Lag.Add(late)
	}
	follow(all)
	follow(status.Status{Name: "secret", Written: time.Unix(3e9, 0)})
	for i := range maxCrawls - 1 {
		write(fmt.Sprint("new", i), `{"state": "completed", "written": "2022-01-01T00:00:00Z"}`)
		follow(status.Status{Name: fmt.Sprint("new", i), Written: time.Unix(2e9, 0)})
	}
	write("a-old", `{"state": "completed", "written": "2020-01-01T00:00:00Z"}`)
	follow(status.Status{Name: "a-old", Written: time.Unix(1e8, 0)})
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	for _, f := range []index.File{
		{Collection: "web", Path: "/a", Done: true, Captures: 5, Damaged: 1, Indexed: time.Unix(200, 0)},
		{Collection: "web", Path: "/b", Captures: 6, Damaged: 2, Indexed: time.Unix(100, 0)},
		{Collection: "web", Path: "/c"},
	} {
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	m := New()
	m.Crawls(runs.Folder(crawls), func(r *runs.Run) bool { return r.Name == "secret" })
	m.Follow(follows, func(s *status.Status) bool { return s.Name == "secret" })
	m.Index(x)
	for want, there := range map[string]bool{
		`varve_crawl_state{crawl="news",state="completed"} 1`: true, `varve_crawl_pages_total{crawl="news"} 3`: true,
		`varve_crawl_documents_total{crawl="news"} 2`: true, `varve_crawl_parts_total{crawl="news"} 9`: true,
		`varve_crawl_bytes_total{crawl="news"} 4096`: true, `varve_crawl_seconds_total{crawl="news"} 1.5`: true,
		`varve_crawl_skipped_total{crawl="news",reason="robots"} 4`: true,
		`varve_crawl_answers_total{crawl="news",status="2xx"} 5`:    true,
		`varve_crawl_answers_total{crawl="news",status="1xx"} 6`:    true,
		`varve_crawl_answers_total{crawl="news",status="5xx"} 5`:    true,
		`varve_crawl_answers_total{crawl="news",status="other"} 9`:  true,
		`varve_crawl_state{crawl="secret",state="stopped"} 1`:       false,
		`varve_crawl_state{crawl="a-old",state="completed"} 1`:      false,
		`varve_follow_sources{follow="feeds"} 3`:                    true,
		`varve_follow_waiting_pages{follow="feeds"} 2`:              true,
		`varve_follow_requests_total{follow="feeds"} 11`:            true,
		`varve_follow_bytes_total{follow="feeds"} 12`:               true,
		`varve_follow_polls_total{follow="feeds"} 13`:               true,
		`varve_follow_useful_polls_total{follow="feeds"} 14`:        true,
		`varve_follow_new_total{follow="feeds"} 15`:                 true,
		`varve_follow_changed_total{follow="feeds"} 16`:             true,
		`varve_follow_pushed_total{follow="feeds"} 17`:              true,
		`varve_follow_forged_total{follow="feeds"} 18`:              true,
		`varve_follow_lag_seconds_bucket{follow="feeds",le="1"} 1`:  true,
		`varve_follow_lag_seconds_bucket{follow="feeds",le="2"} 1`:  true,
		`varve_follow_lag_seconds_bucket{follow="feeds",le="4"} 3`:  true,
		`varve_follow_lag_seconds_count{follow="feeds"} 4`:          true,
		`varve_follow_waiting_pages{follow="secret"} 0`:             false,
		`varve_follow_waiting_pages{follow="a-old"} 0`:              false,
		`varve_index_files{collection="web",state="done"} 1`:        true,
		`varve_index_files{collection="web",state="begun"} 2`:       true,
		`varve_index_captures{collection="web"} 11`:                 true,
		`varve_index_damaged{collection="web"} 3`:                   true,
		`varve_index_last_timestamp_seconds{collection="web"} 200`:  true,
	} {
		if shows(m, want) != there {
			t.Errorf("%s: want it there: %v", want, there)
		}
	}
}

// How far the search of each collection is built is shown for those that have one, and what keeps one from being opened is not hidden.
func TestHowFarSearchesAre(t *testing.T) {
	t.Parallel()
	x, dir := indextest.Open(t, filepath.Join(t.TempDir(), "index")), t.TempDir()
	for _, coll := range []string{"web", "broken"} {
		if _, err := x.PutFile(t.Context(), index.File{Collection: coll, Path: "/" + coll, Done: true}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := archive.New(archive.Config{Index: x, Records: archivetest.NoRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	of := searches.New(searches.Config{Archive: a, Dir: dir})
	defer of.Close()
	search, err := of.Build(t.Context(), "web", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	search.Pages.Store(5)
	search.Done.Store(3)
	m := New()
	m.Searches(a, of, &loadlimit.Gate{})
	for _, running := range []bool{false, true} {
		search.Running.Store(running)
		for want, there := range map[string]bool{
			`varve_search_pages{collection="web"} 5`: true, `varve_search_pages_done{collection="web"} 3`: true,
			`varve_search_building{collection="web"} 0`: !running, `varve_search_building{collection="web"} 1`: running,
			"varve_search_waited_seconds_total 0": true,
		} {
			if shows(m, want) != there {
				t.Errorf("%s: want it there: %v", want, there)
			}
		}
	}
	none := New()
	none.Searches(a, searches.New(searches.Config{Archive: a}), nil)
	if shows(none, "# TYPE varve_search_pages gauge") {
		t.Error("there is no search")
	}
}
