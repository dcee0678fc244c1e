package badger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

func TestFoldersThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "LOCK"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "file"), dir} {
		if _, err := Open(bad, nil); err == nil || !strings.Contains(err.Error(), "index folder") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for err, wanted := range map[error]bool{
		&fs.PathError{Err: syscall.EACCES}: true, &fs.PathError{Err: syscall.EROFS}: true, &fs.PathError{Err: syscall.ENOSPC}: false,
	} {
		if got := advice(err); strings.Contains(got, "give it the right to") != wanted {
			t.Errorf("%v: %q", err, got)
		}
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
