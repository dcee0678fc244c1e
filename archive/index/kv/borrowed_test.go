package kv_test

import (
	"context"
	"errors"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
)

// Who borrows a store reads it, and neither writes nor closes it.
func TestBorrowed(t *testing.T) {
	t.Parallel()
	ctx, owned := t.Context(), kvtest.NewMemory()
	set := func(txn kv.Txn) error { return txn.Set([]byte("key"), []byte("value")) }
	if err := owned.Update(ctx, set); err != nil {
		t.Fatal(err)
	}
	s := kv.Borrowed(owned)
	batch := s.Batch(ctx)
	defer batch.Cancel()
	for what, err := range map[string]error{
		"update": s.Update(ctx, set), "set": batch.Set(nil, nil), "delete": batch.Delete(nil), "flush": batch.Flush(),
	} {
		if !errors.Is(err, kv.ErrReadOnly) {
			t.Errorf("%s: %v, want %v", what, err, kv.ErrReadOnly)
		}
	}
	if err := errors.Join(s.Sync(ctx), s.Close()); err != nil {
		t.Error(err)
	}
	for _, of := range []kv.Store{s, owned} {
		read := func(value []byte) error { return sameAs(value, "value") }
		if err := of.View(context.Background(), func(snap kv.Snapshot) error { return snap.Get([]byte("key"), read) }); err != nil {
			t.Error(err)
		}
	}
}

func sameAs(got []byte, want string) error {
	if string(got) != want {
		return errors.New("got " + string(got))
	}
	return nil
}
