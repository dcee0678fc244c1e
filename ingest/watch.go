package ingest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/varve-archive/varve/cdx/index"
)

const (
	settle = time.Second      // a burst of changes is waited out this long before looking
	patrol = 60 * time.Second // network file systems tell of no changes: look anyway
)

// Watch does what [Run] does, calls done with its outcome, and goes on: whenever something changes in the
// folders among paths it indexes what is new or grown, follows what was moved and takes out what was
// removed. It returns when ctx ends.
func Watch(ctx context.Context, cfg Config, paths []string, done func(*Progress, error)) error {
	cfg.fill()
	w, err := fsnotify.NewWatcher()
	if err != nil { // no notices on this system: the patrol finds changes, later
		w = nil
	} else {
		defer w.Close()
	}
	for {
		folders := watchFolders(w, paths)
		p, err := Run(ctx, cfg, paths)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = dropRemoved(ctx, cfg, folders)
		}
		done(p, err)
		if err := nextChange(ctx, w); err != nil {
			return err
		}
	}
}

// watchFolders watches the folders among paths, with all below them, and returns those named.
func watchFolders(w *fsnotify.Watcher, paths []string) []string {
	var folders []string
	for _, p := range paths {
		for _, match := range expand(p, func(Problem) {}) {
			if info, err := os.Stat(match); err != nil || !info.IsDir() {
				continue
			}
			folders = append(folders, match)
			if w == nil {
				continue
			}
			_ = filepath.WalkDir(match, func(p string, d fs.DirEntry, err error) error {
				if err == nil && d.IsDir() {
					_ = w.Add(p) // one that can't be watched is patrolled
				}
				return nil
			})
		}
	}
	return folders
}

// nextChange returns when something may have changed and the changes have paused.
func nextChange(ctx context.Context, w *fsnotify.Watcher) error {
	var events chan fsnotify.Event
	if w != nil {
		events = w.Events
	}
	timer := time.NewTimer(patrol)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-events:
			if e.Op != fsnotify.Chmod {
				timer.Reset(settle)
			}
		case <-timer.C:
			return nil
		}
	}
}

// dropRemoved takes out of the index the files that are gone from the folders. When a folder itself is
// gone, or every one of its files at once, a disk is more likely to be missing than the files: all stay.
func dropRemoved(ctx context.Context, cfg Config, folders []string) error {
	for _, folder := range folders {
		gone, there := missingFiles(cfg, folder)
		if len(gone) == 0 {
			continue
		}
		if there == 0 {
			cfg.Report(Problem{
				File: folder, Offset: -1, Warning: true,
				Reason: "all indexed files are gone from here; they are kept in the index in case the disk comes back (varve remove takes them out)",
			})
			continue
		}
		for _, f := range gone {
			if err := cfg.Index.RemoveFile(f.ID); err != nil {
				return err
			}
			cfg.Log.Info("file removed from the index, it is gone from its folder", "file", f.Path)
		}
		if _, _, err := cfg.Index.Resolve(ctx); err != nil {
			return err
		}
	}
	return nil
}

func missingFiles(cfg Config, folder string) (gone []index.File, there int) {
	for _, f := range cfg.Index.Files() {
		outer := outerOf(f.Path)
		if f.Collection != cfg.Collection || !strings.HasPrefix(outer, folder+string(filepath.Separator)) {
			continue
		}
		if _, err := os.Stat(outer); os.IsNotExist(err) {
			gone = append(gone, f)
		} else {
			there++
		}
	}
	return gone, there
}
