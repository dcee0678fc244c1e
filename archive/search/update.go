package search

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"
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
	Failed  atomic.Int64 // pages whose texts can't be read or written; the next run tries them again
	Running atomic.Bool
}

// maxNamed bounds the failed pages that a run names: one missing disk may have all of them.
const maxNamed = 20

// Begin forgets the last run and says that one runs, until end is called.
func (p *Progress) Begin() (end func()) {
	for _, n := range []*atomic.Int64{&p.Done, &p.Indexed, &p.Changes, &p.Failed} {
		n.Store(0)
	}
	p.Running.Store(true)
	return func() { p.Running.Store(false) }
}

// Fail counts a page whose texts can't be read or written, and logs it unless many were logged before.
func (p *Progress) Fail(log *slog.Logger, key string, cause error) {
	switch n := p.Failed.Add(1); {
	case n <= maxNamed:
		log.Warn("search: a page can't be indexed; the next run tries again", "page", key, "error", cause)
	case n == maxNamed+1:
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
	defer p.Begin()()
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

// An update is one run over the archive. Several goroutines build documents, and one writes. It implements [Target].
type update struct {
	*Index
	reader   reader // the index before this update
	archive  Archive
	progress *Progress
	log      *slog.Logger
	totals   totals // of the index with what was written so far
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
	before, err := u.reader.settled()
	if err != nil {
		return err
	}
	u.writes = make(chan write, writesAhead)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return u.write(gctx) })
	of := Updater{Archive: u.archive, Target: u, State: before.state, Pages: before.pages, Progress: u.progress, Pace: u.Pace}
	touched, err := of.Run(gctx)
	close(u.writes)
	if err := errors.Join(err, g.Wait()); err != nil {
		return err
	}
	if err := u.join(ctx); err != nil {
		return err
	}
	return u.settle(before, touched.State) // this write also makes scorch remove the files that were merged
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

// Replace implements [Target].
func (u *update) Replace(ctx context.Context, p StalePage, s *Step) error {
	var old, unfinished write
	if p.Held.Key != "" {
		var err error
		if old, unfinished, err = u.replaced(p.Page); err != nil {
			return err
		}
	}
	if p.Gone {
		return u.send(ctx, old)
	}
	if len(unfinished.old) > 0 {
		if err := u.send(ctx, unfinished); err != nil {
			return err
		}
	}
	err := u.build(ctx, p.Page, old, s)
	if unreadable, ok := errors.AsType[*UnreadableError](err); ok && ctx.Err() == nil {
		u.progress.Fail(u.log, p.Key, unreadable.Cause)
		if p.Exposed {
			return u.send(ctx, old)
		}
		return nil
	}
	return err
}

// Held implements [Target].
func (u *update) Held(_ context.Context, keys []string) (map[string]Held, error) {
	out := map[string]Held{}
	for _, key := range keys {
		docs, err := u.reader.ofPage(key)
		if err != nil {
			return nil, err
		}
		if len(docs) == 0 {
			continue
		}
		held := Held{Key: key}
		for _, doc := range docs {
			id, err := u.reader.id(doc)
			if err != nil {
				return nil, err
			}
			if n, ok := parseDocID(id); ok && n.last {
				held.Complete, held.Signature = true, n.signature
			}
		}
		out[key] = held
	}
	return out, nil
}

// AllHeld implements [Target].
func (u *update) AllHeld(context.Context) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		parted, err := u.parted()
		if err != nil {
			yield(Held{}, err)
			return
		}
		last, more := "", true
		incomplete := func(n int) { // yields the first n of parted
			for ; more && n > 0; n-- {
				more = yield(Held{Key: parted[0]}, nil)
				parted = parted[1:]
			}
		}
		err = u.reader.terms("_id", []byte{pageID}, func(e *index.DictEntry) bool {
			n, ok := parseDocID(e.Term)
			if !ok || n.key == last {
				return true
			}
			last = strings.Clone(n.key)
			before, both := slices.BinarySearch(parted, last)
			if incomplete(before); both && more {
				parted = parted[1:]
			}
			more = more && yield(Held{Key: last, Complete: true, Signature: n.signature}, nil)
			return more
		})
		if err != nil {
			yield(Held{}, err)
			return
		}
		incomplete(len(parted))
	}
}

// parted returns the keys of pages with earlier parts in the index, sorted. An interrupted run may have left parts of a page without the
// last.
func (u *update) parted() (out []string, err error) {
	err = u.reader.terms("_id", []byte{partID}, func(e *index.DictEntry) bool {
		if n, ok := parseDocID(e.Term); ok && (len(out) == 0 || n.key != out[len(out)-1]) {
			out = append(out, strings.Clone(n.key))
		}
		return true
	})
	return out, err
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
func (u *update) build(ctx context.Context, p Page, w write, s *Step) error {
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
