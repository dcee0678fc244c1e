package badger

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/cdx/index/store"
)

func TestSecondProcessIsToldThatTheStoreIsInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Open(dir, nil); !errors.Is(err, store.ErrInUse) {
		t.Errorf("got %v, want ErrInUse", err)
	}
}
