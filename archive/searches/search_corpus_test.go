//go:build !race

// Under the race detector these comparisons take ten times as long; scripts/test.sh runs them without.

package searches_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A versionWords is a version of a page with the words of its text and their counts.
type versionWords struct {
	search.Version
	words []string
	terms map[string]int
}

func (v *versionWords) count(p search.Phrase) int {
	if len(p) == 1 {
		return v.terms[p[0]]
	}
	return p.Count(v.words)
}

// pagesWithWords reads every text of each n-th page of a collection.
func pagesWithWords(tb testing.TB, a search.Archive, n int) map[string][]versionWords {
	tb.Helper()
	pages, i := map[string][]versionWords{}, 0
	for p, err := range a.Pages(tb.Context()) {
		if err != nil {
			tb.Fatal(err)
		}
		if i++; i%n != 0 {
			continue
		}
		versions, err := a.Versions(tb.Context(), p.Key)
		if err != nil {
			tb.Fatal(err)
		}
		for _, v := range versions {
			w := versionWords{Version: v, terms: map[string]int{}}
			if v.Text != 0 {
				text, err := a.Text(tb.Context(), p.Key, v)
				if err != nil {
					tb.Fatal(err)
				}
				w.words = search.Words(strings.Join(text.Blocks, " "))
			}
			for _, word := range w.words {
				w.terms[word]++
			}
			pages[p.Key] = append(pages[p.Key], w)
		}
	}
	return pages
}

// bruteForce compares each version of a page with the next. For each kind it lists the changes that deleted or added
// a phrase, with the number of occurrences.
func bruteForce(key string, versions []versionWords, p search.Phrase) (byKind [3][]string) {
	before, older := 0, cdx.Timestamp(0)
	for i := range versions {
		after := versions[i].count(p)
		found := func(k search.Kind, n int) {
			byKind[k] = append(byKind[k], fmt.Sprintf("%s %s→%s ×%d", key, older, versions[i].First, n))
		}
		switch {
		case before > 0 && after == 0:
			found(search.Deleted, before)
		case before > after:
			found(search.SemiDeleted, before-after)
		case before == 0 && after > 0:
			found(search.Added, after)
		}
		before, older = after, versions[i].Last
	}
	return byKind
}

func searchFor(tb testing.TB, x *searches.Collection, page string, p search.Phrase, k search.Kind) []string {
	tb.Helper()
	found, err := x.Search(context.Background(), search.Request{
		Query: search.Query{Phrases: []search.Phrase{p}}, Kind: k, Page: page, Limit: 1 << 20,
	})
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for _, h := range found.Hits {
		out = append(out, fmt.Sprintf("%s %s→%s ×%d", h.Key, h.Before, h.After, h.Times))
	}
	slices.Sort(out)
	return out
}

// tallySearch counts how the answers compare with brute force.
type tallySearch struct{ queries, right, missed, wrong int }

func (c *tallySearch) compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	c.queries++
	for _, g := range got {
		if slices.Contains(want, g) {
			c.right++
		} else if c.wrong++; c.wrong <= 5 {
			t.Errorf("%s: found %s, which is not so", what, g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			if c.missed++; c.missed <= 5 {
				t.Errorf("%s: %s was not found", what, w)
			}
		}
	}
}

func (c *tallySearch) String() string {
	return fmt.Sprintf("%d queries, %d changes, precision %.4f, recall %.4f", c.queries, c.right,
		float64(c.right)/float64(max(1, c.right+c.wrong)), float64(c.right)/float64(max(1, c.right+c.missed)))
}

// samplePhrases takes phrases of 1 to 12 words from the texts of a page, mostly from places that changed.
func samplePhrases(r *rand.Rand, versions []versionWords, n int) []search.Phrase {
	var out []search.Phrase
	for range n {
		words := versions[r.IntN(len(versions))].words
		length := 2 + r.IntN(5)
		if r.IntN(5) == 0 {
			length = 8 + r.IntN(8)
		}
		if len(words) < length {
			continue
		}
		at := r.IntN(len(words) - length + 1)
		out = append(out, words[at:at+length])
	}
	return out
}

// compareAll searches for a phrase in each kind of change.
func (c *tallySearch) compareAll(t *testing.T, x *searches.Collection, page string, p search.Phrase, want [3][]string) {
	t.Helper()
	for _, k := range []search.Kind{search.Deleted, search.SemiDeleted, search.Added} {
		slices.Sort(want[k])
		c.compare(t, fmt.Sprintf("%s %q", k, p), searchFor(t, x, page, p, k), want[k])
	}
}

// For every term of a sample of pages, for random phrases, and for all three kinds, precision and recall must be 1.
func TestSearchAgainstBruteForce_long(t *testing.T) {
	share := uint64(4) // one word in so many is asked for
	if testing.Short() {
		share = 16
	}
	for _, dir := range replaytest.Corpora(t) {
		s := replaytest.Searchable(t, []string{dir})
		texts := s.Searches().Source("web")
		x, err := s.Searches().Of("web")
		if err != nil {
			t.Fatal(err)
		}
		sample := map[string]int{"backbone": 1, "i18n": 40}[filepath.Base(dir)]
		if sample == 0 {
			sample = 6
		}
		pages := pagesWithWords(t, texts, sample)
		r := rand.New(rand.NewPCG(1, 8))
		var terms, phrases, everywhere tallySearch
		for key, versions := range pages {
			seen := map[string]bool{}
			for _, v := range versions {
				for w := range v.terms {
					if !seen[w] && xxh3.HashString(w)%share == 0 {
						seen[w] = true
						terms.compareAll(t, x, key, search.Phrase{w}, bruteForce(key, versions, search.Phrase{w}))
					}
				}
			}
			for _, p := range samplePhrases(r, versions, 320/int(share)) {
				phrases.compareAll(t, x, key, p, bruteForce(key, versions, p))
				if sample == 1 && r.IntN(40) == 0 {
					everywhere.compareAll(t, x, "", p, bruteForceAll(pages, p))
				}
			}
		}
		t.Logf("%s: %d pages; terms: %s; phrases: %s; in all pages: %s", filepath.Base(dir), len(pages), &terms, &phrases, &everywhere)
		if terms.right == 0 || phrases.right == 0 || sample == 1 && everywhere.right == 0 {
			t.Errorf("%s: nothing was found, so nothing was compared", dir)
		}
	}
}

func bruteForceAll(pages map[string][]versionWords, p search.Phrase) (byKind [3][]string) {
	for key, versions := range pages {
		one := bruteForce(key, versions, p)
		for k := range byKind {
			byKind[k] = append(byKind[k], one[k]...)
		}
	}
	return byKind
}
