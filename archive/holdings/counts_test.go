package holdings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
)

// rules returns a policy under which rules hold on a day.
func rules(t *testing.T, text string, day time.Time) *access.Policy {
	t.Helper()
	p := &access.Policy{Now: func() time.Time { return day }}
	p.Put(archivetest.Rules(t, text))
	return p
}

// list returns the list of a small collection.
func list(t *testing.T, of *Counts) *List {
	t.Helper()
	c, _, err := of.Of(t.Context(), "web", change.LevelContent, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What is counted of an address is what its timeline says, at every level.
func TestWhatIsCountedIsTrue(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4, "http://a.example/b": 1, "http://b.example/": 9})
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
		counted, _, err := a.Of(t.Context(), "web", level, false)
		if err != nil || counted.Len() != 3 {
			t.Fatal(counted, err)
		}
		for _, e := range counted.All() {
			now, err := a.Listed(t.Context(), "web", e.Key, level)
			l := ListedOf(e)
			if err != nil || e.Versions != now.Versions || e.Changed != now.Changed || e.Captures != now.Captures || e.URL != now.URL ||
				len(e.Began) != e.Versions || l.MostVersions() != e.Versions || l.ChangedBy() != e.Changed {
				t.Errorf("%v: %+v, but now %+v %v", level, e, now, err)
			}
		}
	}
}

// A list is counted once, and again when the index has changed; then only what has changed costs a look at versions.
func TestOnlyWhatChangedIsCountedAgain(t *testing.T) {
	pages := map[string]int{}
	for i := range 50 {
		pages[fmt.Sprintf("http://a.example/%d", i)] = 4
	}
	x, reads := archivetest.CountedIndex(t, pages)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	count := func() (*List, int64) {
		reads.Reset()
		c, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
		if err != nil {
			t.Fatal(err)
		}
		return c, reads.Values.Load()
	}
	first, whole := count()
	again, none := count()
	if first != again || none != 0 {
		t.Errorf("the same list, with %d reads", none)
	}
	archivetest.PutBare(t, x, "http://b.example/", 3, 0, 0)
	after, some := count()
	if after == first || after.Len() != 51 || after.Overview.Captures != first.Overview.Captures+3 {
		t.Errorf("%d addresses after a change: %+v", after.Len(), after.Overview)
	}
	if some > whole/2 {
		t.Errorf("%d reads after a change, %d before", some, whole)
	}
	archivetest.PutBare(t, x, "http://a.example/30", 3, 0, 0)
	entries := func(c *List) (all []catalogue.Entry) {
		for _, e := range c.All() {
			all = append(all, *e)
		}
		return all
	}
	changed, _ := count()
	a = over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	anew, _ := count()
	if diff := cmp.Diff(entries(anew), entries(changed)); diff != "" || cmp.Equal(entries(after), entries(changed)) {
		t.Errorf("counted anew, and after a change of an address: %s", diff)
	}
}

// In a large collection nobody waits: what there is is told, and how far the count is.
func TestALargeCollectionIsCountedBehindRequests(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://a.example/", fewCaptures+1, 0, 0)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	a.keeping.Store(true)
	counted, counting, err := a.Of(t.Context(), "web", change.LevelContent, false)
	if counted != nil || counting.All != fewCaptures+1 || err != nil || !a.isWanted() {
		t.Fatalf("%v %+v %v", counted, counting, err)
	}
	a.countWanted(t.Context())
	counted, _, err = a.Of(t.Context(), "web", change.LevelContent, false)
	if counted == nil || err != nil || counted.Overview.Captures != fewCaptures+1 || a.isWanted() {
		t.Fatalf("%v %v", counted, err)
	}
	archivetest.PutBare(t, x, "http://b.example/", 1, 0, 0) // the list of before does until it is counted again
	if stale, _, err := a.Of(t.Context(), "web", change.LevelContent, true); stale != counted || err != nil || !a.isWanted() {
		t.Errorf("%v %v", stale, err)
	}
}

