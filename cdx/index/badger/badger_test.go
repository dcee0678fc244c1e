package badger

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/index/storetest"
)

func opened(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOnDisk(t *testing.T) {
	storetest.Run(t,
		func(t *testing.T) store.Store { return opened(t, filepath.Join(t.TempDir(), "index")) },
		func(t *testing.T, s store.Store) store.Store {
			dir := s.(*engine).dir()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return opened(t, dir)
		})
}

func TestInMemory(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return opened(t, "") }, nil)
}

func TestSecondProcessIsToldThatTheStoreIsInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := opened(t, dir)
	defer s.Close()
	if _, err := Open(dir, nil); !errors.Is(err, store.ErrInUse) {
		t.Errorf("got %v, want ErrInUse", err)
	}
}

func TestCompactLosesNothing(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "index"))
	defer s.Close()
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set([]byte("a"), []byte("1")), b.Flush(), s.(store.Compactor).Compact(t.Context())); err != nil {
		t.Fatal(err)
	}
	err := s.View(t.Context(), func(snap store.Snapshot) error {
		return snap.Get([]byte("a"), func([]byte) error { return nil })
	})
	if err != nil {
		t.Error(err)
	}
}
