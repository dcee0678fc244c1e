package remote

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/internal/sleep"
)

const (
	maxAttempts = 4 // for a range, with growing pauses in between
	firstPause  = 50 * time.Millisecond
)

// refusedError marks an error of a client that has already repeated the request.
type refusedError struct{ error }

func (e refusedError) Unwrap() error { return e.error }

// readResuming fills p. When reading breaks off, it continues where it stopped, a few times with growing pauses. Errors that aren't
// temporary end it at once.
func readResuming(ctx context.Context, p []byte, read func(p []byte, done int) (int, error)) error {
	done := 0
	for try, pause := 1, firstPause; ; try, pause = try+1, 4*pause {
		n, err := read(p[done:], done)
		if done += n; done == len(p) {
			return nil
		}
		if isFinal(err) || try == maxAttempts || ctx.Err() != nil {
			return err
		}
		if err := sleep.For(ctx, pause/2+rand.N(pause)); err != nil {
			return err
		}
	}
}

// isFinal reports whether repeating the request would be of no use.
func isFinal(err error) bool {
	for _, final := range []error{fs.ErrNotExist, fs.ErrPermission, ErrChanged, s3.ErrNoRanges} {
		if errors.Is(err, final) {
			return true
		}
	}
	return errors.As(err, new(refusedError))
}
