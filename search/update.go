package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"runtime"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/disk"
)

// An Archive is where pages and their texts come from: one collection. It is asked by several goroutines at once.
type Archive interface {
	// Pages yields the pages that have a text, by key.
	Pages(ctx context.Context) iter.Seq2[Page, error]
	// Versions returns the validity ranges of a page at level text, oldest first, those without text too.
	Versions(ctx context.Context, key string) ([]Version, error)
	// Text returns the visible text of a version that has one.
	Text(ctx context.Context, key string, v Version) (string, error)
}

// A Page is one SURT with a text.
type Page struct {
	Key       string
	Signature uint64 // of all that its versions are made of: another one means that the page is to be indexed anew
}

// A Version is a validity range at level text.
type Version struct {
	First, Last cdx.Timestamp
	Text        uint64 // identifies the text; 0 for none
	Missing     bool   // no page: a redirect, a missing page, a soft 404, an error
	Soft404     bool
	// Minor says that it differs from the version before only in furniture and in what changes by itself: it is none at
	// level content.
	Minor bool
}

// Progress says how far an [Index.Update] is. Its fields may be read while it runs.
type Progress struct {
	Pages   atomic.Int64 // pages of the archive
	Done    atomic.Int64 // of them, those that the index is in step with
	Indexed atomic.Int64 // of them, those that were indexed in this run
	Changes atomic.Int64 // changes written in this run
	Failed  atomic.Int64 // pages whose texts could not be read; they are tried again by the next run
	Running atomic.Bool
}

// batchWords is how many words with their places are written at once: segments of some ten megabytes.
const batchWords = 400_000

// gone is from how many times shorter on a text is what is left of a page whose content went: log10 of the ratio ≥ 1.
const gone = 10

// Update brings the index in step with the archive: it indexes the pages that are new or have changed, and takes out those
// that are gone. A run that was stopped goes on where it was. Pages that can't be read are named in log and left for the
// next run; any other error ends it.
func (x *Index) Update(ctx context.Context, a Archive, p *Progress, log *slog.Logger) error {
	x.updating.Lock()
	defer x.updating.Unlock()
	p.Running.Store(true)
	defer p.Running.Store(false)
	for _, n := range []*atomic.Int64{&p.Done, &p.Indexed, &p.Changes, &p.Failed} {
		n.Store(0)
	}
	if err := countPages(ctx, a, p); err != nil {
		return err
	}
	return x.view(func(r reader) error {
		u := &update{reader: r, dir: x.dir, store: x.store, archive: a, progress: p, stop: x.stop, log: log}
		return u.run(ctx)
	})
}

func countPages(ctx context.Context, a Archive, p *Progress) error {
	n := int64(0)
	for _, err := range a.Pages(ctx) {
		if err != nil {
			return err
		}
		n++
	}
	p.Pages.Store(n)
	return nil
}

// An update is one run over the archive: one goroutine finds what is to be done, some make the documents, one writes.
type update struct {
	reader   reader // the index before the run
	dir      string
	store    index.Index
	archive  Archive
	progress *Progress
	stop     *stopWords
	log      *slog.Logger
	made     chan made
}

// A made is what is to be written of a page, all of it in one batch, so that it shows at once or not at all.
type made struct {
	old   []string // IDs of what was known of it
	docs  []*document.Document
	words int // how much is in docs
}

// madeAhead is how many pages may wait to be written.
const madeAhead = 32

