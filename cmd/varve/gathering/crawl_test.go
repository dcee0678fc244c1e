package gathering

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/runs"
)

// A crawl that was complete, and still is after a run that found nothing, is over whatever else is set.
func TestCrawlsThatAreOver(t *testing.T) {
	report := func(state runs.State, visited int64, skipped map[string]int64) runs.Report {
		return runs.Report{State: state, Totals: runs.Totals{Skipped: skipped}, Run: &runs.Stats{Visited: visited}}
	}
	none := report(runs.Completed, 0, nil)
	none.Run = nil
	for _, tt := range []struct {
		name          string
		before, after runs.Report
		want          bool
	}{
		{"over", report(runs.Completed, 9, nil), report(runs.Completed, 0, nil), true},
		{"it found something", report(runs.Completed, 9, nil), report(runs.Completed, 1, nil), false},
		{"it was stopped before", report(runs.Stopped, 9, nil), report(runs.Completed, 0, nil), false},
		{"it was stopped now", report(runs.Completed, 9, nil), report(runs.Stopped, 0, nil), false},
		{"it left out something else", report(runs.Completed, 9, nil), report(runs.Completed, 0, map[string]int64{"scope": 1}), false},
		{"no run", report(runs.Completed, 9, nil), none, false},
	} {
		var said bytes.Buffer
		j := &Crawl{Output: &Output{Workspace: in(t.TempDir())}, before: tt.before}
		j.Console.Stderr = &said
		if j.sayIdle(tt.after); j.idle != tt.want || (said.Len() > 0) != tt.want {
			t.Errorf("%s: %t, %s", tt.name, j.idle, &said)
		}
	}
}

// What a run has learnt is said with what to set for it.
func TestWhatACrawlSays(t *testing.T) {
	stats := runs.Stats{Documents: 5, Duplicates: 2, Parameters: []runs.Parameter{{Host: "a.example", Name: "sid", Equal: 4}}}
	for _, tt := range []struct {
		of     *runs.Stats
		unique bool
		want   string
	}{
		{nil, false, ""},
		{&runs.Stats{Documents: 5}, false, ""},
		{&stats, true, "varve: the parameter sid of a.example makes no difference: 4 pages show the text of another; " +
			"exclude: ['[?&]sid='] leaves them out\n"},
		{&runs.Stats{Documents: 5, Duplicates: 1}, false, "varve: 1 document of 5 equal an earlier one; " +
			"with unique: true in the template these are left out\n"},
	} {
		var said bytes.Buffer
		j := &Crawl{Output: &Output{Workspace: in(t.TempDir())}, Settings: crawl.Settings{Template: &crawl.Template{Unique: tt.unique}}}
		j.Console.Stderr = &said
		j.sayLearnt(tt.of)
		if diff := cmp.Diff(tt.want, said.String()); diff != "" {
			t.Error(diff)
		}
	}
	r := crawl.Report{Name: "river", URL: "http://a.example/", Totals: runs.Totals{Pages: 1, Parts: 2, Bytes: 3000}}
	for _, tt := range []struct {
		change func()
		want   string
	}{
		{func() {}, "crawl river: 1 page, 2 parts, 3.0 kB, now http://a.example/"},
		{
			func() { r.Docs, r.Skipped = 1, map[string]int64{"scope": 1} },
			"crawl river: 1 page, 2 parts, 3.0 kB, 1 document, 1 skipped, now http://a.example/",
		},
		{func() { r.Skipped["robots"] = 2 }, "crawl river: 1 page, 2 parts, 3.0 kB, 1 document, 3 skipped, now http://a.example/"},
		{func() { r.State = crawl.Paused }, "crawl river: 1 page, 2 parts, 3.0 kB, 1 document, 3 skipped, paused"},
	} {
		if tt.change(); progressOf(r) != tt.want {
			t.Errorf("%s, want %s", progressOf(r), tt.want)
		}
	}
}

// A crawl keeps its collection, and its place unless processes share it.
func TestWhatACrawlKeeps(t *testing.T) {
	t.Chdir(t.TempDir())
	coll := frontier.Setting{Key: "--collection", Value: "web"}
	for _, tt := range []struct {
		dir, shared string
		want        []frontier.Setting
	}{
		{"data/warcs/web", "", []frontier.Setting{coll, {Key: "--warcs", Value: "warcs/web"}}},
		{"/elsewhere", "", []frontier.Setting{coll, {Key: "--warcs", Value: "/elsewhere"}}},
		{"/elsewhere", "redis://host/", []frontier.Setting{coll}},
	} {
		j := &Crawl{Output: &Output{Workspace: in("data"), dir: tt.dir}, Shared: tt.shared}
		if diff := cmp.Diff(tt.want, j.fixed()); diff != "" {
			t.Errorf("%s: %s", tt.dir, diff)
		}
	}
}
