package archive

import (
	"context"
	"iter"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// manyCaptures is the number of captures of a URI-R from which on they are not all read to answer for one datetime.
const manyCaptures = 500

// An Original is a URI-R with its captures, of which no more are read than a question needs. So a TimeGate costs the same for
// half a million captures as for some hundred. It is safe for concurrent use.
type Original struct {
	Coll, Key string
	archive   *Archive
	whole     *Timeline // nil if there are many captures, which nobody has read lately
}

// Original returns the URI-R of an index key. One that was never captured has no captures.
func (s *Archive) Original(ctx context.Context, coll, key string) (*Original, error) {
	tl, err := s.timelines.short(ctx, coll, key)
	return &Original{coll, key, s, tl}, err
}

// Of returns the URI-R of a timeline, which may be nil.
func (s *Archive) Of(tl *Timeline) *Original {
	if tl == nil {
		return nil
	}
	return &Original{tl.Coll, tl.Key, s, tl}
}

// Timeline returns all captures.
func (o *Original) Timeline(ctx context.Context) (*Timeline, error) {
	if o.whole != nil {
		return o.whole, nil
	}
	return o.archive.Timeline(ctx, o.Coll, o.Key)
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
	err = o.steadily(func() (err error) {
		if first, err = o.first(ctx, false, 0); err == nil {
			last, err = o.first(ctx, true, 0)
		}
		return err
	})
	return first, last, err
}

// steadyTries is how often a question of several parts is asked again because the index changed meanwhile. An archive that
// changes all the time answers it from states that follow each other.
const steadyTries = 3

// steadily calls f, and again if the index has changed meanwhile.
func (o *Original) steadily(f func() error) error {
	for try := 1; ; try++ {
		generation := o.archive.Index.Generation()
		if err := f(); err != nil || try == steadyTries || o.archive.Index.Generation() == generation {
			return err
		}
	}
}

// first returns the first capture after a datetime or, backwards, the last before it; 0 is no datetime.
func (o *Original) first(ctx context.Context, backwards bool, ts cdx.Timestamp) (*cdx.Capture, error) {
	span := o.span()
	if span.Reverse = backwards; backwards && ts > 0 {
		span.Until = ts - 1
	} else if ts > 0 {
		span.Since = ts + 1
	}
	return FirstOf(o.archive.Index.Captures(ctx, span))
}

// Closest yields the captures by their distance from ts, nearest first. On a tie the earlier comes first. They are valid until
// the next one.
func (o *Original) Closest(ctx context.Context, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	if o.whole != nil {
		return o.whole.Closest(ts)
	}
	return o.archive.Index.Closest(ctx, o.Coll, o.Key, ts)
}

// Memento is [Timeline.Memento].
func (o *Original) Memento(ctx context.Context, ts cdx.Timestamp) (*cdx.Capture, error) {
	if o.whole != nil {
		return o.whole.Memento(ts), nil
	}
	if ts == 0 {
		return nil, nil
	}
	span := o.span()
	span.Since, span.Until = ts, ts
	var best *cdx.Capture
	for c, err := range o.archive.Index.Captures(ctx, span) {
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

// Nearest is [Archive.Nearest].
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
		if best != nil && o.archive.readable(ctx, best) {
			return best, nil
		}
	}
	if o.whole != nil || len(near) < fewNear {
		return nil, nil
	}
	tl, err := o.Timeline(ctx) // many can't be read
	if err != nil {
		return nil, err
	}
	return o.archive.Of(tl).Nearest(ctx, ts)
}

// fewNear is how many captures are looked at, nearest first, before the whole timeline is read.
const fewNear = 8

// usableTimes returns the datetimes of usable captures by their distance from ts: the nearest ones unless the timeline is in memory. A walk
// over the index holds a connection to it, so nothing else may be asked before it ends.
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
	if o.whole != nil || !IsRedirect(c) || !ToItself(c) {
		return LeadsElsewhere(o.whole, c), nil
	}
	for other, err := range o.archive.Index.Captures(ctx, o.span()) {
		if err != nil || Usable(other) {
			return false, err
		}
	}
	return true, nil
}

// Neighbourhood is [Timeline.Neighbourhood]. Of many captures it reads the timeline only if their versions are not kept.
func (o *Original) Neighbourhood(ctx context.Context, c *cdx.Capture) (n *memento.Neighbourhood, err error) {
	if o.whole != nil {
		return o.whole.Neighbourhood(c)
	}
	found := false
	err = o.steadily(func() error {
		n = &memento.Neighbourhood{Current: c}
		if found, err = o.nextVersions(ctx, n); err != nil || !found {
			return err
		}
		return o.besides(ctx, n)
	})
	if err != nil || found && n.First != nil {
		return n, err
	}
	tl, err := o.archive.Timeline(ctx, o.Coll, o.Key)
	if err != nil {
		return nil, err
	}
	if len(tl.Captures) == 0 { // all were removed since c was found
		return &memento.Neighbourhood{Current: c, First: c, Last: c}, nil
	}
	return tl.Neighbourhood(c)
}

// besides fills in what has nothing to do with versions.
func (o *Original) besides(ctx context.Context, n *memento.Neighbourhood) (err error) {
	if n.First, n.Last, err = o.Ends(ctx); err != nil {
		return err
	}
	for _, side := range []struct {
		to        **cdx.Capture
		backwards bool
	}{{&n.Prev, true}, {&n.Next, false}} {
		c, err := o.first(ctx, side.backwards, n.Current.Time)
		if err == nil && c != nil {
			*side.to, err = o.Memento(ctx, c.Time)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nextVersions fills in the captures at which the previous version ends and the next one begins. It reports whether the
// versions are kept.
func (o *Original) nextVersions(ctx context.Context, n *memento.Neighbourhood) (bool, error) {
	before, after, found, err := o.archive.timelines.around(ctx, o.Coll, o.Key, change.LevelContent, n.Current.Time)
	if err != nil || !found {
		return false, err
	}
	if n.Predecessor, err = o.Memento(ctx, before); err != nil {
		return false, err
	}
	n.Successor, err = o.Memento(ctx, after)
	return err == nil, err
}
