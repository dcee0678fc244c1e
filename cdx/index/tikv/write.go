package tikv

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	tikverr "github.com/tikv/client-go/v2/error"
	"github.com/tikv/client-go/v2/kv"
	"github.com/tikv/client-go/v2/tikv"
	"github.com/tikv/client-go/v2/txnkv"

	"github.com/varve-archive/varve/cdx/index/distant"
	"github.com/varve-archive/varve/cdx/index/store"
)

const (
	largest = 4 << 20 // of a value; TiKV takes entries of up to eight MiB
)

// Update implements [store.Store]. A transaction of TiKV only conflicts with another that writes the same keys, so what was read
// is locked too. Each update writes a token, by which it can be told afterwards whether a commit that was not answered has
// happened.
func (s *engine) Update(ctx context.Context, f func(store.Txn) error) error {
	if s.readOnly {
		return store.ErrReadOnly
	}
	select {
	case s.updating <- struct{}{}:
		defer func() { <-s.updating }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return distant.Patiently(ctx, conflicted, func() error {
		token := []byte(rand.Text())
		err := s.transact(ctx, func(txn *txnkv.KVTxn) error { return s.try(ctx, txn, token, f) })
		if !errors.Is(err, errUnanswered) {
			return err
		}
		done := false
		checked := distant.Patiently(ctx, conflicted, func() error {
			return within(ctx, s.wait, func(ctx context.Context) error {
				v, err := s.point(ctx, s.token)
				done = bytes.Equal(v, token)
				if tikverr.IsErrNotFound(err) {
					return nil
				}
				return err
			})
		})
		if done || checked != nil {
			return checked
		}
		return err
	})
}

// errUnanswered says that the cluster went away while it was asked to commit.
var errUnanswered = fmt.Errorf("%w: it went away during a commit", store.ErrUnavailable)

// try runs f in a transaction, which leaves a token if it writes anything.
func (s *engine) try(ctx context.Context, txn *txnkv.KVTxn, token []byte, f func(store.Txn) error) error {
	u := &update{ctx: ctx, txn: txn, s: s, read: map[string]bool{}}
	if err := f(u); err != nil {
		return callersError{err}
	}
	if !u.wrote {
		return nil
	}
	s.updated = true
	return errors.Join(txn.Set(s.token, packed(token)), u.lock())
}

// forget removes what this process wrote about its updates.
func (s *engine) forget() {
	if !s.updated {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.wait)
	defer cancel()
	_ = s.transact(ctx, func(txn *txnkv.KVTxn) error { return txn.Delete(s.token) }) // it does no harm where it is
}

// callersError is an error of a function that was passed to the store. It comes back unchanged.
type callersError struct{ error }

// transact runs f in a transaction, which is committed unless f fails or has written nothing.
func (s *engine) transact(ctx context.Context, f func(*txnkv.KVTxn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var txn *txnkv.KVTxn
	err := within(ctx, s.wait, func(ctx context.Context) error {
		ts, err := s.clock.own(ctx)
		if err == nil {
			txn, err = s.kv.Begin(tikv.WithStartTS(ts))
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := f(txn); err != nil || txn.IsReadOnly() {
		_ = txn.Rollback()
		if own, ok := err.(callersError); ok {
			return own.error
		}
		return err
	}
	if err := ctx.Err(); err != nil {
		_ = txn.Rollback()
		return err
	}
	var committed uint64
	txn.SetCommitCallback(func(info string, _ error) { committed = commitTime(info) })
	err = within(ctx, writeTimeout, txn.Commit)
	switch {
	case err == nil:
		s.clock.wrote(committed)
	case errors.Is(err, store.ErrUnavailable):
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return err
}

// An update is a transaction of the index's.
type update struct {
	ctx   context.Context
	txn   *txnkv.KVTxn
	s     *engine
	read  map[string]bool // keys of the cluster
	wrote bool
}

// Get implements [store.Txn].
func (u *update) Get(key []byte) (value []byte, err error) {
	at := u.s.space.key(key)
	u.read[string(at)] = true
	err = within(u.ctx, u.s.wait, func(ctx context.Context) (err error) { value, err = u.txn.Get(ctx, at); return err })
	if err != nil {
		return nil, err
	}
	return bytes.Clone(value[1:]), nil
}

// Set implements [store.Txn].
func (u *update) Set(key, value []byte) error {
	u.wrote = true
	return set(u.txn, u.s.space, key, value)
}

// Delete implements [store.Txn].
func (u *update) Delete(key []byte) error {
	u.wrote = true
	return u.txn.Delete(u.s.space.key(key))
}

// lock makes the transaction conflict with those that write what it has read.
func (u *update) lock() error {
	var keys [][]byte
	for key := range u.read {
		keys = append(keys, []byte(key))
	}
	if len(keys) == 0 {
		return nil
	}
	return failure(u.ctx, u.txn.LockKeys(u.ctx, kv.NewLockCtx(u.txn.StartTS(), kv.LockNoWait, time.Now()), keys...))
}

// set sets a key in a transaction, and the marks that lead to it.
func set(txn *txnkv.KVTxn, at space, key, value []byte) error {
	if len(value) > largest {
		return store.ErrTooLarge
	}
	for _, mark := range at.marks(key) {
		if err := txn.Set(mark, packed(nil)); err != nil {
			return err
		}
	}
	return txn.Set(at.key(key), packed(value))
}

// Batch implements [store.Store].
func (s *engine) Batch(ctx context.Context) store.Batch {
	return distant.NewBatch(ctx, largest, s.refused(), s.put)
}

// refused is the error of writes to a store that is only read.
func (s *engine) refused() error {
	if s.readOnly {
		return store.ErrReadOnly
	}
	return nil
}

// put writes a chunk in one transaction. Writing it twice does no harm, so what fails is tried again for a while.
func (s *engine) put(ctx context.Context, writes []distant.Write) error {
	return distant.Patiently(ctx, conflicted, func() error {
		return s.transact(ctx, func(txn *txnkv.KVTxn) error {
			for _, w := range writes {
				var err error
				if w.Value == nil {
					err = txn.Delete(s.space.key(w.Key))
				} else {
					err = set(txn, s.space, w.Key, w.Value)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}
