package timeline

import (
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
)

// samples returns what is learnt of a.example.
func samples(t *testing.T, x *index.Index) []site.Sample {
	t.Helper()
	out, _, err := New(Config{View: &view.View{Whole: x}}).sites.sample(t.Context(), "web", "example,a)", "example,a*")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSamplesOfASite(t *testing.T) {
	const url = "http://a.example/page"
	page := func(year string, status int, body string) archivetest.Record {
		return archivetest.Record{Date: year, URI: url, Status: status, Body: body}
	}
	cut := page("2021", 200, "<p>two")
	cut.Fields = "WARC-Truncated: length\n"
	picture := page("2021", 200, "png")
	picture.Head = "Content-Type: image/png\n"
	tests := []struct {
		name           string
		records        []archivetest.Record
		pages, missing int
	}{
		{"a page once says nothing of what changes", []archivetest.Record{page("2020", 200, "<p>one")}, 0, 0},
		{"a page twice", []archivetest.Record{page("2020", 200, "<p>one"), page("2021", 200, "<p>two")}, 2, 0},
		{"the same text twice", []archivetest.Record{page("2020", 200, "<p>one"), page("2021", 200, "<p>one")}, 2, 0},
		{"any success", []archivetest.Record{page("2020", 200, "<p>one"), page("2021", 203, "<p>two")}, 2, 0},
		{"no redirect", []archivetest.Record{page("2020", 200, "<p>one"), page("2021", 300, "<p>two")}, 0, 0},
		{"a 404 tells how the site says so", []archivetest.Record{page("2020", 404, "<p>sorry")}, 0, 1},
		{"a 410 too", []archivetest.Record{page("2020", 410, "<p>sorry"), page("2021", 200, "<p>one")}, 1, 1},
		{"a refusal doesn't", []archivetest.Record{page("2020", 403, "<p>no")}, 0, 0},
		{
			"no failed capture",
			[]archivetest.Record{page("2020", 200, "<p>one"), page("2021", 503, "<p>two"), page("2022", 429, "<p>three")},
			0, 0,
		},
		{"no capture that is cut off", []archivetest.Record{page("2020", 200, "<p>one"), cut}, 0, 0},
		{"no picture", []archivetest.Record{page("2020", 200, "<p>one"), picture}, 0, 0},
		{
			"no page of another host",
			[]archivetest.Record{
				{Date: "2020", URI: "http://b.a.example/", Body: "<p>one"}, {Date: "2021", URI: "http://b.a.example/", Body: "<p>two"},
			},
			0, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pages, missing := 0, 0
			for _, s := range samples(t, archivetest.Keep(t, tt.records...).Index) {
				pages, missing = pages+len(s.Pages), missing+len(s.Missing)
			}
			if pages != tt.pages || missing != tt.missing {
				t.Errorf("%d pages and %d missing, want %d and %d", pages, missing, tt.pages, tt.missing)
			}
		})
	}
}

