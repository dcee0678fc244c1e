// Package sleep waits, once or again and again, without outliving what it waits for.
package sleep

import (
	"context"
	"time"
)

// For waits for d. It returns the error of ctx if that ends first.
func For(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Every yields at each interval until ctx ends.
func Every(ctx context.Context, interval time.Duration) func(yield func() bool) {
	return func(yield func() bool) {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
			if ctx.Err() != nil || !yield() { // both may have come
				return
			}
		}
	}
}

// Repeat calls do at each interval, in the background, until ctx ends or stop is called. stop ends the context of do and waits for it.
func Repeat(ctx context.Context, interval time.Duration, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range Every(ctx, interval) {
			do(ctx)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
