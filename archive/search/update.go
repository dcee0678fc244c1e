package search

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/internal/disk"
)

// An Archive supplies the pages of one collection and their texts. It must be safe for concurrent use.
type Archive interface {
	// Pages yields the pages that have a text, ordered by key.
	Pages(ctx context.Context) iter.Seq2[Page, error]
	// Page returns one of them; ok is false if there is none with this key.
	Page(ctx context.Context, key string) (p Page, ok bool, err error)
	// Touched says which pages may have changed since a state that it returned earlier; "" stands for no state.
	Touched(ctx context.Context, state string) (Touched, error)
	// Versions returns the validity ranges of a page at level text, oldest first, including those without text.
	Versions(ctx context.Context, key string) ([]Version, error)
	// Text returns the visible text of a version that has one.
	Text(ctx context.Context, key string, v Version) (Text, error)
}

// A Page is a page that has a text.
type Page struct {
	Key       string
	Signature uint64 // hash of everything that its versions depend on; if it differs, the page has to be indexed again
}

// Touched names pages that may have changed.
type Touched struct {
	Keys []string // sorted; some may have no page
	All  bool     // any page may have changed
	// Exposed says that the index may show more than is allowed. Then a changed page whose texts can't be read is removed from it.
	Exposed bool
	State   string // of the archive, at the latest before the first call of Pages or Page
}

// A Version is a validity range at level text.
type Version = history.Version

// A Text is what a version says, and where it leads.
type Text struct {
	history.Text
	// Links yields the links of the version, nil for none. It is called at most once, for one version of each page.
	Links iter.Seq[Link]
}

// Progress says how far an [Index.Update] is. It may be read while that runs.
type Progress struct {
	Pages   atomic.Int64 // pages in the archive, as far as known
	Done    atomic.Int64 // pages that are up to date
	Indexed atomic.Int64 // pages indexed in this run
	Changes atomic.Int64 // changes written in this run
	Failed  atomic.Int64 // pages whose texts can't be read; the next run tries them again
	Running atomic.Bool
}

// mostNamed bounds the unreadable pages that a run names: one missing disk may have all of them.
const mostNamed = 20

// Fail counts a page whose texts can't be read, and logs it unless many were logged before.
func (p *Progress) Fail(log *slog.Logger, key string, unreadable *UnreadableError) {
	switch n := p.Failed.Add(1); {
	case n <= mostNamed:
		log.Warn("search: a page can't be indexed; the next run tries again", "page", key, "error", unreadable.Cause)
	case n == mostNamed+1:
		log.Warn("search: more pages can't be indexed; they are counted, not named")
	}
}

// Update brings the index up to date with the archive: it indexes pages that are new or have changed, and removes those that are gone. It
// continues where an interrupted run stopped. Pages that can't be read are logged and left to the next run; any other error ends the
// update. If the archive knows what has changed since the last complete update, only these pages are looked at.
func (x *Index) Update(ctx context.Context, a Archive, p *Progress, log *slog.Logger) error {
	if x.readOnly {
		return errReadOnly
	}
	x.updating.Lock()
	defer x.updating.Unlock()
	p.Running.Store(true)
	defer p.Running.Store(false)
	for _, n := range []*atomic.Int64{&p.Done, &p.Indexed, &p.Changes, &p.Failed} {
		n.Store(0)
	}
	return x.view(func(r reader) error {
		u := &update{Index: x, reader: r, archive: a, progress: p, log: log}
		return u.run(ctx)
	})
}

// Lacks reports whether the archive has, or may have, changes that the index lacks.
func (x *Index) Lacks(ctx context.Context, a Archive) (lacks bool, err error) {
	err = x.view(func(r reader) error {
		before, err := r.settled()
		if err != nil {
			return err
		}
		t, err := a.Touched(ctx, before.state)
		lacks = t.All || len(t.Keys) > 0
		return err
	})
	return lacks, err
}

// A step is a small piece of work, after which Pace is called.
type step struct {
	u     *update
	began time.Time
}

// end calls Pace and begins the next step.
func (s *step) end(ctx context.Context) error {
	if s.u.Pace == nil {
		return nil
	}
	err := s.u.Pace(ctx, time.Since(s.began))
	s.began = time.Now()
	return err
}

// An update is one run over the archive. One goroutine finds the work, several build documents, and one writes.
type update struct {
	*Index
	reader   reader // the index before this update
	archive  Archive
	progress *Progress
	log      *slog.Logger
	before   settled // after the last complete update
	exposed  bool    // see [Touched]
	now      string  // the state of the archive when this update began
	totals   totals  // of the index with what was written so far
	writes   chan write
	makers   sync.Pool // of *maker
}

