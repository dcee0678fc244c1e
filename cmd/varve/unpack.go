package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/varve-archive/varve/warc"
	"github.com/varve-archive/varve/warc/unpack"
)

// unpacker returns a function that unpacks files whose records can't be read at offsets into a folder. It returns nil
// if dir is "".
func unpacker(dir string, storage warc.Storage, log *slog.Logger) func(context.Context, string) (string, error) {
	if dir == "" {
		return nil
	}
	if abs, err := filepath.Abs(dir); err == nil { // the index stores the paths of files, for servers that start elsewhere
		dir = abs
	}
	f := unpack.Folder{
		Dir: dir, Storage: storage,
		Began: func(name string, size int64) { log.Info("unpacking", "file", name, "bytes", size, "into", dir) },
	}
	return f.Path
}
