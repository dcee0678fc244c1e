package crawl

import (
	"context"
	"sync"
	"time"
)

// Pause stops new requests until [Crawl.Resume]; open ones are completed. A pause counts neither for the walltime nor for the
// seconds of the report. It may be called at any time.
func (c *Crawl) Pause() { c.watch.turn(false) }

// Resume continues a paused crawl.
func (c *Crawl) Resume() { c.watch.turn(true) }

// A stopwatch measures the time in which it is on.
type stopwatch struct {
	mu     sync.Mutex
	on     bool
	since  time.Time     // when it was turned on last
	before time.Duration // counted until then
	turned chan struct{} // closed when it is turned on or off
}

func newStopwatch() *stopwatch {
	return &stopwatch{on: true, since: time.Now(), turned: make(chan struct{})}
}

func (w *stopwatch) turn(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on == on {
		return
	}
	if w.on {
		w.before += time.Since(w.since)
	}
	w.on, w.since = on, time.Now()
	close(w.turned)
	w.turned = make(chan struct{})
}

// read returns the measured time, and whether it is on.
func (w *stopwatch) read() (ran time.Duration, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on {
		return w.before + time.Since(w.since), true
	}
	return w.before, false
}

// reach waits until a time has been measured, or ctx ends, and reports which.
func (w *stopwatch) reach(ctx context.Context, most time.Duration) bool {
	for {
		w.mu.Lock()
		turned := w.turned
		w.mu.Unlock()
		ran, on := w.read()
		if ran >= most {
			return true
		}
		var due <-chan time.Time
		if on {
			due = time.After(most - ran)
		}
		select {
		case <-due:
		case <-turned:
		case <-ctx.Done():
			return false
		}
	}
}