// While a list is counted, who asks for it learns how far that is. Only what nobody waits for is paced.
func TestHowFarACountIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const captures = 2 // of a page
		pages := map[string]int{}
		for i := range countStep + 1 {
			pages[fmt.Sprintf("http://a.example/%d", i)] = captures
		}
		x, _ := archivetest.CountedIndex(t, pages)
		key, paced := countKey{"web", change.LevelContent}, []int64{}
		var a *Counts
		a = over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{Pace: func(_ context.Context, took time.Duration) error {
			paced = append(paced, a.counted.request(key))
			if took >= time.Hour {
				t.Error("a pause is taken for a part of the next step")
			}
			time.Sleep(time.Hour)
			return nil
		}})
		if _, err := a.count(t.Context(), key, a.Pace); err != nil {
			t.Fatal(err)
		}
		if after := a.counted.request(key); !slices.Equal(paced, []int64{countStep, 2 * countStep}) || after != 0 {
			t.Errorf("%d captures are counted at each step, and %d after the last", paced, after)
		}
		archivetest.PutBare(t, x, "http://b.example/", 1, 0, 0)
		a.keeping.Store(true) // but the collection is small
		if c, _, err := a.Of(t.Context(), "web", change.LevelContent, false); err != nil || c.Len() != countStep+2 || len(paced) != 2 {
			t.Errorf("who waits is paced, or does not get the list: %v", err)
		}
		if got, err := a.Entries(t.Context(), "web", list(t, a), 7); err != nil || len(got) != 7 {
			t.Errorf("%d pages to begin with of 7, %v", len(got), err)
		}
	})
}

// A group of readers has counts of its own if a rule names it, which are counted with those of everybody.
func TestCountsOfGroups(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4, "http://b.example/": 9})
	dir := t.TempDir()
	policy := archivetest.Policy(t, `rules:
- {url: "http://b.example/", access: exclude}
- {url: "http://b.example/", access: allow, group: staff}`)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Access: policy}, Config{Dir: dir})
	staff := a.For("staff")
	if a.For("") != a || a.For("guests") != a || staff == a || a.For("staff") != staff {
		t.Error("groups that no rule names have counts of their own, or those that one names have not")
	}
	for of, want := range map[*Counts]int{a: 1, staff: 2} {
		of.counted.request(countKey{"web", change.LevelContent})
		if !a.someWanted() {
			t.Error("nothing is waited for")
		}
		of.countWanted(t.Context())
		if c, _, err := of.Of(t.Context(), "web", change.LevelContent, false); err != nil || c.Len() != want || a.someWanted() {
			t.Errorf("%v, %v: want %d addresses", c, err, want)
		}
	}
	if stored, err := filepath.Glob(filepath.Join(dir, "web", "*")); err != nil || len(stored) != 2 {
		t.Errorf("%q are stored, %v", stored, err)
	}
}

// Of pages that are alike otherwise, one begins with that to which others link.
func TestPagesBeginWithWhatIsLinkedTo(t *testing.T) {
	shelf := archivetest.Keep(t,
		archivetest.On("2020", "http://a.example/a", "<p>one"), archivetest.On("2020", "http://a.example/b", "<p>two"),
		archivetest.On("2020", "http://a.example/c", "<p>three <a href='/b'>two</a>"),
	)
	arch, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: arch, Dir: t.TempDir()})
	defer s.Close()
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	for of, want := range map[*searches.Searches]string{nil: "http://a.example/a", s: "http://a.example/b"} {
		a := New(Config{Archive: arch, Searches: of})
		got, err := a.Entries(t.Context(), "web", list(t, a), 1)
		if err != nil || len(got) != 1 || list(t, a).At(got[0]).URL != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if got, err := a.Entries(ended, "web", list(t, a), 1); (err != nil) != (of != nil) { // without a search nothing is read
			t.Errorf("of a question that ended: %v, %v", got, err)
		}
	}
}

// Keep counts everything at once, so that readers find it.
func TestCountsAreKept(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4})
	paced := make(chan struct{})
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{Dir: t.TempDir()})
	gone := filepath.Join(a.Dir, "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(paced)
		a.Keep(ctx)
	}()
	for {
		if c, ok := a.counted.lists.Get(countKey{"web", change.LevelContent}); ok && c.Len() == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-paced
	if _, err := os.Stat(gone); err == nil || a.keeping.Load() {
		t.Error("the list of a collection that is gone is there, or it is kept up still")
	}
}

