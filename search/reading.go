package search

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/cdx"
)

// errUntold says that a version would have to be read that may not or can't be.
var errUntold = errors.New("search: a version is not read")

// A reading is the [Texts] of one search: it reads no more of them than the request allows, so that a common phrase in
// an archive of any size takes bounded work.
type reading struct {
	texts   Texts
	bounded bool
	left    int
}

// Words implements [Texts]. The error wraps errUntold but where ctx ended.
func (r *reading) Words(ctx context.Context, key string, ts cdx.Timestamp) ([]string, error) {
	if r.bounded && r.left == 0 {
		return nil, errUntold
	}
	r.left--
	words, err := r.texts.Words(ctx, key, ts)
	if err != nil && ctx.Err() == nil {
		err = errors.Join(errUntold, err)
	}
	return words, err
}
