package crawl

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A pause does not count, and what waits for a time waits longer by it.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, began := newStopwatch(), time.Now()
		reached := make(chan time.Duration, 1)
		go func() {
			if w.reach(t.Context(), time.Minute) {
				reached <- time.Since(began)
			}
		}()
		time.Sleep(20 * time.Second)
		w.turn(false)
		w.turn(false)
		time.Sleep(time.Hour)
		if ran, on := w.read(); ran != 20*time.Second || on {
			t.Errorf("paused: %s, %t", ran, on)
		}
		w.turn(true)
		if took := <-reached; took != time.Hour+time.Minute {
			t.Errorf("it was reached after %s", took)
		}
	})
}

func TestStopwatchGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if newStopwatch().reach(ctx, time.Hour) {
		t.Error("it reached an hour at once")
	}
}
