package postgres

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	chunkBytes = 4 << 20 // size at which a chunk of a batch is sent
	chunkRows  = 10_000  // or rows
)

// A write sets a key, or deletes it if Value is nil.
type write struct{ Key, Value []byte }

// A batch collects writes and sends them in chunks, one at a time, while the next is filled. It implements [kv.Batch].
type batch struct {
	ctx context.Context
	to  *engine

	mu      sync.Mutex
	refused error // error of every write; nil if writes are allowed
	pending []write
	bytes   int
	sending chan error // receives the result of the chunk that is being sent; nil if there is none
	failed  error      // result of earlier chunks
}

func (s *engine) Batch(ctx context.Context) kv.Batch {
	b := &batch{ctx: ctx, to: s}
	if s.readOnly {
		b.refused = kv.ErrReadOnly
	}
	return b
}

func (b *batch) Set(key, value []byte) error {
	if len(value) > maxValue {
		return kv.ErrTooLarge
	}
	return b.add(write{key, nonNil(value)})
}

func (b *batch) Delete(key []byte) error { return b.add(write{key, nil}) }

func (b *batch) add(w write) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refused != nil {
		return b.refused
	}
	b.pending = append(b.pending, w)
	if b.bytes += len(w.Key) + len(w.Value); b.bytes < chunkBytes && len(b.pending) < chunkRows {
		return nil
	}
	return b.send()
}

// send waits until the previous chunk is sent, and begins to send the collected writes.
func (b *batch) send() error {
	if err := b.wait(); err != nil {
		return err
	}
	writes := last(b.pending)
	b.pending, b.bytes, b.sending = nil, 0, make(chan error, 1)
	go func(sent chan<- error) { sent <- b.to.put(b.ctx, writes) }(b.sending)
	return nil
}

// wait waits for the chunk that is being sent. If one fails, its error is returned from then on.
func (b *batch) wait() error {
	if b.sending != nil {
		b.failed = <-b.sending
		b.sending = nil
	}
	return b.failed
}

func (b *batch) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refused == kv.ErrUsedUp {
		return kv.ErrUsedUp
	}
	b.refused = kv.ErrUsedUp
	err := b.ctx.Err()
	if err == nil && len(b.pending) > 0 {
		err = b.send()
	}
	if failed := b.wait(); failed != nil {
		return failed
	}
	return err
}

func (b *batch) Cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.wait()
	b.refused, b.pending = kv.ErrUsedUp, nil
}

// last returns the last write of each key, sorted. Sorted keys share pages of the B-tree, and writers with the same order can't deadlock.
func last(writes []write) []write {
	slices.SortStableFunc(writes, func(a, b write) int { return bytes.Compare(a.Key, b.Key) })
	kept := writes[:0]
	for i, w := range writes {
		if i+1 == len(writes) || !bytes.Equal(w.Key, writes[i+1].Key) {
			kept = append(kept, w)
		}
	}
	return kept
}
