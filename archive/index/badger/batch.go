package badger

import (
	"context"
	"fmt"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/disk"
)

// A batch wraps Badger's own, which commits whenever its writes fill a transaction.
type batch struct {
	ctx context.Context
	dir string

	mu        sync.Mutex
	write     *badger.WriteBatch // nil when used up
	unchecked int                // bytes that may still be written before the next check of the disk
}

// pendingTxns bounds the transactions of a batch that wait to be written. Each has up to 5 MB of keys and values, and takes several times
// that in memory if they are small. Badger allows 16, but more aren't faster, because all are written one after another.
const pendingTxns = 2

func (s *engine) Batch(ctx context.Context) kv.Batch {
	if s.readOnly {
		return kv.Refused{}
	}
	write := s.db.NewWriteBatch()
	write.SetMaxPendingTxns(pendingTxns)
	return &batch{ctx: ctx, dir: s.dir(), write: write}
}

func (b *batch) Set(key, value []byte) error {
	if b.dir == "" && len(value) >= maxInline {
		return kv.ErrTooLarge
	}
	return b.do(len(key)+len(value), func(w *badger.WriteBatch) error { return sizeError(w.Set(key, value)) })
}

func (b *batch) Delete(key []byte) error {
	return b.do(len(key), func(w *badger.WriteBatch) error { return w.Delete(key) })
}

// do writes n bytes, unless the context has ended or the disk is full. It checks both before the first write, then
// every checkEveryBytes.
func (b *batch) do(n int, f func(*badger.WriteBatch) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.write == nil {
		return kv.ErrUsedUp
	}
	if b.unchecked -= n; b.unchecked <= 0 {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		b.unchecked = checkEveryBytes
		if err := disk.CheckRoom(b.dir, roomToWrite); err != nil {
			b.unchecked = 0
			return err
		}
	}
	return f(b.write)
}

func (b *batch) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.write == nil {
		return kv.ErrUsedUp
	}
	if err := b.ctx.Err(); err != nil {
		return err
	}
	w := b.write
	b.write = nil
	defer w.Cancel()
	if err := w.Flush(); err != nil {
		return fmt.Errorf("index: writing the index: %w", err)
	}
	return nil
}

func (b *batch) Cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.write != nil {
		b.write.Cancel()
		b.write = nil
	}
}
