package similar

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
)

const (
	// Min is the lowest similarity at which a page is proposed. Below it, two pages share little more than the
	// furniture of their site.
	Min = 0.3
	// maxCandidates bounds how many texts that share a band are compared. Those that share most bands come first.
	maxCandidates = 500
	// maxPlaces bounds the captures that are read for one text, maxLooks those for all texts, and maxAddresses the URI-Rs that are found.
	maxPlaces    = 1_000
	maxLooks     = 10_000
	maxAddresses = 200
)

// similarity returns nil if either text has no content of its own.
func similarity(a, b *sketch.Sketch) *float64 {
	if a == nil || b == nil || a.MinHash.Empty() || b.MinHash.Empty() {
		return nil
	}
	return rounded(sketch.Similarity(a, b))
}

// IgnoringFurniture returns the similarity of two texts, from 0 to 1, without the furniture and volatile blocks of their sites; nil if
// either has no content of its own.
func IgnoringFurniture(a *sketch.Sketch, siteA *site.Site, b *sketch.Sketch, siteB *site.Site) *float64 {
	if a == nil || b == nil || a.MinHash.Empty() || b.MinHash.Empty() {
		return nil
	}
	return rounded(site.SimilarityAside(a, siteA, b, siteB))
}

// rounded rounds to the decimal places that the estimate supports.
func rounded(v float64) *float64 {
	v = math.Round(v*1000) / 1000
	return &v
}

// A match is a text similar to another, and how similar it is.
type match struct {
	text       uint64
	similarity float64
}

// matches finds the texts of a collection similar to ref, most similar first. An identical text precedes others.
func matches(ctx context.Context, index *view.View, coll string, ref *sketch.Sketch) ([]match, error) {
	ids, err := index.SimilarTexts(ctx, coll, ref.MinHash.Bands(), maxCandidates)
	if err != nil {
		return nil, err
	}
	var out []match
	err = index.Texts(ctx, ids, func(id uint64, b []byte) error {
		k, err := sketch.ParseHead(b)
		if err != nil {
			return err
		}
		if v := similarity(ref, &k); v != nil && *v >= Min {
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

// A Place is a capture with a similar text, the nearest of its URI-R to a datetime.
type Place struct {
	Capture    cdx.Capture
	Similarity float64
	same       bool // the text is identical
}

// Places finds the URI-Rs other than key whose text is similar to ref. For each it returns the capture with the most
// similar text, as near to ts as possible. Most similar come first, then those on the same host as key, then the
// nearest in time.
func Places(
	ctx context.Context, index *view.View, coll string, ref *sketch.Sketch, key string, ts cdx.Timestamp,
) ([]Place, error) {
	found, err := matches(ctx, index, coll, ref)
	if err != nil {
		return nil, err
	}
	g := gatherer{key: key, ts: ts, same: ref.ID, at: map[string]int{}}
	for _, m := range found {
		if len(g.out) >= maxAddresses || g.looks > maxLooks {
			break
		}
		if err := g.gather(m, index.WhereText(ctx, coll, m.text)); err != nil {
			return nil, err
		}
	}
	order(g.out, key, ts)
	return g.out, nil
}

// A gatherer collects one place for each URI-R.
type gatherer struct {
	key   string
	ts    cdx.Timestamp
	same  uint64 // the ID of the text to compare with
	out   []Place
	at    map[string]int // positions in out, by key
	looks int
}

// gather adds the captures that have a text.
func (g *gatherer) gather(m match, captures iter.Seq2[*cdx.Capture, error]) error {
	n := 0
	for c, err := range captures {
		if err != nil {
			return err
		}
		if n++; n > maxPlaces {
			break
		}
		g.add(Place{*c, m.similarity, m.text == g.same})
	}
	g.looks += n
	return nil
}

// add keeps p unless it is no page, is a capture of g.key, or its URI-R already has a better place.
func (g *gatherer) add(p Place) {
	key := timeline.PlainKey(&p.Capture)
	if key == g.key || p.Capture.Key != key || p.Capture.Status < 200 || p.Capture.Status > 299 {
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

func order(places []Place, key string, ts cdx.Timestamp) {
	home := HostOf(key)
	slices.SortStableFunc(places, func(a, b Place) int {
		if a.Similarity != b.Similarity {
			return cmp.Compare(b.Similarity, a.Similarity)
		}
		if a.same != b.same {
			return trueFirst(a.same)
		}
		if x, y := HostOf(a.Capture.Key) == home, HostOf(b.Capture.Key) == home; x != y {
			return trueFirst(x)
		}
		return int(min(max(ts.Distance(a.Capture.Time)-ts.Distance(b.Capture.Time), -1), 1))
	})
}

func trueFirst(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// HostOf returns the host part of a key.
func HostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}
