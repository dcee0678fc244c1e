package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Dump calls put with every entry of the index's store in the order of keys, from one snapshot. [Fill] and [Restore] make an index from
// them, as if the process had been killed at that moment. Key and value are valid until put returns.
func (x *Index) Dump(ctx context.Context, put func(key, value []byte) error) error {
	return x.store.View(ctx, func(s kv.Snapshot) error {
		return kv.Each(s, kv.Range{}, nil, func(c kv.Cursor) error {
			return c.Value(func(v []byte) error { return put(c.Key(), v) })
		})
	})
}

// copied returns an entry's value in a copy of an index, which has an identity of its own; ok is false if the copy lacks the entry. That
// is so for claims of processes that work on the original.
func copied(identity string, key, value []byte) (copied []byte, ok bool) {
	switch {
	case key[0] == claimPrefix, bytes.Equal(key, holdersKey.key()):
		return nil, false
	case bytes.Equal(key, identityKey.key()):
		return []byte(identity), true
	}
	return value, true
}

// Fill makes an empty store a copy of a dumped index, with an identity of its own. Call put with each entry of [Index.Dump]; it keeps the
// slices. Call end when all were put.
func Fill(ctx context.Context, s kv.Store) (put func(key, value []byte) error, end func() error) {
	write, end := fill(ctx, s)
	identity := rand.Text()
	return func(key, value []byte) error {
		value, ok := copied(identity, key, value)
		if !ok {
			return nil
		}
		return write(key, value)
	}, end
}

// fill fills a store with unchanged entries.
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

// fillAtOnce bounds the bytes that wait in memory while a store is filled.
const fillAtOnce = 16 << 20
