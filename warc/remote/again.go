package remote

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"time"
)

const (
	askRole    = 2 * time.Second // for the machine's role: most machines have none
	firstPause = 50 * time.Millisecond
)

// again fills p, and goes on behind what is there when reading breaks off, some times with growing pauses. Errors that won't
// pass end it at once.
func again(ctx context.Context, p []byte, read func(p []byte, done int) (int, error)) error {
	done := 0
	for try, pause := 1, firstPause; ; try, pause = try+1, 4*pause {
		n, err := read(p[done:], done)
		if done += n; done == len(p) {
			return nil
		}
		final := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrChanged) || errors.Is(err, errNoRanges)
		if final || try == attempts || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}
