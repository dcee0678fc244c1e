package indextest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
)

// Reads counts reads from a store.
type Reads struct {
	Views  atomic.Int64 // snapshots
	Gets   atomic.Int64 // values read by their key
	Keys   atomic.Int64 // keys that cursors returned
	Values atomic.Int64 // values that cursors returned
	Bytes  atomic.Int64 // of all values, and of the keys that cursors moved to
}

// Reset sets all counts to 0.
func (r *Reads) Reset() {
	r.Views.Store(0)
	r.Gets.Store(0)
	r.Keys.Store(0)
	r.Values.Store(0)
	r.Bytes.Store(0)
}

// sized wraps f so that it counts the bytes of the value.
func (r *Reads) sized(f func([]byte) error) func([]byte) error {
	return func(v []byte) error {
		r.Bytes.Add(int64(len(v)))
		return f(v)
	}
}

// Counted returns a store that counts in r all reads from s, to test how much a query reads.
func Counted(s kv.Store, r *Reads) kv.Store { return countedStore{s, r} }

// Counting returns an empty index in memory that counts what is read from its store.
func Counting(t testing.TB) (*index.Index, *Reads) {
	t.Helper()
	store, err := badger.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	reads := new(Reads)
	return on(t, Counted(store, reads)), reads
}

type countedStore struct {
	kv.Store
	reads *Reads
}

func (s countedStore) View(ctx context.Context, f func(kv.Snapshot) error) error {
	s.reads.Views.Add(1)
	return s.Store.View(ctx, func(snap kv.Snapshot) error { return f(countedSnapshot{snap, s.reads}) })
}

type countedSnapshot struct {
	kv.Snapshot
	reads *Reads
}

func (s countedSnapshot) Get(key []byte, f func([]byte) error) error {
	s.reads.Gets.Add(1)
	return s.Snapshot.Get(key, s.reads.sized(f))
}

func (s countedSnapshot) GetMany(keys [][]byte, f func(int, []byte) error) error {
	s.reads.Gets.Add(int64(len(keys)))
	return s.Snapshot.GetMany(keys, func(i int, v []byte) error {
		s.reads.Bytes.Add(int64(len(v)))
		return f(i, v)
	})
}

func (s countedSnapshot) Cursor(r kv.Range) kv.Cursor {
	return countedCursor{s.Snapshot.Cursor(r), s.reads}
}

type countedCursor struct {
	kv.Cursor
	reads *Reads
}

func (c countedCursor) Key() []byte {
	c.reads.Keys.Add(1)
	return c.Cursor.Key()
}

func (c countedCursor) Seek(key []byte) {
	c.Cursor.Seek(key)
	c.moved()
}

func (c countedCursor) Next() {
	c.Cursor.Next()
	c.moved()
}

// moved counts the bytes of the key to which the cursor has moved.
func (c countedCursor) moved() {
	if c.Cursor.Valid() {
		c.reads.Bytes.Add(int64(len(c.Cursor.Key())))
	}
}

func (c countedCursor) Value(f func([]byte) error) error {
	c.reads.Values.Add(1)
	return c.Cursor.Value(c.reads.sized(f))
}
