package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Naming is the prefix of temporary files of [MoveNew] on file systems without links.
const Naming = ".putting-new-"

const (
	namingTries = 500 // for some seconds; others take far less, unless they were killed
	namingPause = 10 * time.Millisecond
	namingEnded = time.Hour // age of a marker that nobody uses any more
)

// MoveNew renames a file on the same disk, unless the new name exists: then the error wraps [fs.ErrExist], and nothing is changed. If
// several processes use the same name at once, one succeeds.
func MoveNew(from, to string) error { return moveNew(from, to, os.Link) }

// Remove removes a file, unless another process was faster.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder makes the names in a folder durable. File systems whose folders can't be synced need no sync.
func SyncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func moveNew(from, to string, link func(from, to string) error) error {
	err := link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	return naming(to, func() error { // a file system without links
		if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(&fs.PathError{Op: "name", Path: to, Err: fs.ErrExist}, err)
		}
		return os.Rename(from, to)
	})
}

// naming calls f while no other process uses the same name.
func naming(path string, f func() error) error {
	// A hash, because a long name can't be extended; in lower case, because most file systems without links ignore case.
	sum := sha256.Sum256([]byte(strings.ToLower(filepath.Base(path))))
	marker := filepath.Join(filepath.Dir(path), Naming+hex.EncodeToString(sum[:12]))
	for try := 0; ; try++ {
		m, err := os.OpenFile(marker, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			defer os.Remove(marker)
			return errors.Join(m.Close(), f())
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if try == 0 && removeOld(marker) {
			continue
		}
		if try == namingTries {
			return fmt.Errorf("another process gives a file the name %s, or was killed while it did: then remove %s", path, marker)
		}
		time.Sleep(namingPause)
	}
}

// removeOld removes a marker that a killed process left long ago, by the clock of the disk, and reports whether it did.
func removeOld(marker string) bool {
	m, err := os.Stat(marker)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	f, err := os.CreateTemp(filepath.Dir(marker), Naming+"*")
	if err != nil {
		return false
	}
	now, err := f.Stat()
	_ = errors.Join(f.Close(), os.Remove(f.Name()))
	return err == nil && now.ModTime().Sub(m.ModTime()) > namingEnded && os.Remove(marker) == nil
}
