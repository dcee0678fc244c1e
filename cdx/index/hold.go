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

	"github.com/varve-archive/varve/cdx/index/store"
)

// Texts that no capture has are swept away, and a Writer counts on those that are there: its captures show later. So
// either Writers are at work, any number of them, or one sweep is. Who is at work stands in the store, where other
// processes see it too, each with a lease that runs out unless it is renewed: a process may be killed.

// leaseTime is for how long someone is taken to be at work without a sign of life.
const leaseTime = time.Minute

// waitForSweep is how long a Writer waits before it looks again whether a sweep is over.
const waitForSweep = 20 * time.Millisecond

// holders are those at work, by name.
type holders map[string]holder

type holder struct {
	Sweeps bool      `json:"sweeps,omitempty"`
	Until  time.Time `json:"until"`
}

// swept reports whether a sweep is going on.
func (h holders) swept() bool {
	for _, other := range h {
		if other.Sweeps && time.Now().Before(other.Until) {
			return true
		}
	}
	return false
}

// prune drops those whose lease has run out. Only a sweep does so, for until then they have lost nothing.
func (h holders) prune() {
	maps.DeleteFunc(h, func(_ string, other holder) bool { return time.Now().After(other.Until) })
}

// bury drops the holders that are known to have ended: of this process those that it could not release, and of others
// all in a store that nobody shares.
func (x *Index) bury(all holders) {
	_, shared := x.store.(store.Shared)
	maps.DeleteFunc(all, func(name string, _ holder) bool {
		if _, working := x.working.Load(name); working {
			return false
		}
		return !shared || strings.HasPrefix(name, x.name)
	})
}

// A hold is a place among the holders. Its lease is renewed until it is released.
type hold struct {
	x       *Index
	name    string
	stop    func()
	renewed sync.WaitGroup
	failed  atomic.Pointer[error]
}

// errBusy says that others hold what is asked for.
var errBusy = errors.New("index: others are at work")

// holdAsWriter waits for a sweep to end and keeps the next from beginning.
func (x *Index) holdAsWriter(ctx context.Context) (*hold, error) {
	for {
		h, err := x.hold(ctx, func(all holders) (holder, error) {
			if all.swept() {
				return holder{}, errBusy
			}
			return holder{}, nil
		})
		if err != errBusy {
			return h, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(waitForSweep):
		}
	}
}

// holdAsSweep returns errBusy while anyone is at work.
func (x *Index) holdAsSweep(ctx context.Context) (*hold, error) {
	return x.hold(ctx, func(all holders) (holder, error) {
		if all.prune(); len(all) > 0 {
			return holder{}, errBusy
		}
		return holder{Sweeps: true}, nil
	})
}

// hold enters what enter returns among the holders.
func (x *Index) hold(ctx context.Context, enter func(holders) (holder, error)) (*hold, error) {
	h := &hold{x: x, name: x.name + rand.Text()}
	x.working.Store(h.name, true)
	err := x.changeHolders(ctx, func(all holders) error {
		entry, err := enter(all)
		entry.Until = time.Now().Add(leaseTime)
		all[h.name] = entry
		return err
	})
	if err != nil {
		x.working.Delete(h.name)
		return nil, err
	}
	ctx, h.stop = context.WithCancel(ctx)
	h.renewed.Go(func() { h.keep(ctx) })
	return h, nil
}

// keep renews the lease until ctx ends.
func (h *hold) keep(ctx context.Context) {
	tick := time.NewTicker(leaseTime / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := h.renew(ctx); err != nil && ctx.Err() == nil {
			h.failed.Store(&err)
		}
	}
}

func (h *hold) renew(ctx context.Context) error {
	return h.x.changeHolders(ctx, func(all holders) error {
		entry, ok := all[h.name]
		if !ok {
			return errors.New("index: nothing was heard of a writer for so long that texts it counts on may be gone")
		}
		entry.Until = time.Now().Add(leaseTime)
		all[h.name] = entry
		return nil
	})
}

// lost returns an error if the lease could not be renewed.
func (h *hold) lost() error {
	if err := h.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// release gives the place up. It may be called again, and on nil. What can't be told to the store now, this process
// tells it the next time, or the lease's end does.
func (h *hold) release() {
	if h == nil || h.stop == nil {
		return
	}
	h.stop()
	h.stop = nil
	h.renewed.Wait()
	h.x.working.Delete(h.name)
	_ = h.x.changeHolders(context.Background(), func(all holders) error { delete(all, h.name); return nil })
}

// changeHolders changes who is at work, unless f fails.
func (x *Index) changeHolders(ctx context.Context, f func(holders) error) error {
	return x.store.Update(ctx, func(txn store.Txn) error {
		all := holders{}
		value, err := txn.Get(holdersKey)
		if ignoreNoKey(err) != nil {
			return err
		}
		if err == nil {
			if err := json.Unmarshal(value, &all); err != nil {
				return fmt.Errorf("index: who is at work: %w", err)
			}
		}
		x.bury(all)
		if err := f(all); err != nil {
			return err
		}
		if value, err = json.Marshal(all); err != nil {
			return err
		}
		return txn.Set(holdersKey, value)
	})
}
