package inflight

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestOneCallerComputes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		done, err := g.Begin(t.Context(), "a")
		if done == nil || err != nil {
			t.Fatal(err)
		}
		if other, err := g.Begin(t.Context(), "b"); other == nil || err != nil {
			t.Errorf("another ID: %v", err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if d, err := g.Begin(ended, "a"); d != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that went: %v", err)
		}
		waited := false
		go func() {
			d, err := g.Begin(t.Context(), "a")
			waited = d == nil && err == nil
		}()
		synctest.Wait()
		if waited {
			t.Error("a caller did not wait")
		}
		done()
		synctest.Wait()
		if !waited {
			t.Error("a caller waits for ever")
		}
		if d, err := g.Begin(t.Context(), "a"); d == nil || err != nil {
			t.Errorf("the next: %v", err)
		}
	})
}

func TestDoComputesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		var mu sync.Mutex
		kept, computed, sum := 0, 0, 0
		cached := func() (int, bool) { mu.Lock(); defer mu.Unlock(); return kept, kept > 0 }
		broken := errors.New("broken")
		for range 5 {
			go func() {
				v, err := Do(t.Context(), &g, "a", cached, func() (int, error) {
					time.Sleep(time.Second) // of the test's clock: until the others wait
					mu.Lock()
					defer mu.Unlock()
					if computed++; computed == 1 {
						return 0, broken
					}
					kept = 7
					return kept, nil
				})
				mu.Lock()
				defer mu.Unlock()
				if sum += v; (err != nil) != (v == 0) {
					t.Errorf("%d, %v", v, err)
				}
			}()
		}
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if computed != 2 || sum != 4*7 {
			t.Errorf("%d times, in all %d", computed, sum)
		}
	})
}
