package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/search"
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
	r := rand.New(rand.NewPCG(5, 8))
	f := &fake{pages: map[string][]string{}}
	for p := range 12 {
		var words []string
		var versions []string
		for range 8 {
			words = mutated(r, words)
			text := strings.Join(words, " ")
			if text == "" {
				text = "-"
			}
			versions = append(versions, text)
		}
		f.pages[fmt.Sprintf("org,example)/%02d", p)] = versions
	}
	x := open(t, "")
	update(t, x, f)
	answers := 0
	for range 1000 {
		phrase := mutated(r, nil)
		if len(phrase) == 0 {
			phrase = []string{"a", "b"}
		}
		p := search.Phrase(phrase[:1+r.IntN(min(len(phrase), 14))])
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
		for _, k := range []search.Kind{search.Deleted, search.SemiDeleted, search.Added} {
			got := found(t, x, f, k, `"`+p.String()+`"`)
			slices.Sort(got)
			slices.Sort(want[k])
			answers += len(got)
			if diff := cmp.Diff(want[k], got, cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Fatalf("%s %q (-want +got):\n%s", k, p, diff)
			}
		}
	}
	if answers < 1000 {
		t.Errorf("only %d changes were found, so little was compared", answers)
	}
}
