package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// mutated changes some words of a text. The vocabulary is small, so that phrases repeat, overlap and move.
func mutated(r *rand.Rand, words []string) []string {
	vocabulary := []string{"a", "b", "c", "d"}
	word := func() string { return vocabulary[r.IntN(len(vocabulary))] }
	var out []string
	switch r.IntN(6) {
	case 0: // another text
		for range r.IntN(30) {
			out = append(out, word())
		}
		return out
	case 1: // a stretch moves
		if len(words) > 4 {
			i := r.IntN(len(words) - 3)
			return append(slices.Concat(words[i:], words[:i]), word())
		}
	}
	for _, w := range words {
		switch r.IntN(12) {
		case 0:
		case 1:
			out = append(out, w, word())
		case 2:
			out = append(out, word())
		default:
			out = append(out, w)
		}
	}
	for range r.IntN(3) {
		out = append(out, word())
	}
	return out
}

// Terms and phrases of any length must be counted exactly in both versions, however much the texts repeat themselves.
func TestAnswersMatchBruteForce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 8))
	f := randomArchive(r, 12, 8)
	for _, paired := range []string{"", "abcd"} {
		x := open(t, "")
		x.Paired = (&cut{paired: paired}).isPaired
		update(t, x, f)
		compareChanges(t, x, f, r, 500)
	}
}

// compareChanges compares the answers to random queries with counting in all texts.
func compareChanges(t *testing.T, x *search.Index, f *fake, r *rand.Rand, queries int) {
	t.Helper()
	answers := 0
	for range queries {
		phrase := mutated(r, nil)
		if len(phrase) == 0 {
			phrase = []string{"a", "b"}
		}
		p := search.Phrase(phrase[:1+r.IntN(min(len(phrase), 14))])
		want := bruteChanges(f, p)
		for _, k := range []search.Kind{search.Deleted, search.SemiDeleted, search.Added} {
			got := found(t, x, k, `"`+p.String()+`"`)
			slices.Sort(got)
			slices.Sort(want[k])
			answers += len(got)
			if diff := cmp.Diff(want[k], got, cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Fatalf("%s %q (-want +got):\n%s", k, p, diff)
			}
		}
	}
	if answers < queries {
		t.Errorf("only %d changes were found, so little was compared", answers)
	}
}

// bruteChanges counts a phrase in all texts.
func bruteChanges(f *fake, p search.Phrase) map[search.Kind][]string {
	want := map[search.Kind][]string{}
	for key := range f.pages {
		for i := range f.pages[key] {
			before := 0
			if i > 0 {
				before = p.Count(search.Words(f.at(key, year(i-1))))
			}
			after := p.Count(search.Words(f.at(key, year(i))))
			add := func(k search.Kind, n int) { want[k] = append(want[k], fmt.Sprintf("%s %d ×%d", key, 2001+i, n)) }
			switch {
			case before > 0 && after == 0:
				add(search.Deleted, before)
			case before > after:
				add(search.SemiDeleted, before-after)
			case before == 0 && after > 0:
				add(search.Added, after)
			}
		}
	}
	return want
}
