package crawl

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestTurnsAtAHost(t *testing.T) {
	at := newTurns(2)
	var now, most atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			leave, err := at.enter(t.Context(), "a.example")
			if err != nil {
				t.Error(err)
				return
			}
			n := now.Add(1)
			for was := most.Load(); n > was && !most.CompareAndSwap(was, n); was = most.Load() {
			}
			other, err := at.enter(t.Context(), "b.example") // another host has turns of its own
			if err != nil {
				t.Error(err)
				return
			}
			other()
			now.Add(-1)
			leave()
			leave()
		})
	}
	all.Wait()
	if most.Load() > 2 || len(at.of) != 0 {
		t.Errorf("%d at a time, and %d hosts are remembered", most.Load(), len(at.of))
	}
	first, _ := at.enter(t.Context(), "a")
	second, _ := at.enter(t.Context(), "a")
	ctx, stop := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	stop(enough)
	if _, err := at.enter(ctx, "a"); !errors.Is(err, enough) {
		t.Errorf("a third: %v", err)
	}
	first()
	second()
	if len(at.of) != 0 {
		t.Errorf("%d hosts are remembered", len(at.of))
	}
}
