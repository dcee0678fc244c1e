// Package inflight lets concurrent callers share one computation of the same value.
package inflight

import (
	"context"
	"sync"
)

// A Group makes sure that only one caller at a time computes the value of an ID. Callers for the same ID wait for that
// one; callers for other IDs don't.
type Group struct {
	mu      sync.Mutex
	running map[string]chan struct{} // closed when the computation ends
}

// Begin claims an ID. The caller computes the value and calls done. If another caller holds the ID, Begin waits until
// that one is done, at most as long as ctx lasts, and returns a nil done; the other may have failed.
func (f *Group) Begin(ctx context.Context, id string) (done func(), err error) {
	f.mu.Lock()
	others, busy := f.running[id]
	if !busy {
		defer f.mu.Unlock()
		if f.running == nil {
			f.running = map[string]chan struct{}{}
		}
		finished := make(chan struct{})
		f.running[id] = finished
		return func() { f.end(id, finished) }, nil
	}
	f.mu.Unlock()
	select {
	case <-others:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *Group) end(id string, ch chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.running, id)
	close(ch)
}

// Do returns the cached value of an ID. If there is none it calls compute, and callers that ask for the same ID
// meanwhile wait for the result.
func Do[T any](ctx context.Context, f *Group, id string, cached func() (T, bool), compute func() (T, error)) (T, error) {
	for {
		if v, ok := cached(); ok {
			return v, nil
		}
		done, err := f.Begin(ctx, id)
		if err != nil {
			var none T
			return none, err
		}
		if done == nil {
			continue
		}
		defer done()
		if v, ok := cached(); ok { // another caller finished just before
			return v, nil
		}
		return compute()
	}
}
