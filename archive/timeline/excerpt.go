package timeline

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// An excerpt is the part of a long timeline that a request about one datetime needs: the first and last capture, the captures around the
// datetime, and the cached versions, all from one state of the index. It is safe for concurrent use.
type excerpt struct {
	generation  uint64 // of the view, before the excerpt was read
	ts          cdx.Timestamp
	first, last *cdx.Capture // nil if there is none
	near        *Timeline    // all captures from from to to
	from, to    cdx.Timestamp
	cached      *index.Cached // the versions; nil if none are cached, or they are stale

	mu       sync.Mutex
	contents *contents        // of cached, nil until needed
	have     map[int]*chapter // chapters that were read
}

const (
	// nearCaptures is the number of captures read on each side of a datetime: those that may be looked at, and one more.
	nearCaptures = fewNear + 1
	// maxNear bounds them, since a second may have many captures.
	maxNear = 1000
	// endOfTime is after all captures.
	endOfTime = cdx.Timestamp(math.MaxInt64)
	// maxChapters is how many chapters are read ahead.
	maxChapters = 64
)

// readOrExcerpt reads the timeline of a key if it has at most most captures; otherwise, or if most is 0, it takes an excerpt around ts, 0
// for the end.
func (t *Timelines) readOrExcerpt(ctx context.Context, coll, key string, ts cdx.Timestamp, most int) (tl *Timeline, g *excerpt, err error) {
	tl = t.blank(coll, key)
	name, caches := t.cacheName(coll, key, change.LevelContent)
	sides := sidesOf(coll, key, ts)
	all := cdx.Span{Coll: coll, From: key, Exact: true}
	end := all
	end.Reverse = true
	reads := index.Prefetch{Spans: []index.PrefetchSpan{{Span: all, Most: min(most, maxNear) + 1}}}
	if ts != 0 { // otherwise the end has been read already
		reads.Spans = append(reads.Spans, index.PrefetchSpan{Span: end, Most: 1})
	}
	for _, s := range sides {
		reads.Spans = append(reads.Spans, index.PrefetchSpan{Span: s, Most: nearCaptures + 1})
	}
	if caches {
		reads.Cached = []index.CacheName{name}
	}
	reads.Facts = t.sites.prefetch(coll, key)
	err = t.index.Read(ctx, reads, func(snap *view.Snapshot) error {
		if err := t.sites.take(snap, reads.Facts, tl.Generation); err != nil {
			return err
		}
		if whole, err := tl.fill(snap.Captures(all), most); err != nil || most > 0 && whole {
			return err
		}
		g = &excerpt{generation: tl.Generation, ts: ts, have: map[int]*chapter{}}
		if len(tl.Captures) > 0 {
			g.first = &tl.Captures[0]
		}
		var err error
		if g.last, err = FirstOf(snap.Captures(end)); err != nil {
			return err
		}
		if err := g.around(snap, t.blank(coll, key), sides); err != nil || !caches {
			return err
		}
		g.cached, err = snap.Cached(name)
		if g.cached != nil && !g.cached.Fresh() {
			g.cached = nil
		}
		return err
	})
	if g != nil {
		tl = nil
	}
	return tl, g, err
}

// fill reads the first most captures, at least one, and reports whether these are all.
func (t *Timeline) fill(captures iter.Seq2[*cdx.Capture, error], most int) (whole bool, err error) {
	for c, err := range captures {
		switch {
		case err != nil:
			return false, err
		case len(t.Captures) >= max(most, 1):
			return false, nil
		}
		t.Captures = append(t.Captures, *c)
	}
	return true, nil
}

// sidesOf returns spans of the captures before a datetime, backwards, and of those from it on.
func sidesOf(coll, key string, ts cdx.Timestamp) []cdx.Span {
	before := cdx.Span{Coll: coll, From: key, Exact: true, Reverse: true}
	if ts == 0 {
		return []cdx.Span{before}
	}
	before.Until = ts - 1
	return []cdx.Span{before, {Coll: coll, From: key, Exact: true, Since: ts}}
}

// around reads the captures around the datetime into a timeline.
func (g *excerpt) around(snap *view.Snapshot, near *Timeline, sides []cdx.Span) error {
	g.near, g.to = near, endOfTime
	before, whole, err := firstSeconds(snap.Captures(sides[0]))
	if err != nil {
		return err
	}
	if n := len(before); !whole {
		g.from = before[n-1].Time
	}
	slices.Reverse(before)
	near.Captures = before
	if len(sides) > 1 {
		after, whole, err := firstSeconds(snap.Captures(sides[1]))
		if err != nil {
			return err
		}
		if n := len(after); !whole {
			g.to = after[n-1].Time
		}
		near.Captures = append(before, after...)
	}
	if len(near.Captures) >= maxNear { // perhaps not all captures of the outer seconds were read
		near.Captures, g.from, g.to = nil, 1, 0
	}
	return nil
}

