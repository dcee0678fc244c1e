package remote

import (
	"context"
	"io"
	"io/fs"
	"iter"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc"
)

// buckets reads from the buckets of one object storage.
type buckets struct{ client *s3.Client }

func (b *buckets) stat(ctx context.Context, path string) (warc.Entry, error) {
	bucket, key := s3.Split(path)
	if key == "" {
		return warc.Entry{Path: path}, fs.ErrNotExist // perhaps a folder
	}
	o, err := b.client.Stat(ctx, bucket, key)
	return entryOf(path, o), err
}

func entryOf(path string, o s3.Object) warc.Entry {
	return warc.Entry{Path: path, Size: o.Size, ModTime: o.Time, Version: o.ETag}
}

func (b *buckets) list(ctx context.Context, prefix string) iter.Seq2[warc.Entry, error] {
	bucket, key := s3.Split(prefix)
	return func(yield func(warc.Entry, error) bool) {
		for o, err := range b.client.List(ctx, bucket, key) {
			e := entryOf(s3.Scheme+bucket+"/"+o.Key, o)
			if err != nil {
				e = warc.Entry{Path: prefix}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (b *buckets) read(ctx context.Context, e warc.Entry, p []byte, offset int64) error {
	bucket, key := s3.Split(e.Path)
	return readResuming(ctx, p, func(p []byte, done int) (int, error) {
		body, _, err := b.client.Get(ctx, bucket, key, e.Version, offset+int64(done), int64(len(p)))
		if err != nil {
			return 0, refusedError{err}
		}
		defer body.Close()
		return io.ReadFull(body, p)
	})
}
