package timeline

import (
	"context"
	"iter"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxOthers is the number of captures with other spellings that are skipped in search of one with the given spelling.
const maxOthers = 256

// Spelled returns the URI-R with only the captures whose address is spelled as uriR, if some of these can be shown and others are spelled
// differently. If there are very many captures, it only looks at both ends and around the datetime to find other spellings.
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

// Spelling returns how the captures are spelled if others of the key are left out, else "".
func (o *Original) Spelling() string {
	if o.whole == nil {
		return ""
	}
	return o.whole.spelling
}

// Spelling is [Original.Spelling].
func (t *Timeline) Spelling() string { return t.spelling }

// otherThan reports whether a capture in the excerpt is spelled differently from uriR.
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

// Spelled returns the timeline of a URI-R with only the captures that [Original.Spelled] keeps.
func (t *Timelines) Spelled(ctx context.Context, coll, uriR string) (*Timeline, error) {
	tl, err := t.Get(ctx, coll, surt.Of(uriR))
	if err != nil {
		return nil, err
	}
	return tl.Spelled(uriR), nil
}

// Spelled is [Original.Spelled]. It returns t itself if it keeps all captures.
func (t *Timeline) Spelled(uriR string) *Timeline {
	other := func(c cdx.Capture) bool { return !surt.SameSpelling(c.URL, uriR) }
	if !slices.ContainsFunc(t.Captures, other) {
		return t // the usual case
	}
	own := slices.DeleteFunc(slices.Clone(t.Captures), other)
	if !slices.ContainsFunc(own, func(c cdx.Capture) bool { return Usable(&c) }) {
		return t
	}
	return &Timeline{
		Coll: t.Coll, Key: t.Key, Generation: t.Generation, Captures: own, spelling: uriR, find: t.find, sketches: t.sketches,
		comparer: t.comparer,
	}
}

// FirstSpelled is [FirstUsable] among the candidates spelled as uriR, or among all if there are none.
func FirstSpelled(uriR string, ts cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) *cdx.Capture {
	own := func(yield func(*cdx.Capture, error) bool) {
		others := 0
		for c, err := range candidates {
			if err == nil && !surt.SameSpelling(c.URL, uriR) {
				if others++; others == maxOthers {
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
