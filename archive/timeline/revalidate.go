package timeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A reading computes the versions of a URI-R with very many captures, chapter by chapter.
type reading struct {
	t     *Timelines
	level change.Level
	src   *Sketches
	site  *site.Site // nil if the versions don't depend on it
	facts uint64     // number of the cached part with the site, 0 if it isn't cached

	stay []heading // earlier chapters that stay as they are
	read []readChapter
}

// A readChapter is a chapter to be read, or the one before the first of these, which only provides context.
type readChapter struct {
	heading
	captures []cdx.Capture
	before   change.Carry // the state at its beginning
	is       *chapter     // the result
}

// errAfresh says that cached versions are of no use, so that all captures have to be read.
const errAfresh = sentinel.Error("timeline: the versions of this page are to be worked out from all captures")

// divide divides captures into chapters and appends them to r.read.
func (r *reading) divide(captures []cdx.Capture, divides bool) {
	from := 0
	for i := 1; i <= len(captures); i++ {
		if i == len(captures) || divides && r.t.division.Begins(captures[i-1].Time, captures[i].Time) {
			r.read = append(r.read, readChapter{
				heading: heading{first: captures[from].Time, captures: i - from}, captures: captures[from:i],
			})
			from = i
		}
	}
}

// run reads the chapters from number first on.
func (r *reading) run(first int) error {
	for k := first; k < len(r.read); k++ {
		from, to := max(k-1, 0), min(k+2, len(r.read))
		w := change.Window{In: r.read[k].before, Start: r.read[from].before}
		var captures []cdx.Capture
		for i := from; i < to; i++ {
			if i == k {
				w.From = len(captures)
			}
			captures = append(captures, r.read[i].captures...)
		}
		w.To = w.From + len(r.read[k].captures)
		if err := r.chapter(&r.read[k], &w, captures); err != nil {
			return err
		}
		if k+1 < len(r.read) {
			r.read[k+1].before = r.read[k].is.Out
		}
	}
	r.read = r.read[first:]
	return nil
}

// chapter reads a chapter. captures are its own and those of its neighbours.
func (r *reading) chapter(p *readChapter, w *change.Window, captures []cdx.Capture) error {
	w.States = statesOf(captures)
	if err := r.src.Load(w.States); err != nil {
		return err
	}
	said, err := change.ReadChapter(r.level, w, r.src, r.site)
	if err != nil {
		return err
	}
	own := &Timeline{Captures: p.captures}
	p.is = &chapter{Chapter: said}
	if said.Goes.LastIndex >= 0 {
		p.is.goesURL = own.Memento(said.Goes.Last).URL
	}
	for i := range said.Ranges {
		v := own.version(&said.Ranges[i])
		p.is.facts = append(p.is.facts, rangeFacts{v.FirstURL, v.LastURL, v.Similarity})
	}
	p.number, p.versions, p.marks = rand.Uint64(), len(said.Ranges), marksOf(said.Ranges)
	return nil
}

// maxMarks bounds the versions of a chapter that the head names.
const maxMarks = 6

func marksOf(ranges []change.Range) (marks []mark) {
	step := (len(ranges) + maxMarks - 1) / maxMarks
	for i := 0; i < len(ranges); i += step {
		marks = append(marks, mark{ranges[i].First, ranges[i].Kind})
	}
	return marks
}

func (r *reading) entry(name index.CacheName) *index.CacheEntry {
	e := &index.CacheEntry{Name: name}
	c := contents{software: r.t.software, site: change.SumOf(r.level, r.site), facts: r.facts, chapters: slices.Clone(r.stay)}
	for i := range r.stay {
		e.Stay = append(e.Stay, r.stay[i].number)
	}
	switch {
	case r.facts != 0:
		e.Stay = append(e.Stay, r.facts)
	case r.site != nil:
		c.facts = 1 + rand.Uint64N(1<<63)
		e.Parts = append(e.Parts, index.CachePart{Number: c.facts, Value: r.site.AppendBinary(nil)})
	}
	for i := range r.read {
		p := &r.read[i]
		c.chapters = append(c.chapters, p.heading)
		e.Parts = append(e.Parts, index.CachePart{Number: p.number, Value: p.is.append(nil)})
	}
	e.Head = c.append(nil)
	return e
}

// ranges returns all ranges, after all chapters were read.
func (r *reading) ranges() []change.Range {
	all := make([]change.Chapter, len(r.read))
	for k := range r.read {
		all[k] = r.read[k].is.Chapter
	}
	return change.Join(all, 0)
}

