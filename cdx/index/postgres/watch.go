package postgres

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/cdx/index/distant"
	"github.com/varve-archive/varve/cdx/index/store"
)

// Watch implements [store.Shared].
func (s *engine) Watch(ctx context.Context, key []byte, changed func() error) error {
	return distant.Watch(ctx, func(ctx context.Context) ([]byte, error) { return s.look(ctx, key) }, changed)
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
