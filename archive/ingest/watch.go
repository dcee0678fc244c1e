package ingest

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
)

const (
	settle  = time.Second      // wait until no change came for this long, because changes come in bursts
	longest = 10 * time.Second // but no longer than this for a pause: a file that grows all day keeps the others waiting
	patrol  = 60 * time.Second // network file systems send no notices: look anyway
)

// Watch does what [Run] does, calls done with the outcome, and continues: whenever something changes in the folders
// among paths, it indexes what is new or has grown, follows what was moved and removes what is gone. It returns when
// ctx ends.
func Watch(ctx context.Context, cfg Config, paths []string, done func(*Progress, error)) error {
	cfg.fill()
	w, err := fsnotify.NewWatcher()
	if err != nil { // no notices on this system: the patrol finds changes, only later
		w = nil
	} else {
		defer w.Close()
	}
	for paused := true; ; {
		folders := watchFolders(ctx, cfg, w, paths)
		r := newRun(cfg)
		r.leaveComing = !paused
		err := r.runPatiently(ctx, paths)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = dropRemoved(ctx, cfg, folders)
		}
		done(r.progress, err)
		if paused, err = nextChange(ctx, w, r.left); err != nil {
			return err
		}
	}
}

// watchFolders watches the folders among paths, with their subfolders, and returns those named in paths.
func watchFolders(ctx context.Context, cfg Config, w *fsnotify.Watcher, paths []string) []string {
	var folders []string
	none := func(string) bool { return false }
	for _, p := range paths {
		matches, _ := cfg.Storage.Find(ctx, p) // Run reports what is wrong with it
		for _, match := range matches {
			if e, err := cfg.Storage.Stat(ctx, match); err != nil || !e.Folder {
				continue
			}
			folders = append(folders, match)
			for e, err := range cfg.Storage.List(ctx, match, none) {
				if err == nil && w != nil {
					_ = w.Add(e.Path) // a folder that can't be watched, as in another storage, is patrolled
				}
			}
		}
	}
	return folders
}

// nextChange returns when something may have changed, as it has already if left is set, and the changes have paused. It does not wait
// longer than a while for a pause: then paused is false, and some file may be half there.
func nextChange(ctx context.Context, w *fsnotify.Watcher, left bool) (paused bool, err error) {
	var events chan fsnotify.Event
	if w != nil {
		events = w.Events
	}
	timer := time.NewTimer(patrol)
	defer timer.Stop()
	var enough <-chan time.Time // since the first change
	changed := func() {
		timer.Reset(settle)
		if enough == nil {
			enough = time.After(longest)
		}
	}
	if left {
		changed()
	}
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case e := <-events:
			if matters(e) {
				changed()
			}
		case <-enough:
			return false, nil
		case <-timer.C:
			return true, nil
		}
	}
}

// comes reports whether a file of a folder may still be being written. A run between changes leaves it to the one after the next pause:
// each would otherwise read its half record anew, and unpack all that is there of it.
func (r *run) comes(e warc.Entry) bool {
	if !r.leaveComing || time.Since(e.ModTime).Abs() >= settle {
		return false
	}
	r.left = true
	return true
}

// matters reports whether a change in a folder may be one of stored files. A file that is written under a name that isn't
// tried, as one that is still coming in, would else put off all others for as long as it takes.
func matters(e fsnotify.Event) bool {
	return e.Op != fsnotify.Chmod && (e.Op != fsnotify.Write || hasSuffix(e.Name))
}

// dropRemoved removes files from the index that are gone from the folders. If a folder itself or all of its files are
// gone, a missing disk is more likely, so it keeps them all.
func dropRemoved(ctx context.Context, cfg Config, folders []string) error {
	for _, folder := range folders {
		gone, present := missingFiles(ctx, cfg, folder)
		if len(gone) == 0 {
			continue
		}
		if present == 0 {
			cfg.Report(Problem{
				File: folder, Offset: -1, Warning: true,
				Reason: "all indexed files are gone from here; they are kept in the index in case the disk comes back (varve remove takes them out)",
			})
			continue
		}
		for _, f := range gone {
			if err := cfg.Index.RemoveFile(ctx, f.ID); err != nil && !errors.Is(err, index.ErrNoFile) {
				return err
			}
			cfg.Log.Info("removed a file from the index, because it is gone from its folder", "file", f.Path)
		}
		if _, _, err := cfg.Index.Resolve(ctx); err != nil {
			return err
		}
	}
	return nil
}

// within reports whether path lies in folder.
func within(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && rest != "" && (strings.ContainsRune(`/\`, rune(rest[0])) || strings.HasSuffix(folder, "/"))
}

func missingFiles(ctx context.Context, cfg Config, folder string) (gone []index.File, present int) {
	for _, f := range cfg.Index.Files() {
		outer, _, _ := warc.CutMember(f.Path)
		if f.Collection != cfg.Collection || !within(folder, outer) {
			continue
		}
		if _, err := cfg.Storage.Stat(ctx, outer); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, f)
		} else {
			present++
		}
	}
	return gone, present
}
