package search

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/internal/disk"
)

// A write is a change that becomes visible in the index as a whole.
type write struct {
	old     []string           // IDs of documents to remove
	doc     *document.Document // nil for none
	page    bool               // the document completes a page
	changes int                // of that page
	totals  totals             // change of the totals
}

const (
	// writesAhead is the number of documents that may wait to be written.
	writesAhead = 2
	// batchSize is the memory of a batch in bytes at which it is written.
	batchSize = 48 << 20
)

// write writes documents in batches, and collects the next batch meanwhile. When the update is stopped, it still writes what is finished.
func (u *update) write(ctx context.Context) error {
	full := make(chan *batch)
	g, failed := errgroup.WithContext(context.Background())
	g.Go(func() error {
		for b := range full {
			s := newStep(u.Pace)
			if err := u.flush(b); err != nil {
				return err
			}
			_ = s.end(ctx) // even if stopped, write what was finished
		}
		return nil
	})
	hand := func(b *batch) {
		b.totals = u.totals
		select {
		case full <- b:
		case <-failed.Done():
		}
	}
	b := newBatch()
	for w := range u.writes {
		b.take(w)
		u.totals.add(w.totals, 1)
		if b.size >= batchSize {
			if hand(b); failed.Err() != nil {
				break
			}
			b = newBatch()
		}
	}
	hand(b)
	close(full)
	return g.Wait()
}

// A batch collects writes that are written together.
type batch struct {
	*index.Batch
	size           int
	pages, changes int64
	totals         totals // the new totals
}

func newBatch() *batch { return &batch{Batch: index.NewBatch()} }

func (b *batch) take(w write) {
	for _, id := range w.old {
		b.Delete(id)
		b.size += len(id) + 100
	}
	if w.doc != nil {
		b.Update(w.doc)
		b.size += w.doc.Size()
	}
	if w.page {
		b.pages++
		b.changes += int64(w.changes)
	}
}

func (u *update) flush(b *batch) error {
	if len(b.IndexOps) == 0 {
		return nil
	}
	if err := disk.CheckRoom(u.dir, roomToWrite); err != nil {
		return err
	}
	b.SetInternal([]byte(totalsKey), b.totals.pack())
	if err := u.store.index.Batch(b.Batch); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	u.progress.Done.Add(b.pages)
	u.progress.Indexed.Add(b.pages)
	u.progress.Changes.Add(b.changes)
	return nil
}

// settle stores the state of the archive, unless pages could not be read: the next update looks at these again.
func (u *update) settle(before settled, state string) error {
	after := settled{state, u.progress.Pages.Load()}
	if u.progress.Failed.Load() > 0 || after == before {
		return nil
	}
	b := index.NewBatch()
	b.SetInternal([]byte(settledKey), after.pack())
	if err := u.store.index.Batch(b); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
