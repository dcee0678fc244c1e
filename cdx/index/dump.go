package index

import (
	"context"
	"fmt"

	"github.com/varve-archive/varve/cdx/index/store"
)

// Dump calls put with every entry of the index's store, in the order of the keys, as they are at one moment: whoever writes
// them all to an empty store has the index of that moment, as if its process had been killed then. Key and value are valid
// until put returns.
func (x *Index) Dump(ctx context.Context, put func(key, value []byte) error) error {
	return x.store.View(ctx, func(s store.Snapshot) error {
		c := s.Cursor(store.Range{})
		defer c.Close()
		for c.Seek(nil); c.Valid(); c.Next() {
			if err := c.Value(func(v []byte) error { return put(c.Key(), v) }); err != nil {
				return err
			}
		}
		return c.Err()
	})
}

// Fill fills an empty store with what [Index.Dump] gave. Call the function that it returns for each entry, whose slices it
// keeps, and the other one at the end.
func Fill(ctx context.Context, s store.Store) (put func(key, value []byte) error, end func() error) {
	batch, size := s.Batch(ctx), 0
	flush := func() error {
		err := batch.Flush()
		batch, size = s.Batch(ctx), 0
		return err
	}
	put = func(key, value []byte) error {
		if size += len(key) + len(value); size > fillAtOnce {
			if err := flush(); err != nil {
				return fmt.Errorf("index: %w", err)
			}
		}
		return batch.Set(key, value)
	}
	end = func() error {
		err := flush()
		batch.Cancel()
		if err == nil {
			err = s.Sync(ctx)
		}
		return err
	}
	return put, end
}

// fillAtOnce is how much of a filled store waits in memory.
const fillAtOnce = 16 << 20
