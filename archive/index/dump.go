package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Dump calls put with every entry of the index's store, in the order of the keys, as they are at one moment: whoever gives
// them all to [Fill] or [Restore] has the index of that moment, as if its process had been killed then. Key and value are valid
// until put returns.
func (x *Index) Dump(ctx context.Context, put func(key, value []byte) error) error {
	return x.store.View(ctx, func(s kv.Snapshot) error {
		c := s.Cursor(kv.Range{})
		defer c.Close()
		for c.Seek(nil); c.Valid(); c.Next() {
			if err := c.Value(func(v []byte) error { return put(c.Key(), v) }); err != nil {
				return err
			}
		}
		return c.Err()
	})
}

// A copying turns the entries of an index into those of a copy. That is an index by itself: it has another identity, and goes on in another
// way than its original. What means something under the old identity alone is not copied: the claims of those who work on the original,
// and what they have published, whose files are the original's and are removed when that needs them no more.
type copying struct{ identity []byte }

func newCopy() copying { return copying{[]byte(rand.Text())} }

// entry returns the value that an entry has in the copy; ok is false if it has none there.
func (c copying) entry(key, value []byte) (copied []byte, ok bool) {
	switch {
	case key[0] == claimPrefix, key[0] == makerPrefix, key[0] == publishedPrefix, bytes.Equal(key, holdersKey.key()):
		return nil, false
	case bytes.Equal(key, identityKey.key()):
		return c.identity, true
	}
	return value, true
}

// Fill makes an empty store a copy of the index of which [Index.Dump] gave the entries. The copy has an identity of its own. Call
// the function that it returns for each entry, whose slices it keeps, and the other one at the end.
func Fill(ctx context.Context, s kv.Store) (put func(key, value []byte) error, end func() error) {
	write, end := fill(ctx, s)
	c := newCopy()
	return func(key, value []byte) error {
		value, ok := c.entry(key, value)
		if !ok {
			return nil
		}
		return write(key, value)
	}, end
}

// fill fills a store with entries as they are.
func fill(ctx context.Context, s kv.Store) (put func(key, value []byte) error, end func() error) {
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
