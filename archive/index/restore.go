package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
)

// ownPrefix is the first byte of keys that engines on other machines use for themselves.
const ownPrefix = 0

// ErrNotEmpty says that nothing can be restored into an index, because it has entries.
const ErrNotEmpty = sentinel.Error("index: it has entries already")

// ErrHalf says that a store has only a part of an index: a restore is running, or was interrupted.
const ErrHalf = sentinel.Error("index: a backup is being restored into it, or was not to its end: run varve restore again once none runs")

// restoringMark begins the value that replaces the format during a restore, so that no process opens the store.
const restoringMark = "restoring "

// Restore makes a shared store a copy of a dumped index, with an identity of its own. entries passes the entries of [Index.Dump] to put, in
// any order; put keeps the slices. The store must be empty, or have the remains of an interrupted restore; otherwise the error is
// [ErrNotEmpty]. No process can open the store before the restore is complete.
func Restore(ctx context.Context, s kv.Store, entries func(put func(key, value []byte) error) error) error {
	mark := []byte(restoringMark + rand.Text())
	begin := func() error { // called with the first entry, so that an empty backup changes nothing
		if err := isEmpty(ctx, s); err != nil {
			return err
		}
		if err := s.Update(ctx, func(txn kv.Txn) error { return txn.Set(formatKey.key(), mark) }); err != nil {
			return err
		}
		return clearAll(ctx, s)
	}
	mine := func() error { // checked before each write, in case another process has begun a restore
		return s.View(ctx, func(snap kv.Snapshot) error {
			return snap.Get(formatKey.key(), func(v []byte) error { return isMark(v, mark) })
		})
	}
	put, end := fill(ctx, s)
	identity := rand.Text()
	var format []byte
	count, size := int64(0), 0
	err := entries(func(key, value []byte) error {
		value, ok := copied(identity, key, value)
		if key[0] == ownPrefix || !ok {
			return nil
		}
		if count++; count == 1 {
			if err := begin(); err != nil {
				return err
			}
		}
		if bytes.Equal(key, formatKey.key()) { // written last, since it makes the index valid
			format = bytes.Clone(value)
			return nil
		}
		if size += len(key) + len(value); size > fillAtOnce/2 {
			if err := mine(); err != nil {
				return err
			}
			size = 0
		}
		return put(key, value)
	})
	if err == nil && count > 0 {
		err = mine()
	}
	if err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	if format == nil {
		return errors.New("index: what is restored says nothing of its format")
	}
	if found, err := countAll(ctx, s); err != nil || found != count {
		return errors.Join(err, fmt.Errorf("index: %d entries were restored, and %d are there: does another process write there too?",
			count, found))
	}
	return s.Update(ctx, func(txn kv.Txn) error {
		now, err := txn.Get(formatKey.key())
		if err = errors.Join(err, isMark(now, mark)); err != nil {
			return err
		}
		return txn.Set(formatKey.key(), format)
	})
}

func isMark(now, mark []byte) error {
	if !bytes.Equal(now, mark) {
		return errors.New("index: another process restores there too")
	}
	return nil
}

// isEmpty returns [ErrNotEmpty] if a store has more than facts about itself, which every opened store has, unless that is the remains of a
// restore.
func isEmpty(ctx context.Context, s kv.Store) error {
	half := false
	err := s.View(ctx, func(snap kv.Snapshot) error {
		return ignoreNoKey(snap.Get(formatKey.key(), func(v []byte) error { half = strings.HasPrefix(string(v), restoringMark); return nil }))
	})
	if err != nil || half {
		return err
	}
	return eachKey(ctx, s, func(key []byte) error {
		if key[0] != metaPrefix && key[0] != ownPrefix {
			return ErrNotEmpty
		}
		return nil
	})
}

func eachKey(ctx context.Context, s kv.Store, f func(key []byte) error) error {
	return s.View(ctx, func(snap kv.Snapshot) error {
		return kv.Each(snap, kv.Range{KeysOnly: true}, nil, func(c kv.Cursor) error { return f(c.Key()) })
	})
}

func countAll(ctx context.Context, s kv.Store) (n int64, err error) {
	err = eachKey(ctx, s, func(key []byte) error {
		if key[0] != ownPrefix {
			n++
		}
		return nil
	})
	return n, err
}

// clearAtOnce is how many keys are deleted at a time.
const clearAtOnce = 10_000

// clearAll deletes all keys except the format.
func clearAll(ctx context.Context, s kv.Store) error {
	batch, n := s.Batch(ctx), 0
	err := eachKey(ctx, s, func(key []byte) error {
		if bytes.Equal(key, formatKey.key()) || key[0] == ownPrefix {
			return nil
		}
		if n++; n%clearAtOnce == 0 {
			if err := batch.Flush(); err != nil {
				return err
			}
			batch = s.Batch(ctx)
		}
		return batch.Delete(bytes.Clone(key))
	})
	if err != nil {
		batch.Cancel()
		return err
	}
	return batch.Flush()
}
