package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// HalfWritten is the beginning of the names of files that [WriteCached] or [Write] has not finished. No other program uses such names, so
// they can be removed from folders of other files too.
const HalfWritten = ".varve-new-"

// abandonedAge is the age from which on an unfinished file is removed. A process that was suspended for so long fails when it continues.
const abandonedAge = 24 * time.Hour

// RemoveAbandoned removes files from a folder that killed processes have left unfinished: those whose names begin with a prefix and that
// have not changed for long. now is the time of the folder's file system. Files that can't be removed stay.
func RemoveAbandoned(dir, prefix string, now time.Time) {
	found, _ := os.ReadDir(dir)
	for _, e := range found {
		if !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > abandonedAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// WriteCached writes a file that can be recreated: it is written completely or not at all, but may be lost with a loss of power. f writes
// its content.
func WriteCached(path string, f func(io.Writer) error) error {
	return replace(path, func(out *os.File) error { return f(out) })
}

// Write writes a file that can't be recreated: after a loss of power it has its old content or the new one.
func Write(path string, content []byte, mode fs.FileMode) error {
	err := replace(path, func(out *os.File) error {
		_, err := out.Write(content)
		return errors.Join(err, out.Chmod(mode), out.Sync())
	})
	SyncFolder(filepath.Dir(path))
	return err
}

func replace(path string, f func(*os.File) error) (err error) {
	out, err := os.CreateTemp(filepath.Dir(path), HalfWritten+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = out.Close() // it may be closed already
			_ = os.Remove(out.Name())
		}
	}()
	if err := f(out); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}
