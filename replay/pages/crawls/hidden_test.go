package crawls

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/gather/runs"
)

// Settings are those of a crawl file that are set, and counts are ordered, the largest first.
func TestSettingsAndCounts(t *testing.T) {
	all := runs.Settings{
		Scope: "host", Order: "breadth", MaxPages: 1, MaxDocs: 2, MaxDepth: 3, MaxBytes: 1, Walltime: 90, Threads: 4, Delay: 0.5, Robots: "obey",
		Fields: []string{"a", "b"},
	}
	want := []keyValue{
		{"scope", "host"},
		{"order", "breadth"},
		{"max_pages", "1"},
		{"max_docs", "2"},
		{"max_depth", "3"},
		{"max_bytes", "1 B"},
		{"walltime", "1m30s"},
		{"threads", "4"},
		{"delay", "500ms"},
		{"robots", "obey"},
		{"template", "a, b"},
	}
	if diff := cmp.Diff(want, settings(&all)); diff != "" || settings(&runs.Settings{}) != nil {
		t.Error(diff, settings(&runs.Settings{}))
	}
	all.Delay = 0
	if diff := cmp.Diff(slices.Concat(want[:8], want[9:]), settings(&all)); diff != "" {
		t.Error("without a delay:", diff)
	}
	if diff := cmp.Diff([]sortCount{{"c", 5}, {"a", 1}, {"b", 1}}, counts(map[string]int64{"b": 1, "c": 5, "a": 1})); diff != "" {
		t.Error(diff)
	}
}

// Readers see of a crawl only the addresses that they may see, and lists even if these are empty.
func TestWhatReadersSeeOfACrawl(t *testing.T) {
	a, err := archive.New(archive.Config{
		Index: indextest.Open(t, ""), Records: archivetest.NoRecords{},
		Access: archivetest.Policy(t, `rules: [{url: "http://hidden.example/", match: host, access: exclude}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	const shown, hidden = "http://shown.example/", "http://hidden.example/"
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	run := func(current string, addresses ...string) *runs.Run {
		r := &runs.Run{Report: runs.Report{URL: current, Run: &runs.Stats{}}, Runs: []runs.Stats{{}}}
		r.Collection, r.Written, r.Error = "web", now, hidden
		for _, uri := range addresses {
			one := runs.Asked{Time: now, URL: uri}
			r.Recent, r.Failed, r.Settings.Seeds = append(r.Recent, one), append(r.Failed, one), append(r.Settings.Seeds, uri)
		}
		for _, host := range []string{"shown.example", "hidden.example"} {
			p := runs.Parameter{Host: host, Name: "sid"}
			r.Run.Parameters, r.Runs[0].Parameters = append(r.Run.Parameters, p), append(r.Runs[0].Parameters, p)
		}
		return r
	}
	for name, tt := range map[string]struct {
		run    *runs.Run
		hidden bool
		left   int
		url    string
		error  string
	}{
		"all":     {run(shown, shown, shown), false, 2, shown, hidden},
		"some":    {run(hidden, shown, hidden), false, 1, "", ""},
		"none":    {run(hidden, hidden), true, 0, "", ""},
		"nothing": {run(""), false, 0, "", hidden},
	} {
		if got := Hidden(a, tt.run); got != tt.hidden {
			t.Errorf("%s: hidden %t", name, got)
		}
		(&Handler{archive: a}).leaveOut(tt.run)
		r := tt.run
		if len(r.Recent) != tt.left || len(r.Failed) != tt.left || len(r.Settings.Seeds) != tt.left || r.URL != tt.url || r.Error != tt.error ||
			len(r.Run.Parameters) != 1 || len(r.Runs[0].Parameters) != 1 {
			t.Errorf("%s: %+v, %+v", name, r, r.Run)
		}
		for what, list := range map[string]any{"recent": r.Recent, "failed": r.Failed, "seeds": r.Settings.Seeds} {
			if text, err := json.Marshal(list); err != nil || string(text) == "null" {
				t.Errorf("%s: %s are %s, %v", name, what, text, err)
			}
		}
	}
}
