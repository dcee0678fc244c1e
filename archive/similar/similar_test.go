package similar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
)

const whole = 128 // like of a text that is the same but for its ID

// listed lists what is similar to the page at a day, as "URI-R@day similarity".
func listed(t *testing.T, s *timeline.Timelines, on int, threshold float64, limit int) []string {
	t.Helper()
	found, err := similar.Find(t.Context(), s, "web", page, archivetest.At(on), threshold, limit)
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	var out []string
	for i := range found.Places {
		c := &found.Places[i].Capture
		out = append(out, fmt.Sprintf("%s@%s %v", strings.TrimPrefix(c.URL, "http://"), dayOf(c), found.Places[i].Similarity))
	}
	return out
}

func TestSimilarPagesInTheirOrder(t *testing.T) {
	ref := shown{URI: page, Day: 5, Text: 1, Like: whole}
	tests := []struct {
		name   string
		others []shown
		want   []string
	}{
		{"nothing else", nil, nil},
		{
			"the most similar first",
			[]shown{{URI: "http://b.example/1", Text: 2, Like: 64}, {URI: "http://b.example/2", Text: 3, Like: 96}},
			[]string{"b.example/2@0 0.75", "b.example/1@0 0.5"},
		},
		{
			"from a similarity of 0.3 on",
			[]shown{{URI: "http://b.example/1", Text: 2, Like: 38}, {URI: "http://b.example/2", Text: 3, Like: 39}},
			[]string{"b.example/2@0 0.305"},
		},
		{
			"the same text before one that is as similar",
			[]shown{{URI: "http://b.example/1", Day: 5, Text: 2, Like: whole}, {URI: "http://b.example/2", Text: 1, Like: whole}},
			[]string{"b.example/2@0 1", "b.example/1@5 1"},
		},
		{
			"those of the same host first",
			[]shown{{URI: "http://b.example/1", Day: 5, Text: 2, Like: 96}, {URI: "http://a.example/2", Day: 0, Text: 2, Like: 96}},
			[]string{"a.example/2@0 0.75", "b.example/1@5 0.75"},
		},
		{
			"then the nearest in time",
			[]shown{
				{URI: "http://b.example/1", Day: 0, Text: 2, Like: 96},
				{URI: "http://b.example/2", Day: 6, Text: 2, Like: 96},
				{URI: "http://b.example/3", Day: 7, Text: 2, Like: 96},
			},
			[]string{"b.example/2@6 0.75", "b.example/3@7 0.75", "b.example/1@0 0.75"},
		},
		{
			"each once, with the nearest capture of its text",
			[]shown{
				{URI: "http://b.example/1", Day: 1, Text: 2, Like: 96},
				{URI: "http://b.example/1", Day: 4, Text: 2, Like: 96},
				{URI: "http://b.example/1", Day: 6, Text: 2, Like: 96},
				{URI: "http://b.example/1", Day: 9, Text: 2, Like: 96},
			},
			[]string{"b.example/1@4 0.75"},
		},
		{
			"each once, with its most similar text",
			[]shown{{URI: "http://b.example/1", Day: 1, Text: 2, Like: 96}, {URI: "http://b.example/1", Day: 5, Text: 3, Like: 64}},
			[]string{"b.example/1@1 0.75"},
		},
		{
			"each once, rather with the same text than with one as similar",
			[]shown{{URI: "http://b.example/1", Day: 1, Text: 1, Like: whole}, {URI: "http://b.example/1", Day: 5, Text: 2, Like: whole}},
			[]string{"b.example/1@1 1"},
		},
		{
			"other versions of the page itself are left out",
			[]shown{{URI: page, Day: 6, Text: 1, Like: whole}, {URI: page, Day: 7, Text: 2, Like: 96}},
			nil,
		},
		{
			"error pages and redirects are left out",
			[]shown{
				{URI: "http://b.example/199", Text: 1, Like: whole, Status: 199},
				{URI: "http://b.example/299", Text: 1, Like: whole, Status: 299},
				{URI: "http://b.example/300", Text: 1, Like: whole, Status: 300},
				{URI: "http://b.example/404", Text: 1, Like: whole, Status: 404},
			},
			[]string{"b.example/299@0 1"},
		},
		{
			"answers to a POST are left out",
			[]shown{{URI: "http://b.example/1", Text: 1, Like: whole, Key: "example,b)/1?__wb_method=post&q=1"}},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sketched(t, append([]shown{ref}, tt.others...)...)
			if diff := cmp.Diff(tt.want, listed(t, s, 5, 0, 10)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSimilarPagesUpToAThresholdAndALimit(t *testing.T) {
	list := []shown{{URI: page, Text: 1, Like: whole}}
	for i := range 4 {
		list = append(list, shown{URI: fmt.Sprintf("http://b.example/%d", i), Text: uint64(i + 2), Like: 128 - 16*i})
	}
	s := sketched(t, list...)
	all := []string{"b.example/0@0 1", "b.example/1@0 0.875", "b.example/2@0 0.75", "b.example/3@0 0.625"}
	for _, tt := range []struct {
		threshold   float64
		limit, want int
	}{{0, 10, 4}, {0, 4, 4}, {0, 3, 3}, {0, 0, 0}, {0.75, 10, 3}, {0.76, 10, 2}, {1, 10, 1}} {
		if got := listed(t, s, 0, tt.threshold, tt.limit); !slices.Equal(got, all[:tt.want]) {
			t.Errorf("threshold %v, limit %d: %v", tt.threshold, tt.limit, got)
		}
	}
}

// The work for one question must stay bounded, however many pages have the same text.
func TestSimilarPagesAreBounded(t *testing.T) {
	ref := shown{URI: page, Text: 1, Like: whole}
	t.Run("addresses", func(t *testing.T) {
		list := []shown{ref}
		for i := range 201 {
			list = append(list, shown{URI: fmt.Sprintf("http://b.example/%d", i), Text: uint64(i + 2), Like: whole})
		}
		if got := listed(t, sketched(t, list...), 0, 0, 1000); len(got) != similar.MaxResults {
			t.Errorf("%d pages", len(got))
		}
	})
	t.Run("captures of a text", func(t *testing.T) {
		list := []shown{ref}
		for i := range 1000 { // with ref 1001
			list = append(list, shown{URI: fmt.Sprintf("http://b.example/%d", i), Text: 1, Like: whole})
		}
		if got := listed(t, sketched(t, list...), 0, 0, 2000); len(got) != 999 {
			t.Errorf("%d pages", len(got))
		}
	})
	t.Run("captures of all texts", func(t *testing.T) {
		list := []shown{ref}
		for text := 2; text <= 13; text++ {
			for range 1000 {
				list = append(list, shown{URI: fmt.Sprintf("http://b.example/%d", text), Text: uint64(text), Like: whole})
			}
		}
		if got := listed(t, sketched(t, list...), 0, 0, 2000); len(got) != 10 { // 1 + 10 times 1000 are more than 10,000
			t.Errorf("%d pages", len(got))
		}
	})
}

func TestSimilarIsAskedOfTheNearestCaptureWithText(t *testing.T) {
	s := sketched(t,
		shown{URI: page, Day: 0, Text: 1, Like: whole}, shown{URI: page, Day: 1, Text: 2, Status: 404}, shown{URI: page, Day: 2},
		shown{URI: page, Day: 3, Text: 3, Status: 300}, shown{URI: page, Day: 4, Text: 4, Like: whole, Status: 299},
		shown{URI: "http://b.example/", Day: 5, Text: 5, Like: 96}, shown{URI: "http://bare.example/", Day: 5},
		shown{URI: "http://error.example/", Day: 5, Text: 6, Like: whole, Status: 199})
	for on, want := range []string{"0", "0", "0", "4", "4"} {
		found, err := similar.Find(t.Context(), s, "web", page, archivetest.At(on), 0, 10)
		if err != nil || dayOf(found.Capture) != want || found.Sketch == nil || found.Places[0].Capture.URL != "http://b.example/" {
			t.Errorf("day %d: %+v, %v", on, found, err)
		}
	}
	likeness, err := similar.To(t.Context(), s, uris, page, archivetest.At(0), 0.7, 1)
	want := &similar.List{
		OriginalURI: page, Datetime: archivetest.Day(0),
		Results: []similar.Result{{"/web/" + archivetest.Day(5) + "/http://b.example/", "http://b.example/", archivetest.Day(5), 0.75}},
	}
	if diff := cmp.Diff(want, likeness); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, uri := range []string{"http://bare.example/", "http://error.example/"} {
		empty, err := similar.To(t.Context(), s, uris, uri, archivetest.At(0), 0, 10)
		if err != nil || empty == nil || len(empty.Results) != 0 || empty.Datetime != archivetest.Day(5) {
			t.Errorf("%s: %+v, %v", uri, empty, err)
		}
	}
	if none, err := similar.To(t.Context(), s, uris, "http://never.example/", archivetest.At(0), 0, 10); none != nil || err != nil {
		t.Errorf("never captured: %+v, %v", none, err)
	}
}

// Only texts with content of their own are similar to others.
func TestTextsWithoutContentAreLikeNone(t *testing.T) {
	of := func(html string) *sketch.Sketch {
		text := new(visible.Extractor).Extract([]byte(html), "text/html")
		s := sketch.Of(&text)
		return &s
	}
	full, empty := of("<p>"+archivetest.Prose("the mill stands at the river and grinds")), of("<p>")
	for _, tt := range []struct{ a, b *sketch.Sketch }{{nil, full}, {full, nil}, {empty, full}, {full, empty}, {empty, empty}} {
		if got := similar.IgnoringFurniture(tt.a, nil, tt.b, nil); got != nil {
			t.Errorf("%v and %v: %g", tt.a, tt.b, *got)
		}
	}
	if got := similar.IgnoringFurniture(full, nil, full, nil); got == nil || *got != 1 {
		t.Errorf("the same: %v", got)
	}
}

// A failing index must not look like an archive without anything similar.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	text := archivetest.Prose("acid rain harms lakes forests fish soils and stone")
	records := append(archivetest.Days(page, text, "404"), archivetest.Days("http://a.example/other", text, "snow and ice")...)
	archivetest.EachFault(t, records, func(s *archivetest.Shelf) error {
		_, err := similar.To(t.Context(), timeline.New(timeline.Config{View: &view.View{Whole: s.Index}}), uris, page, archivetest.At(0), 0, 10)
		return err
	})
}
