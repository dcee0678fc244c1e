package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Folder is the path of a folder of crawls.
type Folder string

// The files of a crawl.
const (
	statusFile = "status.json"
	lockFile   = "running"
	orderFile  = "order"
	takenFile  = "order-taken"
)

// Errors about crawls; the errors that wrap them name the crawl.
const (
	ErrUnknown    = sentinel.Error("there is no crawl")
	ErrNotRunning = sentinel.Error("isn't running")
	ErrRunning    = sentinel.Error("is running already")
	ErrSilent     = sentinel.Error("takes no orders") // though it runs
)

// Home returns the folder of a crawl.
func (f Folder) Home(name string) string { return filepath.Join(string(f), name) }

func (f Folder) file(name, file string) string { return filepath.Join(string(f), name, file) }

// All returns all crawls, by name. It leaves out those that can't be read; the error names them.
func (f Folder) All() (all []Run, err error) {
	list, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var failed []error
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		switch r, err := f.Get(e.Name()); {
		case err == nil:
			all = append(all, r)
		case !errors.Is(err, ErrUnknown):
			failed = append(failed, err)
		}
	}
	return all, errors.Join(failed...)
}

// Get returns a crawl. The error wraps [ErrUnknown] if there is none of the name. A crawl whose process was killed counts as
// stopped.
func (f Folder) Get(name string) (r Run, err error) {
	if !plainname.IsShort(name) {
		return r, fmt.Errorf("%w of the name %.64q", ErrUnknown, name)
	}
	lives := f.lives(name) // first, because a crawl that ends meanwhile writes its end
	text, err := os.ReadFile(f.file(name, statusFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("%w of the name %s", ErrUnknown, name)
	} else if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("crawl %s: %s: %w", name, statusFile, err)
	}
	r.Name = name
	if r.State.IsAlive() && !lives {
		r.State, r.URL = Stopped, ""
	}
	return r, nil
}

func (f Folder) lives(name string) bool {
	lock := flock.New(f.file(name, lockFile), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Close()
	}
	return err == nil && !free
}

func (f Folder) write(name, file string, text []byte) error {
	return disk.WriteCached(f.file(name, file), func(w io.Writer) error { _, err := w.Write(text); return err })
}
