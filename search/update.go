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

// An Archive supplies the pages of one collection and their texts. It must be safe for concurrent use.
type Archive interface {
	// Pages yields the pages that have a text, ordered by key.
	Pages(ctx context.Context) iter.Seq2[Page, error]
	// Versions returns the validity ranges of a page at level text, oldest first, including those without text.
	Versions(ctx context.Context, key string) ([]Version, error)
	// Text returns the visible text of a version that has one.
	Text(ctx context.Context, key string, v Version) (string, error)
}

// A Page is a SURT with a text.
type Page struct {
	Key       string
	Signature uint64 // of everything that decides its versions; a different one means that the page has to be indexed again
}

// A Version is a validity range at level text.
type Version struct {
	First, Last cdx.Timestamp
	Text        uint64 // ID of the text; 0 for none
	Missing     bool   // a redirect, a missing page, a soft 404 or an error
	Soft404     bool
	// Minor says that the version differs from the one before only in furniture and in what changes by itself, so
	// that it is no version at level content.
	Minor bool

	Title, Lang string // of its text, "" if unknown
	MIME        string // media type of its first capture, without parameters
	Status      int    // of its first capture
}

// Progress says how far an [Index.Update] is. Its fields may be read while it runs.
type Progress struct {
	Pages   atomic.Int64 // pages in the archive
	Done    atomic.Int64 // pages with which the index is up to date
	Indexed atomic.Int64 // pages indexed in this run
	Changes atomic.Int64 // changes written in this run
	Failed  atomic.Int64 // pages whose texts can't be read; the next run tries them again
	Running atomic.Bool
}

// batchWords is how many words with positions are written at a time: segments of about ten megabytes.
const batchWords = 400_000

// goneRatio is the ratio of the lengths of two texts from which on the whole content counts as deleted or added.
const goneRatio = 10

// Update brings the index up to date with the archive: it indexes pages that are new or have changed, and removes
// those that are gone. It continues where an interrupted run stopped. It logs pages that can't be read and leaves
// them to the next run; any other error ends it.
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

// An update is one run over the archive. One goroutine finds the work, several build documents, and one writes.
type update struct {
	reader   reader // the index before the run
	dir      string
	store    index.Index
	archive  Archive
	progress *Progress
	stop     *stopWords
	log      *slog.Logger
	batches  chan pageBatch
}

// A pageBatch is what has to be written for a page. It goes into one batch, so that it appears at once or not at all.
type pageBatch struct {
	old   []string // IDs of the page's documents so far
	docs  []*document.Document
	words int // words in docs
}

// batchesAhead is the number of pages that may wait to be written.
const batchesAhead = 32

func (u *update) run(ctx context.Context) error {
	u.batches = make(chan pageBatch, batchesAhead)
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
	close(u.batches)
	return errors.Join(err, g.Wait())
}

// find walks over the pages of the archive and those of the index side by side, both ordered by key.
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

// remove takes a page out of the index that is no longer in the archive.
func (u *update) remove(ctx context.Context, key string) error {
	old, err := u.reader.ids(fieldPage, key)
	if err != nil {
		return err
	}
	return u.send(ctx, pageBatch{old: old})
}

// page indexes one page and replaces its earlier documents.
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
	pageDoc := document.NewDocument(pageDocID(p.Key, p.Signature))
	pageDoc.AddField(keyword(fieldPage, p.Key))
	return u.send(ctx, pageBatch{old, append(docs, pageDoc), words})
}

// send passes a page to the writer.
func (u *update) send(ctx context.Context, m pageBatch) error {
	select {
	case u.batches <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes pages in batches. When a run is stopped, it still writes what is finished.
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
	for m := range u.batches {
		for _, id := range m.old {
			batch.Delete(id)
		}
		for _, d := range m.docs {
			batch.Update(d)
		}
		if len(m.docs) > 0 {
			pages++
			changes += int64(len(m.docs)) - 1 // one is the page's own document
		}
		if words += m.words + len(m.old); words >= batchWords {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// changes builds a document for each change of a page; words estimates how many words they contain.
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
			words += min(len(a)+len(b), (2*contextWords+2)*(ch.Deleted+ch.Added))
		}
		older, a = v, b
	}
	return docs, words, nil
}

// changeOf describes the step between two versions of a and b words. older is zero for the first version of a page.
func changeOf(key string, older, newer Version, a, b int) Change {
	return Change{
		Key: key, Before: older.Last, After: newer.First, First: older.First == 0,
		Gone:  older.First != 0 && (newer.Missing || newer.Text == 0 || a >= goneRatio*b && a > 0),
		Came:  older.First == 0 || older.Missing || older.Text == 0 || b >= goneRatio*a,
		Minor: newer.Minor, SoftBefore: older.Soft404, SoftAfter: newer.Soft404,
		NoTextBefore: a == 0, NoTextAfter: b == 0,
	}
}
