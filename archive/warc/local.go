package warc

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Local is the [Storage] of this machine's file system. No other code of varve touches archived files there.
type Local struct{}

// Find implements [Storage]. A name with pattern characters is taken literally if such a file exists.
func (Local) Find(_ context.Context, name string) ([]string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	outer, _, _ := CutMember(abs)
	if _, err := os.Lstat(outer); err == nil || !strings.ContainsAny(name, "*?[") {
		return []string{abs}, nil
	}
	if filepath.IsAbs(name) {
		return filepath.Glob(abs)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(literally(here), name))
}

// literally returns a pattern that matches a path and nothing else. Windows' patterns can't.
func literally(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func (Local) Stat(_ context.Context, path string) (Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Entry{Path: path}, err
	}
	return localEntry(path, info)
}

func localEntry(path string, info fs.FileInfo) (Entry, error) {
	if !info.IsDir() && !info.Mode().IsRegular() {
		return Entry{Path: path}, notRegular(path, info)
	}
	return Entry{Path: path, Folder: info.IsDir(), Size: info.Size(), ModTime: info.ModTime(), local: info}, nil
}

func notRegular(path string, info fs.FileInfo) error {
	what := "something else"
	switch mode := info.Mode(); {
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Errorf("%s: not a regular file but %s", filepath.Base(path), what)
}

// sameLocal reports whether two results of os.Stat are of the same file.
func sameLocal(a, b fs.FileInfo) bool { return a == nil || b == nil || os.SameFile(a, b) }

// List implements [Storage]. The folder itself may be a link. In it List follows links to files; it skips links to folders, and whatever
// isn't a regular file.
func (Local) List(ctx context.Context, folder string, wanted func(path string) bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		through := folder + string(filepath.Separator) // walking doesn't follow a link at its start
		_ = filepath.WalkDir(through, func(path string, d fs.DirEntry, err error) error {
			path = filepath.Clean(path)
			if err == nil {
				err = ctx.Err()
			}
			more := true
			switch {
			case err != nil:
				more = yield(Entry{Path: path}, err) && ctx.Err() == nil
			case d.IsDir():
				more = yield(Entry{Path: path, Folder: true}, nil)
			case wanted(path):
				info, err := os.Stat(path)
				if err != nil {
					more = yield(Entry{Path: path}, err)
				} else if e, err := localEntry(path, info); err == nil && !e.Folder {
					more = yield(e, nil)
				}
			}
			if !more {
				return filepath.SkipAll
			}
			return nil
		})
	}
}

func (Local) Beside(path, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

func (Local) Open(_ context.Context, path string) (File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return localFile{f, info.Size()}, nil
}

// localFile implements [File].
type localFile struct {
	*os.File
	size int64
}

func (f localFile) Size() int64 { return f.size }
