package archive

import (
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
	"github.com/varve-archive/varve/cdx/surt"
)

// Readers of a group see what a rule allows them; readers of a group that no rule names are everybody.
func TestGroups(t *testing.T) {
	key := surt.OfRequest("http://example.org/a/form", "POST", []byte("a=b"), "application/x-www-form-urlencoded")
	x := indextest.Open(t, "")
	form := cdx.Capture{Key: key, URL: "http://example.org/a/form", Time: 20200101000000, FileName: "owl.warc.gz"}
	indextest.Fill(t, x, cdxtest.Coll, []cdx.Capture{form})
	everybody, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Access: archivetest.Policy(t, `rules:
- {url: "http://example.org/a/", access: exclude}
- {url: "http://example.org/a/form", access: allow, group: staff}`)})
	if err != nil {
		t.Fatal(err)
	}
	staff := everybody.For("staff")
	if everybody.For("guests") != everybody || everybody.For("") != everybody || staff == everybody || staff != everybody.For("staff") {
		t.Error("groups that no rule names see something of their own, or those that one names don't")
	}
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
	put := func(text string) { p.Put(archivetest.Rules(t, text)) }
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
	put("rules: []")
	count(5, "without rules again")
}

// Only what is excluded must not be named; what is blocked has its place.
func TestExcludes(t *testing.T) {
	x := indextest.Open(t, "")
	everybody, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Access: archivetest.Policy(t, `rules:
- {url: "http://a.example/", access: exclude, captured: {from: 2020}}
- {url: "http://b.example/", access: block}
- {url: "http://c.example/", access: exclude}
- {url: "http://c.example/", access: allow, group: staff}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		uriR string
		year int
		want [2]bool // for everybody and the staff
	}{
		{"http://a.example/x", 2019, [2]bool{false, false}},
		{"http://a.example/x", 2020, [2]bool{true, true}},
		{"http://b.example/", 2020, [2]bool{false, false}},
		{"http://c.example/", 2020, [2]bool{true, false}},
		{"http://d.example/", 2020, [2]bool{false, false}},
	} {
		for i, a := range []*Archive{everybody, everybody.For("staff")} {
			if got := a.Excludes("web", tt.uriR, time.Date(tt.year, 1, 1, 0, 0, 0, 0, time.UTC)); got != tt.want[i] {
				t.Errorf("%s in %d for group %q: %t", tt.uriR, tt.year, a.Index.Group, got)
			}
		}
	}
}
