package postgres

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Watch implements [kv.Shared].
func (s *engine) Watch(ctx context.Context, key []byte, changed func() error) error {
	return watch(ctx, func(ctx context.Context) ([]byte, error) { return s.look(ctx, key) }, changed)
}

// look returns the value of a key, nil if there is none.
func (s *engine) look(ctx context.Context, key []byte) (value []byte, err error) {
	err = s.viewOn(ctx, s.watch, func(snap kv.Snapshot) error {
		return snap.Get(key, func(v []byte) error { value = append([]byte{}, v...); return nil })
	})
	if errors.Is(err, kv.ErrNoKey) {
		return nil, nil
	}
	return value, err
}
