package search_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// What was removed from the index leaves its words, its address and its title in no list, even if its segment isn't merged.
func TestRemovedPagesLeaveNoWords(t *testing.T) {
	t.Parallel()
	x, f := open(t, t.TempDir()), &fake{pages: map[string][]string{
		"org,example)/kept": {"river"}, "org,example)/other": {"river"}, "org,example)/secret": {"river basilisk"},
	}, title: "River"}
	update(t, x, f)
	f.title = "Basilisk"
	f.pages["org,example)/titled"] = []string{"basilisk"}
	update(t, x, f)
	delete(f.pages, "org,example)/secret")
	delete(f.pages, "org,example)/titled")
	update(t, x, f)
	for name, of := range map[string]iter.Seq2[search.Term, error]{
		"words":         x.Vocabulary(t.Context(), search.FieldText, ""),
		"addresses":     x.Vocabulary(t.Context(), search.FieldURL, "s"),
		"similar words": x.Similar(t.Context(), search.FieldText, "basilisc", 1, ""),
		"titles":        x.Titles(t.Context(), "basil"),
	} {
		var got []string
		for term, err := range of {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s ×%d", term.Word, term.Documents))
		}
		want := map[string][]string{"words": {"river ×2"}}[name]
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
