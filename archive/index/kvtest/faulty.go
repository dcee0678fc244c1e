package kvtest

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrFault is the error of a [Faulty] store whose Err isn't set.
const ErrFault = sentinel.Error("kvtest: a fault put in by the test")

// Faulty is a store that fails on demand. It counts the operations on the store below it and fails once, at the chosen one. A cursor that
// failed stays invalid, as with real engines. It implements [kv.Store].
type Faulty struct {
	kv.Store
	Err error // of the fault

	mu    sync.Mutex
	count int
	at    int
	steps []string

	open atomic.Int64
}

// NewFaulty returns a store that behaves like s until [Faulty.FailAt] is called.
func NewFaulty(s kv.Store) *Faulty { return &Faulty{Store: s, Err: ErrFault} }

// FailAt restarts the count and makes the nth operation fail, from 1; 0 means none.
func (s *Faulty) FailAt(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count, s.at, s.steps = 0, n, nil
}

// Steps returns the operations since FailAt, in order.
func (s *Faulty) Steps() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steps
}

// step counts an operation and returns the fault if it is its turn.
func (s *Faulty) step(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, what)
	if s.count++; s.count == s.at {
		return s.Err
	}
	return nil
}

func (s *Faulty) View(ctx context.Context, f func(kv.Snapshot) error) error {
	if err := s.step("view"); err != nil {
		return err
	}
	return s.Store.View(ctx, func(snap kv.Snapshot) error { return f(faultySnapshot{snap, s}) })
}

func (s *Faulty) Update(ctx context.Context, f func(kv.Txn) error) error {
	if err := s.step("update"); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(t kv.Txn) error {
		if err := f(faultyTxn{t, s}); err != nil {
			return err
		}
		return s.step("commit")
	})
}

func (s *Faulty) Batch(ctx context.Context) kv.Batch {
	s.open.Add(1)
	return faultyBatch{s.Store.Batch(ctx), s, sync.OnceFunc(func() { s.open.Add(-1) })}
}

// OpenBatches returns how many batches were neither flushed nor canceled: what they hold is never freed.
func (s *Faulty) OpenBatches() int { return int(s.open.Load()) }

func (s *Faulty) Sync(ctx context.Context) error {
	if err := s.step("sync"); err != nil {
		return err
	}
	return s.Store.Sync(ctx)
}

type faultySnapshot struct {
	kv.Snapshot
	in *Faulty
}

func (s faultySnapshot) Get(key []byte, f func([]byte) error) error {
	if err := s.in.step("get"); err != nil {
		return err
	}
	return s.Snapshot.Get(key, f)
}

func (s faultySnapshot) GetMany(keys [][]byte, f func(int, []byte) error) error {
	if err := s.in.step("get many"); err != nil {
		return err
	}
	return s.Snapshot.GetMany(keys, f)
}

func (s faultySnapshot) Cursor(r kv.Range) kv.Cursor {
	return &faultyCursor{Cursor: s.Snapshot.Cursor(r), in: s.in}
}

type faultyCursor struct {
	kv.Cursor
	in  *Faulty
	err error
}

func (c *faultyCursor) Seek(key []byte) {
	if c.fail("seek"); c.err == nil {
		c.Cursor.Seek(key)
	}
}

func (c *faultyCursor) Next() {
	if c.fail("next"); c.err == nil {
		c.Cursor.Next()
	}
}

func (c *faultyCursor) fail(what string) {
	if c.err == nil {
		c.err = c.in.step(what)
	}
}

func (c *faultyCursor) Valid() bool { return c.err == nil && c.Cursor.Valid() }

func (c *faultyCursor) Err() error {
	if c.err != nil {
		return c.err
	}
	return c.Cursor.Err()
}

func (c *faultyCursor) Value(f func([]byte) error) error {
	if err := c.in.step("value"); err != nil {
		return err
	}
	return c.Cursor.Value(f)
}

type faultyTxn struct {
	kv.Txn
	in *Faulty
}

func (t faultyTxn) Get(key []byte) ([]byte, error) {
	if err := t.in.step("get to update"); err != nil {
		return nil, err
	}
	return t.Txn.Get(key)
}

type faultyBatch struct {
	kv.Batch
	in   *Faulty
	done func()
}

func (b faultyBatch) Set(key, value []byte) error {
	if err := b.in.step("set"); err != nil {
		return err
	}
	return b.Batch.Set(key, value)
}

func (b faultyBatch) Delete(key []byte) error {
	if err := b.in.step("delete"); err != nil {
		return err
	}
	return b.Batch.Delete(key)
}

func (b faultyBatch) Flush() error {
	if err := b.in.step("flush"); err != nil {
		return err
	}
	err := b.Batch.Flush()
	if err == nil {
		b.done()
	}
	return err
}

func (b faultyBatch) Cancel() {
	b.done()
	b.Batch.Cancel()
}
