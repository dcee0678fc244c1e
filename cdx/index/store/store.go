package store

import (
	"context"
	"errors"
)

// A Store is an ordered key-value store: keys and values are bytes, keys sort bytewise, a value may be empty. Keys of up
// to 60,100 bytes and values below 1 MiB fit into each; of larger ones a write fails with [ErrTooLarge] where they don't.
// It is safe for concurrent use. Errors of the functions passed to it come back as they are.
type Store interface {
	// View runs f on a snapshot: f sees nothing that is written after it began. The snapshot ends with f.
	View(ctx context.Context, f func(Snapshot) error) error
	// Update runs f, and unless it fails makes visible all at once what f wrote, as if nothing else had been written
	// between its first Get and that moment. f may be called again after a conflict with another writer, so it must
	// do nothing but use its Txn.
	Update(ctx context.Context, f func(Txn) error) error
	// Batch starts bulk writing. What is in a batch becomes visible at some moment before its Flush returns, not all
	// at once. When ctx ends, so does the batch.
	Batch(ctx context.Context) Batch
	// Sync returns once everything written so far, by Flush or by Update, survives the loss of power.
	Sync(ctx context.Context) error
	// Close ends all use of the store.
	Close() error
}

// A Snapshot reads a Store as it was at one moment. It may be used by one goroutine only.
type Snapshot interface {
	// Get calls f with the value of key, which is valid until f returns, or returns [ErrNoKey].
	Get(key []byte, f func(value []byte) error) error
	// GetMany calls f with the value of each of keys that there is, in their order, as Get does. i is the key's place.
	GetMany(keys [][]byte, f func(i int, value []byte) error) error
	// Cursor walks a range. It stands nowhere before its first Seek. Close it before View ends.
	Cursor(Range) Cursor
}

// A Range says what a cursor walks over.
type Range struct {
	Prefix   []byte // the keys that begin with it
	Reverse  bool   // downwards
	KeysOnly bool   // values are never asked for, so an engine need not fetch them
}

// A Cursor stands on a key or, when Valid is false, on none. Key is valid until the next move.
type Cursor interface {
	// Seek moves to key, else to the next one in the cursor's direction.
	Seek(key []byte)
	Next()
	Valid() bool
	Key() []byte
	// Value calls f with the value, which is valid until f returns.
	Value(f func(value []byte) error) error
	// Err returns what kept the cursor from going on, the end of the view's context included. It is nil where there
	// are no more keys. A cursor that failed is never valid again.
	Err() error
	Close()
}

// A Txn reads and writes a few keys at one moment. It sees what it wrote itself. One goroutine may use it, until the
// function it was passed to returns.
type Txn interface {
	// Get returns the value of key, or [ErrNoKey].
	Get(key []byte) ([]byte, error)
	Set(key, value []byte) error
	Delete(key []byte) error
}

// A Batch collects writes. It is safe for concurrent use. A later write of a key wins over an earlier one. After Flush or
// Cancel it is used up: all but Cancel then fail with [ErrUsedUp].
type Batch interface {
	Set(key, value []byte) error // keeps both slices until Flush
	Delete(key []byte) error     // keeps the slice until Flush
	// Flush returns once everything in the batch is visible.
	Flush() error
	// Cancel drops what is not visible yet. It is harmless after Flush.
	Cancel()
}

// Shared is a Store that other processes may write to at the same time.
type Shared interface {
	Store
	// Watch calls changed at the beginning, and soon whenever the value of key has changed, until ctx ends or changed
	// fails. Several changes may be told as one.
	Watch(ctx context.Context, key []byte, changed func() error) error
}

// A Compactor puts in order what was written in bulk, so that reads find it in fewer places. It may take a while; reads
// and writes go on beside it.
type Compactor interface {
	Compact(ctx context.Context) error
}

// ErrNoKey says that a Store holds no such key.
var ErrNoKey = errors.New("index: no such key")

// ErrInUse says that another process has the store open, and that it can't be shared.
var ErrInUse = errors.New("index: the index is in use by another process")

// ErrTooLarge says that a key or a value doesn't fit into the store.
var ErrTooLarge = errors.New("index: too large for the store of the index")

// ErrUsedUp says that a batch was flushed or canceled before.
var ErrUsedUp = errors.New("index: the batch is used up")