func (u *update) run(ctx context.Context) error {
	u.made = make(chan made, madeAhead)
	work := make(chan Page)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(u.write)
	makers, mctx := errgroup.WithContext(ctx)
	makers.Go(func() error {
		defer close(work)
		return u.find(mctx, work)
	})
	for range runtime.GOMAXPROCS(0) {
		makers.Go(func() error {
			for page := range work {
				if err := u.page(mctx, page); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := makers.Wait()
	close(u.made)
	return errors.Join(err, g.Wait())
}

// find walks the pages of the archive and those of the index side by side, both in order of their keys.
func (u *update) find(ctx context.Context, work chan<- Page) error {
	known, err := u.reader.FieldDict(fieldPage)
	if err != nil {
		return err
	}
	defer known.Close()
	entry, err := known.Next()
	for page, pageErr := range u.archive.Pages(ctx) {
		if pageErr != nil {
			return pageErr
		}
		for ; err == nil && entry != nil && entry.Term < page.Key; entry, err = known.Next() {
			if err := u.remove(ctx, entry.Term); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if entry != nil && entry.Term == page.Key {
			if entry, err = known.Next(); err != nil {
				return err
			}
		}
		id, err := u.reader.InternalID(pageDocID(page.Key, page.Signature))
		if err != nil {
			return err
		}
		if id != nil {
			u.progress.Done.Add(1)
			continue
		}
		select {
		case work <- page:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for ; err == nil && entry != nil; entry, err = known.Next() {
		if err := u.remove(ctx, entry.Term); err != nil {
			return err
		}
	}
	return err
}

// remove takes a page out that the archive has no more.
func (u *update) remove(ctx context.Context, key string) error {
	old, err := u.reader.ids(fieldPage, key)
	if err != nil {
		return err
	}
	return u.hand(ctx, made{old: old})
}

// page indexes one page in place of what was known of it.
func (u *update) page(ctx context.Context, p Page) error {
	docs, words, err := u.changes(ctx, p.Key)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		u.progress.Failed.Add(1)
		u.log.Warn("search: a page can't be indexed; the next run tries again", "page", p.Key, "error", err)
		return nil
	}
	old, err := u.reader.ids(fieldPage, p.Key)
	if err != nil {
		return err
	}
	own := document.NewDocument(pageDocID(p.Key, p.Signature))
	own.AddField(keyword(fieldPage, p.Key))
	return u.hand(ctx, made{old, append(docs, own), words})
}

// hand gives a page to the writer.
func (u *update) hand(ctx context.Context, m made) error {
	select {
	case u.made <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write gathers pages to batches and writes them. What was made when a run is stopped is written too.
func (u *update) write() error {
	batch, pages, changes, words := index.NewBatch(), int64(0), int64(0), 0
	flush := func() error {
		if len(batch.IndexOps) == 0 {
			return nil
		}
		if err := disk.CheckRoom(u.dir, roomToWrite); err != nil {
			return err
		}
		if err := u.store.Batch(batch); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		u.progress.Done.Add(pages)
		u.progress.Indexed.Add(pages)
		u.progress.Changes.Add(changes)
		batch, pages, changes, words = index.NewBatch(), 0, 0, 0
		return nil
	}
	for m := range u.made {
		for _, id := range m.old {
			batch.Delete(id)
		}
		for _, d := range m.docs {
			batch.Update(d)
		}
		if len(m.docs) > 0 {
			pages++
			changes += int64(len(m.docs)) - 1 // one is the page's own
		}
		if words += m.words + len(m.old); words >= batchWords {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// changes makes a document of each change of a page; words says how much is in them.
func (u *update) changes(ctx context.Context, key string) (docs []*document.Document, words int, err error) {
	versions, err := u.archive.Versions(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	c := newComparer()
	var older Version
	var a, b []uint32
	for i, v := range versions {
		if i == 0 || v.Text != older.Text {
			b = nil
			if v.Text != 0 {
				text, err := u.archive.Text(ctx, key, v)
				if err != nil {
					return nil, 0, err
				}
				b = c.version(text)
			}
		}
		ch := changeOf(key, older, v, len(a), len(b))
		if doc := c.document(&ch, a, b, u.stop); doc != nil {
			docs = append(docs, doc)
			words += min(len(a)+len(b), (2*around+2)*(ch.Deleted+ch.Added))
		}
		older, a = v, b
	}
	return docs, words, nil
}

// changeOf describes the step between two versions of so many words; the older one is zero for a page's first version.
func changeOf(key string, older, newer Version, a, b int) Change {
	return Change{
		Key: key, Before: older.Last, After: newer.First, First: older.First == 0,
		Gone:  older.First != 0 && (newer.Missing || newer.Text == 0 || a >= gone*b && a > 0),
		Came:  older.First == 0 || older.Missing || older.Text == 0 || b >= gone*a,
		Minor: newer.Minor, SoftBefore: older.Soft404, SoftAfter: newer.Soft404,
		NoTextBefore: a == 0, NoTextAfter: b == 0,
	}
}
