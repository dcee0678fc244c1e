package shards

import (
	"context"
	"io"
	"iter"

	"github.com/varve-archive/varve/archive/blobstore"
)

// A Place stores files that all servers of an index can read, like a [blobstore.Store].
type Place interface {
	Put(ctx context.Context, name string, r io.Reader) error
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	List(ctx context.Context, prefix string) iter.Seq2[blobstore.File, error]
	Remove(ctx context.Context, name string) error
}
