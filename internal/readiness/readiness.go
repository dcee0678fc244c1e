// Package readiness checks in the background whether a server has what it needs to answer. So a load balancer may ask often, and a need
// that fails for a moment doesn't take the server out of service.
package readiness

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// A Need is something that a server needs to answer.
type Need struct {
	Name string // such as "the database of the index"
	// Check returns an error if the need isn't met. Its context ends when the next check is due.
	Check func(context.Context) error
}

// The interval of checks, and how many checks in a row change the result.
const (
	Every        = 5 * time.Second
	missingAfter = 3
	thereAfter   = 2
)

// A Watch knows which needs are met. At first all are, since a server that lacks one doesn't start.
type Watch struct {
	log   *slog.Logger
	needs []*watched
}

type watched struct {
	Need
	mu      sync.Mutex
	missing bool
	against int // consecutive checks with the opposite result
}

// New returns a watch of needs, which [Watch.Keep] checks.
func New(log *slog.Logger, needs ...Need) *Watch {
	w := &Watch{log: log}
	for _, n := range needs {
		w.needs = append(w.needs, &watched{Need: n})
	}
	return w
}

// Missing returns the names of the needs that are not met.
func (w *Watch) Missing() (names []string) {
	for _, n := range w.needs {
		if n.isMissing() {
			names = append(names, n.Name)
		}
	}
	return names
}

// Met returns whether each need is met, by name.
func (w *Watch) Met() map[string]bool {
	met := map[string]bool{}
	for _, n := range w.needs {
		met[n.Name] = !n.isMissing()
	}
	return met
}

func (n *watched) isMissing() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.missing
}

// Keep checks all needs, each independently, at an interval until ctx ends.
func (w *Watch) Keep(ctx context.Context, every time.Duration) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, n := range w.needs {
		all.Go(func() {
			w.check(ctx, n, every)
			for range sleep.Every(ctx, every) {
				w.check(ctx, n, every)
			}
		})
	}
}

func (w *Watch) check(ctx context.Context, n *watched, most time.Duration) {
	looking, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := n.Check(looking)
	if ctx.Err() != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if (err != nil) == n.missing {
		n.against = 0
		return
	}
	n.against++
	switch {
	case err != nil && n.against >= missingAfter:
		w.log.Error("not ready: "+n.Name+" does not answer", "error", err)
	case err == nil && n.against >= thereAfter:
		w.log.Info("ready again: " + n.Name + " answers")
	default:
		return
	}
	n.missing, n.against = err != nil, 0
}
