package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// An Order is a command for a running crawl.
type Order string

const (
	Pause  Order = "pause"  // finish what was asked for, and ask for nothing more
	Resume Order = "resume" // go on
	Stop   Order = "stop"   // end, as if by Ctrl-C; the crawl can go on another time
)

// Valid reports whether the order exists.
func (o Order) Valid() bool { return o == Pause || o == Resume || o == Stop }

const (
	lookInterval = 100 * time.Millisecond // how often a crawl looks for orders
	orderWait    = 10 * time.Second       // how long a caller waits until its order is taken
)

func (f Folder) has(name, file string) bool {
	_, err := os.Stat(f.file(name, file))
	return !errors.Is(err, fs.ErrNotExist)
}

// Order gives an order to a running crawl, and returns once the order was taken and the crawl's report reflects it. If the crawl
// doesn't run, the error wraps [ErrUnknown] or [ErrNotRunning]. If several orders are given at once, the last one counts.
func (f Folder) Order(ctx context.Context, name string, o Order) error {
	if !o.Valid() {
		return fmt.Errorf("%.20q: want pause, resume or stop", string(o))
	}
	if r, err := f.Get(name); err != nil {
		return err
	} else if !r.State.IsAlive() {
		return fmt.Errorf("the crawl %s %w", name, ErrNotRunning)
	}
	if err := f.write(name, orderFile, []byte(o)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	for {
		if !f.has(name, orderFile) && !f.has(name, takenFile) { // in this order
			return nil
		}
		if !f.lives(name) {
			_ = os.Remove(f.file(name, orderFile))
			return fmt.Errorf("the crawl %s %w", name, ErrNotRunning)
		}
		if sleep.For(ctx, lookInterval) != nil {
			_ = os.Remove(f.file(name, orderFile))
			return fmt.Errorf("the crawl %s %w", name, ErrSilent)
		}
	}
}
