package blobstore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/internal/disk"
)

// A folder is a place on this machine.
type folder struct {
	dir     string
	private bool
	tidied  sync.Map // folders that were tidied, by path
}

func (f *folder) address(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// modes returns the modes of folders and files.
func (f *folder) modes() (dir, file fs.FileMode) {
	if f.private {
		return 0o700, 0o600
	}
	return 0o755, 0o644
}

func (f *folder) put(ctx context.Context, name string, r io.Reader, isNew bool) (err error) {
	path := f.address(name)
	if _, err := os.Lstat(path); err == nil && isNew { // fail before anything is written
		return &fs.PathError{Op: "put", Path: path, Err: fs.ErrExist}
	}
	dirMode, mode := f.modes()
	if err := makeFolder(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(path), incompletePrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = out.Close() // it may be closed already
			_ = os.Remove(out.Name())
		}
	}()
	if info, err := out.Stat(); err == nil {
		f.tidy(filepath.Dir(path), info.ModTime())
	}
	if _, err := io.Copy(out, &stopping{ctx, r}); err != nil {
		return err
	}
	if err := errors.Join(out.Chmod(mode), out.Sync(), out.Close()); err != nil {
		return err
	}
	if isNew {
		err = disk.MoveNew(out.Name(), path)
	} else {
		err = os.Rename(out.Name(), path)
	}
	disk.SyncFolder(filepath.Dir(path))
	return err
}

// makeFolder creates a folder and its parents durably.
func makeFolder(dir string, mode fs.FileMode) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if above := filepath.Dir(dir); above != dir {
		if err := makeFolder(above, mode); err != nil {
			return err
		}
		defer disk.SyncFolder(above)
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// tidy removes incomplete files of killed processes from a folder, once. now is the time of its file system.
func (f *folder) tidy(dir string, now time.Time) {
	if _, done := f.tidied.LoadOrStore(dir, true); !done {
		disk.RemoveAbandoned(dir, incompletePrefix, now)
	}
}

func (f *folder) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if _, err := f.stat(ctx, name); err != nil { // opening a pipe would block
		return nil, err
	}
	return os.Open(f.address(name))
}

func (f *folder) stat(_ context.Context, name string) (File, error) {
	info, err := os.Stat(f.address(name))
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.address(name), Err: errors.New("not a file")}
	}
	if err != nil {
		return File{}, err
	}
	return File{name, info.Size(), info.ModTime()}, nil
}

func (f *folder) list(ctx context.Context, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		found, err := f.found(ctx, prefix)
		for _, one := range found {
			if !yield(one, nil) {
				return
			}
		}
		if err != nil {
			yield(File{}, err)
		}
	}
}

// found returns the files with a prefix sorted by name, which is not the order of walking through folders. It doesn't read folders that
// can't contain any: they may be unreadable, like lost+found.
func (f *folder) found(ctx context.Context, prefix string) (all []File, err error) {
	inside := prefix[:strings.LastIndexByte(prefix, '/')+1]
	top, err := filepath.EvalSymlinks(f.address(inside)) // walking doesn't follow links, not even at its start
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		rel, failed := filepath.Rel(top, path)
		name := inside + filepath.ToSlash(rel)
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case errors.Join(err, failed) != nil:
			return errors.Join(err, failed)
		case ctx.Err() != nil:
			return ctx.Err()
		case e.IsDir() && rel != "." && !overlap(name+"/", prefix):
			return fs.SkipDir
		case !e.Type().IsRegular() || !strings.HasPrefix(name, prefix):
			return nil
		}
		info, err := e.Info()
		if err == nil {
			all = append(all, File{name, info.Size(), info.ModTime()})
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	slices.SortFunc(all, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

// overlap reports whether one of two strings is a prefix of the other.
func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// A stopping is a reader that fails when its context ends.
type stopping struct {
	ctx context.Context
	r   io.Reader
}

func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
