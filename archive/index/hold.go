package index

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// A sweep deletes texts that no capture has, but a Writer relies on existing texts before its captures are visible. So either any number of
// Writers or one sweep may run. The store records who is at work, so that other processes see it. Each record is a lease that expires
// unless it is renewed, because a process may be killed.

// leaseTime is how long a holder counts as at work without renewing its lease.
const leaseTime = time.Minute

// waitForSweep is how often a waiting Writer checks whether a sweep has ended.
const waitForSweep = 20 * time.Millisecond

// workers are the holders in this process. They learn about those in other processes from the store.
type workers struct {
	store   kv.Store
	name    string // begins the names of this process's holds
	shared  bool
	working sync.Map // names of holds not released yet
}

// holders are the Writers and sweeps at work, by name.
type holders map[string]holder

type holder struct {
	Sweeps bool      `json:"sweeps,omitempty"`
	Until  time.Time `json:"until"`
}

func (h holders) sweeping() bool {
	for _, other := range h {
		if other.Sweeps && time.Now().Before(other.Until) {
			return true
		}
	}
	return false
}

// prune drops expired holders. Only a sweep calls it; until then a holder that is late can still renew its lease.
func (h holders) prune() {
	maps.DeleteFunc(h, func(_ string, other holder) bool { return time.Now().After(other.Until) })
}

// dropEnded drops holders that have ended: those of this process whose release could not be stored, and all of other processes if the store
// can't be shared.
func (w *workers) dropEnded(all holders) {
	shared := w.shared
	maps.DeleteFunc(all, func(name string, _ holder) bool {
		if _, working := w.working.Load(name); working {
			return false
		}
		return !shared || strings.HasPrefix(name, w.name)
	})
}

// extendOwn extends the leases of this process, which it knows to be at work, in case the clock was set forward.
func (w *workers) extendOwn(all holders) {
	for name, own := range all {
		if _, working := w.working.Load(name); working {
			own.Until = time.Now().Add(leaseTime)
			all[name] = own
		}
	}
}

// A hold is an entry among the holders. Its lease is renewed until it is released.
type hold struct {
	workers *workers
	name    string
	stop    func()
	failed  atomic.Pointer[error]
}

// errBusy says that other holders exclude this one.
const errBusy = sentinel.Error("index: others are at work")

// holdAsWriter waits until no sweep is running, and then prevents sweeps.
func (w *workers) holdAsWriter(ctx context.Context) (*hold, error) {
	for {
		h, err := w.hold(ctx, func(all holders) (holder, error) {
			if all.sweeping() {
				return holder{}, errBusy
			}
			return holder{}, nil
		})
		if err != errBusy {
			return h, err
		}
		if err := sleep.For(ctx, waitForSweep); err != nil {
			return nil, err
		}
	}
}

// holdAsSweep returns errBusy while any other holder is at work.
func (w *workers) holdAsSweep(ctx context.Context) (*hold, error) {
	return w.hold(ctx, func(all holders) (holder, error) {
		if all.prune(); len(all) > 0 {
			return holder{}, errBusy
		}
		return holder{Sweeps: true}, nil
	})
}

// hold adds the holder that enter returns.
func (w *workers) hold(ctx context.Context, enter func(holders) (holder, error)) (*hold, error) {
	h := &hold{workers: w, name: w.name + rand.Text()}
	w.working.Store(h.name, struct{}{})
	err := w.change(ctx, func(all holders) error {
		entry, err := enter(all)
		entry.Until = time.Now().Add(leaseTime)
		all[h.name] = entry
		return err
	})
	if err != nil {
		w.working.Delete(h.name)
		return nil, err
	}
	h.stop = sleep.Repeat(ctx, leaseTime/3, func(ctx context.Context) {
		if err := h.renew(ctx); err != nil && ctx.Err() == nil {
			h.failed.Store(&err)
		}
	})
	return h, nil
}

func (h *hold) renew(ctx context.Context) error {
	return h.workers.change(ctx, func(all holders) error {
		entry, ok := all[h.name]
		if !ok {
			return errors.New("index: the lease of a writer ran out, so texts that it relies on may be gone")
		}
		entry.Until = time.Now().Add(leaseTime)
		all[h.name] = entry
		return nil
	})
}

// leaseError returns an error if the lease could not be renewed.
func (h *hold) leaseError() error {
	if err := h.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// release ends the hold. It may be called twice, and on nil. If that can't be stored, it is stored with the next change of this process, or
// the lease expires.
func (h *hold) release() {
	if h == nil || h.stop == nil {
		return
	}
	h.stop()
	h.stop = nil
	h.workers.working.Delete(h.name)
	_ = h.workers.change(context.Background(), func(holders) error { return nil }) // drops what has ended
}

// change changes the holders in the store, unless f fails.
func (w *workers) change(ctx context.Context, f func(holders) error) error {
	return w.store.Update(ctx, func(txn kv.Txn) error {
		all := holders{}
		value, err := txn.Get(holdersKey.key())
		if ignoreNoKey(err) != nil {
			return err
		}
		if err == nil {
			if err := json.Unmarshal(value, &all); err != nil {
				return fmt.Errorf("index: reading who is at work: %w", err)
			}
		}
		w.dropEnded(all)
		w.extendOwn(all)
		if err := f(all); err != nil {
			return err
		}
		if value, err = json.Marshal(all); err != nil {
			return err
		}
		return txn.Set(holdersKey.key(), value)
	})
}