// A site may have a million pages, and a page a million captures.
func TestLearningASiteIsBounded(t *testing.T) {
	for captures, want := range map[int]int{sampledCaptures: sampledCaptures, sampledCaptures + 1: sampledCaptures} {
		x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": captures})
		if got := samples(t, x); len(got) != 1 || len(got[0].Pages) != want {
			t.Errorf("%d captures: %d samples", captures, len(got))
		}
	}
	for keys, want := range map[int]int{siteSamples: siteSamples, siteSamples + 1: siteSamples} {
		pages := map[string]int{}
		for i := range keys {
			pages[fmt.Sprint("http://a.example/", i)] = 2
		}
		x, reads := archivetest.CountedIndex(t, pages)
		reads.Reset()
		if got := samples(t, x); len(got) != want || reads.Views.Load() > 3 {
			t.Errorf("%d keys: %d samples, by %d snapshots", keys, len(got), reads.Views.Load())
		}
	}
	for keys, want := range map[int]int64{siteProbes: siteProbes, siteProbes + 1: siteProbes} {
		pages := map[string]int{}
		for i := range keys {
			pages[fmt.Sprint("http://a.example/", i)] = 1
		}
		x, reads := archivetest.CountedIndex(t, pages)
		if samples(t, x); reads.Gets.Load() != want {
			t.Errorf("%d keys with a capture each: %d texts were read", keys, reads.Gets.Load())
		}
	}
	for bare, want := range map[int]int{sampledReads - 2: 1, sampledReads - 1: 0} { // captures without text before two with
		shelf := archivetest.Keep(t,
			archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one"},
			archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>two"})
		shelf.PutBare(t, "example,a)/", bare)
		if got := samples(t, shelf.Index); len(got) != want {
			t.Errorf("%d captures without text: %d samples", bare, len(got))
		}
	}
}

// The same samples must be taken each time, or versions would come and go.
func TestSamplesAreTheSameEachTime(t *testing.T) {
	pages := map[string]int{}
	for i := range 2 * siteSamples {
		pages[fmt.Sprint("http://a.example/", i)] = 2
	}
	x, _ := archivetest.CountedIndex(t, pages)
	first, again := samples(t, x), samples(t, x)
	for i := range first {
		if first[i].Pages[0].ID != again[i].Pages[0].ID {
			t.Fatalf("sample %d differs", i)
		}
	}
}

// knownSite returns what is kept of a.example, nil if nothing is.
func knownSite(t *testing.T, s *Timelines) *site.Site {
	t.Helper()
	site, err := s.sites.cachedFacts(t.Context(), index.HostName{Coll: "web", Host: "example,a"})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// What rules exclude tells nothing of a site, whoever has learnt it without them, and what is learnt under rules is kept for nobody.
func TestASiteIsKeptWithoutRulesOnly(t *testing.T) {
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: "2020", URI: "http://a.example/page", Body: "<p>one"},
		archivetest.Record{Date: "2021", URI: "http://a.example/gone", Status: 404, Body: "<p>There is nothing of that name here."})
	over := func(rules string) *Timelines {
		v := &view.View{Whole: shelf.Index}
		if rules != "" {
			v.Policy = archivetest.Policy(t, rules)
		}
		return New(Config{View: v, Software: "varve of this test", CacheSites: true})
	}
	get := func(s *Timelines) uint64 {
		t.Helper()
		site, err := s.sites.Get(t.Context(), "web", "example,a)/page")
		if err != nil {
			t.Fatal(err)
		}
		return site.Sum(true)
	}
	ruled := over("rules:\n- {url: \"http://a.example/gone\", access: exclude}\n")
	if hidden := get(ruled); hidden != 0 || knownSite(t, ruled) != nil {
		t.Errorf("under rules the sum is %x, and it is kept: %t", hidden, knownSite(t, ruled) != nil)
	}
	open := over("")
	if _, err := New(Config{View: open.index}).sites.Get(t.Context(), "web", "example,a)/page"); err != nil || knownSite(t, open) != nil {
		t.Errorf("what counting learns is kept, %v", err)
	}
	for _, host := range []string{"example,nobody", "example,free:8080"} {
		if _, err := open.sites.Get(t.Context(), "web", host+")/"); err != nil {
			t.Fatal(err)
		}
		found, err := shelf.Index.Cache().Facts(t.Context(), index.HostName{Coll: "web", Host: host}, func([]byte) error { return nil })
		if err != nil || found {
			t.Errorf("something is kept of %s, which has no captures; %v", host, err)
		}
	}
	sum := get(open)
	if kept := knownSite(t, open); kept == nil || kept.Sum(true) != sum || sum == 0 {
		t.Fatalf("what is known without rules is not kept: %v", kept)
	}
	if hidden := get(over("rules:\n- {url: \"http://a.example/gone\", access: exclude}\n")); hidden != 0 {
		t.Errorf("under rules it is taken from what is kept: %x", hidden)
	}
	other := over("")
	other.sites.software = "varve of tomorrow"
	if knownSite(t, other) != nil {
		t.Error("it is taken from another program")
	}
}

// What readers knew of a site is learnt again behind requests by whoever has changed it.
func TestWhoIndexesLearnsASiteAgain(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 3, "http://a.example/b": 3, "http://b.example/": 3})
	s := overIndex(t, x, 4)
	if _, err := s.sites.Get(t.Context(), "web", "example,a)/"); err != nil {
		t.Fatal(err)
	}
	archivetest.PutBare(t, x, "http://a.example/c", 1, 0, 0)
	if knownSite(t, s) != nil {
		t.Fatal("it is known after a page came")
	}
	if err := s.Revalidate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	fresh := overIndex(t, x, 4)
	reads.Reset()
	if _, err := fresh.sites.Get(t.Context(), "web", "example,a)/"); err != nil || reads.Keys.Load() > 0 || reads.Views.Load() != 1 {
		t.Errorf("a reader looks at %d keys, %v", reads.Keys.Load(), err)
	}
	site, err := s.sites.cachedFacts(t.Context(), index.HostName{Coll: "web", Host: "example,b"})
	if err != nil || site != nil {
		t.Errorf("another is known though nobody asked for it, %v", err)
	}
}

func FuzzKeptFacts(f *testing.F) {
	f.Add(appendFacts(nil, "varve", site.New(nil)), "varve")
	f.Add([]byte{factsFormat}, "")
	f.Fuzz(func(t *testing.T, b []byte, software string) {
		site := parseFacts(b, software)
		if site == nil {
			return
		}
		back := parseFacts(appendFacts(nil, software, site), software)
		if back == nil || back.Sum(true) != site.Sum(true) {
			t.Error("it doesn't come back")
		}
	})
}
