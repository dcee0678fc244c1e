package badger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
)

// A byte of the store that is another one since leads to a sentence, or to nothing: never to another value, and to none missing.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "index")
	if err := write(from, 1); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(from, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("%v, %v", tables, err)
	}
	flips := 40
	if testing.Short() {
		flips = 8
	}
	random, said := rand.New(rand.NewPCG(1, 2)), 0
	for i := range flips {
		dir := filepath.Join(t.TempDir(), "index")
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.Base(tables[i%len(tables)]))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := random.IntN(len(content))
		content[at] ^= 1 << random.IntN(8)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		how := Open
		if i%2 == 1 {
			how = OpenReadOnly
		}
		s, err := how(dir, nil)
		if err != nil {
			said++
			if !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), dir) {
				t.Errorf("byte %d of %s: %v", at, filepath.Base(path), err)
			}
			continue
		}
		if err := errors.Join(holdsAll(t, s), s.Close()); err != nil {
			t.Errorf("byte %d of %s: %v", at, filepath.Base(path), err)
		}
	}
	t.Logf("%d of %d flipped bytes are said", said, flips)
	if said == 0 {
		t.Error("nothing was said")
	}
}

// holdsAll returns an error unless a store has what write wrote.
func holdsAll(t *testing.T, s kv.Store) error {
	return s.View(t.Context(), func(snap kv.Snapshot) error {
		for i := range manyKeys {
			var got string
			if err := snap.Get(keyOf(i), func(v []byte) error { got = string(v); return nil }); err != nil {
				return fmt.Errorf("key %d: %w", i, err)
			}
			if got != string(valueOf(i)) {
				return fmt.Errorf("key %d has %q", i, got)
			}
		}
		return nil
	})
}

// Damage that comes while a store is open is found when it is looked for.
func TestVerifying(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	if err := write(dir, 1); err != nil {
		t.Fatal(err)
	}
	s, err := OpenReadOnly(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	whole := s.(kv.Verifier)
	if err := whole.Verify(t.Context()); err != nil || !errors.Is(whole.Verify(ended), context.Canceled) {
		t.Errorf("nothing is damaged: %v, then stopped: %v", err, whole.Verify(ended))
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	table, err := os.OpenFile(tables[0], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var b [1]byte
	if _, err := table.ReadAt(b[:], 20); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := table.WriteAt(b[:], 20); err != nil {
		t.Fatal(err)
	}
	if err := whole.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "the index in "+dir+" is damaged") {
		t.Errorf("damaged: %v", err)
	}
}
