package shards

import (
	"context"
	"io"
	"iter"

	"github.com/varve-archive/varve/depot"
)

// A Place keeps files that all servers of an index can read, in the manner of a [depot.Depot].
type Place interface {
	Put(ctx context.Context, name string, r io.Reader) error
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	List(ctx context.Context, prefix string) iter.Seq2[depot.File, error]
	Remove(ctx context.Context, name string) error
}

var _ Place = (*depot.Depot)(nil)
