package duplicates

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Kind is the relation of two similar captures.
type Kind uint8

// The kinds, from near to far. A group has the farthest kind of its pairs.
const (
	Version Kind = iota // two versions of one URI-R
	Copy                // two URI-Rs of one host, furniture similar too
	Mirror              // the same on two hosts
	Article             // only the own content is similar
	Picture             // equal pictures
)

// String returns the word for a kind in JSON and in what commands print.
func (k Kind) String() string {
	return [...]string{"version", "copy", "mirror", "article", "picture"}[k]
}

// kindOf returns the relation of two captures with similar own content. whole says that the furniture is similar too.
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

func host(c *cdx.Capture) string { return surt.HostOf(c.Key) }

// farthest returns the kind of a group. Among captures with the same text, it compares each with the first only.
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

// compareAround finds out for which pairs of texts the furniture is similar.
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

// furniture returns the number of words in the blocks of furniture, by mask, so that dates and counters are ignored.
func furniture(k *sketch.Sketch) map[uint32]uint32 {
	out := map[uint32]uint32{}
	for _, b := range k.Blocks {
		if b.Region.Furniture() {
			out[b.Mask] += b.Fields
		}
	}
	return out
}

// alike returns the share of words in both, 1 if there are none.
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
