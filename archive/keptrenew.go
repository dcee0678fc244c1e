package archive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A reading works out the versions of a URI-R with very many captures, chapter by chapter. Of what was kept before it takes what is
// as it was: chapters without a capture that has changed, in them or beside them, to which those before them are what they were.
// The result is that of reading all.
type reading struct {
	t         *timelines
	coll, key string
	level     change.Level
	site      *change.Site
	host      bool // the site is of account
	src       *sketches
	captures  func(from, to cdx.Timestamp) ([]cdx.Capture, error) // to, which is not among them, is 0 for no end
	old       *contents
	stored    func(*heading) (*chapter, error) // reads an old chapter

	plan []planned
}

// A planned chapter is one of those that there are now.
type planned struct {
	heading
	old      int           // which one it was, -1 if its captures may be others
	captures []cdx.Capture // once they were read
	read     *chapter      // as it is now; nil if it is as it was
	before   *chapter      // as it was, once that was read
}

// errAfresh says that nothing of what was kept is of use.
var errAfresh = errors.New("archive: the versions of this page are to be worked out from all captures")

// run reads all chapters that may say something else than before.
func (r *reading) run() error {
	total := 0
	for i := range r.plan {
		total += r.plan[i].heading.captures
	}
	if r.old != nil && (!r.t.division.Divides(total) || !r.t.division.Divides(r.old.captures)) {
		return errAfresh
	}
	for k := range r.plan {
		if err := r.chapter(k); err != nil {
			return err
		}
	}
	return nil
}

// planOf divides captures.
func (r *reading) planOf(captures []cdx.Capture, divide bool) (plan []planned) {
	from := 0
	for i := 1; i <= len(captures); i++ {
		if i == len(captures) || divide && r.t.division.Begins(captures[i-1].Time, captures[i].Time) {
			plan = append(plan, planned{
				heading: heading{first: captures[from].Time, captures: i - from}, old: -1, captures: captures[from:i],
			})
			from = i
		}
	}
	return plan
}

// redivide plans the chapters after what is in doubt has changed.
func (r *reading) redivide(d *index.Stale) error {
	touched := r.touched(d)
	for k := 0; k < len(r.old.chapters); {
		if !touched[k] {
			r.plan = append(r.plan, planned{heading: r.old.chapters[k], old: k})
			k++
			continue
		}
		from := r.old.chapters[k].first
		if k == 0 {
			from = 0
		}
		for k < len(r.old.chapters) && touched[k] {
			k++
		}
		captures, err := r.captures(from, r.startOf(k))
		if err != nil {
			return err
		}
		r.plan = append(r.plan, r.planOf(captures, true)...)
	}
	return nil
}

// startOf returns when an old chapter begins, 0 if it is the one behind the last.
func (r *reading) startOf(k int) cdx.Timestamp {
	if k < len(r.old.chapters) {
		return r.old.chapters[k].first
	}
	return 0
}

// touched tells in which of the old chapters captures may have changed. The one before may go on where such a chapter began.
func (r *reading) touched(d *index.Stale) []bool {
	touched := make([]bool, len(r.old.chapters))
	for k := range touched {
		from, to := r.old.chapters[k].first, r.startOf(k+1)
		if k == 0 {
			from = 0
		}
		for _, s := range d.Times {
			if s.To >= from && (to == 0 || s.From < to) {
				touched[k], touched[max(k-1, 0)] = true, true
			}
		}
	}
	return touched
}

// chapter reads a chapter unless it says what it said.
func (r *reading) chapter(k int) error {
	same, err := r.same(k)
	if same || err != nil {
		return err
	}
	var w change.Window
	if w.In, err = r.in(k); err != nil {
		return err
	}
	if w.Start, err = r.in(max(k-1, 0)); err != nil {
		return err
	}
	var captures []cdx.Capture
	for i := max(k-1, 0); i < min(k+2, len(r.plan)); i++ {
		if i == k {
			w.From = len(captures)
		}
		some, err := r.capturesOf(i)
		if err != nil {
			return err
		}
		captures = append(captures, some...)
	}
	w.To = w.From + len(r.plan[k].captures)
	if k > 0 {
		r.plan[k-1].captures = r.plan[k-1].captures[:0:0] // no other chapter needs it
	}
	return r.read(k, &w, captures)
}

