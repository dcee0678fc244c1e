package postgres

import (
	"bytes"
	"context"
	"errors"
	mathrand "math/rand/v2"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sleep"
)

const (
	firstPause   = 2 * time.Millisecond
	longPause    = 500 * time.Millisecond
	retryTime    = 90 * time.Second // time for which a write is repeated while the database is unreachable
	betweenReads = 250 * time.Millisecond
)

// patiently repeats f as long as concurrent transactions win, and for a while if the database is unreachable ([kv.ErrUnavailable]), because
// a restart takes seconds.
func patiently(ctx context.Context, f func() error) error {
	begin := time.Now()
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := f()
		if !conflicted(err) && !(errors.Is(err, kv.ErrUnavailable) && time.Since(begin) < retryTime) {
			return err
		}
		if err := sleep.For(ctx, mathrand.N(pause)); err != nil {
			return err
		}
	}
}

// Watch implements [kv.Shared]. It polls the value a few times a second, which is cheap and works with every engine and pooler; a lost
// connection only delays it.
func (s *engine) Watch(ctx context.Context, key []byte, changed func() error) error {
	var last []byte
	known := false
	for {
		value, err := s.valueOf(ctx, key)
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
		if err := sleep.For(ctx, betweenReads); err != nil {
			return err
		}
	}
}

// valueOf returns the value of a key, nil if there is none.
func (s *engine) valueOf(ctx context.Context, key []byte) (value []byte, err error) {
	err = s.viewOn(ctx, s.watch, func(snap kv.Snapshot) error {
		return snap.Get(key, func(v []byte) error { value = append([]byte{}, v...); return nil })
	})
	if errors.Is(err, kv.ErrNoKey) {
		return nil, nil
	}
	return value, err
}
