package gathering

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/disk"
)

// A bucket is a place to which complete files are moved. Until then they are in a folder of this machine, where the next process finds
// those of a killed one. It implements [crawl.MovedFiles].
type bucket struct {
	at   *blobstore.Store
	name string // prefix of the names of the files
	id   string // of the place, for the name of the folder
	mark string // distinguishes files of this process

	moving sync.Mutex

	mu  sync.Mutex
	has map[string]bool // names of files that are known to be in the bucket
}

// openBucket opens a bucket. It fails if the bucket can't be listed, so that nothing is captured in vain.
func openBucket(ctx context.Context, client *s3.Client, place, name string) (*bucket, error) {
	at, err := blobstore.Open(place, blobstore.Config{S3: client})
	if err != nil {
		return nil, err
	}
	id := fmt.Sprintf("%08x", uint32(xxh3.HashString(strings.TrimRight(place, "/"))))
	b := &bucket{at: at, name: name, id: id, mark: newMark(), has: map[string]bool{}}
	_, err = b.files(ctx)
	return b, err
}

// newMark returns letters and digits that distinguish files of this process from those of others: of machines with the same host name,
// and of a process that ended within the same second.
func newMark() string { return strings.ToLower(rand.Text()[:12]) }

// files returns the addresses of the complete files with this name's prefix. Other files belong to others, unlike in a folder of a
// collection.
func (b *bucket) files(ctx context.Context) (all []string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for f, err := range b.at.List(ctx, b.name+"-") {
		if err != nil {
			return nil, err
		}
		if write.IsFinished(b.name, f.Name) {
			b.has[f.Name] = true
			all = append(all, b.at.Address(f.Name))
		}
	}
	return all, nil
}

// Find implements [crawl.MovedFiles]. Other processes may have moved files there since it was listed.
func (b *bucket) Find(ctx context.Context, name string) (string, error) {
	b.mu.Lock()
	has := b.has[name]
	b.mu.Unlock()
	if !has {
		if _, err := b.at.Stat(ctx, name); errors.Is(err, fs.ErrNotExist) {
			return "", nil
		} else if err != nil {
			return "", err
		}
		b.is(name)
	}
	return b.at.Address(name), nil
}

// is records that a file is in the bucket.
func (b *bucket) is(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.has[name] = true
}

func (b *bucket) Names(ctx context.Context) (names []string, err error) {
	files, err := b.files(ctx)
	for _, f := range files {
		names = append(names, path.Base(f))
	}
	return names, err
}

// move moves a file to the bucket. An equal file with its name is the same file: a process was killed before it could remove the local
// one.
func (b *bucket) move(ctx context.Context, path string) error {
	if err := b.put(ctx, path); errors.Is(err, fs.ErrNotExist) && !exists(path) { // another process was faster
		return nil
	} else if err != nil {
		return err
	}
	b.is(filepath.Base(path))
	return disk.Remove(path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// put makes sure that a file is in the bucket.
func (b *bucket) put(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	name := filepath.Base(path)
	err = b.at.PutNew(ctx, name, f)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	same, failed := b.same(ctx, name, f)
	switch {
	case failed != nil: // it is unknown whether it is another file
		return failed
	case !same:
		return err
	}
	return nil
}

// same reports whether a file in the bucket has the same content as a local one.
func (b *bucket) same(ctx context.Context, name string, f *os.File) (bool, error) {
	there, err := b.at.Stat(ctx, name)
	if err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err != nil || info.Size() != there.Size {
		return false, err
	}
	r, err := b.at.Open(ctx, name)
	if err != nil {
		return false, err
	}
	defer r.Close()
	of, its := make([]byte, 1<<20), make([]byte, 1<<20)
	for at := int64(0); at < there.Size; at += int64(len(of)) {
		n := min(there.Size-at, int64(len(of)))
		if _, err := io.ReadFull(r, of[:n]); err != nil {
			return false, err
		}
		if _, err := f.ReadAt(its[:n], at); err != nil {
			return false, err
		}
		if !bytes.Equal(of[:n], its[:n]) {
			return false, nil
		}
	}
	return true, nil
}