// same reports whether a chapter says what it said: it, the chapters beside it, and what is before both are as they were.
func (r *reading) same(k int) (bool, error) {
	old := r.plan[k].old
	switch {
	case old < 0,
		k == 0 && old != 0 || k > 0 && r.plan[k-1].old != old-1,
		k == len(r.plan)-1 && old != len(r.old.chapters)-1 || k < len(r.plan)-1 && r.plan[k+1].old != old+1:
		return false, nil
	case k == 0 || r.plan[k-1].read == nil:
		return true, nil
	}
	before := r.plan[k-1].read
	for i, now := range map[int]change.Carry{k - 1: before.In, k: before.Out} {
		was, err := r.was(i)
		if err != nil || was.In != now {
			return false, err
		}
	}
	return true, nil
}

// in returns what is before a chapter.
func (r *reading) in(k int) (in change.Carry, err error) {
	switch {
	case k == 0:
		return in, nil
	case r.plan[k].read != nil:
		return r.plan[k].read.In, nil
	case r.plan[k-1].read != nil:
		return r.plan[k-1].read.Out, nil
	}
	was, err := r.was(k) // what is before a chapter that says what it said is as it was
	if err != nil {
		return in, err
	}
	return was.In, nil
}

// was returns a chapter as it was.
func (r *reading) was(k int) (*chapter, error) {
	p := &r.plan[k]
	var err error
	if p.before == nil {
		p.before, err = r.stored(&r.old.chapters[p.old])
	}
	return p.before, err
}

func (r *reading) capturesOf(k int) ([]cdx.Capture, error) {
	p := &r.plan[k]
	if len(p.captures) > 0 {
		return p.captures, nil
	}
	to := cdx.Timestamp(0)
	if k+1 < len(r.plan) {
		to = r.plan[k+1].first
	}
	var err error
	p.captures, err = r.captures(p.first, to)
	if err == nil && len(p.captures) != p.heading.captures {
		err = errAfresh // it is not what was kept
	}
	return p.captures, err
}

// read reads a chapter from its captures and those beside it.
func (r *reading) read(k int, w *change.Window, captures []cdx.Capture) error {
	w.States = statesOf(captures)
	if err := r.src.load(w.States); err != nil {
		return err
	}
	said, err := change.ReadChapter(r.level, w, r.src, r.site)
	if err != nil {
		return err
	}
	p := &r.plan[k]
	own := &Timeline{Captures: captures[w.From:w.To]}
	p.read = &chapter{Chapter: said}
	if said.Goes.LastIndex >= 0 {
		p.read.goesURL = own.Memento(said.Goes.Last).URL
	}
	for i := range said.Ranges {
		p.read.tells = append(p.read.tells, own.tell(&said.Ranges[i]))
	}
	p.number, p.versions, p.marks = rand.Uint32(), len(said.Ranges), marksOf(said.Ranges)
	return nil
}

// tell returns what is told of a range that begins here.
func (t *Timeline) tell(r *change.Range) tell {
	out := tell{firstURL: t.Memento(r.First).URL, lastURL: t.Memento(r.Last).URL}
	if r.Change != nil {
		out.similarity = r.Change.Similarity
	}
	return out
}

// maxMarks is how many versions of a chapter the table of contents names.
const maxMarks = 6

func marksOf(ranges []change.Range) (marks []mark) {
	step := max(1, (len(ranges)+maxMarks-1)/maxMarks)
	for i := 0; i < len(ranges); i += step {
		marks = append(marks, mark{ranges[i].First, ranges[i].Kind})
	}
	return marks
}

