package archive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
)

const whole = 128 // like of a text that is the same but for its ID

// similar lists what is similar to the page at a day, as "URI-R@day similarity".
func similar(t *testing.T, s *archive.Archive, on int, threshold float64, limit int) []string {
	t.Helper()
	found, err := s.FindSimilar(t.Context(), "web", page, at(on), threshold, limit)
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
	ref := shown{uri: page, day: 5, text: 1, like: whole}
	tests := []struct {
		name   string
		others []shown
		want   []string
	}{
		{"nothing else", nil, nil},
		{
			"the most similar first",
			[]shown{{uri: "http://b.example/1", text: 2, like: 64}, {uri: "http://b.example/2", text: 3, like: 96}},
			[]string{"b.example/2@0 0.75", "b.example/1@0 0.5"},
		},
		{
			"from a similarity of 0.3 on",
			[]shown{{uri: "http://b.example/1", text: 2, like: 38}, {uri: "http://b.example/2", text: 3, like: 39}},
			[]string{"b.example/2@0 0.305"},
		},
		{
			"the same text before one that is as similar",
			[]shown{{uri: "http://b.example/1", day: 5, text: 2, like: whole}, {uri: "http://b.example/2", text: 1, like: whole}},
			[]string{"b.example/2@0 1", "b.example/1@5 1"},
		},
		{
			"those of the same host first",
			[]shown{{uri: "http://b.example/1", day: 5, text: 2, like: 96}, {uri: "http://a.example/2", day: 0, text: 2, like: 96}},
			[]string{"a.example/2@0 0.75", "b.example/1@5 0.75"},
		},
		{
			"then the nearest in time",
			[]shown{
				{uri: "http://b.example/1", day: 0, text: 2, like: 96},
				{uri: "http://b.example/2", day: 6, text: 2, like: 96},
				{uri: "http://b.example/3", day: 7, text: 2, like: 96},
			},
			[]string{"b.example/2@6 0.75", "b.example/3@7 0.75", "b.example/1@0 0.75"},
		},
		{
			"each once, with the nearest capture of its text",
			[]shown{
				{uri: "http://b.example/1", day: 1, text: 2, like: 96},
				{uri: "http://b.example/1", day: 4, text: 2, like: 96},
				{uri: "http://b.example/1", day: 6, text: 2, like: 96},
				{uri: "http://b.example/1", day: 9, text: 2, like: 96},
			},
			[]string{"b.example/1@4 0.75"},
		},
		{
			"each once, with its most similar text",
			[]shown{{uri: "http://b.example/1", day: 1, text: 2, like: 96}, {uri: "http://b.example/1", day: 5, text: 3, like: 64}},
			[]string{"b.example/1@1 0.75"},
		},
		{
			"each once, rather with the same text than with one as similar",
			[]shown{{uri: "http://b.example/1", day: 1, text: 1, like: whole}, {uri: "http://b.example/1", day: 5, text: 2, like: whole}},
			[]string{"b.example/1@1 1"},
		},
		{
			"other versions of the page itself are left out",
			[]shown{{uri: page, day: 6, text: 1, like: whole}, {uri: page, day: 7, text: 2, like: 96}},
			nil,
		},
		{
			"error pages and redirects are left out",
			[]shown{
				{uri: "http://b.example/199", text: 1, like: whole, status: 199},
				{uri: "http://b.example/299", text: 1, like: whole, status: 299},
				{uri: "http://b.example/300", text: 1, like: whole, status: 300},
				{uri: "http://b.example/404", text: 1, like: whole, status: 404},
			},
			[]string{"b.example/299@0 1"},
		},
		{
			"answers to a POST are left out",
			[]shown{{uri: "http://b.example/1", text: 1, like: whole, key: "example,b)/1?__wb_method=post&q=1"}},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sketched(t, append([]shown{ref}, tt.others...)...)
			if diff := cmp.Diff(tt.want, similar(t, s, 5, 0, 10)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSimilarPagesUpToAThresholdAndALimit(t *testing.T) {
	list := []shown{{uri: page, text: 1, like: whole}}
	for i := range 4 {
		list = append(list, shown{uri: fmt.Sprintf("http://b.example/%d", i), text: uint64(i + 2), like: 128 - 16*i})
	}
	s := sketched(t, list...)
	all := []string{"b.example/0@0 1", "b.example/1@0 0.875", "b.example/2@0 0.75", "b.example/3@0 0.625"}
	for _, tt := range []struct {
		threshold   float64
		limit, want int
	}{{0, 10, 4}, {0, 4, 4}, {0, 3, 3}, {0, 0, 0}, {0.75, 10, 3}, {0.76, 10, 2}, {1, 10, 1}} {
		if got := similar(t, s, 0, tt.threshold, tt.limit); !slices.Equal(got, all[:tt.want]) {
			t.Errorf("threshold %v, limit %d: %v", tt.threshold, tt.limit, got)
		}
	}
}

// The work for one question must stay bounded, however many pages have the same text.
func TestSimilarPagesAreBounded(t *testing.T) {
	ref := shown{uri: page, text: 1, like: whole}
	t.Run("addresses", func(t *testing.T) {
		list := []shown{ref}
		for i := range 201 {
			list = append(list, shown{uri: fmt.Sprintf("http://b.example/%d", i), text: uint64(i + 2), like: whole})
		}
		if got := similar(t, sketched(t, list...), 0, 0, 1000); len(got) != archive.MaxSimilarResults {
			t.Errorf("%d pages", len(got))
		}
	})
	t.Run("captures of a text", func(t *testing.T) {
		list := []shown{ref}
		for i := range 1000 { // with ref 1001
			list = append(list, shown{uri: fmt.Sprintf("http://b.example/%d", i), text: 1, like: whole})
		}
		if got := similar(t, sketched(t, list...), 0, 0, 2000); len(got) != 999 {
			t.Errorf("%d pages", len(got))
		}
	})
	t.Run("captures of all texts", func(t *testing.T) {
		list := []shown{ref}
		for text := 2; text <= 13; text++ {
			for range 1000 {
				list = append(list, shown{uri: fmt.Sprintf("http://b.example/%d", text), text: uint64(text), like: whole})
			}
		}
		if got := similar(t, sketched(t, list...), 0, 0, 2000); len(got) != 10 { // 1 + 10 times 1000 are more than 10,000
			t.Errorf("%d pages", len(got))
		}
	})
}

func TestSimilarIsAskedOfTheNearestCaptureWithText(t *testing.T) {
	s := sketched(t,
		shown{uri: page, day: 0, text: 1, like: whole}, shown{uri: page, day: 1, text: 2, status: 404}, shown{uri: page, day: 2},
		shown{uri: page, day: 3, text: 3, status: 300}, shown{uri: page, day: 4, text: 4, like: whole, status: 299},
		shown{uri: "http://b.example/", day: 5, text: 5, like: 96}, shown{uri: "http://bare.example/", day: 5},
		shown{uri: "http://error.example/", day: 5, text: 6, like: whole, status: 199})
	for on, want := range []string{"0", "0", "0", "4", "4"} {
		found, err := s.FindSimilar(t.Context(), "web", page, at(on), 0, 10)
		if err != nil || dayOf(found.Capture) != want || found.Sketch == nil || found.Places[0].Capture.URL != "http://b.example/" {
			t.Errorf("day %d: %+v, %v", on, found, err)
		}
	}
	likeness, err := s.SimilarTo(t.Context(), uris, page, at(0), 0.7, 1)
	want := &archive.SimilarList{
		OriginalURI: page, Datetime: day(0),
		Results: []archive.SimilarResult{{"/web/" + day(5) + "/http://b.example/", "http://b.example/", day(5), 0.75}},
	}
	if diff := cmp.Diff(want, likeness); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, uri := range []string{"http://bare.example/", "http://error.example/"} {
		empty, err := s.SimilarTo(t.Context(), uris, uri, at(0), 0, 10)
		if err != nil || empty == nil || len(empty.Results) != 0 || empty.Datetime != day(5) {
			t.Errorf("%s: %+v, %v", uri, empty, err)
		}
	}
	if none, err := s.SimilarTo(t.Context(), uris, "http://never.example/", at(0), 0, 10); none != nil || err != nil {
		t.Errorf("never captured: %+v, %v", none, err)
	}
}
