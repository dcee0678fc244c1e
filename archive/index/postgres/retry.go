package postgres

import (
	"bytes"
	"context"
	"errors"
	mathrand "math/rand/v2"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	firstPause  = 2 * time.Millisecond
	longPause   = 500 * time.Millisecond
	patience    = 90 * time.Second // with an engine that is gone, while something is written: it may be started anew
	betweenLook = 250 * time.Millisecond
)

// retry calls f again for as long as other writers come first, which conflicted tells of its error, and for a while if the
// engine is gone ([kv.ErrUnavailable]): it is started anew within seconds.
func retry(ctx context.Context, conflicted func(error) bool, f func() error) error {
	begin := time.Now()
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := f()
		if !conflicted(err) && !(errors.Is(err, kv.ErrUnavailable) && time.Since(begin) < patience) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(mathrand.N(pause)):
		}
	}
}

// watch looks at a value a few times a second and calls changed at once, and when it has changed, until ctx ends or changed fails
// ([kv.Shared]). look returns nil if there is no value. This costs next to nothing, works on every engine and through every
// pooler, and a connection that is gone is only a look that is late.
func watch(ctx context.Context, look func(context.Context) ([]byte, error), changed func() error) error {
	var last []byte
	known := false
	for {
		value, err := look(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, kv.ErrUnavailable): // the next look may find it
		case err != nil:
			return err
		case !known || !bytes.Equal(value, last):
			if err := changed(); errors.Is(err, kv.ErrUnavailable) {
				break
			} else if err != nil {
				return err
			}
			last, known = value, true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(betweenLook):
		}
	}
}
