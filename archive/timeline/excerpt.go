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

// An excerpt is what a request about one datetime wants to know of a URI-R with very many captures, all of the same state of the index and
// all read at once: its ends, the captures around the datetime, and the versions that are cached. It is safe for concurrent use.
type excerpt struct {
	generation  uint64 // of the view before it
	ts          cdx.Timestamp
	first, last *cdx.Capture // nil if there is none
	near        *Timeline    // the captures from from to to, all of them
	from, to    cdx.Timestamp
	cached      *index.Cached // the versions; nil if none are, or they are stale

	mu       sync.Mutex
	contents *contents        // of cached, once they were wanted
	have     map[int]*chapter // of these, what was read
}

const (
	// nearCaptures is how many captures are read on each side of a datetime: enough for those that are looked at, and one more.
	nearCaptures = fewNear + 1
	// mostNear is how many there may be, because a second has many.
	mostNear = 1000
	// forever is after all captures.
	forever = cdx.Timestamp(math.MaxInt64)
	// mostChapters is how many chapters are read ahead.
	mostChapters = 64
)

// look reads the timeline of a key if it has most captures at most, else it takes an excerpt at it. With 0 it takes an excerpt in any
// case. ts is the datetime that will be asked about, 0 is the end.
func (t *Timelines) look(ctx context.Context, coll, key string, ts cdx.Timestamp, most int) (tl *Timeline, g *excerpt, err error) {
	tl = t.blank(coll, key)
	name, caches := t.cacheName(coll, key, change.LevelContent)
	sides := sidesOf(coll, key, ts)
	all := cdx.Span{Coll: coll, From: key, Exact: true}
	end := all
	end.Reverse = true
	w := index.Prefetch{Spans: []index.PrefetchSpan{{Span: all, Most: min(most, mostNear) + 1}}}
	if ts != 0 { // else the end is what it is about
		w.Spans = append(w.Spans, index.PrefetchSpan{Span: end, Most: 1})
	}
	for _, s := range sides {
		w.Spans = append(w.Spans, index.PrefetchSpan{Span: s, Most: nearCaptures + 1})
	}
	if caches {
		w.Cached = []index.CacheName{name}
	}
	w.Facts = t.sites.prefetch(coll, key)
	err = t.index.Look(ctx, w, func(l *view.Look) error {
		if err := t.sites.take(l, w.Facts, tl.Generation); err != nil {
			return err
		}
		if whole, err := tl.fill(l.Captures(all), most); err != nil || most > 0 && whole {
			return err
		}
		g = &excerpt{generation: tl.Generation, ts: ts, have: map[int]*chapter{}}
		if len(tl.Captures) > 0 {
			g.first = &tl.Captures[0]
		}
		var err error
		if g.last, err = FirstOf(l.Captures(end)); err != nil {
			return err
		}
		if err := g.around(l, t.blank(coll, key), sides); err != nil || !caches {
			return err
		}
		g.cached, err = l.Cached(name)
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

// fill reads the first captures, but at least one, and reports whether these are all.
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

// sidesOf returns the captures before a datetime, backwards, and those from there on.
func sidesOf(coll, key string, ts cdx.Timestamp) []cdx.Span {
	before := cdx.Span{Coll: coll, From: key, Exact: true, Reverse: true}
	if ts == 0 {
		return []cdx.Span{before}
	}
	before.Until = ts - 1
	return []cdx.Span{before, {Coll: coll, From: key, Exact: true, Since: ts}}
}

// around reads the captures around the datetime into a timeline.
func (g *excerpt) around(l *view.Look, near *Timeline, sides []cdx.Span) error {
	g.near, g.to = near, forever
	before, whole, err := firstSeconds(l.Captures(sides[0]))
	if err != nil {
		return err
	}
	if n := len(before); !whole {
		g.from = before[n-1].Time
	}
	slices.Reverse(before)
	near.Captures = before
	if len(sides) > 1 {
		after, whole, err := firstSeconds(l.Captures(sides[1]))
		if err != nil {
			return err
		}
		if n := len(after); !whole {
			g.to = after[n-1].Time
		}
		near.Captures = append(before, after...)
	}
	if len(near.Captures) >= mostNear { // seconds may have been cut
		near.Captures, g.from, g.to = nil, 1, 0
	}
	return nil
}

// firstSeconds returns the first captures, whole seconds of them, and reports whether they are all.
func firstSeconds(captures iter.Seq2[*cdx.Capture, error]) (some []cdx.Capture, whole bool, err error) {
	for c, err := range captures {
		if err != nil {
			return nil, false, err
		}
		n := len(some)
		if n >= mostNear || n >= nearCaptures && c.Time != some[n-1].Time {
			return some, false, nil
		}
		some = append(some, *c)
	}
	return some, true, nil
}

// covers reports whether all captures at a datetime are known.
func (g *excerpt) covers(ts cdx.Timestamp) bool { return g.from <= ts && ts <= g.to }

// surrounds reports whether the captures before and after a datetime are known, too.
func (g *excerpt) surrounds(ts cdx.Timestamp) bool {
	from, to := g.near.Second(ts)
	return g.covers(ts) && (from > 0 || g.from == 0) && (to < len(g.near.Captures) || g.to == forever)
}

// closest yields captures by their distance from a datetime, as far as it is certain that no others are nearer.
func (g *excerpt) closest(ts cdx.Timestamp) iter.Seq[*cdx.Capture] {
	return func(yield func(*cdx.Capture) bool) {
		for c := range g.near.Closest(ts) {
			d := c.Time.Distance(ts)
			if g.from != 0 && d > g.from.Distance(ts) || g.to != forever && d > g.to.Distance(ts) || !yield(c) {
				return
			}
		}
	}
}

// neighbourhood returns that of a capture which it surrounds, without the versions.
func (g *excerpt) neighbourhood(c *cdx.Capture) *memento.Neighbourhood {
	n := &memento.Neighbourhood{Current: c, First: g.first, Last: g.last}
	from, to := g.near.Second(c.Time)
	if from > 0 {
		n.Prev = g.near.Memento(g.near.Captures[from-1].Time)
	}
	if to < len(g.near.Captures) {
		n.Next = g.near.Memento(g.near.Captures[to].Time)
	}
	return n
}

// memento returns the capture at which a version begins or ends. If it isn't near, it has only what is cached of it: key, datetime and URL.
func (g *excerpt) memento(ts cdx.Timestamp, url string) *cdx.Capture {
	if g.covers(ts) {
		return g.near.Memento(ts)
	}
	return &cdx.Capture{Key: g.near.Key, Time: ts, URL: url}
}

// withVersions calls f with the versions that are cached, those around a datetime read ahead, and reports whether there are any. What it
// reads now belongs to the state of the excerpt: parts don't change, they only go.
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

// missing returns the numbers of the chapters, from one up to another, that were not read.
func (s *cachedVersions) missing(from, to int) (numbers []uint64) {
	for i := from; i < to; i++ {
		if s.have[i] == nil {
			numbers = append(numbers, s.chapters[i].number)
		}
	}
	return numbers
}

// chaptersAround returns the chapters, from one up to another, that tell of the version at a datetime and of those beside it, whichever of
// its chapter that version is.
func (s *cachedVersions) chaptersAround(ts cdx.Timestamp) (from, to int) {
	in, before := 0, 0
	for i := range s.chapters {
		if s.chapters[i].first > ts {
			break
		}
		if i > 0 {
			before += s.chapters[in].versions
		}
		in = i
	}
	if len(s.chapters) == 0 {
		return 0, 0
	}
	from, _ = s.chapterOf(max(before-2, 0))
	to, _ = s.chapterOf(before + s.chapters[in].versions + 1)
	from, to = max(min(from, in), in-mostChapters/2), min(max(to, in), in+mostChapters/2)
	return from, to + 1
}

// beside returns the versions before and after the one that holds at a datetime, nil at the ends.
func (s *cachedVersions) beside(ts cdx.Timestamp) (before, after *version, err error) {
	n, err := s.at(ts)
	if err != nil {
		return nil, nil, err
	}
	some, err := s.some(n-1, n+2)
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
