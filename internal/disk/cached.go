package disk

import (
	"io"
	"os"
	"path/filepath"
)

// HalfWritten is the beginning of the names of files that [WriteCached] has not finished.
const HalfWritten = "new-"

// WriteCached writes a file that can be recreated: it is written completely or not at all, but may be lost with a loss of power. f writes
// its content.
func WriteCached(path string, f func(io.Writer) error) (err error) {
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
