package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/varve-archive/varve/internal/disk"
)

// A Folder is the path of a folder of jobs.
type Folder string

const (
	waiting = "waiting"
	running = "running"
	over    = "over"

	lockFile   = "taking"
	fileSuffix = ".json"
)

func (f Folder) dir(place string) string { return filepath.Join(string(f), place) }

func (f Folder) path(place, id string) string { return filepath.Join(string(f), place, id+fileSuffix) }

func (f Folder) prepare() error {
	for _, place := range []string{waiting, running, over} {
		if err := os.MkdirAll(f.dir(place), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Leave adds a job to the queue, and returns it as stored. The error wraps [ErrFull] if too many wait, and [ErrLong]
// if its file is too long.
func (f Folder) Leave(j Job) (Job, error) {
	if len(j.File) > MaxFile {
		return j, ErrLong
	}
	if err := f.prepare(); err != nil {
		return j, err
	}
	now, err := f.list(waiting)
	if err != nil {
		return j, err
	}
	if len(now) >= MostWaiting {
		return j, ErrFull
	}
	j.Left = time.Now().UTC()
	j.ID, j.State = newID(j.Left), Waiting
	return j, f.write(waiting, j)
}

func (f Folder) write(place string, j Job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return disk.Write(f.path(place, j.ID), text, 0o600)
}

// list returns the IDs of the jobs in a subfolder, the oldest first.
func (f Folder) list(place string) (found []string, err error) {
	entries, err := os.ReadDir(f.dir(place))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name(), fileSuffix); is && IsID(id) {
			found = append(found, id)
		}
	}
	return found, err
}

// All returns all jobs, the newest first. It leaves out those that can't be read; the error names them.
func (f Folder) All() (all []Job, err error) {
	var failed []error
	seen := map[string]bool{}
	for _, place := range []string{waiting, running, over} { // in the order in which jobs move, so that none is missed
		found, err := f.list(place)
		failed = append(failed, err)
		for _, id := range found {
			if seen[id] {
				continue
			}
			j, err := f.Get(id)
			switch {
			case err == nil:
				seen[id], all = true, append(all, j)
			case !errors.Is(err, ErrUnknown):
				failed = append(failed, err)
			}
		}
	}
	slices.SortFunc(all, func(a, b Job) int { return strings.Compare(b.ID, a.ID) })
	return all, errors.Join(failed...)
}

// Get returns the job with an ID. The error wraps [ErrUnknown] if there is none.
func (f Folder) Get(id string) (j Job, err error) {
	if !IsID(id) {
		return j, ErrUnknown
	}
	for range 3 { // it may move meanwhile
		for _, place := range []string{over, running, waiting} {
			j, err = f.read(place, id)
			if !errors.Is(err, fs.ErrNotExist) {
				return j, err
			}
		}
	}
	return j, ErrUnknown
}

// read reads the job in a subfolder, which decides its state.
func (f Folder) read(place, id string) (j Job, err error) {
	text, err := os.ReadFile(f.path(place, id))
	if err != nil {
		return j, err
	}
	if err := json.Unmarshal(text, &j); err != nil {
		return j, fmt.Errorf("job %s: %w", id, err)
	}
	j.ID = id
	switch {
	case place == waiting, place == running && !f.Taken(): // a killed process left it, and it will be taken again
		j.State = Waiting
	case place == running:
		j.State = Running
	case j.State == Waiting || j.State == Running:
		j.State = Canceled
	}
	return j, nil
}

// Cancel cancels a waiting job, and returns it as stored. The error wraps [ErrUnknown] or, if the job doesn't wait, [ErrTaken].
func (f Folder) Cancel(id string) (Job, error) {
	j, err := f.Get(id)
	if err != nil {
		return j, err
	}
	if j.State != Waiting {
		return j, ErrTaken
	}
	places := []string{waiting}
	if !f.Taken() {
		places = append(places, running)
	}
	for _, place := range places {
		err = os.Rename(f.path(place, id), f.path(over, id)) // fails if another process takes the job first
		if err == nil {
			j.State, j.Ended = Canceled, time.Now().UTC()
			return j, errors.Join(f.write(over, j), f.forget())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return j, ErrTaken
	}
	return j, err
}

// forget removes the oldest jobs that are over, if there are too many.
func (f Folder) forget() error {
	found, err := f.list(over)
	for _, id := range found[:max(0, len(found)-MostOver)] {
		err = errors.Join(err, disk.Remove(f.path(over, id)))
	}
	return err
}

// Taken reports whether a process takes jobs.
func (f Folder) Taken() bool {
	lock := flock.New(f.dir(lockFile), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Close()
	}
	return err == nil && !free
}
