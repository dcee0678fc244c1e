package shards

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Place keeps files that all servers of an index can read. Names have slashes. It must be safe for concurrent use, by several
// processes too.
type Place interface {
	// Put stores all that r has under a name: whole, or not at all if it fails.
	Put(ctx context.Context, name string, r io.Reader) error
	// Open opens a file to be read. If there is none, the error wraps [fs.ErrNotExist].
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// List yields the files whose names begin with a prefix.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Remove removes a file. One that isn't there is removed already.
	Remove(ctx context.Context, name string) error
}

// An Object is a file of a place.
type Object struct {
	Name string
	Time time.Time // when it was put, by the clock of the place
}

// A Folder is a place in a folder that all servers have mounted.
type Folder string

var _ Place = Folder("")

func (f Folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// halfPut begins the names of files that are not whole yet.
const halfPut = ".putting-"

// Put implements [Place].
func (f Folder) Put(_ context.Context, name string, r io.Reader) (err error) {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(path), halfPut+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = out.Close() // it may be closed already
			_ = os.Remove(out.Name())
		}
	}()
	if err := out.Chmod(0o644); err != nil {
		return err
	}
	if _, err := io.Copy(out, r); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// Open implements [Place].
func (f Folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

// List implements [Place]. Files that were never put whole are among them: whoever looks for what is to be removed has to know.
func (f Folder) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		root := f.path(prefix[:strings.LastIndexByte(prefix, '/')+1])
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			relative, err := filepath.Rel(string(f), path)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(relative)
			info, err := d.Info()
			if os.IsNotExist(err) || !strings.HasPrefix(name, prefix) {
				return nil
			}
			if err != nil {
				return err
			}
			if !yield(Object{name, info.ModTime()}, ctx.Err()) || ctx.Err() != nil {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			yield(Object{}, err)
		}
	}
}

// Remove implements [Place].
func (f Folder) Remove(_ context.Context, name string) error {
	err := os.Remove(f.path(name))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