func (u *update) run(ctx context.Context) error {
	u.makers.New = func() any {
		m := &maker{history.NewBuilder(u.Sizes, u.Limits), linkTerms{}}
		m.Paired = u.Paired
		return m
	}
	var err error
	if u.totals, err = u.reader.totals(); err != nil {
		return err
	}
	if u.before, err = u.reader.settled(); err != nil {
		return err
	}
	u.writes = make(chan write, writesAhead)
	work := make(chan stalePage, pagesAhead)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return u.write(gctx) })
	makers, mctx := errgroup.WithContext(gctx)
	makers.Go(func() error {
		defer close(work)
		return u.find(mctx, work)
	})
	for range Makers(u.Pace != nil) {
		makers.Go(func() error {
			for page := range work {
				step := &step{u, time.Now()}
				if err := errors.Join(u.page(mctx, page, step), step.end(mctx)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = makers.Wait()
	close(u.writes)
	if err := errors.Join(err, g.Wait()); err != nil {
		return err
	}
	if err := u.join(ctx); err != nil {
		return err
	}
	return u.settle() // this write also makes scorch remove the files that were merged
}

// Makers returns how many pages are built at once: as many as there are processors, or half as many in a server, whose readers would
// otherwise wait for the ends of all steps that run when they come.
func Makers(server bool) int {
	n := runtime.GOMAXPROCS(0)
	if server {
		return max(1, n/2)
	}
	return n
}

// join merges all segments into one if at least half of the pages are new. Small segments are dominated by rare words.
func (u *update) join(ctx context.Context) error {
	all, ok := u.store.index.(*scorch.Scorch)
	if !ok || u.dir == "" || 2*u.progress.Indexed.Load() < u.progress.Pages.Load() || u.segments() < 2 {
		return nil
	}
	if err := disk.CheckRoom(u.dir, uint64(u.Size())+roomToWrite); err != nil {
		return nil // the index is complete without the merge
	}
	return all.ForceMerge(ctx, allAtOnce())
}

// allAtOnce returns options for a single merge of all segments.
func allAtOnce() *mergeplan.MergePlanOptions {
	o := mergeplan.SingleSegmentMergePlanOptions
	o.SegmentsPerMergeTask = math.MaxInt32
	o.ScoreSegments = func(s []mergeplan.Segment, _ *mergeplan.MergePlanOptions) float64 { return -float64(len(s)) }
	return &o
}

func (u *update) segments() (n int) {
	if r, err := u.store.index.Reader(); err == nil {
		defer r.Close()
		if s, ok := r.(*scorch.IndexSnapshot); ok {
			n = len(s.Segments())
		}
	}
	return n
}

// page indexes one page and replaces its earlier documents, or removes it.
func (u *update) page(ctx context.Context, p stalePage, s *step) error {
	var old, unfinished write
	if p.known {
		var err error
		if old, unfinished, err = u.replaced(p.Page); err != nil {
			return err
		}
	}
	if p.gone {
		return u.send(ctx, old)
	}
	if len(unfinished.old) > 0 {
		if err := u.send(ctx, unfinished); err != nil {
			return err
		}
	}
	err := u.build(ctx, p.Page, old, s)
	if unreadable, ok := errors.AsType[*UnreadableError](err); ok && ctx.Err() == nil {
		u.progress.Fail(u.log, p.Key, unreadable)
		if u.exposed {
			return u.send(ctx, old)
		}
		return nil
	}
	return err
}

// replaced returns writes that remove a page's documents: old those of an earlier state, unfinished those of the present state. These are
// parts that an interrupted run left; the new documents will have their IDs.
func (u *update) replaced(p Page) (old, unfinished write, err error) {
	docs, err := u.reader.ofPage(p.Key)
	if err != nil {
		return old, unfinished, err
	}
	histories := documents{reader: u.reader, field: fieldHistory}
	for _, doc := range docs {
		id, err := u.reader.id(doc)
		if err != nil {
			return old, unfinished, err
		}
		raw, err := histories.value(doc)
		if err != nil {
			return old, unfinished, err
		}
		t, err := history.ParseTable(raw)
		if err != nil {
			return old, unfinished, err
		}
		w := &old
		if n, ok := parseDocID(id); ok && n.signature == p.Signature {
			w = &unfinished
		}
		w.old = append(w.old, id)
		w.totals.add(totalsOf(t.Rows), -1)
	}
	return old, unfinished, nil
}

// send passes documents to the writer.
func (u *update) send(ctx context.Context, w write) error {
	select {
	case u.writes <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// build indexes a page, one part of its history after the other. The last write also removes the documents in w.
func (u *update) build(ctx context.Context, p Page, w write, s *step) error {
	of := u.makers.Get().(*maker)
	defer u.makers.Put(of)
	of.Reset()
	b := &pageBuilder{
		pageReader: pageReader{Builder: of.Builder, key: p.Key, stop: u.stop},
		to:         u, page: p, pace: s, fields: u.Fields(), linkTerms: of.linkTerms,
	}
	if err := b.read(ctx, u.archive, b); err != nil {
		return err
	}
	last := b.last()
	w.page, w.changes = true, b.changes
	w.doc = last.doc
	w.totals.add(last.totals, 1)
	return u.send(ctx, w)
}
