package archive

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
)

const (
	// minSimilar is the similarity from which on a page is proposed: below it little more than the
	// frame of a site is shared.
	MinSimilar = 0.3
	// maxCandidates bounds how many texts that share a band are compared, those that share most first.
	maxCandidates = 500
	// maxPlaces bounds how many captures of one text are looked at, maxLooks how many of all texts, and
	// maxAddresses how many addresses are found.
	maxPlaces    = 1_000
	maxLooks     = 10_000
	maxAddresses = 200
)

// similarity is nil where one of the texts says nothing of its own.
func similarity(a, b *change.Sketch) *float64 {
	if a == nil || b == nil || a.MinHash.Empty() || b.MinHash.Empty() {
		return nil
	}
	return rounded(change.Similarity(a, b))
}

// similarityOn is similarity without what the sites of the texts add to them.
func similarityOn(a *change.Sketch, siteA *change.Site, b *change.Sketch, siteB *change.Site) *float64 {
	if a == nil || b == nil || a.MinHash.Empty() || b.MinHash.Empty() {
		return nil
	}
	return rounded(change.SimilarityAside(a, siteA, b, siteB))
}

// rounded is a similarity to the places that the estimate can tell.
func rounded(v float64) *float64 {
	v = math.Round(v*1000) / 1000
	return &v
}

// A match is a text that is like another, and how much.
type match struct {
	text       uint64
	similarity float64
}

// matches finds the texts of a collection that are like ref, the most similar first, the very same before others.
func (s *Archive) matches(ctx context.Context, coll string, ref *change.Sketch) ([]match, error) {
	ids, err := s.Index.SimilarTexts(ctx, coll, ref.MinHash.Bands(), maxCandidates)
	if err != nil {
		return nil, err
	}
	var out []match
	err = s.Index.Texts(ctx, ids, func(id uint64, b []byte) error {
		k, err := change.ParseSketchHead(b)
		if err != nil {
			return err
		}
		if v := similarity(ref, &k); v != nil && *v >= MinSimilar {
			out = append(out, match{id, *v})
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b match) int {
		switch {
		case a.similarity != b.similarity:
			return cmp.Compare(b.similarity, a.similarity)
		case a.text == ref.ID:
			return -1
		case b.text == ref.ID:
			return 1
		}
		return 0
	})
	return out, err
}

// A place is where a similar text stands: the capture of an address nearest to a moment.
type place struct {
	Capture    cdx.Capture
	Similarity float64
	same       bool // the very same text
}

// places finds the addresses other than self whose text is like ref: one capture of each, with its most
// similar text, as near to ts as can be. The most similar come first, then those on self's host, then the nearest in time.
func (s *Archive) places(ctx context.Context, coll string, ref *change.Sketch, self string, ts cdx.Timestamp) ([]place, error) {
	found, err := s.matches(ctx, coll, ref)
	if err != nil {
		return nil, err
	}
	g := gatherer{self: self, ts: ts, same: ref.ID, at: map[string]int{}}
	for _, m := range found {
		if len(g.out) >= maxAddresses || g.looks > maxLooks {
			break
		}
		if err := g.gather(m, s.Index.WhereText(ctx, coll, m.text)); err != nil {
			return nil, err
		}
	}
	order(g.out, self, ts)
	return g.out, nil
}

// A gatherer collects one place for each address.
type gatherer struct {
	self  string
	ts    cdx.Timestamp
	same  uint64 // the text that is sought
	out   []place
	at    map[string]int // in out, by key
	looks int
}

// gather takes the captures that have a text.
func (g *gatherer) gather(m match, captures iter.Seq2[*cdx.Capture, error]) error {
	n := 0
	for c, err := range captures {
		if err != nil {
			return err
		}
		if n++; n > maxPlaces {
			break
		}
		g.add(place{*c, m.similarity, m.text == g.same})
	}
	g.looks += n
	return nil
}

// add keeps p unless it is no page, is self, or its address has a likelier one.
func (g *gatherer) add(p place) {
	key := plainKey(&p.Capture)
	if key == g.self || p.Capture.Key != key || p.Capture.Status < 200 || p.Capture.Status > 299 {
		return
	}
	i, known := g.at[key]
	if !known {
		g.at[key] = len(g.out)
		g.out = append(g.out, p)
		return
	}
	if o := &g.out[i]; o.Similarity == p.Similarity && o.same == p.same && g.ts.Distance(p.Capture.Time) < g.ts.Distance(o.Capture.Time) {
		*o = p
	}
}

func order(places []place, self string, ts cdx.Timestamp) {
	home := hostOf(self)
	slices.SortStableFunc(places, func(a, b place) int {
		if a.Similarity != b.Similarity {
			return cmp.Compare(b.Similarity, a.Similarity)
		}
		if a.same != b.same {
			return first(a.same)
		}
		if x, y := hostOf(a.Capture.Key) == home, hostOf(b.Capture.Key) == home; x != y {
			return first(x)
		}
		return int(min(max(ts.Distance(a.Capture.Time)-ts.Distance(b.Capture.Time), -1), 1))
	})
}

func first(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// isPage reports whether what c shows is a page or a resource, and not one that only says "not found".
func (s *Archive) isPage(ctx context.Context, coll string, c *cdx.Capture) (bool, error) {
	tl, err := s.Timeline(ctx, coll, c.Key)
	if err != nil {
		return false, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return false, err
	}
	i := RangeOf(ranges, c.Time)
	return i >= 0 && isReal(&ranges[i]), nil
}

// hostOf is the host's part of a key.
func hostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}
