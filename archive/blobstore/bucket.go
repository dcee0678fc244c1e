package blobstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/internal/sleep"
)

// A bucketPlace is a place in an object storage.
type bucketPlace struct {
	client         *s3.Client
	bucket, prefix string // prefix ends with a slash, unless it is ""
}

func (b *bucketPlace) address(name string) string {
	return s3.Scheme + b.bucket + "/" + b.prefix + name
}

func (b *bucketPlace) put(ctx context.Context, name string, r io.Reader, isNew bool) error {
	return b.client.Put(ctx, b.bucket, b.prefix+name, r, isNew)
}

func (b *bucketPlace) stat(ctx context.Context, name string) (File, error) {
	o, err := b.client.Stat(ctx, b.bucket, b.prefix+name)
	return b.file(o), err
}

func (b *bucketPlace) file(o s3.Object) File {
	return File{strings.TrimPrefix(o.Key, b.prefix), o.Size, o.Time}
}

func (b *bucketPlace) list(ctx context.Context, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for o, err := range b.client.List(ctx, b.bucket, b.prefix+prefix) {
			if !yield(b.file(o), err) {
				return
			}
		}
	}
}

func (b *bucketPlace) open(ctx context.Context, name string) (io.ReadCloser, error) {
	body, o, err := b.client.Get(ctx, b.bucket, b.prefix+name, "", 0, 0)
	if err != nil {
		return nil, err
	}
	return &reading{ctx: ctx, place: b, name: name, body: body, object: o}, nil
}

const (
	maxAttempts = 5 // to continue after a broken connection, without receiving a byte in between
	firstPause  = 100 * time.Millisecond
)

type reading struct {
	ctx    context.Context
	place  *bucketPlace
	name   string
	object s3.Object
	body   io.ReadCloser // nil while there is none
	done   int64         // bytes
	tries  int           // since the last byte
}

func (r *reading) Read(p []byte) (int, error) {
	for {
		if r.body == nil {
			if err := r.reopen(); err != nil {
				return 0, err
			}
		}
		n, err := r.body.Read(p)
		if r.done += int64(n); n > 0 {
			r.tries = 0
		}
		if r.done == r.object.Size && err != nil {
			return n, io.EOF
		}
		if err == nil {
			return n, nil
		}
		_ = r.Close()
		r.body = nil
		if n > 0 {
			return n, nil // the next call continues
		}
		if r.tries++; r.tries > maxAttempts || r.ctx.Err() != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
	}
}

// reopen requests the rest of the object, provided it is unchanged.
func (r *reading) reopen() (err error) {
	pause := firstPause << r.tries
	if err := sleep.For(r.ctx, pause/2+rand.N(pause)); err != nil {
		return err
	}
	r.body, _, err = r.place.client.Get(r.ctx, r.place.bucket, r.place.prefix+r.name, r.object.ETag, r.done, 0)
	if errors.Is(err, fs.ErrNotExist) {
		err = s3.ErrChanged
	}
	return err
}

func (r *reading) Close() error {
	if r.body == nil {
		return nil
	}
	return r.body.Close()
}
