package crawl

import (
	"context"
	"sync"
	"time"
)

// Pause has the crawl ask for nothing more until [Crawl.Resume]; what was asked for is taken in. A pause counts neither for the
// walltime nor for the seconds of the report. It may be called at any time.
func (c *Crawl) Pause() { c.watch.turn(false) }

// Resume has the crawl go on.
func (c *Crawl) Resume() { c.watch.turn(true) }

// A stopwatch counts the time in which it is on.
type stopwatch struct {
	mu     sync.Mutex
	on     bool
	since  time.Time     // when it was turned on last
	before time.Duration // counted until then
	turned chan struct{} // closed when it is turned on or off
}

// newStopwatch returns one that is on.
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

// shows returns what was counted, and whether it counts.
func (w *stopwatch) shows() (ran time.Duration, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on {
		return w.before + time.Since(w.since), true
	}
	return w.before, false
}

// reach returns once a time was counted, or ctx ends, and reports which.
func (w *stopwatch) reach(ctx context.Context, most time.Duration) bool {
	for {
		w.mu.Lock()
		turned := w.turned
		w.mu.Unlock()
		ran, on := w.shows()
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
