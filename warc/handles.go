package warc

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/varve-archive/varve/internal/descriptors"
)

// maxOpenFiles is how many idle files a Store keeps open, and at most a quarter of what the process may open.
const maxOpenFiles = 256

// A handle is a file that a Store has opened, with the number of its readers.
type handle struct {
	File
	entry   Entry // at the time of opening; for a member of a WACZ, that of the WACZ
	zstds   zstdDecoders
	readers int
	dropped bool // close it once nobody reads from it
}

// handles keeps the most recently used files open.
type handles struct {
	storage Storage

	mu   sync.Mutex
	open *simplelru.LRU[string, *handle] // by path
}

func newHandles(s Storage) *handles {
	h := &handles{storage: Remembering(s)}
	h.open, _ = simplelru.NewLRU(descriptors.Share(4, maxOpenFiles), func(_ string, f *handle) { f.drop() }) // fails only for a size of 0
	return h
}

// acquire returns the open file at path, or opens it if it isn't open or has been changed or replaced since.
func (h *handles) acquire(ctx context.Context, path string) (*handle, error) {
	outer, _, _ := CutMember(path)
	entry, err := h.storage.Stat(ctx, outer)
	if err != nil {
		return nil, err
	}
	if f := h.take(path, entry); f != nil {
		return f, nil
	}
	file, err := Open(ctx, h.storage, path)
	if err != nil {
		return nil, err
	}
	f := &handle{File: file, entry: entry, readers: 1}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open.Remove(path) // Add would replace the old handle without closing it
	h.open.Add(path, f)
	return f, nil
}

func (h *handles) take(path string, now Entry) *handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.open.Get(path)
	if !ok || !f.entry.Same(now) {
		return nil
	}
	f.readers++
	return f
}

func (h *handles) release(f *handle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.readers--
	if f.dropped && f.readers == 0 {
		f.Close()
	}
}

func (h *handles) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open.Purge()
}

// drop closes the file once nobody reads from it.
func (f *handle) drop() {
	f.dropped = true
	if f.readers == 0 {
		f.Close()
	}
}
