package search_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// A short list of terms must be the beginning of a long one, in an index on disk that several runs wrote.
func TestFewTermsAreTheFirstOfMany(t *testing.T) {
	t.Parallel()
	x, f := open(t, filepath.Join(t.TempDir(), "search")), &fake{pages: map[string][]string{}}
	for run := range 3 {
		for page := range 6 {
			rest := strings.Repeat("what stays ", 20) // makes it an edit, not the loss of the whole page
			text := rest
			for w := range 40 { // words later in the alphabet are on more pages
				if (6*run+page)*40 <= 18*w {
					text += fmt.Sprintf("word%c%c ", 'a'+w/26, 'a'+w%26)
				}
			}
			f.pages[fmt.Sprintf("org,example)/%d-%d", run, page)] = []string{text, rest}
		}
		update(t, x, f)
	}
	terms := func(limit int) []string {
		a, err := x.Terms(t.Context(), search.TermsRequest{Kind: search.Deleted, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range a.Terms {
			out = append(out, fmt.Sprintf("%s %d", c.Term, c.Changes))
		}
		return out
	}
	all := terms(1000)
	if len(all) != 40 || all[0] <= all[39] {
		t.Fatalf("terms %v", all)
	}
	for _, limit := range []int{1, 5, 20} {
		if d := cmp.Diff(all[:limit], terms(limit)); d != "" {
			t.Errorf("the first %d: %s", limit, d)
		}
	}
}
