package remote

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/disk"
)

func onDisk(t *testing.T, dir string, most int64) *cache {
	t.Helper()
	c, err := newCache(dir, most)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bytesIn returns how many bytes the files of a folder have.
func bytesIn(t *testing.T, dir string) (n int64) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// What a killed process has not finished doesn't stay, uncounted, beside what is cached.
func TestHalfWrittenRangesGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), disk.HalfWritten+"1")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, time.Now().Add(-48*time.Hour))); err != nil {
		t.Fatal(err)
	}
	onDisk(t, filepath.Dir(path), 10_000)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left, %v", path, err)
	}
}

func TestTheCacheHasALimit(t *testing.T) {
	dir := t.TempDir()
	c := onDisk(t, dir, 10_080) // ten ranges with their checksums
	for i := range 50 {
		c.put(fmt.Sprint(i), noise(1000))
		c.put(fmt.Sprint(i), noise(1000))
	}
	if n := bytesIn(t, dir); n != 10_080 {
		t.Errorf("the folder has %d bytes, want 10,080", n)
	}
	c.put("large", noise(4*1008-8)) // as large as four of these
	if n := bytesIn(t, dir); n != 10_080 {
		t.Errorf("with a larger range the folder has %d bytes, want 10,080", n)
	}
	c.put("too large", noise(20_000))
	if n := bytesIn(t, dir); n != 0 {
		t.Errorf("with a range that is larger than the cache the folder has %d bytes", n)
	}
	for i := range 50 {
		c.put(fmt.Sprint(i), noise(1000))
	}
	others := filepath.Join(dir, "notes")
	if err := os.WriteFile(others, noise(5_000), 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour) // file systems tell times apart by milliseconds only
	if err := os.Chtimes(filepath.Join(dir, nameOf("49")), later, later); err != nil {
		t.Fatal(err)
	}
	smaller := onDisk(t, dir, 3_000)
	if n := bytesIn(t, dir) - 5_000; n != 2_016 {
		t.Errorf("taken over with a smaller limit, the folder has %d bytes", n)
	}
	p := make([]byte, 1000)
	if !smaller.get("49", p) || !bytes.Equal(p, noise(1000)) {
		t.Error("what was put last is not there")
	}
	if smaller.get("0", p) {
		t.Error("what was put first is still there")
	}
	if smaller.get("49", p[:999]) {
		t.Error("another length is given out of memory")
	}
	if hits, misses := smaller.hits.Load(), smaller.misses.Load(); hits != 1 || misses != 2 {
		t.Errorf("%d ranges found, %d not", hits, misses)
	}
}

// Another process finds what this one kept; what was damaged on disk is not given out.
func TestTheCacheStays(t *testing.T) {
	dir := t.TempDir()
	onDisk(t, dir, 1<<20).put("a", []byte("content"))
	p := make([]byte, 7)
	if !onDisk(t, dir, 1<<20).get("a", p) || string(p) != "content" {
		t.Errorf("got %q", p)
	}
	if onDisk(t, dir, 1<<20).get("a", make([]byte, 6)) {
		t.Error("another length is given out")
	}
	damaged := filepath.Join(dir, nameOf("a"))
	if _, err := os.Stat(damaged); err == nil {
		t.Error("an entry that doesn't fit stays")
	}
	onDisk(t, dir, 1<<20).put("a", []byte("content"))
	if err := os.WriteFile(damaged, append(make([]byte, 8), "CONTENT"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, dir, 1<<20).get("a", p) {
		t.Error("damaged content is given out")
	}
}

// A folder that can't be used is said at the start.
func TestAFolderThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := newCache(path, 1); err == nil {
		t.Error("a file is taken for a folder")
	}
}
