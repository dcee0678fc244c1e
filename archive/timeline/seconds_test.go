package timeline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
)

// What a URI-M shows is what its range is made of: changes, CDX and the place of a capture agree about captures of one second and
// about redirects before the first page.
func TestVersionsAreMadeOfWhatURIMsShow(t *testing.T) {
	const self = ">" + "https://a.example/page"
	for name, test := range map[string]struct {
		words   []string // of one second where + is between them
		ranges  []string
		changes []string // of the captures, as CDX says them
		at      []int    // the place of each capture in its version
	}{
		"missing beside the page": {
			[]string{"404", "+one", "404", "+one"}, []string{"page of 4"}, []string{"0 none", "0 none", "0 none", "0 none"}, []int{2, 2, 4, 4},
		},
		"another text beside the page": {
			[]string{"one", "+two", "two"},
			[]string{"page of 2", "page of 1"},
			[]string{"0 none", "0 none", "1 content"},
			[]int{2, 2, 1},
		},
		"a redirect beside a new text": {
			[]string{"one", self, "+two"}, []string{"page of 1", "page of 2"}, []string{"0 none", "1 none", "1 content"}, []int{1, 2, 2},
		},
		"redirects before the page": {
			[]string{self, self, "one", self, "two"},
			[]string{"page of 4", "page of 1"},
			[]string{"0 none", "0 none", "0 none", "0 none", "1 content"},
			[]int{1, 2, 3, 4, 1},
		},
		"nothing but redirects": {
			[]string{self, self}, []string{"redirect of 2"}, []string{"0 none", "0 none"}, []int{1, 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := days(page, test.words...)
			for i, w := range test.words {
				if w[0] == '+' {
					records[i].Date, records[i].Body = records[i-1].Date, "<p>"+w[1:]
				}
			}
			s, _ := open(t, records...)
			tl := timelineOf(t, s, page)
			list := changes(t, s, change.LevelContent)
			var ranges, said []string
			for _, r := range list.Ranges {
				ranges = append(ranges, fmt.Sprintf("%s of %d", r.Kind, r.Captures))
			}
			annotate, err := tl.Annotate()
			if err != nil {
				t.Fatal(err)
			}
			content, err := tl.Ranges(change.LevelContent)
			if err != nil {
				t.Fatal(err)
			}
			var at []int
			for i := range tl.Captures {
				version, word := annotate(&tl.Captures[i])
				said = append(said, fmt.Sprint(version, " ", word))
				at = append(at, timeline.PlaceOf(tl, content, &tl.Captures[i], 1).At)
			}
			if !slices.Equal(ranges, test.ranges) || !slices.Equal(said, test.changes) || !slices.Equal(at, test.at) {
				t.Errorf("ranges %q, captures %q, places %v", ranges, said, at)
			}
		})
	}
}
