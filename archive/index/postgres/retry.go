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
	patience    = 90 * time.Second // time for which a write is repeated while the database is unreachable
	betweenLook = 250 * time.Millisecond
)

// retry repeats f as long as concurrent writers win, which conflicted recognizes by the error, and for a while if the database is
// unreachable ([kv.ErrUnavailable]), because a restart takes seconds.
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

// watch polls a value a few times a second. It calls changed at once and when the value has changed, until ctx ends or changed fails
// ([kv.Shared]). look returns nil if there is no value. Polling is cheap and works with every engine and pooler, and a lost connection only
// delays it.
func watch(ctx context.Context, look func(context.Context) ([]byte, error), changed func() error) error {
	var last []byte
	known := false
	for {
		value, err := look(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, kv.ErrUnavailable): // temporary
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
