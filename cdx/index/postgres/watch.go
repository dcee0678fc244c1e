package postgres

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/cdx/index/store"
)

// Watch implements [store.Shared]. It looks at the key a few times a second: that costs next to nothing, works on every
// engine and through every pooler, and a connection that is gone is only a look that is late.
func (s *engine) Watch(ctx context.Context, key []byte, changed func() error) error {
	var last []byte
	known := false
	for {
		value, err := s.look(ctx, key)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, store.ErrUnavailable): // the next look may find it
		case err != nil:
			return err
		case !known || !bytes.Equal(value, last):
			if err := changed(); errors.Is(err, store.ErrUnavailable) {
				break
			} else if err != nil {
				return err
			}
			last, known = value, true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(betweenPoll):
		}
	}
}

// look returns the value of a key, nil if there is none.
func (s *engine) look(ctx context.Context, key []byte) (value []byte, err error) {
	err = s.viewOn(ctx, s.watch, func(snap store.Snapshot) error {
		return snap.Get(key, func(v []byte) error { value = append([]byte{}, v...); return nil })
	})
	if errors.Is(err, store.ErrNoKey) {
		return nil, nil
	}
	return value, err
}