// firstSeconds returns the captures of the first seconds, only whole seconds, and reports whether these are all captures.
func firstSeconds(captures iter.Seq2[*cdx.Capture, error]) (some []cdx.Capture, whole bool, err error) {
	for c, err := range captures {
		if err != nil {
			return nil, false, err
		}
		n := len(some)
		if n >= maxNear || n >= nearCaptures && c.Time != some[n-1].Time {
			return some, false, nil
		}
		some = append(some, *c)
	}
	return some, true, nil
}

// covers reports whether all captures at a datetime are known.
func (g *excerpt) covers(ts cdx.Timestamp) bool { return g.from <= ts && ts <= g.to }

// hasNeighbours reports whether the captures right before and after a datetime are known too.
func (g *excerpt) hasNeighbours(ts cdx.Timestamp) bool {
	from, to := g.near.Second(ts)
	return g.covers(ts) && (from > 0 || g.from == 0) && (to < len(g.near.Captures) || g.to == endOfTime)
}

// closest yields captures by their distance from a datetime, as long as no other capture can be nearer.
func (g *excerpt) closest(ts cdx.Timestamp) iter.Seq[*cdx.Capture] {
	return func(yield func(*cdx.Capture) bool) {
		for c := range g.near.Closest(ts) {
			d := c.Time.Distance(ts)
			if g.from != 0 && d > g.from.Distance(ts) || g.to != endOfTime && d > g.to.Distance(ts) || !yield(c) {
				return
			}
		}
	}
}

// neighbourhood returns the neighbourhood of a capture without versions. The excerpt must surround the capture.
func (g *excerpt) neighbourhood(c *cdx.Capture) *memento.Neighbourhood {
	n := &memento.Neighbourhood{Current: c, First: g.first, Last: g.last}
	n.Prev, n.Next = g.near.adjacent(c.Time)
	return n
}

// withVersions calls f with the cached versions, and reports whether there are any. The chapters around ts are read in advance. Chapters
// that are read later still belong to the excerpt's state, because parts are never changed, only deleted.
func (g *excerpt) withVersions(ctx context.Context, t *Timelines, ts cdx.Timestamp, f func(*cachedVersions) error) (found bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cached != nil && g.contents == nil {
		g.contents = t.contentsOf(g.cached)
	}
	if g.contents == nil {
		return false, nil
	}
	s := &cachedVersions{contents: g.contents, have: g.have}
	err = t.index.Whole.Cache().Reopen(ctx, g.cached, s.missing(s.chaptersAround(ts)), func(e *index.Cached) error {
		s.entry = e
		return f(s)
	})
	return asMissing(err == nil, err)
}

// missing returns the numbers of the parts for chapters from to to-1 that were not read yet.
func (s *cachedVersions) missing(from, to int) (numbers []uint64) {
	for i := from; i < to; i++ {
		if s.have[i] == nil {
			numbers = append(numbers, s.chapters[i].number)
		}
	}
	return numbers
}

// chaptersAround returns the range of the chapters that have the version at a datetime and its neighbours, wherever in its chapter that
// version is.
func (s *cachedVersions) chaptersAround(ts cdx.Timestamp) (from, to int) {
	if len(s.chapters) == 0 {
		return 0, 0
	}
	in := max(s.chapterAt(ts), 0)
	_, before := s.before(in)
	from, _ = s.chapterOf(max(before-2, 0))
	to, _ = s.chapterOf(before + s.chapters[in].versions + 1)
	from, to = max(min(from, in), in-maxChapters/2), min(max(to, in), in+maxChapters/2)
	return from, to + 1
}

// beside returns the versions before and after the one at a datetime, nil at the ends.
func (s *cachedVersions) beside(ts cdx.Timestamp) (before, after *version, err error) {
	n, some, err := s.around(ts)
	if err != nil {
		return nil, nil, err
	}
	i := n - max(n-1, 0) // of the one that holds
	if n > 0 {
		before = &some[i-1]
	}
	if i+1 < len(some) {
		after = &some[i+1]
	}
	return before, after, nil
}