// Whatever rules exclude, now or within a day, counts nowhere; what they block is listed. Under other rules all is counted anew.
func TestWhatIsExcludedDoesNotCount(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4, "http://b.example/": 9, "http://c.example/": 3})
	day := time.Date(2020, 5, 1, 12, 0, 0, 0, time.UTC)
	policy := rules(t, "rules: []", day)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Access: policy}, Config{})
	for text, want := range map[string][]string{
		"rules: []": {"a", "b", "c"},
		`rules: [{url: "http://b.example/", access: exclude}]`:                             {"a", "c"},
		`rules: [{url: "http://b.example/", access: block}]`:                               {"a", "b", "c"},
		`rules: [{url: "http://c.example/", access: exclude, embargo: {until: 20300101}}]`: {"a", "b"},
	} {
		policy.Put(rules(t, text, day).Rules())
		counted, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		captures := 0
		for _, e := range counted.All() {
			got, captures = append(got, e.URL[7:8]), captures+e.Captures
		}
		if !slices.Equal(got, want) || captures != counted.Overview.Captures || counted.Overview.AllHosts != len(want) {
			t.Errorf("%s: %v, %+v", text, got, counted.Overview)
		}
	}
}

// An address of a list is shown as it is now: from the list if nothing has changed and nothing depends on the time.
func TestAnAddressOfAListIsShownAsItIsNow(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 4, "http://b.example/": 9})
	day := time.Date(2020, 5, 1, 12, 0, 0, 0, time.UTC)
	policy := rules(t, "rules: []", day)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Access: policy}, Config{})
	list := func() *List {
		c, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const timed = `rules: [{url: "http://c.example/", access: exclude, embargo: {until: 20300101}}]`
	first := list()
	old := func() *List { return first }
	for _, tt := range []struct {
		name, rules string
		of          func() *List
		more        int    // captures that come before it is asked
		want        string // captures of both
		reads       bool
	}{
		{"nothing has changed", "rules: []", list, 0, "4 9", false},
		{"rules that depend on the time", timed, list, 0, "4 9", true},
		{"rules that the list does not know", `rules: [{url: "http://b.example/", access: exclude}]`, old, 0, "4 none", true},
		{"captures that it does not know", "rules: []", old, 3, "7 9", true},
	} {
		policy.Put(rules(t, tt.rules, day).Rules())
		c := tt.of()
		if tt.more > 0 {
			archivetest.PutBare(t, x, "http://a.example/", tt.more, 0, 0)
		}
		reads.Reset()
		var got []string
		for i := range 2 {
			now, err := a.Now(t.Context(), c, i)
			switch {
			case err != nil:
				t.Fatal(err)
			case now == nil:
				got = append(got, "none")
			default:
				got = append(got, fmt.Sprint(now.Captures))
			}
		}
		if all := strings.Join(got, " "); all != tt.want || (reads.Values.Load() > 0) != tt.reads {
			t.Errorf("%s: %s captures with %d reads, want %s", tt.name, all, reads.Values.Load(), tt.want)
		}
	}
}

