package write

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/filebuffer"
)

// A file is a file that is being written. It is locked, so that no other process mends it.
type file struct {
	*os.File
	info int64 // offset of the first exchange
	size int64 // offset of the next exchange
}

// FinalName returns the name that a file has once it is complete.
func FinalName(path string) string { return strings.TrimSuffix(filepath.Base(path), openSuffix) }

// create makes a file that has a name of its own.
func create(dir, name, mark string) (*file, error) {
	if mark != "" {
		mark = "-" + mark
	}
	at := time.Now().UTC().Format("20060102150405")
	for serial := range maxSerial {
		path := filepath.Join(dir, fmt.Sprintf("%s-%s-%05d%s%s", name, at, serial, mark, suffix))
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f, err := os.OpenFile(path+openSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("write: %w", err)
		}
		if lockNamed(f) {
			return &file{File: f}, nil
		}
		_ = f.Close() // another process took it for an abandoned file and removes it
	}
	return nil, fmt.Errorf("write: %s: %d files of this second have a name already", dir, maxSerial)
}

const maxSerial = 100_000

// lockNamed locks a file and reports whether it still has its name afterwards.
func lockNamed(f *os.File) bool { return lock(f) && hasName(f) }

// hasName reports whether a file is still where it was made.
func hasName(f *os.File) bool {
	there, err := os.Stat(f.Name())
	if err != nil {
		return false
	}
	own, err := f.Stat()
	return err == nil && os.SameFile(there, own)
}

// full reports whether n more bytes would exceed limit. A file without an exchange is never full.
func (f *file) full(n, limit int64) bool { return f.size > f.info && f.size+n > limit }

// append writes packed records, all or none.
func (f *file) append(packed *filebuffer.Buffer) error {
	n, err := io.Copy(io.NewOffsetWriter(f, f.size), packed.Reader())
	if err == nil {
		f.size += n
		return nil
	}
	err = fmt.Errorf("write: %w", err) // the error names the file
	if cut := f.Truncate(f.size); cut != nil {
		err = errors.Join(err, cut) // otherwise the next exchange overwrites it, or [Mend] cuts it off
	}
	return err
}

// named gives a complete file its final name. It doesn't replace an existing file.
func named(path string) (string, error) {
	done := strings.TrimSuffix(path, openSuffix)
	if _, err := os.Lstat(done); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(&fs.PathError{Op: "name", Path: done, Err: fs.ErrExist}, err)
	}
	if err := os.Rename(path, done); err != nil {
		return "", err
	}
	disk.SyncFolder(filepath.Dir(done))
	return done, nil
}
