package landing

import (
	"cmp"
	"context"
	"slices"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// An Alternative is a page that may be the one that was asked for.
type Alternative struct {
	Capture    *cdx.Capture
	Similarity *float64 // to the last real capture; nil if one of them has no text
	Why        Why
}

// alternatives proposes pages: first those with similar content, then neighbours by address.
func (f *finder) alternatives(ctx context.Context, coll string, l *Landing, ts cdx.Timestamp) ([]Alternative, error) {
	src, key := f.in.Sketches(), surt.Of(l.URIR)
	ref, err := l.reference(src)
	if err != nil {
		return nil, err
	}
	var out []Alternative
	if ref != nil {
		if out, err = f.similarPages(ctx, coll, ref, l, ts); err != nil {
			return nil, err
		}
	}
	near, err := f.nearbyPages(ctx, coll, l.URIR, ts)
	if err != nil {
		return nil, err
	}
	for _, a := range near {
		if !l.alreadyShown(a.Capture) && !slices.ContainsFunc(out, func(o Alternative) bool { return o.Capture.Key == a.Capture.Key }) {
			out = append(out, a)
		}
	}
	site, err := f.in.Sites().Get(ctx, coll, key)
	if err != nil {
		return nil, err
	}
	if err := describe(out, ref, src, key, site); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b Alternative) int { return cmp.Compare(b.Rank(), a.Rank()) })
	return out, nil
}

// Rank returns the similarity if it is high enough to be meaningful, else 0, so that alternatives with equal rank keep their order.
func (a *Alternative) Rank() float64 {
	if a.Similarity == nil || *a.Similarity < similar.Min {
		return 0
	}
	return *a.Similarity
}

// reference returns the sketch of the last real capture's text, nil if it has none.
func (l *Landing) reference(src *timeline.Sketches) (*sketch.Sketch, error) {
	c := l.lastReal()
	if c == nil || c.Text == 0 {
		return nil, nil
	}
	k, err := src.Sketch(c.Text)
	if k == nil || k.MinHash.Empty() {
		return nil, err
	}
	return k, err
}

// alreadyShown reports whether the landing page already shows the address of c: as the target of the redirect, or as what was there before
// or after.
func (l *Landing) alreadyShown(c *cdx.Capture) bool {
	if real := l.lastReal(); real != nil && c.URL == real.URL {
		return true
	}
	return l.targetCapture != nil && c.Key == l.targetCapture.Key || l.end != nil && c.Key == l.end.Key
}

func (f *finder) similarPages(ctx context.Context, coll string, ref *sketch.Sketch, l *Landing, ts cdx.Timestamp) ([]Alternative, error) {
	places, err := similar.Places(ctx, f.in.View(), coll, ref, surt.Of(l.URIR), ts)
	if err != nil {
		return nil, err
	}
	var out []Alternative
	for i := range places {
		c := &places[i].Capture
		if len(out) == maxSimilar {
			break
		}
		if l.alreadyShown(c) {
			continue
		}
		page, err := f.in.IsPage(ctx, coll, c)
		if err != nil {
			return nil, err
		}
		if page {
			out = append(out, Alternative{Capture: c, Why: WhySimilar})
		}
	}
	return out, nil
}

// describe sets the similarities to ref, the sketch of a capture of key. It excludes volatile blocks only on the host of key,
// because learning those of other hosts would take too long.
func describe(all []Alternative, ref *sketch.Sketch, src *timeline.Sketches, key string, site *site.Site) error {
	for i := range all {
		a := &all[i]
		if a.Capture.Text == 0 {
			continue
		}
		k, err := src.Sketch(a.Capture.Text)
		if err != nil {
			return err
		}
		if k == nil {
			continue
		}
		if similar.HostOf(a.Capture.Key) == similar.HostOf(key) {
			a.Similarity = similar.IgnoringFurniture(ref, site, k, site)
		} else {
			a.Similarity = similar.IgnoringFurniture(ref, site, k, nil)
		}
	}
	return nil
}