// result returns the table of contents, the parts that are new and those that are no more.
func (r *reading) result() (c *contents, come, gone []index.KeptPart) {
	c = &contents{software: r.t.software, host: r.host, site: r.site.Sum(r.level)}
	switch {
	case r.old != nil && r.old.facts != 0:
		c.facts = r.old.facts
	case r.site != nil:
		c.facts = 1 + rand.Uint32N(math.MaxUint32)
		facts := c.partOfFacts()
		facts.Value = r.site.AppendBinary(nil)
		come = append(come, facts)
	}
	stays := map[int]bool{}
	for k := range r.plan {
		p := &r.plan[k]
		c.chapters = append(c.chapters, p.heading)
		c.captures, c.versions = c.captures+p.heading.captures, c.versions+p.heading.versions
		if p.read != nil {
			come = append(come, index.KeptPart{First: p.first, Number: p.number, Value: p.read.append(nil)})
		} else {
			stays[p.old] = true
		}
	}
	if r.old != nil {
		for k := range r.old.chapters {
			if !stays[k] {
				gone = append(gone, partsOf(r.old.chapters[k:k+1])...)
			}
		}
	}
	return c, come, gone
}

// ranges returns the ranges of a reading of everything.
func (r *reading) ranges() []change.Range {
	all := make([]change.Chapter, len(r.plan))
	for k := range r.plan {
		all[k] = r.plan[k].read.Chapter
	}
	return change.Join(all, 0)
}

// keep stores what a reading of everything found in a timeline.
func (t *timelines) keep(ctx context.Context, tl *Timeline, r *reading) error {
	name, ok := t.keptName(tl.Coll, tl.Key, r.level, r.host)
	if !ok || tl.Generation != t.index.Generation() {
		return nil
	}
	c, parts, _ := r.result()
	return kept(t.index.raw.Keep(ctx, name, tl.raw, c.append(nil), parts))
}

// kept takes it for no failure that something could not be kept.
func kept(err error) error {
	if errors.Is(err, index.ErrNotKept) || errors.Is(err, kv.ErrReadOnly) {
		return nil
	}
	return err
}

// A staleVersions is what is kept but in doubt, in one state of the index.
type staleVersions struct {
	name       index.KeptName
	kept       *index.Kept
	stale      *index.Stale
	generation uint64
	contents   *contents
	rules      uint64 // the rules count in it: what they hide now is not to be kept as if it weren't there
}

// staleVersions returns what is kept under a name but in doubt, nil if nothing is that this program can go by.
func (t *timelines) staleVersions(ctx context.Context, name index.KeptName) (d *staleVersions, err error) {
	if t.index.raw.Imported(name.Coll) {
		return nil, nil // nothing can be kept there
	}
	d = &staleVersions{name: name, rules: t.index.policy.epoch()}
	found, err := t.index.raw.Stale(ctx, name, func(of *index.Kept, about *index.Stale, generation uint64) error {
		d.kept, d.stale, d.generation = of, about, generation
		return nil
	})
	if !found || err != nil {
		return nil, err
	}
	if d.contents, err = parseContents(d.kept.Head); err != nil || d.contents.software != t.software {
		return nil, nil // another program kept it
	}
	return d, nil
}

// mayKeep reports whether what was worked out since can be kept under the name, for the rules.
func (t *timelines) mayKeep(d *staleVersions) bool {
	_, ok := t.keptName(d.name.Coll, d.name.Key, change.Level(d.name.Sort), d.name.Host)
	return ok && d.rules == t.index.policy.epoch()
}

// renewOnce looks again at what is kept but in doubt for its captures. Concurrent callers share one look.
func (t *timelines) renewOnce(ctx context.Context, name index.KeptName) error {
	return t.once(ctx, name, "renewed", t.renew)
}

// refreshOnce looks again at what is kept but in doubt for its site alone. Concurrent callers share one look.
func (t *timelines) refreshOnce(ctx context.Context, name index.KeptName) error {
	return t.once(ctx, name, "refreshed", t.refresh)
}

