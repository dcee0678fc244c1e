package timeline

import (
	"context"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A Place says where a capture is among the versions of its URI-R, at level content.
type Place struct {
	Versions      int
	Number        int           // of its version, from 0; -1 if there are no versions
	Range         *change.Range // of that version; nil if there is none
	Before, After *change.Range // the adjacent ranges, nil at the ends
	Last, Next    *cdx.Capture  // the last capture of the version before, the first of the one after
	Unshown       bool          // the capture failed to show the page
	At            int           // number of the capture in its version, from 1; 0 if it doesn't belong to it
	Captures      []cdx.Capture // the first captures of the version
}

// Kind returns the kind of the capture itself, as [KindAt] does.
func (p *Place) Kind(c *cdx.Capture) change.Kind {
	if p.Range == nil {
		kind, _ := KindAt(c, nil, -1)
		return kind
	}
	kind, _ := KindAt(c, []change.Range{*p.Range}, 0)
	return kind
}

// PlaceOf returns the place of a capture among the ranges of its timeline, with at most most captures of its version.
func PlaceOf(tl *Timeline, ranges []change.Range, c *cdx.Capture, most int) *Place {
	p := &Place{Versions: len(ranges), Number: RangeOf(ranges, c.Time)}
	p.beside(ranges, p.Number)
	if p.Before != nil {
		p.Last = tl.Memento(p.Before.Last)
	}
	if p.After != nil {
		p.Next = tl.Memento(p.After.First)
	}
	if p.Range == nil {
		return p
	}
	for _, i := range p.Range.Unshown {
		p.Unshown = p.Unshown || tl.Captures[i].Location == c.Location
	}
	from, _ := tl.Second(p.since())
	_, to := tl.Second(c.Time)
	p.At = to - from
	for i := from; i < len(tl.Captures) && p.holds(tl.Captures[i].Time) && len(p.Captures) < most; i++ {
		p.Captures = append(p.Captures, tl.Captures[i])
	}
	return p
}

// beside sets the range with an index and its neighbours.
func (p *Place) beside(ranges []change.Range, i int) {
	at := func(i int) *change.Range {
		if i < 0 || i >= len(ranges) {
			return nil
		}
		return &ranges[i]
	}
	p.Before, p.Range, p.After = at(i-1), at(i), at(i+1)
}

// since returns the first datetime that belongs to the version. For the first version that is 0, because redirects of the URI-R to itself
// may precede its first capture.
func (p *Place) since() cdx.Timestamp {
	if p.Number == 0 {
		return 0
	}
	return p.Range.First
}

// holds reports whether ts belongs to the version.
func (p *Place) holds(ts cdx.Timestamp) bool {
	return ts >= p.since() && (p.Range.Until == 0 || ts < p.Range.Until)
}

// Place returns the place of a capture, given its neighbourhood, with at most most captures of its version. If there are many captures and
// their versions are cached, it reads only those nearby.
func (o *Original) Place(ctx context.Context, n *memento.Neighbourhood, most int) (p *Place, err error) {
	for try := 1; o.whole == nil; try++ {
		g, found, err := o.cachedPlace(ctx, n, most, &p)
		if err != nil || found && (try == steadyTries || o.of.index.Generation() == g.generation) {
			return p, err
		}
		if !found {
			break
		}
		o.seen.CompareAndSwap(g, nil) // the captures belong to a later state
	}
	tl, err := o.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return nil, err
	}
	return PlaceOf(tl, ranges, n.Current, most), nil
}

// steadyTries is how often a question that takes several reads is repeated because the index changed meanwhile. If it changes all the time,
// the answer is composed of successive states.
const steadyTries = 3

// A bound is a capture with its chapter: the chapter's first datetime, its number of captures, and the number of captures before it.
type bound struct {
	chapter        cdx.Timestamp
	before, within int
}

func (s *cachedVersions) boundOf(ts cdx.Timestamp) (b bound) {
	in := s.chapterAt(ts)
	if in < 0 {
		return b
	}
	b.before, _ = s.before(in)
	b.chapter, b.within = s.chapters[in].first, s.chapters[in].captures
	return b
}

// cachedPlace sets p to the place of a capture. It returns the excerpt whose versions it used, and whether versions are cached.
func (o *Original) cachedPlace(ctx context.Context, near *memento.Neighbourhood, most int, p **Place) (*excerpt, bool, error) {
	var own, begin bound
	c := near.Current
	g, found, err := o.withVersions(ctx, c.Time, func(_ *excerpt, s *cachedVersions) error {
		n, some, err := s.around(c.Time)
		if err != nil {
			return err
		}
		*p = &Place{Versions: s.versions, Number: n}
		(*p).beside(rangesOf(some), n-max(n-1, 0))
		own = s.boundOf(c.Time)
		if (*p).Range != nil {
			begin = s.boundOf((*p).since())
		}
		return nil
	})
	if !found || err != nil {
		return g, false, err
	}
	if (*p).Before != nil { // the index may have changed since the neighbourhood was found
		(*p).Last = near.Predecessor
	}
	if (*p).After != nil {
		(*p).Next = near.Successor
	}
	if (*p).Range == nil {
		return g, true, nil
	}
	return g, true, o.fillIn(ctx, *p, c, most, own, begin)
}

