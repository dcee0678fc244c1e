package archive

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
	"github.com/varve-archive/varve/cdx/surt"
)

// decoys are captures among those of the suite of [cdxtest] that decoyRules exclude, and nothing else.
func decoys(captures []cdx.Capture) []cdx.Capture {
	var out []cdx.Capture
	for i, c := range captures {
		c.Time, c.Offset = 20050101000000+cdx.Timestamp(i%50), 1_000_000+int64(i)
		out = append(out, c)
		if c.Offset++; i%3 == 0 {
			c.URL = "http://www.decoy.example/" + strings.Repeat("x", i%7)
			c.Key, c.Time = surt.Of(c.URL), captures[i].Time
			out = append(out, c)
		}
		if c.Offset++; i%5 == 0 {
			c.URL = "http://example.org/a/decoys/form"
			c.Key = surt.OfRequest(c.URL, "POST", []byte("a=b"), "application/x-www-form-urlencoded")
			out = append(out, c)
		}
	}
	return out
}

const decoyRules = `rules:
- {url: "*", captured: {from: 2005, to: 2006}, access: exclude}
- {url: "*.decoy.example", access: exclude}
- {url: "http://example.org/a/decoys/", access: exclude}
- {url: "http://example.org/a/decoys/form", access: allow, group: staff}
`

// What is excluded is as if it had never been archived, whatever is asked.
func TestAViewIsAnIndexWithoutWhatIsExcluded(t *testing.T) {
	cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source {
		x := indextest.Open(t, "")
		indextest.Fill(t, x, cdxtest.Coll, append(captures, decoys(captures)...))
		return &view.View{Whole: x, Policy: archivetest.Policy(t, decoyRules)}
	})
}

// The same for the questions that only an index answers.
func TestAViewAnswersAsAnIndex(t *testing.T) {
	captures := cdxtest.Captures()
	few, all := indextest.Open(t, ""), indextest.Open(t, "")
	indextest.Fill(t, few, cdxtest.Coll, captures)
	indextest.Fill(t, all, cdxtest.Coll, append(captures, decoys(captures)...))
	want, got := &view.View{Whole: few}, &view.View{Whole: all, Policy: archivetest.Policy(t, decoyRules)}

	var keys []string
	for _, c := range append(captures, decoys(captures)...) {
		keys = append(keys, c.Key)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for _, r := range [][2]string{
		{"", ""}, {"org,example)/", ""}, {"", "org,example)/a"}, {"example,decoy)/", "example,decoy*"}, {"org,example)/a?", "org,z"},
	} {
		same(t, "keys "+r[0]+" to "+r[1], got.Keys(t.Context(), cdxtest.Coll, r[0], r[1]), want.Keys(t.Context(), cdxtest.Coll, r[0], r[1]))
	}
	if n, err := got.Total(t.Context(), cdxtest.Coll); err != nil || n != int64(len(captures)) {
		t.Errorf("%d captures in total, %v; want %d", n, err, len(captures))
	}
	for _, key := range keys {
		same(t, "times of "+key, got.Times(t.Context(), cdxtest.Coll, key), want.Times(t.Context(), cdxtest.Coll, key))
	}
	for _, ts := range []cdx.Timestamp{10101000000, 20050101000010, 20120101000000, 20210101000000, 99991231235959} {
		if g, w := nearest(t, got, ts, keys), nearest(t, want, ts, keys); g != w {
			t.Errorf("nearest to %s:\n%s\nwant\n%s", ts, g, w)
		}
	}
}

func same[T comparable](t *testing.T, what string, got, want iter.Seq2[T, error]) {
	t.Helper()
	if g, w := gather(t, got), gather(t, want); !slices.Equal(g, w) {
		t.Errorf("%s: %v, want %v", what, g, w)
	}
}

func gather[T any](t *testing.T, all iter.Seq2[T, error]) (out []T) {
	t.Helper()
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// nearest lists what Nearest offers for each key.
func nearest(t *testing.T, v *view.View, ts cdx.Timestamp, keys []string) string {
	t.Helper()
	offers := make([]string, len(keys))
	err := v.Nearest(t.Context(), cdxtest.Coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		offers[i] = keys[i] + ":"
		for c, err := range candidates {
			if err != nil {
				t.Fatal(err)
			}
			offers[i] += " " + c.Time.String() + "@" + c.FileName
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(offers, "\n")
}

// Readers of a group see what a rule allows them; readers of a group that no rule names are everybody.
func TestGroups(t *testing.T) {
	captures := cdxtest.Captures()
	x := indextest.Open(t, "")
	indextest.Fill(t, x, cdxtest.Coll, append(captures, decoys(captures)...))
	everybody, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Access: archivetest.Policy(t, decoyRules)})
	if err != nil {
		t.Fatal(err)
	}
	staff := everybody.For("staff")
	if everybody.For("guests") != everybody || everybody.For("") != everybody || staff == everybody || staff != everybody.For("staff") {
		t.Error("groups that no rule names see something of their own, or those that one names don't")
	}
	key := surt.OfRequest("http://example.org/a/decoys/form", "POST", []byte("a=b"), "application/x-www-form-urlencoded")
	for a, want := range map[*Archive]bool{everybody: false, everybody.For("staff"): true} {
		tl, err := a.Timelines.Get(t.Context(), cdxtest.Coll, key)
		if err != nil || (len(tl.Captures) > 0) != want {
			t.Errorf("group %q sees %d captures, %v", a.Index.Group, len(tl.Captures), err)
		}
	}
}

// New rules hold at once, and an embargo ends by the clock, whatever was cached.
func TestCachesForgetWhatRulesExclude(t *testing.T) {
	captures := cdxtest.Captures()
	x := indextest.Open(t, "")
	indextest.Fill(t, x, cdxtest.Coll, captures)
	now := time.Date(2022, 6, 1, 0, 0, 0, 0, time.UTC)
	p := &access.Policy{Now: func() time.Time { return now }}
	a, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Access: p})
	if err != nil {
		t.Fatal(err)
	}
	count := func(want int, when string) {
		t.Helper()
		for range 2 {
			tl, err := a.Timelines.Get(t.Context(), cdxtest.Coll, surt.Of("http://example.org/a"))
			if err != nil || len(tl.Captures) != want {
				t.Errorf("%s: %d captures, want %d; %v", when, len(tl.Captures), want, err)
			}
		}
	}
	put := func(text string) {
		rules, err := access.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		p.Put(rules)
	}
	count(5, "without rules")
	put(`rules: [{url: "http://example.org/a", match: exact, access: exclude}]`)
	count(0, "excluded")
	put(`rules: [{url: "http://example.org/", access: exclude, embargo: {newer: 1 year}}]`)
	count(4, "under an embargo")
	now = now.AddDate(0, 7, 0)
	count(5, "after it")
	now = now.AddDate(0, -7, 0)
	put(`rules: [{url: "http://example.org/", access: exclude, embargo: {until: 2022-06-02}}]`)
	count(0, "until tomorrow")
	now = now.AddDate(0, 0, 1)
	count(5, "tomorrow")
	put("")
	count(5, "without rules again")
}