func (t *timelines) once(ctx context.Context, name index.KeptName, what string, f func(context.Context, index.KeptName) error) error {
	id := fmt.Sprint(name.Coll, "\x00", name.Key, "\x00", name.Sort, "\x00", what)
	done, err := t.reading.begin(ctx, id)
	if done == nil { // another caller has looked
		return err
	}
	defer done()
	return f(ctx, name)
}

// renew brings up to date what is kept of captures in doubt. What is known of the site stays what it was, so that all chapters are
// told by the same.
func (t *timelines) renew(ctx context.Context, name index.KeptName) error {
	d, err := t.staleVersions(ctx, name)
	if d == nil || len(d.stale.Times) == 0 {
		return err
	}
	r := &reading{
		t: t, coll: name.Coll, key: name.Key, level: change.Level(name.Sort), host: d.contents.host, src: &sketches{index: t.index},
		old:      d.contents,
		captures: func(from, to cdx.Timestamp) ([]cdx.Capture, error) { return t.capturesIn(ctx, name, from, to) },
		stored:   func(h *heading) (*chapter, error) { return t.storedChapter(ctx, d.kept, h) },
	}
	switch err := r.renew(ctx, d); {
	case errors.Is(err, errAfresh) || errors.Is(err, errVersions) || errors.Is(err, index.ErrNoPart):
		return t.afresh(ctx, name)
	case err != nil:
		return err
	}
	c, come, gone := r.result()
	d.name.Host = r.host
	if !t.mayKeep(d) {
		return nil
	}
	return kept(t.index.raw.Renew(ctx, d.name, d.generation, d.kept,
		&index.Renewal{Head: c.append(nil), Parts: come, Gone: gone, Dated: d.stale.Site}))
}

// renew reads what is in doubt.
func (r *reading) renew(ctx context.Context, d *staleVersions) (err error) {
	if err := r.redivide(d.stale); err != nil {
		return err
	}
	for k := range r.plan {
		if r.plan[k].old < 0 {
			r.host = r.host || dependsOnSite(r.plan[k].captures, r.level)
		}
	}
	switch {
	case r.old.facts != 0:
		r.site, err = r.t.storedSite(ctx, d)
	case r.host:
		r.site, err = r.t.sites.get(ctx, r.coll, r.key)
	}
	if err != nil {
		return err
	}
	if r.site.Sum(r.level) != r.old.site {
		return errAfresh
	}
	return r.run()
}

// storedSite returns what was known of the site when the versions were told.
func (t *timelines) storedSite(ctx context.Context, d *staleVersions) (site *change.Site, err error) {
	parts := []index.KeptPart{d.contents.partOfFacts()}
	err = t.index.raw.KeptParts(ctx, d.kept, parts, func(_ int, value []byte) (err error) {
		if site, err = change.ParseSite(value); err != nil {
			return errVersions
		}
		return nil
	})
	return site, err
}

// refresh brings up to date what is dated: if what is known of the site says something else now, the versions are worked out from all
// captures. Readers are shown what was kept until then.
func (t *timelines) refresh(ctx context.Context, name index.KeptName) error {
	d, err := t.staleVersions(ctx, name)
	if d == nil || len(d.stale.Times) > 0 {
		return err
	}
	level := change.Level(name.Sort)
	site, err := t.sites.get(ctx, name.Coll, name.Key)
	if err != nil {
		return err
	}
	if site.Sum(level) == d.contents.site {
		if !t.mayKeep(d) {
			return nil
		}
		return kept(t.index.raw.Renew(ctx, name, d.generation, d.kept, &index.Renewal{Head: d.kept.Head}))
	}
	tl, err := t.read(ctx, name.Coll, name.Key)
	if err != nil || len(tl.Captures) == 0 {
		return err
	}
	r, err := t.readAll(ctx, tl, level, tl.sketches())
	if err != nil || !t.mayKeep(d) {
		return err
	}
	c, parts, _ := r.result()
	return kept(t.index.raw.Replace(ctx, name, d.generation, d.kept, c.append(nil), parts))
}