// fillIn reads the captures of the version into p.
func (o *Original) fillIn(ctx context.Context, p *Place, c *cdx.Capture, most int, own, begin bound) error {
	captures := o.span()
	captures.Since = p.since()
	reads := index.Prefetch{Spans: []index.PrefetchSpan{
		{Span: o.upTo(own, c.Time), Most: own.within, Counted: len(p.Range.Unshown) == 0}, {Span: captures, Most: most + 1},
	}}
	if begin != own && begin.within > 0 {
		reads.Spans = append(reads.Spans, index.PrefetchSpan{Span: o.upTo(begin, p.since()-1), Most: begin.within, Counted: true})
	}
	return o.of.index.Read(ctx, reads, func(snap *view.Snapshot) error {
		to, err := o.countUpTo(snap, own, c.Time)
		if err != nil {
			return err
		}
		from, err := o.countBefore(snap, begin, p.since())
		if err != nil {
			return err
		}
		p.At = to - from
		if p.Unshown, err = o.unshown(snap, p.Range.Unshown, c, own); err != nil {
			return err
		}
		p.Captures = nil
		for c, err := range snap.Captures(captures) {
			if err != nil || !p.holds(c.Time) || len(p.Captures) == most {
				return err
			}
			p.Captures = append(p.Captures, *c)
		}
		return nil
	})
}

// upTo returns the captures of a chapter up to a datetime as a span.
func (o *Original) upTo(in bound, ts cdx.Timestamp) cdx.Span {
	span := o.span()
	span.Since, span.Until = in.chapter, ts
	return span
}

// countUpTo returns the number of all captures up to ts, of which it only counts those in ts's chapter.
func (o *Original) countUpTo(snap *view.Snapshot, in bound, ts cdx.Timestamp) (int, error) {
	if ts < in.chapter {
		return in.before, nil
	}
	n, err := snap.Count(o.upTo(in, ts)) // the count needs no access rules: cached versions exist only if none hides captures
	return in.before + int(n), err
}

// countBefore returns the number of all captures before ts.
func (o *Original) countBefore(snap *view.Snapshot, in bound, ts cdx.Timestamp) (int, error) {
	if ts == 0 {
		return 0, nil
	}
	return o.countUpTo(snap, in, ts-1)
}

// unshown reports whether a capture is among those with the given indices.
func (o *Original) unshown(snap *view.Snapshot, indices []int, c *cdx.Capture, in bound) (bool, error) {
	of := map[int]bool{}
	for _, i := range indices {
		of[i] = i >= in.before
	}
	if len(of) == 0 {
		return false, nil
	}
	i := in.before
	for other, err := range snap.Captures(o.upTo(in, c.Time)) {
		if err != nil || other.Location == c.Location {
			return of[i], err
		}
		i++
	}
	return false, nil
}

// A Moment is a capture, in an overview of a URI-R.
type Moment struct {
	Time   cdx.Timestamp
	Begins bool // a version other than the first begins with it
	Kind   change.Kind
}

// fewChapters is the number of chapters up to which all are read.
const fewChapters = 8

// Moments returns a sample of the captures, oldest first, including the first and the last, and the number of all. last is the last
// capture. found is false if the versions are not cached; use [Original.Timeline] then.
func (o *Original) Moments(ctx context.Context, last *cdx.Capture) (out []Moment, captures int, found bool, err error) {
	if o.whole != nil {
		return nil, 0, false, nil
	}
	at := cdx.Timestamp(0)
	if g := o.seen.Load(); g != nil {
		at = g.ts
	}
	_, found, err = o.withVersions(ctx, at, func(_ *excerpt, s *cachedVersions) error {
		captures = s.captures
		out, err = s.moments()
		return err
	})
	if !found || err != nil {
		return nil, 0, false, err
	}
	if n := len(out); n > 0 && last != nil && out[n-1].Time < last.Time {
		out = append(out, Moment{Time: last.Time, Kind: out[n-1].Kind})
	}
	return out, captures, true, nil
}

// moments returns the beginnings of chapters and of some versions; of all versions if there are few chapters.
func (s *cachedVersions) moments() (out []Moment, err error) {
	var versions []version
	few := len(s.chapters) <= fewChapters
	if few {
		if versions, err = s.versionsIn(0, len(s.chapters)); err != nil {
			return nil, err
		}
	}
	kind, begun := change.Page, 0
	add := func(at cdx.Timestamp, begins bool) {
		if n := len(out); n > 0 && out[n-1].Time == at {
			out = out[:n-1]
		}
		out = append(out, Moment{Time: at, Begins: begins, Kind: kind})
	}
	for i := range s.chapters {
		h := &s.chapters[i]
		if i == 0 && len(h.marks) > 0 {
			kind = h.marks[0].kind
		}
		add(h.first, false)
		marks := h.marks
		if few {
			marks = marks[:0:0]
			for _, v := range versions[begun : begun+h.versions] {
				marks = append(marks, mark{v.First, v.Kind})
			}
		}
		for j, m := range marks {
			kind = m.kind
			add(m.at, begun+j > 0)
		}
		begun += h.versions
	}
	return out, nil
}

// IsPage reports whether c shows a page or a resource, and is no soft 404.
func (t *Timelines) IsPage(ctx context.Context, coll string, c *cdx.Capture) (bool, error) {
	tl, err := t.Get(ctx, coll, c.Key)
	if err != nil {
		return false, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return false, err
	}
	i := RangeOf(ranges, c.Time)
	return i >= 0 && ranges[i].Kind.Shown(), nil
}

// KindAt returns the kind of the capture itself. i is the index of its validity range, which has another kind if the capture failed.
func KindAt(c *cdx.Capture, ranges []change.Range, i int) (kind change.Kind, soft bool) {
	switch {
	case IsRedirect(c):
		return change.Redirect, false
	case c.Status >= 400:
		return change.Missing, false
	case i >= 0:
		return ranges[i].Kind, ranges[i].Soft404
	}
	return change.Resource, false
}
