package kv

import (
	"bytes"
	"context"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A Store is an ordered key-value store. Keys and values are bytes, keys sort bytewise, and a value may be empty. Every
// store takes keys of up to 60,100 bytes and values below 1 MiB; it may refuse larger ones with [ErrTooLarge]. A Store
// is safe for concurrent use. It returns errors of the functions passed to it unchanged.
type Store interface {
	// View runs f on a snapshot, which shows nothing that is written after its first read. The snapshot ends with f.
	View(ctx context.Context, f func(Snapshot) error) error
	// Update runs f and, unless f fails, makes its writes visible all at once, as if nothing else had been written
	// since its first Get. f may be called again after a conflict with another writer, so it must only use its Txn.
	Update(ctx context.Context, f func(Txn) error) error
	// Batch starts writing in bulk. The writes of a batch become visible at some time before Flush returns, not all at
	// once. When ctx ends, so does the batch.
	Batch(ctx context.Context) Batch
	// Sync returns once everything written so far, by Flush or Update, would survive a loss of power.
	Sync(ctx context.Context) error
	// Close ends all use of the store.
	Close() error
}

// Pooled is a Store over a network that has pools of connections.
type Pooled interface {
	Store
	Pools() []Pool
}

// A Pool is what connections of one kind are at.
type Pool struct {
	Name              string // what they are for
	Used, Idle, Limit int
	Waits             int64 // how often somebody waited for a connection
	Waited            time.Duration
}

// A Snapshot reads a Store as it was at one moment. Only one goroutine may use it.
type Snapshot interface {
	// Get calls f with the value of key, which is valid until f returns, or returns [ErrNoKey].
	Get(key []byte, f func(value []byte) error) error
	// GetMany calls f for each of keys that exists, in their order, as Get does. i is the key's index in keys.
	GetMany(keys [][]byte, f func(i int, value []byte) error) error
	// Cursor returns a cursor over a range. It has no position before its first Seek. Close it before View ends.
	Cursor(Range) Cursor
	// Ahead says which values and which stretches will be asked for, as far as that is known. It changes no answer, and what is said
	// need not be asked for. An engine that pays for round trips fetches all of it together with the first of it that is wanted, in
	// place of what was said before. Other engines do nothing. The slices must stay as they are.
	Ahead(keys [][]byte, stretches []Stretch)
}

// A Stretch is what a cursor over Range returns from From on, Rows entries at most. The range has no Walks.
type Stretch struct {
	Range
	From []byte
}

// A Range says what a cursor walks over.
type Range struct {
	Prefix   []byte // only keys that begin with it
	Reverse  bool   // in descending order
	KeysOnly bool   // Value is never called, so an engine need not fetch values
	// Walks, unless nil, are all that the cursor will be sought to, in this order as far as it is sought at all. An engine that
	// pays for round trips may fetch the first Rows entries of many at once. It may also end a walk where its prefix ends.
	Walks []Walk
	Rows  int // how many entries most walks take, at least 1 if there are walks; 0 if that is not known
}

// A Walk begins at a key and is of no interest beyond a prefix.
type Walk struct{ From, Prefix []byte }

// Behind returns the first key behind all that begin with a prefix, nil if there is none.
func Behind(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}

// A Cursor is at a key or, if Valid returns false, at none. Key is valid until the next move.
type Cursor interface {
	// Seek moves to key or, if it doesn't exist, to the next one in the cursor's direction.
	Seek(key []byte)
	Next()
	Valid() bool
	Key() []byte
	// Value calls f with the value, which is valid until f returns.
	Value(f func(value []byte) error) error
	// Err returns what stopped the cursor, such as the end of the view's context. It is nil if there are no more keys.
	// A cursor that failed is never valid again.
	Err() error
	Close()
}

// A Txn reads and writes a few keys atomically. It sees its own writes. Only one goroutine may use it, until the
// function that it was passed to returns.
type Txn interface {
	// Get returns the value of key, or [ErrNoKey].
	Get(key []byte) ([]byte, error)
	Set(key, value []byte) error
	Delete(key []byte) error
}

// A Batch collects writes. It is safe for concurrent use. A later write of a key replaces an earlier one. After Flush
// or Cancel the batch is used up: everything but Cancel fails with [ErrUsedUp].
type Batch interface {
	Set(key, value []byte) error // keeps both slices until Flush
	Delete(key []byte) error     // keeps the slice until Flush
	// Flush returns once everything in the batch is visible.
	Flush() error
	// Cancel drops what is not visible yet. After Flush it does nothing.
	Cancel()
}

// Shared is a Store that other processes may write to at the same time.
type Shared interface {
	Store
	// Watch calls changed at once, and again soon after the value of key has changed, until ctx ends or changed fails.
	// One call may stand for several changes.
	Watch(ctx context.Context, key []byte, changed func() error) error
}

// A Compactor reorganizes what was written in bulk, so that reads find it in fewer places. This may take a while; reads
// and writes continue meanwhile.
type Compactor interface {
	Compact(ctx context.Context) error
}

// A Verifier reads all that is stored, and returns an error if something isn't as it was written.
type Verifier interface {
	Verify(ctx context.Context) error
}

// A Mode says what an engine opens a store for.
type Mode int

// The modes.
const (
	Create   Mode = iota // to read and write it; it is made if there is none
	Existing             // to read and write it, if there is one
	ReadOnly             // to read it
)

// ErrNone says that there is no store at the place that was named.
const ErrNone = sentinel.Error("index: there is no index there")

// ErrNoKey says that a Store has no such key.
const ErrNoKey = sentinel.Error("index: no such key")

// ErrInUse says that another process has the store open and that it can't be shared.
const ErrInUse = sentinel.Error("index: the index is in use by another process")

// ErrReadOnly says that nothing can be written to the store: it was opened so, or the place where it is doesn't allow it.
const ErrReadOnly = sentinel.Error("index: the index can't be written")

// ErrUnfinished says that a store which can only be read was not closed: what its last writer left undone has to be written
// before anybody can read it.
const ErrUnfinished = sentinel.Error("index: the index was not closed by the last varve that wrote it")

// ErrTooLarge says that a key or a value doesn't fit into the store.
const ErrTooLarge = sentinel.Error("index: too large for the store of the index")

// ErrUnavailable says that a store on another machine could not be reached, or went away meanwhile. It may be back soon:
// what was asked may be asked again. An [Store.Update] that ends with it may have happened.
const ErrUnavailable = unavailable("index: the database of the index can't be reached now")

type unavailable string

func (u unavailable) Error() string { return string(u) }

// Temporary marks it for those who only know that an index is a source of captures.
func (unavailable) Temporary() bool { return true }

// ErrUsedUp says that a batch was already flushed or canceled.
const ErrUsedUp = sentinel.Error("index: the batch is used up")
