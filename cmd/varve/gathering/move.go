package gathering

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/internal/sleep"
)

// move moves the complete files to their place. A file that can't be moved stays for the next time, and the others are moved. settled
// says that nobody refers to the files by their names: then a file whose name is taken gets another one.
func (o *Output) move(ctx context.Context, settled bool) error {
	if o.to == nil {
		return nil
	}
	o.to.moving.Lock()
	defer o.to.moving.Unlock()
	files, err := write.Finished(o.dir, o.name)
	if err != nil {
		return err
	}
	var stay []error
	for i, path := range files {
		err := o.to.move(ctx, path)
		if settled && errors.Is(err, fs.ErrExist) {
			err = o.moveRenamed(ctx, path)
		}
		if err == nil {
			continue
		}
		stay = append(stay, err)
		if ctx.Err() != nil || errors.Is(err, s3.ErrUnavailable) { // the others would fail too
			return o.stays(len(stay)+len(files)-i-1, stay)
		}
	}
	return o.stays(len(stay), stay)
}

// maxRenamings is the number of names that are tried for a file whose name is taken.
const maxRenamings = 20

// moveRenamed moves a file under the next free name. It renames the local file first, so that a killed process leaves one file, in either
// place, and never two. The file isn't indexed yet.
func (o *Output) moveRenamed(ctx context.Context, path string) error {
	next, moved := path, fs.ErrExist
	for n := 0; n < maxRenamings && errors.Is(moved, fs.ErrExist); n++ {
		renamed, err := write.Rename(next)
		if errors.Is(err, fs.ErrNotExist) && !exists(next) { // another process was faster
			return nil
		} else if err != nil {
			return err
		}
		next = renamed
		moved = o.to.move(ctx, next)
	}
	o.Log().Warn("another file has the name of one that was captured, which is called otherwise now", "was", filepath.Base(path),
		"now", filepath.Base(next), "place", o.place())
	return moved
}

// stays returns an error for n files that could not be moved, nil if there are none.
func (o *Output) stays(n int, why []error) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s in %s until the same command can move them to %s: %w",
		console.Plural(int64(n), "file stays", "files stay"), o.dir, o.place(), errors.Join(why...))
}

// moveInterval is how often the files of a continuing command are moved.
const moveInterval = 10 * time.Second

// keepMoving moves files as they become complete, until stop is called. Failures are reported at the end, by takeIn.
func (o *Output) keepMoving(ctx context.Context) (stop func()) {
	if o.to == nil {
		return func() {}
	}
	return sleep.Repeat(ctx, moveInterval, func(ctx context.Context) {
		if err := o.move(ctx, false); err != nil && ctx.Err() == nil {
			o.Log().Warn("files can't be moved for the moment", "error", err)
		}
	})
}

// copyBeside copies the files beside the WARC files to their place. Those of earlier runs are moved.
func (o *Output) copyBeside(ctx context.Context) error {
	if o.to == nil {
		return nil
	}
	earlier, err := crawl.EarlierDocuments(o.dir, o.name)
	if err != nil {
		return err
	}
	var failed []error
	for _, path := range earlier {
		if err := o.to.move(ctx, path); err != nil {
			failed = append(failed, err)
		}
	}
	for _, ending := range []string{".csv", ".jsonl", ".fields.yaml"} { // for people and other programs
		f, err := os.Open(filepath.Join(o.dir, o.name+ending))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(o.to.at.Put(ctx, o.name+ending, f), f.Close())
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
