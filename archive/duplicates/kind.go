package duplicates

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Kind says what two captures that are alike are to each other.
type Kind uint8

// The kinds, from near to far. A group is of the farthest kind between two of its captures.
const (
	Version Kind = iota // two versions of one URI-R
	Copy                // all content of two URI-Rs of one host is alike
	Mirror              // all content on two hosts is alike
	Article             // the own content is alike, what is around it isn't
	Picture             // equal pictures
)

// String returns the word for a kind in JSON and in what commands print.
func (k Kind) String() string {
	return [...]string{"version", "copy", "mirror", "article", "picture"}[k]
}

// kindOf tells two captures whose own content is alike. whole says that what is around it is alike, too.
func kindOf(a, b *cdx.Capture, whole bool) Kind {
	switch {
	case a.Key == b.Key:
		return Version
	case !whole:
		return Article
	case host(a) == host(b):
		return Copy
	}
	return Mirror
}

// host returns the host of a capture.
func host(c *cdx.Capture) string { return surt.HostOf(c.Key) }

// farthest returns the kind of a group. Of captures with one text, those that are alike with the first tell it for all.
func (g *Group) farthest() (far Kind) {
	compare := func(as, bs []cdx.Capture, whole bool) {
		for i := range bs {
			far = max(far, kindOf(&as[0], &bs[i], whole))
		}
	}
	for _, captures := range g.texts {
		compare(captures, captures, true)
	}
	for _, e := range g.edges {
		compare(g.texts[e.a], g.texts[e.b], e.whole)
		compare(g.texts[e.b], g.texts[e.a], e.whole)
	}
	return far
}

// maxSketches bounds how many sketches are cached while furniture is compared, some kB each.
const maxSketches = 1 << 12

// compareAround finds out of which pairs of texts the furniture is alike.
func (f *finder) compareAround(ctx context.Context) error {
	cache, _ := lru.New[uint64, map[uint32]uint32](maxSketches) // the error is for a size of 0
	around := func(text uint64) (map[uint32]uint32, error) {
		if known, ok := cache.Get(text); ok {
			return known, nil
		}
		out := map[uint32]uint32{}
		err := f.archive.Index.Text(ctx, text, func(b []byte) error {
			k, err := sketch.Parse(b)
			out = furniture(&k)
			return err
		})
		cache.Add(text, out)
		return out, err
	}
	for i := range f.edges {
		e := &f.edges[i]
		a, err := around(f.shown[e.a][0].Text)
		if err != nil {
			return err
		}
		b, err := around(f.shown[e.b][0].Text)
		if err != nil {
			return err
		}
		e.whole = alike(a, b) >= f.query.Threshold
	}
	return ctx.Err()
}

// furniture returns how many words the blocks around a page's own content have, by their masks: dates and counters don't tell pages apart.
func furniture(k *sketch.Sketch) map[uint32]uint32 {
	out := map[uint32]uint32{}
	for _, b := range k.Blocks {
		if b.Region.Furniture() {
			out[b.Mask] += b.Fields
		}
	}
	return out
}

// alike returns which share of words is in both, 1 if there are none.
func alike(a, b map[uint32]uint32) float64 {
	var both, either uint32
	for mask, n := range a {
		both, either = both+min(n, b[mask]), either+max(n, b[mask])
	}
	for mask, n := range b {
		if _, ok := a[mask]; !ok {
			either += n
		}
	}
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}
