package replay

import (
	"cmp"
	"context"
	"slices"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
)

// An alternative is a page that may be what was asked for.
type alternative struct {
	capture    *cdx.Capture
	title      string
	similarity *float64 // to the last real capture; nil where one side has no text
	why        banner.Why
}

// alternatives proposes pages: those with similar content first, then neighbours by address.
func (s *Archive) alternatives(ctx context.Context, coll string, l *landing, ts cdx.Timestamp) ([]alternative, error) {
	src, key := &sketches{index: s.Index}, surt.Of(l.uriR)
	ref, err := l.reference(src)
	if err != nil {
		return nil, err
	}
	var out []alternative
	if ref != nil {
		if out, err = s.similarPages(ctx, coll, ref, l, ts); err != nil {
			return nil, err
		}
	}
	near, err := s.near(ctx, coll, key, ts)
	if err != nil {
		return nil, err
	}
	for _, a := range near {
		if !l.shown(a.capture) && !slices.ContainsFunc(out, func(o alternative) bool { return o.capture.Key == a.capture.Key }) {
			out = append(out, a)
		}
	}
	site, err := s.sites.get(ctx, coll, key)
	if err != nil {
		return nil, err
	}
	if err := describe(out, ref, src, key, site); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b alternative) int { return cmp.Compare(b.rank(), a.rank()) })
	return out, nil
}

// rank is the similarity where it says something, and 0 for those that keep the order of their reasons.
func (a *alternative) rank() float64 {
	if a.similarity == nil || *a.similarity < minSimilar {
		return 0
	}
	return *a.similarity
}

// reference is the text that was here, nil if there was none.
func (l *landing) reference(src *sketches) (*change.Sketch, error) {
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

// shown reports whether the landing page shows the address of c already: as where the redirect leads.
func (l *landing) shown(c *cdx.Capture) bool {
	return l.targetCapture != nil && c.Key == l.targetCapture.Key || l.end != nil && c.Key == l.end.Key
}

func (s *Archive) similarPages(ctx context.Context, coll string, ref *change.Sketch, l *landing, ts cdx.Timestamp) ([]alternative, error) {
	places, err := s.places(ctx, coll, ref, surt.Of(l.uriR), ts)
	if err != nil {
		return nil, err
	}
	var out []alternative
	for i := range places {
		c := &places[i].capture
		if len(out) == maxSimilar {
			break
		}
		if l.shown(c) {
			continue
		}
		page, err := s.isPage(ctx, coll, c)
		if err != nil {
			return nil, err
		}
		if page {
			out = append(out, alternative{capture: c, why: banner.WhySimilar})
		}
	}
	return out, nil
}

// describe adds title and similarity to ref, which stood at key. Of other hosts than its own nothing is set aside:
// learning them would take longer than all the rest.
func describe(all []alternative, ref *change.Sketch, src *sketches, key string, site *change.Site) error {
	for i := range all {
		a := &all[i]
		if a.capture.Text == 0 {
			continue
		}
		k, err := src.Sketch(a.capture.Text)
		if err != nil {
			return err
		}
		if k == nil {
			continue
		}
		if a.title = k.Title; hostOf(a.capture.Key) == hostOf(key) {
			a.similarity = similarityOn(ref, site, k, site)
		} else {
			a.similarity = similarityOn(ref, site, k, nil)
		}
	}
	return nil
}
