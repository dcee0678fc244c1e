package kv

import (
	"bytes"
	"context"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A Store is an ordered key-value store. Keys and values are bytes, keys are sorted bytewise, and a value may be empty. Every store takes
// keys of up to 60,100 bytes and values below 1 MiB; it may refuse larger ones with [ErrTooLarge]. A Store is safe for concurrent use. It
// returns the errors of functions that were passed to it unchanged.
type Store interface {
	// View runs f on a snapshot, which shows nothing that is written after its first read. The snapshot ends with f.
	View(ctx context.Context, f func(Snapshot) error) error
	// Update runs f and, unless f fails, makes its writes visible all at once, as if nothing else had been written
	// since its first Get. f may be called again after a conflict with another writer, so it must only use its Txn.
	Update(ctx context.Context, f func(Txn) error) error
	// Batch begins a bulk write. Its writes become visible at any time before Flush returns, not all at once. When ctx ends, the batch fails.
	Batch(ctx context.Context) Batch
	// Sync returns when everything written so far, by Flush or Update, would survive a loss of power.
	Sync(ctx context.Context) error
	// Close closes the store, which must not be used any more.
	Close() error
}

// Pooled is a Store over a network that has pools of connections.
type Pooled interface {
	Store
	Pools() []Pool
}

// A Pool is the present use of one pool of connections.
type Pool struct {
	Name              string // what its connections are used for
	Used, Idle, Limit int
	Waits             int64 // how often somebody had to wait for a connection
	Waited            time.Duration
}

// A Snapshot reads a Store as it was at one moment. Only one goroutine may use it.
type Snapshot interface {
	// Get calls f with the value of key, which is valid until f returns. It returns [ErrNoKey] if there is no such key.
	Get(key []byte, f func(value []byte) error) error
	// GetMany calls f for each of keys that exists, in their order, as Get does. i is the key's index in keys.
	GetMany(keys [][]byte, f func(i int, value []byte) error) error
	// Cursor returns a cursor over a range. It has no position before its first Seek. Close it before View ends.
	Cursor(Range) Cursor
	// Prefetch announces which values and ranges will be read, as far as that is known. It changes no results, and announced reads need not
	// happen. An engine that pays for round trips fetches all of them together, with the first of them that is read; a later call replaces the
	// announcement. Other engines do nothing. The slices must not be modified.
	Prefetch(keys [][]byte, ranges []PrefetchRange)
}

// A PrefetchRange is what a cursor over Range returns from From on: at most Rows entries. The range has no Walks.
type PrefetchRange struct {
	Range
	From []byte
}

// A Range says which keys a cursor covers.
type Range struct {
	Prefix   []byte // only keys that begin with it
	Reverse  bool   // in descending order
	KeysOnly bool   // Value is never called, so an engine need not fetch values
	// Walks, unless nil, are the only positions that the cursor will seek, in this order, though some may be left out. An engine that pays for
	// round trips may fetch the first Rows entries of many walks at once. It may also end a walk where its prefix ends.
	Walks []Walk
	Rows  int // entries that most walks need, at least 1 if there are walks; 0 if unknown
}

// A Walk begins at From and ends with the keys that begin with Prefix.
type Walk struct{ From, Prefix []byte }

// Each calls f with a cursor at each key of a range, starting at from, until f fails.
func Each(s Snapshot, r Range, from []byte, f func(Cursor) error) error {
	cur := s.Cursor(r)
	defer cur.Close()
	for cur.Seek(from); cur.Valid(); cur.Next() {
		if err := f(cur); err != nil {
			return err
		}
	}
	return cur.Err()
}

// AfterPrefix returns the first key after all keys that begin with a prefix, nil if there is none.
func AfterPrefix(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}

// A Cursor is at a key, unless Valid returns false. Key is valid until the next move.
type Cursor interface {
	// Seek moves to key or, if it doesn't exist, to the next one in the cursor's direction.
	Seek(key []byte)
	Next()
	Valid() bool
	Key() []byte
	// Value calls f with the value, which is valid until f returns.
	Value(f func(value []byte) error) error
	// Err returns the error that stopped the cursor, such as the end of the view's context, or nil if there are no more keys. A cursor that
	// failed stays invalid.
	Err() error
	Close()
}

// A Txn reads and writes a few keys atomically. It sees its own writes. Only one goroutine may use it, until the function that received it
// returns.
type Txn interface {
	// Get returns the value of key, or [ErrNoKey].
	Get(key []byte) ([]byte, error)
	Set(key, value []byte) error
	Delete(key []byte) error
}

// A Batch collects writes. It is safe for concurrent use. A later write of a key replaces an earlier one. After Flush or Cancel, everything
// but Cancel fails with [ErrUsedUp].
type Batch interface {
	Set(key, value []byte) error // keeps both slices until Flush
	Delete(key []byte) error     // keeps the slice until Flush
	// Flush returns when all writes of the batch are visible.
	Flush() error
	// Cancel drops the writes that are not visible yet. After Flush it does nothing.
	Cancel()
}

// Shared is a Store that other processes may write to at the same time.
type Shared interface {
	Store
	// Watch calls changed at once, and again soon after the value of key has changed, until ctx ends or changed fails.
	// One call may stand for several changes.
	Watch(ctx context.Context, key []byte, changed func() error) error
}

// A Compactor reorganizes what was written in bulk, so that reads look in fewer places. This may take a while; reads and writes continue
// meanwhile.
type Compactor interface {
	Compact(ctx context.Context) error
}

// A Verifier reads all stored data and returns an error if some is damaged.
type Verifier interface {
	Verify(ctx context.Context) error
}

// A Mode says what an engine opens a store for.
type Mode int

const (
	Create   Mode = iota // read and write; a missing store is created
	Existing             // read and write a store that exists
	ReadOnly             // only read
)

// ErrNone says that there is no store at the given place.
const ErrNone = sentinel.Error("index: there is no index there")

// ErrNoKey says that a Store has no such key.
const ErrNoKey = sentinel.Error("index: no such key")

// ErrInUse says that another process has the store open, and that the engine doesn't allow two.
const ErrInUse = sentinel.Error("index: the index is in use by another process")

// ErrDamaged says that files of the store can't be read any more.
const ErrDamaged = sentinel.Error("is damaged")

// ErrReadOnly says that the store can't be written, because it was opened read-only or its place doesn't allow it.
const ErrReadOnly = sentinel.Error("index: the index can't be written")

// ErrUnfinished says that a read-only store was not closed properly: a writer has to recover it before anybody can read it.
const ErrUnfinished = sentinel.Error("index: the index was not closed by the last varve that wrote it")

// ErrTooLarge says that a key or value exceeds the limits of the store.
const ErrTooLarge = sentinel.Error("index: too large for the store of the index")

// ErrUnavailable says that a store on another machine can't be reached, or the connection was lost. The operation may be tried again. An
// [Store.Update] that fails with it may have been applied.
const ErrUnavailable = unavailable("index: the database of the index can't be reached now")

type unavailable string

func (u unavailable) Error() string { return string(u) }

// Temporary marks the error as temporary, for packages that don't import kv.
func (unavailable) Temporary() bool { return true }

// ErrUsedUp says that a batch was already flushed or canceled.
const ErrUsedUp = sentinel.Error("index: the batch is used up")
