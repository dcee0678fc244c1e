package cdxtest

import (
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// Reads counts what was read from a store.
type Reads struct {
	Views  atomic.Int64 // snapshots
	Gets   atomic.Int64 // values read by their key
	Keys   atomic.Int64 // keys that cursors stood on
	Values atomic.Int64 // values read there
}

// Reset begins anew.
func (r *Reads) Reset() {
	r.Views.Store(0)
	r.Gets.Store(0)
	r.Keys.Store(0)
	r.Values.Store(0)
}

// Counted returns a store that counts in r what is read from s, for tests of how much a question costs.
func Counted(s cdx.Store, r *Reads) cdx.Store { return countedStore{s, r} }

// CountedIndex returns an empty index in memory that counts what is read from its store.
func CountedIndex(t testing.TB) (*cdx.Index, *Reads) {
	t.Helper()
	store, err := cdx.OpenBadger("", nil)
	if err != nil {
		t.Fatal(err)
	}
	reads := new(Reads)
	x, err := cdx.NewIndex(Counted(store, reads))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x, reads
}

type countedStore struct {
	cdx.Store
	reads *Reads
}

func (s countedStore) View(f func(cdx.Snapshot) error) error {
	s.reads.Views.Add(1)
	return s.Store.View(func(snap cdx.Snapshot) error { return f(countedSnapshot{snap, s.reads}) })
}

type countedSnapshot struct {
	cdx.Snapshot
	reads *Reads
}

func (s countedSnapshot) Get(key []byte, f func([]byte) error) error {
	s.reads.Gets.Add(1)
	return s.Snapshot.Get(key, f)
}

func (s countedSnapshot) Cursor(prefix []byte, reverse bool) cdx.Cursor {
	return countedCursor{s.Snapshot.Cursor(prefix, reverse), s.reads}
}

type countedCursor struct {
	cdx.Cursor
	reads *Reads
}

func (c countedCursor) Key() []byte {
	c.reads.Keys.Add(1)
	return c.Cursor.Key()
}

func (c countedCursor) Value(f func([]byte) error) error {
	c.reads.Values.Add(1)
	return c.Cursor.Value(f)
}
