package jobs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sleep"
)

const (
	lookInterval = 500 * time.Millisecond // for jobs
	lockInterval = 200 * time.Millisecond // for the lock, while another process has it
)

// Take runs the waiting jobs one at a time, the oldest first, until ctx ends. While another process takes jobs, it waits. An error
// of do is recorded as the reason why the job failed; a job interrupted by ctx is put back. Take fails if the file of a job can't
// be moved or read.
func (f Folder) Take(ctx context.Context, do func(context.Context, Job) error) error {
	if err := f.prepare(); err != nil {
		return err
	}
	lock := flock.New(f.dir(lockFile))
	if _, err := lock.TryLockContext(ctx, lockInterval); err != nil {
		return err
	}
	defer lock.Close()
	if err := f.recover(); err != nil {
		return err
	}
	for {
		found, err := f.list(waiting)
		if err != nil {
			return err
		}
		for _, id := range found {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := f.takeOne(ctx, id, do); err != nil {
				return err
			}
		}
		if err := sleep.For(ctx, lookInterval); err != nil {
			return err
		}
	}
}

// recover puts back the jobs that a killed process left running, unless they are over, and removes what it has not finished.
func (f Folder) recover() error {
	for _, place := range []string{waiting, running, over} {
		disk.RemoveAbandoned(f.dir(place), disk.HalfWritten, time.Now())
	}
	found, err := f.list(running)
	for _, id := range found {
		if _, gone := os.Stat(f.path(over, id)); gone == nil {
			err = errors.Join(err, os.Remove(f.path(running, id)))
		} else {
			err = errors.Join(err, os.Rename(f.path(running, id), f.path(waiting, id)))
		}
	}
	return err
}

func (f Folder) takeOne(ctx context.Context, id string, do func(context.Context, Job) error) error {
	err := os.Rename(f.path(waiting, id), f.path(running, id))
	if errors.Is(err, fs.ErrNotExist) { // it was canceled
		return nil
	} else if err != nil {
		return err
	}
	j, err := f.read(running, id)
	again := !j.Begun.IsZero() // another process was cut off
	if err == nil {
		j.New = j.New && !again
		j.State, j.Begun, j.Ended, j.Error = Running, time.Now().UTC(), time.Time{}, ""
		if err := f.write(running, j); err != nil {
			return err
		}
		err = do(ctx, j)
	}
	if again && errors.Is(err, ErrComplete) { // it was cut off behind the end of its crawl
		err = nil
	}
	if err != nil && ctx.Err() != nil {
		return os.Rename(f.path(running, id), f.path(waiting, id))
	}
	j.ID, j.State, j.Ended = id, Done, time.Now().UTC()
	if err != nil {
		j.State, j.Error = Failed, err.Error()
	}
	if err := f.write(over, j); err != nil {
		return err
	}
	return errors.Join(os.Remove(f.path(running, id)), f.forget())
}
