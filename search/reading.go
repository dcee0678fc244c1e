package search

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/cdx"
)

// errUntold says that a version can't be read, or that the limit of versions to read is reached.
var errUntold = errors.New("search: a version is not read")

// A reading is the [Texts] of one search. It limits how many versions are read, so that the work for a common phrase
// is bounded in an archive of any size.
type reading struct {
	texts   Texts
	bounded bool
	left    int
}

// Words implements [Texts]. Its error wraps errUntold, unless ctx has ended.
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
