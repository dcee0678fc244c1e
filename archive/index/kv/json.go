package kv

import (
	"context"
	"encoding/json"
	"errors"
)

// GetJSON reads a value that is stored as JSON. If there is none, it returns false and leaves into unchanged.
func GetJSON(ctx context.Context, s Store, key []byte, into any) (found bool, err error) {
	err = s.View(ctx, func(at Snapshot) error {
		return at.Get(key, func(v []byte) error { return json.Unmarshal(v, into) })
	})
	if errors.Is(err, ErrNoKey) {
		return false, nil
	}
	return err == nil, err
}

// SetJSON stores a value as JSON, in a [Txn] or a [Batch].
func SetJSON(to interface{ Set(key, value []byte) error }, key []byte, value any) error {
	v, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return to.Set(key, v)
}
