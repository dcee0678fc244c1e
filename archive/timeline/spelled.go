package timeline

import (
	"context"
	"iter"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// mostOthers is how many captures of other spellings are passed over in search of one that is spelled as asked.
const mostOthers = 256

// Spelled returns the URI-R with those captures only whose address is spelled as uriR, if some of these can be shown and others are
// spelled in another way. Of very many captures it looks at the ends and those near the datetime to find out whether there are others.
func (o *Original) Spelled(ctx context.Context, uriR string) (*Original, error) {
	if g := o.seen.Load(); o.whole == nil && g != nil && !g.otherThan(uriR) {
		return o, nil
	}
	tl, err := o.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	if own := tl.Spelled(uriR); own != tl {
		return &Original{Coll: o.Coll, Key: o.Key, of: o.of, whole: own}, nil
	}
	return o, nil
}

// otherThan reports whether a capture that was seen is spelled in another way than uriR.
func (g *excerpt) otherThan(uriR string) bool {
	for _, c := range []*cdx.Capture{g.first, g.last} {
		if c != nil && !surt.SameSpelling(c.URL, uriR) {
			return true
		}
	}
	for i := range g.near.Captures {
		if !surt.SameSpelling(g.near.Captures[i].URL, uriR) {
			return true
		}
	}
	return false
}

// Spelled returns the timeline of a URI-R: of its key, with those captures only that [Original.Spelled] counts.
func (t *Timelines) Spelled(ctx context.Context, coll, uriR string) (*Timeline, error) {
	tl, err := t.Get(ctx, coll, surt.Of(uriR))
	if err != nil {
		return nil, err
	}
	return tl.Spelled(uriR), nil
}

// Spelled is [Original.Spelled]. It returns the timeline itself if all captures count.
func (t *Timeline) Spelled(uriR string) *Timeline {
	other := func(c cdx.Capture) bool { return !surt.SameSpelling(c.URL, uriR) }
	if !slices.ContainsFunc(t.Captures, other) {
		return t // as nearly always, and then nothing is copied
	}
	own := slices.DeleteFunc(slices.Clone(t.Captures), other)
	if !slices.ContainsFunc(own, func(c cdx.Capture) bool { return Usable(&c) }) {
		return t
	}
	return &Timeline{Coll: t.Coll, Key: t.Key, Generation: t.Generation, Captures: own, find: t.find, sketches: t.sketches}
}

// FirstSpelled is [FirstUsable] among the candidates that are spelled as uriR, or among all if there is none.
func FirstSpelled(uriR string, ts cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) *cdx.Capture {
	own := func(yield func(*cdx.Capture, error) bool) {
		others := 0
		for c, err := range candidates {
			if err == nil && !surt.SameSpelling(c.URL, uriR) {
				if others++; others == mostOthers {
					return
				}
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
	if c := FirstUsable(ts, own); c != nil {
		return c
	}
	return FirstUsable(ts, candidates)
}
