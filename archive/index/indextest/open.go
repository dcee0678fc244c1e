package indextest

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
)

// Open opens the index in folder dir, or one in memory for "". It closes the index when the test ends.
func Open(tb testing.TB, dir string) *index.Index {
	tb.Helper()
	store, err := badger.Open(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return on(tb, store)
}

// on opens an index on store for the duration of a test.
func on(tb testing.TB, store kv.Store) *index.Index {
	tb.Helper()
	x, err := index.New(context.Background(), store)
	if err != nil {
		store.Close()
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := x.Close(); err != nil {
			tb.Error(err)
		}
	})
	return x
}
