package timeline

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// manyCaptures is the number of captures of a URI-R from which on an answer about one datetime doesn't read all of them.
const manyCaptures = 500

// An Original is a URI-R with its captures, of which it reads only those that a question needs. So a TimeGate costs the same for half a
// million captures as for some hundred. It is safe for concurrent use.
type Original struct {
	Coll, Key string
	of        *Timelines
	whole     *Timeline               // nil if there are many captures and they are not cached
	seen      atomic.Pointer[excerpt] // the last excerpt, nil if there was none
}

// Original returns the URI-R of an index key. ts is the datetime that will be asked about, or 0 for the newest capture: if there are many
// captures, those around it are read. The result may have no captures.
func (t *Timelines) Original(ctx context.Context, coll, key string, ts cdx.Timestamp) (*Original, error) {
	tl, g, err := t.short(ctx, coll, key, ts)
	if err != nil {
		return nil, err
	}
	o := &Original{Coll: coll, Key: key, of: t, whole: tl}
	o.seen.Store(g)
	return o, nil
}

// Of returns the Original of a timeline, which may be nil.
func (t *Timelines) Of(tl *Timeline) *Original {
	if tl == nil {
		return nil
	}
	return &Original{Coll: tl.Coll, Key: tl.Key, of: t, whole: tl}
}

// Timeline returns all captures.
func (o *Original) Timeline(ctx context.Context) (*Timeline, error) {
	if o.whole != nil {
		return o.whole, nil
	}
	return o.of.Get(ctx, o.Coll, o.Key)
}

// span returns all captures as a span.
func (o *Original) span() cdx.Span { return cdx.Span{Coll: o.Coll, From: o.Key, Exact: true} }

