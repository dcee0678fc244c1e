package main

import (
	"context"
	"path/filepath"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/warc/unpack"
)

// unpacker returns a function that unpacks files whose records can't be read at offsets into a folder or a bucket. It returns nil
// if at is "".
func (p *program) unpacker(at string) (func(context.Context, string) (string, error), error) {
	if at == "" {
		return nil, nil
	}
	f := unpack.Folder{
		Dir: at, Storage: p.storage,
		Began: func(name string, size int64) { p.log().Info("unpacking", "file", name, "bytes", size, "into", at) },
	}
	if blobstore.IsRemote(at) {
		to, err := blobstore.Open(at, blobstore.Config{S3: p.s3})
		f.To = to
		return f.Path, err
	}
	if abs, err := filepath.Abs(at); err == nil { // the index stores the paths of files, for servers that start elsewhere
		f.Dir = abs
	}
	return f.Path, nil
}
