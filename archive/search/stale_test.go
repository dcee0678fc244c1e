package search_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
)

// An archive that knows what has changed is asked about nothing else.
func TestUpdateLooksAtWhatWasTouched(t *testing.T) {
	t.Parallel()
	f := &fake{lost: map[string]bool{}, pages: map[string][]string{
		"org,example)/a": {"word"}, "org,example)/b": {"word"}, "org,example)/c": {"word"}, "org,example)/d": {"word"},
	}}
	x := open(t, t.TempDir())
	update(t, x, f)
	type result struct{ Pages, Done, Indexed, Failed, Asked int64 }
	for _, step := range []struct {
		name    string
		change  func()
		touched []string
		want    result
	}{
		{"nothing", func() {}, []string{}, result{4, 4, 0, 0, 0}},
		{"a page that is as it was", func() {}, []string{"org,example)/a"}, result{4, 4, 0, 0, 1}},
		{
			"a page that changed", func() { f.pages["org,example)/a"] = []string{"word", "other"} },
			[]string{"org,example)/a"},
			result{4, 4, 1, 0, 1},
		},
		{
			"a page more", func() { f.pages["org,example)/e"] = []string{"word"} },
			[]string{"org,example)/e", "org,example)/x"},
			result{5, 5, 1, 0, 2},
		},
		{"a page less", func() { delete(f.pages, "org,example)/b") }, []string{"org,example)/b"}, result{4, 4, 0, 0, 1}},
		{
			"one that can't be read", func() { f.pages["org,example)/c"] = []string{"word", "more"}; f.lost["org,example)/c"] = true },
			[]string{"org,example)/c"},
			result{4, 3, 0, 1, 1},
		},
	} {
		step.change()
		f.touched = step.touched
		f.asked.Store(0)
		p := update(t, x, f)
		got := result{p.Pages.Load(), p.Done.Load(), p.Indexed.Load(), p.Failed.Load(), f.asked.Load()}
		if d := cmp.Diff(step.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, d)
		}
	}
	delete(f.lost, "org,example)/c")
	f.touched = []string{} // since the run that failed; the index must not have noted its state
	if p := update(t, x, f); p.Indexed.Load() != 1 || p.Done.Load() != 4 {
		t.Errorf("once it can be read: %d pages indexed, %d done", p.Indexed.Load(), p.Done.Load())
	}
	want := []string{"org,example)/a ×1", "org,example)/c ×1", "org,example)/d ×1", "org,example)/e ×1"}
	if d := cmp.Diff(want, present(t, x, "word")); d != "" {
		t.Errorf("in the end (-want +got):\n%s", d)
	}
}

// A run that was stopped in a page leaves parts of it. If the archive loses the page, they go as well.
func TestPartsOfALostPageAreRemoved(t *testing.T) {
	t.Parallel()
	for name, touched := range map[string][]string{"looking at all": nil, "looking at what was touched": {"org,example)/long"}} {
		t.Run(name, func(t *testing.T) {
			f := &fake{pages: map[string][]string{"org,example)/short": {"word here"}}}
			x := open(t, t.TempDir())
			x.Limits = history.Limits{Bytes: 10, Lists: 1 << 20}
			update(t, x, f)
			s := &stumbling{fake: f, key: "org,example)/long", from: year(5)}
			f.pages[s.key] = slices.Repeat([]string{"some long text", "and another one"}, 4)
			if err := x.Update(t.Context(), s, new(search.Progress), slog.New(slog.DiscardHandler)); err != nil {
				t.Fatal(err)
			}
			documents := func() int {
				a, err := x.Present(t.Context(), search.PresentRequest{All: clauses([]search.Phrase{{"word"}}), Limit: 1})
				if err != nil {
					t.Fatal(err)
				}
				return a.Statistics.Documents
			}
			if documents() < 2 {
				t.Fatal("the stopped run left nothing")
			}
			delete(f.pages, s.key)
			f.touched = touched
			if touched != nil {
				f.state = f.state[:len(f.state)-1] // the state of the run before
			}
			p := update(t, x, f)
			if p.Pages.Load() != 1 || p.Done.Load() != 1 {
				t.Errorf("%d of %d pages", p.Done.Load(), p.Pages.Load())
			}
			if n := documents(); n != 1 {
				t.Errorf("%d documents are left", n)
			}
		})
	}
}

// Following an index costs what changed. The baseline looks at everything, as it did before.
func BenchmarkFollow(b *testing.B) {
	for _, pages := range []int{1_000, 20_000} {
		b.Run(fmt.Sprint(pages, " pages"), func(b *testing.B) {
			f := &fake{pages: map[string][]string{}}
			for i := range pages {
				f.pages[fmt.Sprintf("org,example)/%06d", i)] = []string{fmt.Sprint("the word number ", i)}
			}
			x := open(b, b.TempDir())
			update(b, x, f)
			follow := func(touched []string) time.Duration {
				began := time.Now()
				f.touched = touched
				update(b, x, f)
				return time.Since(began)
			}
			var all, some time.Duration
			for b.Loop() {
				all += follow(nil)
				some += follow([]string{"org,example)/000007"})
			}
			b.ReportMetric(float64(some)/float64(all), "x-walk")
		})
	}
}

// A disk that is missing has many pages; naming each, in each run, would fill the disk of the log.
func TestFewUnreadablePagesAreNamed(t *testing.T) {
	t.Parallel()
	f := &fake{lost: map[string]bool{}, pages: map[string][]string{}}
	for i := range 100 {
		key := fmt.Sprintf("org,example)/%d", i)
		f.pages[key], f.lost[key] = []string{"word"}, true
	}
	var log bytes.Buffer
	var p search.Progress
	if err := open(t, t.TempDir()).Update(t.Context(), f, &p, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "level=WARN"); n == 0 || n > 25 || p.Failed.Load() != 100 {
		t.Errorf("%d lines about %d pages", n, p.Failed.Load())
	}
}
