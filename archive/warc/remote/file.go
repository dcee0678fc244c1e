package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/warc"
)

const (
	readTime   = 30 * time.Second // for one range, including retries
	firstAhead = 256 << 10        // bytes to read ahead after sequential reads were noticed
	maxAhead   = 4 << 20
	idleAhead  = 5 * time.Second // time for which unread bytes are kept in memory
	maxCached  = 1 << 20         // longer ranges are not cached
)

// A file reads an object range by range. When two reads in a row continue where the previous one ended, it is a scan: from then on the file
// reads ahead, more each time. It implements [warc.File] and [warc.Attributed].
type file struct {
	entry  warc.Entry
	source source
	cache  *cache
	forget func() // drops what is known of the object

	mu     sync.Mutex
	next   int64 // where the last read ended
	inRow  int   // consecutive reads that continued the previous one
	ahead  []byte
	at     int64 // offset of ahead
	expiry *time.Timer
}

func (f *file) Size() int64 { return f.entry.Size }

func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop()
	return nil
}

// drop drops what was read ahead. f.mu must be held.
func (f *file) drop() {
	f.ahead = nil
	if f.expiry != nil {
		f.expiry.Stop()
	}
}

func (f *file) ReadAt(p []byte, offset int64) (int, error) {
	return f.readAt(context.Background(), p, offset)
}

func (f *file) For(ctx context.Context) io.ReaderAt { return attributed{f, context.WithoutCancel(ctx)} }

// attributed is a file that is read on behalf of ctx.
type attributed struct {
	f   *file
	ctx context.Context
}

func (a attributed) ReadAt(p []byte, offset int64) (int, error) { return a.f.readAt(a.ctx, p, offset) }

func (f *file) readAt(ctx context.Context, p []byte, offset int64) (int, error) {
	switch {
	case offset < 0:
		return 0, fmt.Errorf("%s: negative offset", f.entry.Path)
	case offset >= f.entry.Size:
		return 0, io.EOF
	}
	end := error(nil)
	if left := f.entry.Size - offset; int64(len(p)) > left {
		p, end = p[:left], io.EOF
	}
	if err := f.fill(ctx, p, offset); err != nil {
		return 0, fmt.Errorf("%s: %w", f.entry.Path, err)
	}
	return len(p), end
}

// fill fills p from the bytes read ahead, the cache, or the object.
func (f *file) fill(ctx context.Context, p []byte, offset int64) error {
	f.mu.Lock()
	n := f.fromAhead(p, offset)
	if offset == f.next {
		f.inRow++
	} else {
		f.inRow = 0
	}
	f.next = offset + int64(len(p))
	scan := f.inRow >= 2
	f.mu.Unlock()
	if p, offset = p[n:], offset+int64(n); len(p) == 0 {
		return nil
	}
	if scan {
		return f.readAhead(ctx, p, offset)
	}
	return f.readKept(ctx, p, offset)
}

// fromAhead copies the bytes of p that were read ahead. f.mu must be held.
func (f *file) fromAhead(p []byte, offset int64) int {
	if offset < f.at || offset >= f.at+int64(len(f.ahead)) {
		return 0
	}
	return copy(p, f.ahead[offset-f.at:])
}

// readAhead fills p and keeps further bytes for the next reads.
func (f *file) readAhead(ctx context.Context, p []byte, offset int64) error {
	f.mu.Lock()
	size := min(maxAhead, max(firstAhead, 2*len(f.ahead)))
	f.mu.Unlock()
	buf := make([]byte, min(max(int64(size), int64(len(p))), f.entry.Size-offset))
	if err := f.read(ctx, buf, offset); err != nil {
		return err
	}
	copy(p, buf)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop()
	f.ahead, f.at = buf, offset
	f.expiry = time.AfterFunc(idleAhead, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ahead = nil
	})
	return nil
}

// readKept fills p from the cache, or from the object, and caches it.
func (f *file) readKept(ctx context.Context, p []byte, offset int64) error {
	key := fmt.Sprintf("%s\x00%s\x00%d\x00%d\x00%d", f.entry.Path, f.entry.Version, f.entry.ModTime.UnixNano(), offset, len(p))
	if f.cache.get(key, p) {
		return nil
	}
	if err := f.read(ctx, p, offset); err != nil {
		return err
	}
	if len(p) <= maxCached {
		f.cache.put(key, p)
	}
	return nil
}

// read reads a range. It has its own time limit, because the file outlives the request that opened it.
func (f *file) read(ctx context.Context, p []byte, offset int64) error {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	err := f.source.read(ctx, f.entry, p, offset)
	if errors.Is(err, ErrChanged) {
		f.forget()
	}
	return err
}