// dependsOnSite reports whether versions of captures depend on what is known of the site: soft 404s are learnt from it, at level
// content volatile blocks too.
func dependsOnSite(captures []cdx.Capture, level change.Level) bool {
	return level != change.LevelAny && slices.ContainsFunc(captures, func(c cdx.Capture) bool { return c.Text != 0 })
}

func (t *timelines) capturesIn(ctx context.Context, name index.KeptName, from, to cdx.Timestamp) (all []cdx.Capture, err error) {
	span := cdx.Span{Coll: name.Coll, From: name.Key, Exact: true, Since: from}
	if to > 0 {
		span.Until = to - 1
	}
	for c, err := range t.index.Captures(ctx, span) {
		if err != nil {
			return nil, err
		}
		all = append(all, *c)
	}
	return all, nil
}

func (t *timelines) storedChapter(ctx context.Context, k *index.Kept, h *heading) (c *chapter, err error) {
	err = t.index.raw.KeptParts(ctx, k, partsOf([]heading{*h}), func(_ int, value []byte) error {
		c, err = parseChapter(value)
		return err
	})
	return c, err
}

// afresh works the versions out from all captures, and keeps them.
func (t *timelines) afresh(ctx context.Context, name index.KeptName) error {
	tl, err := t.read(ctx, name.Coll, name.Key)
	if err != nil || len(tl.Captures) <= t.many {
		return err
	}
	r, err := t.readAll(ctx, tl, change.Level(name.Sort), tl.sketches())
	if err != nil {
		return err
	}
	return t.keep(ctx, tl, r)
}

// readAll works out the versions of a timeline.
func (t *timelines) readAll(ctx context.Context, tl *Timeline, level change.Level, src *sketches) (r *reading, err error) {
	r = &reading{t: t, coll: tl.Coll, key: tl.Key, level: level, src: src, host: dependsOnSite(tl.Captures, level)}
	if r.host {
		if r.site, err = t.sites.get(ctx, tl.Coll, tl.Key); err != nil {
			return nil, err
		}
	}
	r.plan = r.planOf(tl.Captures, t.division.Divides(len(tl.Captures)))
	return r, r.run()
}

// lostAtOnce is how many hosts are learnt again at a time. More are learnt when somebody asks for them.
const lostAtOnce = 1000

// lostTime is how long a command learns hosts again that waits for it to end.
const lostTime = 10 * time.Second

// RenewVersions looks again at all that is kept of versions but in doubt, so that no reader has to wait for it, and learns again what
// was known of hosts until this process indexed or removed files. It does so after that.
func (s *Archive) RenewVersions(ctx context.Context) error {
	if s.ReadOnly {
		return nil
	}
	err := s.renewSites(ctx)
	names, failed := s.Index.raw.StaleNames(ctx)
	err = errors.Join(err, failed)
	for _, name := range names {
		if _, ok := s.timelines.keptName(name.Coll, name.Key, change.Level(name.Sort), name.Host); !ok {
			continue
		}
		err = errors.Join(err, s.paced(ctx, func() error {
			return errors.Join(s.timelines.renewOnce(ctx, name), s.timelines.refreshOnce(ctx, name))
		}))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// renewSites learns hosts again that have lost what was known of them. Where somebody waits for it, it ends after a while.
func (s *Archive) renewSites(ctx context.Context) error {
	began := time.Now()
	hosts, err := s.Index.raw.LostFacts(ctx, lostAtOnce)
	for _, h := range hosts {
		if s.Pace == nil && time.Since(began) > lostTime {
			break
		}
		if s.Index.touches(spanOf(h.Coll, h.Host)) {
			continue
		}
		err = errors.Join(err, s.paced(ctx, func() error {
			_, err := s.sites.get(ctx, h.Coll, h.Host+")")
			return err
		}))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// paced does a step of work behind requests.
func (s *Archive) paced(ctx context.Context, step func() error) error {
	began := time.Now()
	err := step()
	if s.Pace != nil && ctx.Err() == nil {
		err = errors.Join(err, s.Pace(ctx, time.Since(began)))
	}
	return err
}
