package replay

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
)

const (
	// minSimilar is the similarity from which on a page is proposed: below it little more than the
	// frame of a site is shared.
	minSimilar = 0.3
	// maxCandidates bounds how many texts that share a band are compared, those that share most first.
	maxCandidates = 500
	// maxPlaces bounds how many captures of one text are looked at, and maxAddresses how many addresses.
	maxPlaces    = 1000
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
func (s *Server) matches(ctx context.Context, coll string, ref *change.Sketch) ([]match, error) {
	ids, err := s.Index.SimilarTexts(ctx, coll, ref.MinHash.Bands(), maxCandidates)
	if err != nil {
		return nil, err
	}
	var out []match
	err = s.Index.Texts(ids, func(id uint64, b []byte) error {
		k, err := change.ParseSketchHead(b)
		if err != nil {
			return err
		}
		if v := similarity(ref, &k); v != nil && *v >= minSimilar {
			out = append(out, match{id, *v})
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b match) int {
		switch {
		case a.similarity != b.similarity:
			return compareFloat(b.similarity, a.similarity)
		case a.text == ref.ID:
			return -1
		case b.text == ref.ID:
			return 1
		}
		return 0
	})
	return out, err
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// A place is where a similar text stands: the capture of an address nearest to a moment.
type place struct {
	capture    cdx.Capture
	similarity float64
	same       bool // the very same text
}

// places finds the addresses other than self whose text is like ref: one capture of each, with its most
// similar text, as near to ts as can be. The most similar come first, then those on self's host, then the nearest in time.
func (s *Server) places(ctx context.Context, coll string, ref *change.Sketch, self string, ts cdx.Timestamp) ([]place, error) {
	found, err := s.matches(ctx, coll, ref)
	if err != nil {
		return nil, err
	}
	var out []place
	at := map[string]int{}
	for _, m := range found {
		if len(out) >= maxAddresses {
			break
		}
		n := 0
		for c, err := range s.Index.WhereText(ctx, coll, m.text) {
			if err != nil {
				return nil, err
			}
			if n++; n > maxPlaces {
				break
			}
			key := plainKey(c)
			if key == self || c.Key != key || c.Status < 200 || c.Status > 299 {
				continue
			}
			p := place{*c, m.similarity, m.text == ref.ID}
			if i, ok := at[key]; !ok {
				at[key] = len(out)
				out = append(out, p)
			} else if o := &out[i]; o.similarity == p.similarity && o.same == p.same && ts.Distance(c.Time) < ts.Distance(o.capture.Time) {
				*o = p
			}
		}
	}
	order(out, self, ts)
	return out, nil
}

func order(places []place, self string, ts cdx.Timestamp) {
	home := hostOf(self)
	slices.SortStableFunc(places, func(a, b place) int {
		if a.similarity != b.similarity {
			return compareFloat(b.similarity, a.similarity)
		}
		if a.same != b.same {
			return first(a.same)
		}
		if x, y := hostOf(a.capture.Key) == home, hostOf(b.capture.Key) == home; x != y {
			return first(x)
		}
		return int(min(max(ts.Distance(a.capture.Time)-ts.Distance(b.capture.Time), -1), 1))
	})
}

func first(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// isPage reports whether what c shows is a page or a resource, and not one that only says "not found".
func (s *Server) isPage(ctx context.Context, coll string, c *cdx.Capture) (bool, error) {
	tl, err := s.timelines.get(ctx, coll, c.Key)
	if err != nil {
		return false, err
	}
	ranges, err := tl.levels(change.LevelContent)
	if err != nil {
		return false, err
	}
	i := rangeOf(ranges, c.Time)
	return i >= 0 && isReal(&ranges[i]), nil
}

// hostOf is the host's part of a key.
func hostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}
