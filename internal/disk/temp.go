package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// tempLock is the file of a temporary folder that its process holds locked.
const tempLock = "varve.lock"

// TempDir creates a temporary folder with a prefix for this process. release removes it. Folders with that prefix that killed processes of
// the same user have left are removed first.
func TempDir(prefix string) (dir string, release func() error, err error) {
	removeLeft(prefix)
	for {
		if dir, err = os.MkdirTemp("", prefix); err != nil {
			return "", nil, err
		}
		lock := flock.New(filepath.Join(dir, tempLock))
		ours, err := lock.TryLock()
		if err == nil && ours {
			_, err = os.Stat(lock.Path())
		}
		if err == nil && !ours || errors.Is(err, os.ErrNotExist) {
			_ = lock.Close()
			continue // another process took it for an abandoned one
		}
		return dir, func() error { return errors.Join(lock.Close(), os.RemoveAll(dir)) }, nil // some file systems have no locks
	}
}

// removeLeft removes temporary folders of ended processes. Folders of other users, and those whose process may still run, stay.
func removeLeft(prefix string) {
	found, _ := os.ReadDir(os.TempDir())
	for _, e := range found {
		dir := filepath.Join(os.TempDir(), e.Name())
		info, err := os.Lstat(dir)
		if err != nil || !strings.HasPrefix(e.Name(), prefix) || !info.IsDir() || !isOwn(info) {
			continue
		}
		lock := flock.New(filepath.Join(dir, tempLock), flock.SetFlag(os.O_RDONLY)) // which makes none
		if free, err := lock.TryLock(); err == nil && free {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}