// Ends returns the first and the last capture, nil if there is none.
func (o *Original) Ends(ctx context.Context) (first, last *cdx.Capture, err error) {
	if tl := o.whole; tl != nil {
		if n := len(tl.Captures); n > 0 {
			return &tl.Captures[0], &tl.Captures[n-1], nil
		}
		return nil, nil, nil
	}
	g, err := o.excerpt(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	return g.first, g.last, nil
}

// excerpt returns the last excerpt, or else one around ts.
func (o *Original) excerpt(ctx context.Context, ts cdx.Timestamp) (*excerpt, error) {
	if g := o.seen.Load(); g != nil {
		return g, nil
	}
	return o.again(ctx, ts)
}

// Closest yields the captures by their distance from ts, nearest first. On a tie the earlier comes first. They are valid until
// the next one.
func (o *Original) Closest(ctx context.Context, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	if o.whole != nil {
		return o.whole.Closest(ts)
	}
	return func(yield func(*cdx.Capture, error) bool) {
		known := 0
		if g := o.seen.Load(); g != nil && g.covers(ts) {
			for c := range g.closest(ts) {
				if known++; !yield(c, nil) {
					return
				}
			}
		}
		for c, err := range o.of.index.Closest(ctx, o.Coll, o.Key, ts) {
			if known > 0 && err == nil {
				known--
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Memento is [Timeline.Memento].
func (o *Original) Memento(ctx context.Context, ts cdx.Timestamp) (*cdx.Capture, error) {
	if o.whole != nil {
		return o.whole.Memento(ts), nil
	}
	if ts == 0 {
		return nil, nil
	}
	if g := o.seen.Load(); g != nil && g.covers(ts) {
		return g.near.Memento(ts), nil
	}
	span := o.span()
	span.Since, span.Until = ts, ts
	var best *cdx.Capture
	for c, err := range o.of.index.Captures(ctx, span) {
		if err != nil {
			return nil, err
		}
		if standsFor(c, best) {
			keep := *c
			best = &keep
		}
	}
	return best, nil
}

// Nearest is [Timelines.Nearest].
func (o *Original) Nearest(ctx context.Context, ts cdx.Timestamp) (*cdx.Capture, error) {
	near, err := o.usableTimes(ctx, ts)
	if err != nil {
		return nil, err
	}
	for _, at := range near {
		best, err := o.Memento(ctx, at)
		if err != nil {
			return nil, err
		}
		if best != nil && !o.of.isLost(ctx, best) {
			return best, nil
		}
	}
	if o.whole != nil || len(near) < fewNear {
		return nil, nil
	}
	tl, err := o.Timeline(ctx) // none of the near ones can be read
	if err != nil {
		return nil, err
	}
	return o.of.Of(tl).Nearest(ctx, ts)
}

// fewNear is the number of nearest captures that are tried before the whole timeline is read.
const fewNear = 8

// usableTimes returns the datetimes of usable captures by their distance from ts: only the nearest, unless the timeline is in memory. It
// collects them first, because reading the index keeps a connection busy.
func (o *Original) usableTimes(ctx context.Context, ts cdx.Timestamp) (near []cdx.Timestamp, err error) {
	for c, err := range memento.Preferred(ts, o.Closest(ctx, ts)) {
		switch {
		case err != nil:
			return nil, err
		case !Usable(c) || len(near) > 0 && near[len(near)-1] == c.Time:
			continue
		}
		if near = append(near, c.Time); o.whole == nil && len(near) == fewNear {
			break
		}
	}
	return near, nil
}

// LeadsElsewhere is [LeadsElsewhere] for a capture of the URI-R.
func (o *Original) LeadsElsewhere(ctx context.Context, c *cdx.Capture) (bool, error) {
	if o.whole != nil || !ToItself(c) {
		return LeadsElsewhere(o.whole, c), nil
	}
	for other, err := range o.of.index.Captures(ctx, o.span()) {
		if err != nil || Usable(other) {
			return false, err
		}
	}
	return true, nil
}

// Neighbourhood is [Timeline.Neighbourhood]. If there are many captures, it reads the whole timeline only if their versions are not cached.
// The captures at the ends of adjacent versions may then have only key, datetime and URL.
func (o *Original) Neighbourhood(ctx context.Context, c *cdx.Capture) (n *memento.Neighbourhood, err error) {
	if o.whole != nil {
		return o.whole.Neighbourhood(c)
	}
	_, found, err := o.withVersions(ctx, c.Time, func(g *excerpt, s *cachedVersions) error {
		n = g.neighbourhood(c)
		before, after, err := s.beside(c.Time)
		if before != nil {
			n.Predecessor = &cdx.Capture{Key: o.Key, Time: before.Last, URL: before.LastURL}
		}
		if after != nil {
			n.Successor = &cdx.Capture{Key: o.Key, Time: after.First, URL: after.FirstURL}
		}
		return err
	})
	if err != nil || found && n.First != nil {
		return n, err
	}
	tl, err := o.of.Get(ctx, o.Coll, o.Key)
	if err != nil {
		return nil, err
	}
	if len(tl.Captures) == 0 { // all captures were removed meanwhile
		return &memento.Neighbourhood{Current: c, First: c, Last: c}, nil
	}
	return tl.Neighbourhood(c)
}

// withVersions calls f with an excerpt that surrounds ts and its cached versions, and returns that excerpt. Stale versions are revalidated
// first. found is false if none are cached. f may be called again.
func (o *Original) withVersions(
	ctx context.Context, ts cdx.Timestamp, f func(*excerpt, *cachedVersions) error,
) (g *excerpt, found bool, err error) {
	t := o.of
	name, ok := t.cacheName(o.Coll, o.Key, change.LevelContent)
	if !ok {
		return nil, false, nil
	}
	for try := 1; ; try++ {
		if g = o.seen.Load(); try > 1 || g == nil || !g.hasNeighbours(ts) {
			if g, err = o.again(ctx, ts); err != nil {
				return nil, false, err
			}
		}
		if !g.hasNeighbours(ts) { // one second has very many captures
			return g, false, nil
		}
		found, err = g.withVersions(ctx, t, ts, func(s *cachedVersions) error { return f(g, s) })
		if found || err != nil || try > 1 || !(revalidation{t}).revalidated(ctx, name) {
			return g, found, errors.Join(err, ctx.Err())
		}
	}
}

// again takes a new excerpt around ts.
func (o *Original) again(ctx context.Context, ts cdx.Timestamp) (*excerpt, error) {
	_, g, err := o.of.readOrExcerpt(ctx, o.Coll, o.Key, ts, 0)
	if err == nil {
		o.seen.Store(g)
	}
	return g, err
}
