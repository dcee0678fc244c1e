package remote

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/weighted"
)

// maxMemory bounds the bytes of ranges in memory.
const maxMemory = 32 << 20

// A cache keeps the ranges that were used last.
type cache struct {
	memory *weighted.Cache[string, []byte]
	dir    string // "" keeps ranges in memory only
	most   int64

	hits, misses atomic.Int64

	mu    sync.Mutex
	files *simplelru.LRU[string, int64] // sizes by name
	held  int64
}

// newCache returns a cache on a folder, with the ranges that are already in it.
func newCache(dir string, most int64) (*cache, error) {
	c := &cache{memory: weighted.New[string](maxMemory, func(b []byte) int { return len(b) }), dir: dir, most: most}
	if dir == "" {
		return c, nil
	}
	c.files, _ = simplelru.NewLRU(math.MaxInt, func(name string, size int64) { // fails only for a size of 0
		c.held -= size
		_ = os.Remove(filepath.Join(dir, name)) // the next process finds what can't be removed
	})
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("folder of the cache: %w", err)
	}
	return c, c.takeOver()
}

// takeOver counts the files in the folder, oldest first, and removes those that killed processes have not finished.
func (c *cache) takeOver() error {
	disk.RemoveAbandoned(c.dir, disk.HalfWritten, time.Now())
	found, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("folder of the cache: %w", err)
	}
	var infos []fs.FileInfo
	for _, e := range found {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && len(e.Name()) == 2*sha256.Size {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, info := range infos {
		c.add(info.Name(), info.Size())
	}
	return nil
}

// add counts a file, and removes the least recently used while the cache is too large.
func (c *cache) add(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.files.Peek(name); ok {
		c.held -= old
	}
	c.files.Add(name, size)
	for c.held += size; c.held > c.most; {
		if _, _, ok := c.files.RemoveOldest(); !ok {
			return
		}
	}
}

func nameOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// get fills p with the range under a key, if it has that length.
func (c *cache) get(key string, p []byte) bool {
	found := c.find(key, p)
	if found {
		c.hits.Add(1)
	} else {
		c.misses.Add(1)
	}
	return found
}

func (c *cache) find(key string, p []byte) bool {
	if b, ok := c.memory.Get(key); ok && len(b) == len(p) {
		copy(p, b)
		return true
	}
	if c.dir == "" {
		return false
	}
	name := nameOf(key)
	c.mu.Lock()
	_, ok := c.files.Get(name)
	c.mu.Unlock()
	if !ok {
		return false
	}
	path := filepath.Join(c.dir, name)
	b, err := os.ReadFile(path)
	if err != nil || len(b) != len(p)+8 || binary.BigEndian.Uint64(b) != xxh3.Hash(b[8:]) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.files.Remove(name)
		return false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // tells the next process the order of use
	copy(p, b[8:])
	c.memory.Add(key, bytes.Clone(p))
	return true
}

// put caches a range. An error of the disk is ignored, since the range can still be served.
func (c *cache) put(key string, p []byte) {
	c.memory.Add(key, bytes.Clone(p))
	if c.dir == "" {
		return
	}
	name := nameOf(key)
	err := disk.WriteCached(filepath.Join(c.dir, name), func(w io.Writer) error {
		_, err := w.Write(append(binary.BigEndian.AppendUint64(nil, xxh3.Hash(p)), p...))
		return err
	})
	if err == nil {
		c.add(name, int64(len(p))+8)
	}
}
