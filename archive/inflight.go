package archive

import (
	"context"
	"sync"
)

// inFlight lets one at a time make what has an ID, while others who want the same wait for it and those who want
// something else don't.
type inFlight struct {
	mu     sync.Mutex
	making map[string]chan struct{} // closed when it is made
}

// begin returns what to call when it is made; nil where it was being made already and now is made, or could not be.
// It waits for that no longer than ctx lasts.
func (f *inFlight) begin(ctx context.Context, id string) (done func(), err error) {
	f.mu.Lock()
	others, busy := f.making[id]
	if !busy {
		defer f.mu.Unlock()
		if f.making == nil {
			f.making = map[string]chan struct{}{}
		}
		mine := make(chan struct{})
		f.making[id] = mine
		return func() { f.end(id, mine) }, nil
	}
	f.mu.Unlock()
	select {
	case <-others:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *inFlight) end(id string, made chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.making, id)
	close(made)
}

// once returns what is known; where that is nothing, one of those who want what has this ID at the same time makes it.
func once[T any](ctx context.Context, f *inFlight, id string, known func() (T, bool), produce func() (T, error)) (T, error) {
	for {
		if v, ok := known(); ok {
			return v, nil
		}
		done, err := f.begin(ctx, id)
		if err != nil {
			var none T
			return none, err
		}
		if done == nil {
			continue
		}
		defer done()
		if v, ok := known(); ok { // another was done just before
			return v, nil
		}
		return produce()
	}
}
