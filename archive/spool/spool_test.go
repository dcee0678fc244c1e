package spool

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// text returns some kilobytes that can't be compressed.
func text(file, offset, version int) []byte {
	b := make([]byte, 2000+offset%500)
	_, _ = rand.NewChaCha8([32]byte{byte(file), byte(version), byte(offset), byte(offset >> 8)}).Read(b)
	return b
}

// Files are read side by side, one of them twice; much of what is kept has been written to the file, and some waits.
func TestWhatIsPutIsThere(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, "spool-1.tmp")
	if err := os.WriteFile(left, []byte("left by a kill"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what a killed process left: %v", err)
	}
	const files, records = 4, 400
	var wg sync.WaitGroup
	for file := range files {
		wg.Go(func() {
			for version := range 1 + file%2 {
				for n := range records {
					offset := n * 37
					at := cdx.Location{File: cdx.FileID(file), Offset: int64(offset)}
					s.Put(at, text(file, offset, version))
					if got := s.Get(at); !bytes.Equal(got, text(file, offset, version)) {
						t.Errorf("file %d, offset %d, at once: %d bytes", file, offset, len(got))
					}
				}
			}
		})
	}
	wg.Wait()
	if s.at == 0 || len(s.buf) == 0 {
		t.Errorf("%d bytes are in the file, %d wait", s.at, len(s.buf))
	}
	for file := range files {
		for n := range records {
			offset := n * 37
			got := s.Get(cdx.Location{File: cdx.FileID(file), Offset: int64(offset), Length: 9})
			if !bytes.Equal(got, text(file, offset, file%2)) {
				t.Errorf("file %d, offset %d: %d bytes", file, offset, len(got))
			}
		}
	}
	for _, at := range []cdx.Location{{File: 9}, {File: 1, Offset: 1}, {File: 1, Offset: 1 << 40}, {File: 1, Offset: -1}} {
		if got := s.Get(at); got != nil {
			t.Errorf("at %v: %d bytes", at, len(got))
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

// A spool that can't write loses nothing that it took, and takes nothing more.
func TestFull(t *testing.T) {
	s, err := New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.file.Close()
	at := func(n int) cdx.Location { return cdx.Location{File: 1, Offset: int64(n)} }
	n := 0
	for ; !s.full && n < 1<<20; n++ {
		s.Put(at(n), text(1, n, 0))
	}
	s.Put(at(n), text(1, n, 0))
	if got := s.Get(at(n)); got != nil {
		t.Errorf("behind the end: %d bytes", len(got))
	}
	for i := range n {
		if got := s.Get(at(i)); !bytes.Equal(got, text(1, i, 0)) {
			t.Errorf("offset %d: %d bytes", i, len(got))
		}
	}
}