// readAll computes the versions of a timeline.
func (t *Timelines) readAll(ctx context.Context, tl *Timeline, level change.Level, src *Sketches) (r *reading, err error) {
	r = &reading{t: t, level: level, src: src}
	if dependsOnSite(tl.Captures, level) {
		if r.site, err = t.sites.Get(ctx, tl.Coll, tl.Key); err != nil {
			return nil, err
		}
	}
	r.divide(tl.Captures, t.division.Divides(len(tl.Captures)))
	return r, r.run(0)
}

// dependsOnSite reports whether the versions depend on the site's facts: soft 404s do, and at level content volatile blocks.
func dependsOnSite(captures []cdx.Capture, level change.Level) bool {
	return level != change.LevelAny && slices.ContainsFunc(captures, func(c cdx.Capture) bool { return c.Text != 0 })
}

// A revalidation brings stale cached versions up to date.
type revalidation struct{ *Timelines }

// readAfter reads the chapters of stale versions that may have changed: that of the first changed capture and all later ones. It also reads
// the two before it, because a chapter is read with its neighbours.
func (t revalidation) readAfter(ctx context.Context, name index.CacheName, old *cachedVersions) (*reading, error) {
	first := old.chapterAt(old.entry.Since()) - 2
	if first < 1 {
		return nil, errAfresh
	}
	var beside []chapter
	r := &reading{t: t.Timelines, level: change.Level(name.Sort), src: &Sketches{index: t.index}, facts: old.facts, stay: old.chapters[:first]}
	err := t.index.Whole.Cache().Reopen(ctx, old.entry, nil, func(e *index.Cached) (err error) {
		now := &cachedVersions{old.contents, e, old.have}
		if beside, err = now.read(first-1, first+1); err == nil && r.facts != 0 {
			r.site, err = now.siteOf()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	captures, err := t.capturesFrom(ctx, name, old.chapters[first-1].first)
	if err != nil {
		return nil, err
	}
	total, _ := old.before(first - 1)
	total += len(captures)
	r.divide(captures, true)
	if !t.division.Divides(total) || !t.division.Divides(old.captures) || len(r.read) < 2 ||
		r.read[0].heading.captures != old.chapters[first-1].captures || r.facts == 0 && dependsOnSite(captures, r.level) {
		return nil, errAfresh
	}
	r.read[0].before, r.read[1].before = beside[0].In, beside[1].In
	return r, r.run(1)
}

// siteOf returns the site's facts that the versions are based on.
func (s *cachedVersions) siteOf() (of *site.Site, err error) {
	err = s.entry.Parts([]uint64{s.facts}, func(_ int, value []byte) (err error) {
		if of, err = site.Parse(value); err != nil {
			return errVersions
		}
		return nil
	})
	return of, err
}

func (t revalidation) capturesFrom(ctx context.Context, name index.CacheName, from cdx.Timestamp) (all []cdx.Capture, err error) {
	span := cdx.Span{Coll: name.Coll, From: name.Key, Exact: true, Since: from}
	for c, err := range t.index.Captures(ctx, span) {
		if err != nil {
			return nil, err
		}
		all = append(all, *c)
	}
	return all, nil
}

// cacheTime bounds the time for caching versions, because a reader waits for it.
const cacheTime = 5 * time.Second

// cacheAll caches the versions that were computed from a whole timeline.
func (t *Timelines) cacheAll(ctx context.Context, tl *Timeline, r *reading) error {
	name, ok := t.cacheName(tl.Coll, tl.Key, r.level)
	if !ok || tl.Generation != t.index.Generation() {
		return nil
	}
	e := r.entry(name)
	e.Generation = tl.raw
	return ignoreNotCached(t.index.Whole.Cache().Put(ctx, e))
}

// ignoreNotCached returns nil for [index.ErrNotCached] and [kv.ErrReadOnly].
func ignoreNotCached(err error) error {
	if errors.Is(err, index.ErrNotCached) || errors.Is(err, kv.ErrReadOnly) {
		return nil
	}
	return err
}

// revalidated revalidates the versions of a name if they are stale, and reports whether they are fresh now.
func (t revalidation) revalidated(ctx context.Context, name index.CacheName) bool {
	err := t.revalidate(ctx, name)
	if err != nil && ctx.Err() == nil {
		t.log.Warn("the cached versions of a page could not be brought up to date; they are worked out from all captures",
			"collection", name.Coll, "key", name.Key, "error", err)
	}
	return err == nil
}

// revalidate revalidates the versions of a name if they are stale. Concurrent callers share one attempt.
func (t revalidation) revalidate(ctx context.Context, name index.CacheName) error {
	return t.replace(ctx, name, func(old *cachedVersions) (*reading, error) {
		if old.entry.Fresh() {
			return nil, nil
		}
		r, err := t.readAfter(ctx, name, old)
		if usable, err := asMissing(true, err); usable && !errors.Is(err, errAfresh) {
			return r, err
		}
		return t.readAfresh(ctx, name)
	})
}

// followSite recomputes fresh versions of a name if the site's facts have changed. Until then readers get the old ones.
func (t revalidation) followSite(ctx context.Context, name index.CacheName) error {
	return t.replace(ctx, name, func(old *cachedVersions) (*reading, error) {
		if !old.entry.Fresh() || old.facts == 0 {
			return nil, nil
		}
		site, err := t.sites.Get(ctx, name.Coll, name.Key)
		if err != nil || change.SumOf(change.Level(name.Sort), site) == old.site {
			return nil, err
		}
		return t.readAfresh(ctx, name)
	})
}

// readAfresh reads all captures of a name, nil if there are no longer many.
func (t revalidation) readAfresh(ctx context.Context, name index.CacheName) (*reading, error) {
	tl, err := t.Read(ctx, name.Coll, name.Key)
	if err != nil || len(tl.Captures) <= t.many {
		return nil, err
	}
	return t.readAll(ctx, tl, change.Level(name.Sort), tl.sketches())
}

// replace replaces the cached versions of a name by the result of f, unless that is nil.
func (t revalidation) replace(ctx context.Context, name index.CacheName, f func(old *cachedVersions) (*reading, error)) error {
	done, err := t.reading.Begin(ctx, fmt.Sprint(name.Coll, "\x00", name.Key, "\x00", name.Sort))
	if done == nil { // another caller has done it
		return err
	}
	defer done()
	rules := t.index.Policy.Epoch()
	var entry *index.Cached
	if _, err = t.index.Whole.Cache().Get(ctx, name, func(e *index.Cached) error { entry = e; return nil }); err != nil || entry == nil {
		return err
	}
	c := t.contentsOf(entry)
	if c == nil || entry.Generation != t.index.Whole.Generation() || t.index.Whole.Cache().Imported(name.Coll) {
		return nil // this process may not see all captures, or can't cache anything
	}
	r, err := f(&cachedVersions{c, entry, map[int]*chapter{}})
	if err != nil || r == nil {
		return err
	}
	if _, ok := t.cacheName(name.Coll, name.Key, r.level); !ok || rules != t.index.Policy.Epoch() {
		return nil // hidden captures must not be cached as missing
	}
	e := r.entry(name)
	e.Before = entry
	return ignoreNotCached(t.index.Whole.Cache().Put(ctx, e))
}

// lostAtOnce is the number of hosts that are learnt at a time. Others are learnt on demand.
const lostAtOnce = 1000

// lostTime bounds the time for learning hosts in a command that waits for it.
const lostTime = 10 * time.Second

// Revalidate revalidates all cached versions, so that readers needn't wait for that. Then it learns the hosts whose facts were lost because
// this process indexed or removed files. pace is called after each step with the time that it took, and returns when the next may begin;
// nil doesn't pause.
func (t *Timelines) Revalidate(ctx context.Context, pace func(context.Context, time.Duration) error) error {
	err := revalidation{t}.relearnSites(ctx, pace)
	names, failed := t.index.Whole.Cache().Names(ctx)
	err = errors.Join(err, failed)
	for _, name := range names {
		if _, ok := t.cacheName(name.Coll, name.Key, change.Level(name.Sort)); !ok {
			continue
		}
		err = errors.Join(err, paced(ctx, pace, func() error {
			return errors.Join(revalidation{t}.revalidate(ctx, name), revalidation{t}.followSite(ctx, name))
		}))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// relearnSites learns hosts whose facts were lost. If a command waits for it (pace is nil), it stops after lostTime.
func (t revalidation) relearnSites(ctx context.Context, pace func(context.Context, time.Duration) error) error {
	began := time.Now()
	hosts, err := t.index.Whole.Cache().LostFacts(ctx, lostAtOnce)
	for _, h := range hosts {
		if pace == nil && time.Since(began) > lostTime {
			break
		}
		if t.index.Touches(spanOf(h.Coll, h.Host)) {
			continue
		}
		err = errors.Join(err, paced(ctx, pace, func() error {
			_, err := t.sites.Get(ctx, h.Coll, h.Host+")")
			return err
		}))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// paced runs a step of background work.
func paced(ctx context.Context, pace func(context.Context, time.Duration) error, step func() error) error {
	began := time.Now()
	err := step()
	if pace != nil && ctx.Err() == nil {
		err = errors.Join(err, pace(ctx, time.Since(began)))
	}
	return err
}
