package loadlimit

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// A Gate delays background work while requests are running. The work is done in small steps, and calls [Gate.Pace] after each. The zero
// value is ready to use.
type Gate struct {
	running atomic.Int64 // requests
	ended   atomic.Int64 // when the last one ended, Unix time in nanoseconds
	waited  atomic.Int64 // nanoseconds
}

const (
	// idlePause is how long no request must have run for the server to count as idle. Clients that ask one thing after
	// the other leave gaps of some milliseconds.
	idlePause = 50 * time.Millisecond
	// pauseRatio is the ratio of the pause after a step to the step's time while the server is busy, so that the work never stops.
	pauseRatio = 19
	// checkInterval is how often a waiting step checks whether the server is idle.
	checkInterval = 5 * time.Millisecond
)

// Handler returns next with its requests counted by the gate.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.running.Add(1)
		defer func() {
			g.ended.Store(time.Now().UnixNano())
			g.running.Add(-1)
		}()
		next.ServeHTTP(w, r)
	})
}

// Idle reports whether no request is running and none has just ended.
func (g *Gate) Idle() bool {
	return g.running.Load() == 0 && time.Since(time.Unix(0, g.ended.Load())) >= idlePause
}

// Pace returns when the next step may begin, after a step that took a time: as soon as the server is idle, or after share times as long.
// Its error is that of ctx.
func (g *Gate) Pace(ctx context.Context, took time.Duration) error {
	if g.Idle() {
		return ctx.Err()
	}
	began := time.Now()
	defer func() { g.waited.Add(int64(time.Since(began))) }()
	for !g.Idle() && time.Since(began) < pauseRatio*took {
		if err := sleep.For(ctx, checkInterval); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Waited returns how long all steps together have waited.
func (g *Gate) Waited() time.Duration { return time.Duration(g.waited.Load()) }
