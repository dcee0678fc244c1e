// Package blobstore keeps files in a folder or in a bucket of an object storage: each has a name, is written completely or not at all, and
// isn't modified afterwards. Users of a store need not know which of both it is.
//
// [Open] opens a blob store at a folder's path, or s3://BUCKET/PREFIX.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package blobstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
)

// Config has the settings of a [Store]. The zero value is for folders that others may read, and for Amazon S3.
type Config struct {
	S3      *s3.Client // for s3://; nil uses Amazon's
	Private bool       // folders and files are for this user only (modes 0700 and 0600)
}

// A Store is a folder or bucket of files. It is safe for concurrent use, by several processes too.
//
// Names are relative and have slashes (see [fs.ValidPath]); others are refused. If a file doesn't exist, errors wrap [fs.ErrNotExist]; if
// it may not be read or written, [fs.ErrPermission]; if an object storage can't be reached, [s3.ErrUnavailable].
type Store struct {
	at    string
	place place
}

// A File describes a file of a blob store.
type File struct {
	Name string
	Size int64 // bytes
	Time time.Time
}

// A place stores the files of a blob store. Names are valid.
type place interface {
	put(ctx context.Context, name string, r io.Reader, isNew bool) error
	open(ctx context.Context, name string) (io.ReadCloser, error)
	stat(ctx context.Context, name string) (File, error)
	list(ctx context.Context, prefix string) iter.Seq2[File, error]
	address(name string) string
}

// IsRemote reports whether at is not a folder of this machine.
func IsRemote(at string) bool { return strings.Contains(at, "://") }

// Check returns an error if files can't be stored at at.
func Check(at string) error {
	scheme, rest, remote := strings.Cut(at, "://")
	switch {
	case at == "":
		return errors.New("want a folder or s3://BUCKET/PREFIX")
	case !remote:
		return nil
	case scheme != "s3":
		return fmt.Errorf("%s:// can't be written: name a folder or s3://BUCKET/PREFIX", scheme)
	}
	bucket, key, _ := strings.Cut(rest, "/")
	key = strings.TrimRight(key, "/")
	if bucket == "" || key != "" && !fs.ValidPath(key) || key == "." {
		return fmt.Errorf("%q: want s3://BUCKET or s3://BUCKET/PREFIX", at)
	}
	return nil
}

// Open opens a blob store. It creates and requests nothing yet.
func Open(at string, c Config) (*Store, error) {
	if err := Check(at); err != nil {
		return nil, err
	}
	if !IsRemote(at) {
		dir, err := filepath.Abs(at)
		return &Store{at, &folder{dir: dir, private: c.Private}}, err
	}
	if c.S3 == nil {
		amazon, err := s3.New("")
		if err != nil {
			return nil, err
		}
		c.S3 = amazon
	}
	at = strings.TrimRight(at, "/")
	bucket, prefix := s3.Split(at)
	if prefix != "" {
		prefix += "/"
	}
	return &Store{at, &bucketPlace{client: c.S3, bucket: bucket, prefix: prefix}}, nil
}

// String returns the place as it was given, for an object storage without final slashes.
func (d *Store) String() string { return d.at }

// Address returns the address of a file for others: its path, or s3://BUCKET/KEY.
func (d *Store) Address(name string) string { return d.place.address(name) }

// incompletePrefix begins the names of incomplete files in a folder, also those of [disk.MoveNew].
const incompletePrefix = ".putting-"

// check refuses invalid names.
func check(name string) error {
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00") {
		return &fs.PathError{Op: "name", Path: name, Err: fs.ErrInvalid}
	}
	if strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], incompletePrefix) {
		return &fs.PathError{Op: "name", Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// in adds the address of a file to an error.
func (d *Store) in(name string, err error) error {
	if err == nil || strings.Contains(err.Error(), d.Address(name)) {
		return err
	}
	return fmt.Errorf("%s: %w", d.Address(name), err)
}

// Put stores the content of r under a name, and replaces a file with that name: completely, or not at all if it fails. When it returns, the
// file would survive a loss of power. An [os.File] may have any size, other readers in a bucket up to 320 GB.
func (d *Store) Put(ctx context.Context, name string, r io.Reader) error {
	return d.put(ctx, name, r, false)
}

// PutNew is [Store.Put] unless a file of that name exists. Then the error wraps [fs.ErrExist], and nothing is changed. If several put the
// same name at once, one succeeds; in a bucket that requires conditional writes (If-None-Match).
func (d *Store) PutNew(ctx context.Context, name string, r io.Reader) error {
	return d.put(ctx, name, r, true)
}

func (d *Store) put(ctx context.Context, name string, r io.Reader, isNew bool) error {
	if err := check(name); err != nil {
		return err
	}
	return d.in(name, d.place.put(ctx, name, r, isNew))
}

// Open opens a file for sequential reading. The caller closes it. In a bucket, reading continues after a broken connection, and a file that
// was replaced meanwhile is [s3.ErrChanged].
func (d *Store) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	f, err := d.place.open(ctx, name)
	return f, d.in(name, err)
}

// Read returns the content of a file.
func (d *Store) Read(ctx context.Context, name string) ([]byte, error) {
	f, err := d.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	return content, d.in(name, err)
}

// Stat describes a file.
func (d *Store) Stat(ctx context.Context, name string) (File, error) {
	if err := check(name); err != nil {
		return File{}, err
	}
	f, err := d.place.stat(ctx, name)
	return f, d.in(name, err)
}

// List yields the files whose names begin with a prefix, sorted by name, at any depth. A missing folder has none. An error is yielded last.
func (d *Store) List(ctx context.Context, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		if i := strings.LastIndexByte(prefix, '/'); i >= 0 && !fs.ValidPath(prefix[:i]) {
			return // no valid name has this prefix
		}
		for f, err := range d.place.list(ctx, prefix) {
			if err != nil {
				yield(File{}, d.in(prefix, err))
				return
			}
			if check(f.Name) == nil && !yield(f, nil) {
				return
			}
		}
	}
}
