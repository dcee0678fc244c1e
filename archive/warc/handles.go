package warc

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/varve-archive/varve/internal/descriptors"
)

// maxOpenFiles bounds the idle files that a Store keeps open; a quarter of the process's limit also does.
const maxOpenFiles = 256

// idleTime is how long a file without readers is kept open. The disk space of a removed file is freed only when it is closed.
const idleTime = time.Minute

// A handle is a file that a Store has opened, with the number of its readers. It implements [Attributed].
type handle struct {
	File
	entry   Entry // at the time of opening; for a member of a WACZ, that of the WACZ
	zstds   zstdDecoders
	readers int
	used    time.Time // when it was last acquired
	dropped bool      // close it when its last reader is done
}

func (h *handle) For(ctx context.Context) io.ReaderAt { return ReadFor(ctx, h.File) }

// handles keeps the most recently used files open.
type handles struct {
	storage Storage

	mu   sync.Mutex
	open *simplelru.LRU[string, *handle] // by path
	idle *time.Timer                     // calls closeIdle while files are open
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
	f := &handle{File: file, entry: entry, readers: 1, used: time.Now()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open.Remove(path) // Add would replace the old handle without closing it
	h.open.Add(path, f)
	if h.idle == nil {
		h.idle = time.AfterFunc(idleTime, h.closeIdle)
	}
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
	f.used = time.Now()
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

// closeIdle closes the files that were not acquired lately, or marks them to be closed by their last reader.
func (h *handles) closeIdle() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		_, f, ok := h.open.GetOldest()
		if !ok {
			h.idle = nil
			return
		}
		if left := idleTime - time.Since(f.used); left > 0 {
			h.idle.Reset(left)
			return
		}
		h.open.RemoveOldest()
	}
}

func (h *handles) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open.Purge()
	if h.idle != nil {
		h.idle.Stop()
		h.idle = nil
	}
}

// drop closes the file when its last reader is done.
func (f *handle) drop() {
	f.dropped = true
	if f.readers == 0 {
		f.Close()
	}
}