// An overview says what is in a collection, and chooses pages to begin with as a person would.
func TestOverviewOfACollection(t *testing.T) {
	var captures []cdx.Capture
	add := func(url, mime string, status int, times ...cdx.Timestamp) {
		for _, ts := range times {
			captures = append(captures, cdx.Capture{URL: url, Time: ts, Status: status, MIME: mime, Digest: fmt.Sprint("x:", url, ts)})
		}
	}
	add("http://a.example/", "text/html", 200, 20100101000000, 20120101000000)
	add("http://a.example/news", "text/html", 200, 20100101000000, 20110101000000, 20110601000000, 20130101000000)
	add("http://a.example/deep/er/page", "text/html", 200, 20100101000000)
	add("http://a.example/gone", "text/html", 404, 20090101000000, 20190101000000)
	add("http://a.example/find?q=x", "text/html", 200, 20100101000000)
	add("http://a.example/a.png", "image/png", 200, 20000101000000, 20200101000000)
	add("http://b.example/index.html", "text/html", 200, 20140101000000)
	a := indexed(t, captures)
	counted, _, err := a.Of(t.Context(), "web", change.LevelContent, false)
	if err != nil {
		t.Fatal(err)
	}
	o := counted.Overview
	urls := func(numbers []int) (out []string) {
		for _, n := range numbers {
			out = append(out, strings.TrimPrefix(counted.At(n).URL, "http://"))
		}
		return out
	}
	if o.Captures != 13 || o.Addresses != 7 || o.Pages != 6 || o.Versions != 10 || o.First != 20000101000000 ||
		o.Last != 20200101000000 || o.AllHosts != 2 {
		t.Errorf("%+v", o)
	}
	want := []Year{{2009, 1, 1}, {2010, 4, 4}, {2011, 2, 2}, {2012, 1, 1}, {2013, 1, 1}, {2014, 1, 1}, {2019, 1, 0}}
	if !slices.Equal(o.Years, want) {
		t.Errorf("years %v, want %v", o.Years, want)
	}
	if len(o.Hosts) != 2 || o.Hosts[0] != (HostCount{"a.example", 5, 10, 9}) {
		t.Errorf("hosts %+v", o.Hosts)
	}
	if len(o.Sorts) != 2 || o.Sorts[0].Sort != SortPage || o.Sorts[1].Addresses != 1 || o.Sorts[1].Captures != 2 {
		t.Errorf("sorts %+v", o.Sorts)
	}
	if got := urls(o.Changed); !slices.Equal(got, []string{"a.example/news", "a.example/"}) {
		t.Errorf("changed most: %v", got)
	}
	if got := urls(o.Recent); !slices.Equal(got, []string{"a.example/news", "a.example/"}) {
		t.Errorf("changed last: %v", got)
	}
	if got := urls(o.Longest); !slices.Equal(got, []string{"a.example/news", "a.example/"}) {
		t.Errorf("longest life: %v", got)
	}
	if got := urls(o.entries); slices.Contains(got, "a.example/gone") || slices.Contains(got, "a.example/find?q=x") || len(got) != 4 {
		t.Errorf("candidates for entries: %v", got)
	}
	entries, err := a.Entries(t.Context(), "web", counted, 3)
	if got := urls(entries); err != nil || !slices.Equal(got, []string{"a.example/", "b.example/index.html", "a.example/news"}) {
		t.Errorf("entries: %v %v", got, err)
	}
}

// That versions could not be brought up to date is said, unless it is only that the server ends.
func TestVersionsThatCannotBeBroughtUpToDate(t *testing.T) {
	t.Parallel()
	shelf := archivetest.Keep(t)
	var log logbuffer.Buffer
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Log: log.Logger()}, Config{})
	failsAloud(t, &log, "not all brought up to date", func(ctx context.Context) {
		shelf.Store.FailAt(1)
		s.revalidate(ctx)
	})
}

// failsAloud checks that a task that fails says so once, and not if it is only that the server ends.
func failsAloud(t *testing.T, log *logbuffer.Buffer, message string, task func(context.Context)) {
	t.Helper()
	ended, end := context.WithCancel(t.Context())
	end()
	for ctx, want := range map[context.Context]int{ended: 0, t.Context(): 1} {
		before := log.String()
		task(ctx)
		if said := strings.TrimPrefix(log.String(), before); strings.Count(said, message) != want {
			t.Errorf("it says %q, want %q %d times", said, message, want)
		}
	}
}

// That a list could not be counted is said, unless it is only that the server ends. A pause that fails ends the count.
func TestListsThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	shelf := archivetest.Keep(t, archivetest.Days("http://a.example/", "one", "two")...)
	var log logbuffer.Buffer
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Log: log.Logger()}, Config{})
	failsAloud(t, &log, "could not be counted", func(ctx context.Context) {
		s.counted.request(countKey{"web", change.LevelContent})
		shelf.Store.FailAt(1)
		s.countWanted(ctx)
	})
	pages := map[string]int{"http://a.example/": countStep, "http://b.example/": 1}
	x, _ := archivetest.CountedIndex(t, pages)
	failed := errors.New("no pause")
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	_, err := a.count(t.Context(), countKey{"web", change.LevelContent}, func(context.Context, time.Duration) error { return failed })
	if !errors.Is(err, failed) {
		t.Errorf("a pause that failed: %v", err)
	}
}
