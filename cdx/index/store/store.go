package store

import "errors"

// A Store is the ordered key-value store under an index: keys and values are bytes, keys sort
// bytewise. It is this small so that a collection can outgrow one machine (another Store) without
// anything above noticing. Package badger is the one varve
// ships; package storetest holds the suite that each must pass.
type Store interface {
	// View runs f on a snapshot: f sees nothing that is written after it began.
	View(f func(Snapshot) error) error
	// Batch starts bulk writing. What is in a batch becomes visible at some moment before its Flush
	// returns, not all at once.
	Batch() Batch
	// Sync returns once everything flushed so far survives the loss of power.
	Sync() error
	// Compact puts in order what was written in bulk, so that reads find it in fewer places. It may take a while;
	// reads and writes go on beside it.
	Compact() error
	// Size returns the bytes the store takes on disk, about.
	Size() int64
	Close() error
}

// A Snapshot reads a Store as it was at one moment. It may be used by one goroutine only.
type Snapshot interface {
	// Get calls f with the value of key, which is valid until f returns, or returns [ErrNoKey].
	Get(key []byte, f func(value []byte) error) error
	// Cursor walks the keys that begin with prefix, downwards if reverse. Close it before View ends.
	Cursor(prefix []byte, reverse bool) Cursor
}

// A Cursor stands on a key or, when Valid is false, past the last one. Key and Value are valid until the next move.
type Cursor interface {
	// Seek moves to key, else to the next one in the cursor's direction.
	Seek(key []byte)
	Next()
	Valid() bool
	Key() []byte
	Value(f func(value []byte) error) error
	Close()
}

// A Batch collects writes. It is safe for concurrent use; after Flush or Cancel it is used up.
type Batch interface {
	Set(key, value []byte) error // keeps both slices until Flush
	Delete(key []byte) error     // keeps the slice until Flush
	Flush() error
	Cancel()
}

// ErrNoKey says that a Store holds no such key.
var ErrNoKey = errors.New("index: no such key")

// ErrInUse says that another process has the store open; see [badger.Open].
var ErrInUse = errors.New("index: the index is in use by another process")
