package archive

import (
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/change"
)

// samples returns what is learnt of a.example.
func samples(t *testing.T, x *index.Index) []change.Sample {
	t.Helper()
	out, err := newSites(&View{raw: x}).sample(t.Context(), "web", "example,a)", "example,a*")
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
		x, _ := archivetest.CountedIndex(t, pages)
		if got := samples(t, x); len(got) != want {
			t.Errorf("%d keys: %d samples", keys, len(got))
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
	for bare, want := range map[int]int{sampledLooks - 2: 1, sampledLooks - 1: 0} { // captures without text before two with
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

func TestAnswersAboutTermsAreKeptUntilABuild(t *testing.T) {
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one mill"},
		archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>one house"})
	s, err := New(Config{Index: shelf.Index, Records: shelf, SearchDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.CloseSearch()
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	cs, err := s.Search("web")
	if err != nil {
		t.Fatal(err)
	}
	req, err := (&TermsQuery{}).request()
	if err != nil {
		t.Fatal(err)
	}
	kept := func() bool {
		t.Helper()
		a, err := cs.countTerms(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := cs.countTerms(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return a == b
	}
	cs.Progress.Running.Store(true)
	if kept() {
		t.Error("an answer from the middle of a build is kept")
	}
	cs.Progress.Running.Store(false)
	if !kept() {
		t.Error("an answer is counted twice")
	}
	before, _ := cs.countTerms(t.Context(), req)
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	if after, _ := cs.countTerms(t.Context(), req); after == before {
		t.Error("an answer outlives a build")
	}
}
