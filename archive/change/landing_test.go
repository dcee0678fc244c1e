package change

import (
	"cmp"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// minLandingText is the length from which on a text is distinctive enough to be found again.
const minLandingText = 300

// moves returns, for each redirect after a page with text to a URI-R that had the same text, the two texts that a
// landing page compares.
func (c *corpus) moves() (pairs [][2]*sketch.Sketch) {
	c.ends(func(last, end truth) {
		if end.Status/100 != 3 || !c.had(end.Redirect, last.TextSHA) {
			return
		}
		if target := c.nearest(end.Redirect, end.Datetime); target != nil {
			pairs = append(pairs, [2]*sketch.Sketch{c.sketches[c.texts[last.Digest]], target})
		}
	})
	return pairs
}

// ends calls f for each capture that is not a page and follows one that is.
func (c *corpus) ends(f func(last, end truth)) {
	for _, u := range c.uris {
		var last *truth
		for _, v := range c.captures[u] {
			if v.TextSHA == "" && last != nil && last.TextLen > minLandingText {
				f(*last, v)
				last = nil
			}
			if v.TextSHA != "" {
				last = &v
			}
		}
	}
}

func (c *corpus) had(uri, textSHA string) bool {
	return slices.ContainsFunc(c.captures[uri], func(v truth) bool { return v.TextSHA == textSHA })
}

func (c *corpus) nearest(uri, datetime string) *sketch.Sketch {
	for _, v := range c.captures[uri] {
		if s := c.sketches[c.texts[v.Digest]]; v.Datetime >= datetime && v.Status == 200 && s != nil {
			return s
		}
	}
	return nil
}

func testMoves(t *testing.T, c *corpus) {
	alike := 0
	pairs := c.moves()
	for _, p := range pairs {
		if sketch.Similarity(p[0], p[1]) >= 0.9 {
			alike++
		} else {
			t.Logf("%s: %q and %q: %.3f", c.name, p[0].Title, p[1].Title, sketch.Similarity(p[0], p[1]))
		}
	}
	t.Logf("%s: %d of %d moved pages have a similarity of 0.9 to what they were", c.name, alike, len(pairs))
	if float64(alike) < 0.97*float64(len(pairs)) {
		t.Errorf("%s: too few", c.name)
	}
}

func testRemovals(t *testing.T, c *corpus) {
	homes := map[string]map[string]bool{} // URI-Rs by text
	at := map[uint64]map[string]bool{}    // URI-Rs by sketch
	for _, u := range c.uris {
		for _, v := range c.captures[u] {
			if v.TextLen > minLandingText {
				put(homes, v.TextSHA, u)
				put(at, c.texts[v.Digest], u)
			}
		}
	}
	gone, first, third := 0, 0, 0
	c.ends(func(last, end truth) {
		if end.State != "gone" || len(homes[last.TextSHA]) < 2 {
			return
		}
		gone++
		rank := c.rank(c.sketches[c.texts[last.Digest]], end.URI, at, homes[last.TextSHA])
		if rank == 0 {
			first++
		}
		if rank < 3 {
			third++
		}
	})
	t.Logf("%s: %d texts gone, %d found first, %d among three", c.name, gone, first, third)
	if float64(third) < 0.9*float64(gone) {
		t.Errorf("%s: too few", c.name)
	}
}

func put[K comparable](m map[K]map[string]bool, k K, v string) {
	if m[k] == nil {
		m[k] = map[string]bool{}
	}
	m[k][v] = true
}

// rank returns the place of the first right URI-R among those that share a band with s.
func (c *corpus) rank(s *sketch.Sketch, self string, at map[uint64]map[string]bool, right map[string]bool) int {
	best := map[string]float64{}
	bands := s.MinHash.Bands()
	for id, uris := range at {
		if !shareBand(bands, c.sketches[id].MinHash.Bands()) {
			continue
		}
		for u := range uris {
			if u != self {
				best[u] = max(best[u], sketch.Similarity(s, c.sketches[id]))
			}
		}
	}
	var order []string
	for u := range best {
		order = append(order, u)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b)) })
	if i := slices.IndexFunc(order, func(u string) bool { return right[u] }); i >= 0 {
		return i
	}
	return len(order) + 3
}
