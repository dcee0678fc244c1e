package ingest

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
)

const (
	settleTime     = time.Second      // changes come in bursts, so wait until none has come for this long
	maxSettle      = 10 * time.Second // but no longer than this, since a file that grows all day must not delay the others
	rescanInterval = 60 * time.Second // network file systems send no notifications, so look without one
)

// Watch runs [Run], calls done with the result, and continues: whenever something changes in the folders among paths, it indexes new and
// grown files, notes moved ones and removes deleted ones. It returns when ctx ends.
func Watch(ctx context.Context, cfg Config, paths []string, done func(*Progress, error)) error {
	cfg.fill()
	w, err := fsnotify.NewWatcher()
	if err == nil { // without notifications w is nil, and changes are found by the patrol
		defer w.Close()
	}
	changes, unusable, kept := changesIn(ctx, w), map[string]unusableFile{}, absent{}
	for paused := true; ; {
		folders := watchFolders(ctx, cfg, w, paths)
		r := newRun(cfg)
		r.leaveComing, r.unusable = !paused, unusable
		err := r.runPatiently(ctx, paths)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			kept, err = dropRemoved(ctx, cfg, folders, kept)
		}
		done(r.progress, err)
		if paused, err = nextChange(ctx, changes, r.left); err != nil {
			return err
		}
	}
}

// watchFolders watches the folders among paths, with their subfolders, and returns those named in paths.
func watchFolders(ctx context.Context, cfg Config, w *fsnotify.Watcher, paths []string) []string {
	var folders []string
	none := func(string) bool { return false }
	for _, p := range paths {
		matches, _ := cfg.Storage.Find(ctx, p) // Run reports errors
		for _, match := range matches {
			if e, err := cfg.Storage.Stat(ctx, match); err != nil || !e.Folder {
				continue
			}
			folders = append(folders, match)
			for e, err := range cfg.Storage.List(ctx, match, none) {
				if err == nil && w != nil {
					_ = w.Add(e.Path) // folders that can't be watched, such as in buckets, are patrolled
				}
			}
		}
	}
	return folders
}

// changesIn tells of changes until ctx ends, once for several that come before the next receipt. It reads what w tells also during a run:
// a watcher that nobody reads stops. An error, such as too many events at once, may hide changes, so it counts as one.
func changesIn(ctx context.Context, w *fsnotify.Watcher) <-chan struct{} {
	changes := make(chan struct{}, 1)
	if w == nil {
		return changes
	}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case e := <-w.Events:
				if !matters(e) {
					continue
				}
			case <-w.Errors:
			}
			select {
			case changes <- struct{}{}:
			default:
			}
		}
	}()
	return changes
}

// nextChange returns when something has changed (at once if left is set) and changes have paused. It waits for a pause only for a while:
// then paused is false, and some file may be incomplete.
func nextChange(ctx context.Context, changes <-chan struct{}, left bool) (paused bool, err error) {
	timer := time.NewTimer(rescanInterval)
	defer timer.Stop()
	var enough <-chan time.Time // limits the wait since the first change
	changed := func() {
		timer.Reset(settleTime)
		if enough == nil {
			enough = time.After(maxSettle)
		}
	}
	if left {
		changed()
	}
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-changes:
			changed()
		case <-enough:
			return false, nil
		case <-timer.C:
			return true, nil
		}
	}
}

// comes reports whether a file in a folder may still be being written. A run between changes skips it until a run after a pause: otherwise
// each run would read its incomplete last record again, or unpack all of it.
func (r *run) comes(e warc.Entry) bool {
	if !r.leaveComing || time.Since(e.ModTime).Abs() >= settleTime {
		return false
	}
	r.left = true
	return true
}

// An unusableFile is a file that can't be indexed. A watching run tries it again when it has changed, or after a while, which doubles each
// time up to [rareRescanInterval]: each attempt changes the file table, and with it all that was cached of the index.
type unusableFile struct {
	storedFile
	wait  time.Duration
	until time.Time
}

// rareRescanInterval is the longest time between two attempts to index a file that can't be indexed.
const rareRescanInterval = 4 * time.Hour

// isUnusable reports whether a file is known not to be indexable, as it is now and for now.
func (r *run) isUnusable(f storedFile) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	u, ok := r.unusable[f.path]
	return ok && u.size == f.size && u.changed.Equal(f.changed) && time.Now().Before(u.until)
}

// setUnusable remembers a file that can't be indexed, if this is a watching run.
func (r *run) setUnusable(f index.File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unusable == nil {
		return
	}
	u := unusableFile{storedFile: storedFile{path: f.Path, size: f.Size, changed: f.ModTime}, wait: 2 * rescanInterval}
	if before, ok := r.unusable[f.Path]; ok && before.size == u.size && before.changed.Equal(u.changed) {
		u.wait = min(2*before.wait, rareRescanInterval)
	}
	u.until = time.Now().Add(u.wait)
	r.unusable[f.Path] = u
}

// matters reports whether a change in a folder may concern stored files. Files with other names, such as uploads in progress, must not
// delay the pause.
func matters(e fsnotify.Event) bool {
	return e.Op != fsnotify.Chmod && (e.Op != fsnotify.Write || hasSuffix(e.Name))
}

// absent are folders from which all indexed files are gone, with the number of these.
type absent map[string]int

// dropRemoved removes the entries of files that were deleted from the folders. If a folder itself or all of its files are missing, or a
// folder in it is empty, a disk is probably not mounted, so their entries stay, which is reported unless it was the same before.
func dropRemoved(ctx context.Context, cfg Config, folders []string, before absent) (kept absent, err error) {
	kept = absent{}
	for _, folder := range folders {
		gone, present := missingFiles(ctx, cfg, folder)
		if present == 0 {
			kept[folder] = len(gone)
			continue
		}
		for place, files := range byEmptyFolder(ctx, cfg.Storage, gone) {
			if place != "" {
				kept[place] = len(files)
			} else if err := drop(ctx, cfg, files); err != nil {
				return before, err
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(kept)) {
		if n := kept[folder]; n > 0 && n != before[folder] {
			cfg.Report(Problem{
				File: folder, Offset: -1, Warning: true,
				Reason: "all indexed files are gone from here; they are kept in the index in case the disk comes back (varve remove takes them out)",
			})
		}
	}
	return kept, nil
}

// drop removes deleted files from the index.
func drop(ctx context.Context, cfg Config, files []index.File) error {
	if err := cfg.Index.RemoveFiles(ctx, index.IDs(files)...); err != nil && !errors.Is(err, index.ErrNoFile) {
		return err
	}
	for _, f := range files {
		cfg.Log.Info("removed a file from the index, because it is gone from its folder", "file", f.Stored())
	}
	_, _, err := cfg.Index.Resolve(ctx)
	return err
}

// byEmptyFolder groups missing files by the empty folder at which their paths end; "" if it isn't empty.
func byEmptyFolder(ctx context.Context, storage warc.Storage, gone []index.File) map[string][]index.File {
	groups, ends := map[string][]index.File{}, map[string]string{} // ends: by folder
	for _, f := range gone {
		outer, _, _ := warc.CutMember(f.Stored())
		folder := storage.Beside(outer, ".")
		end, known := ends[folder]
		if !known {
			if end = standing(ctx, storage, folder); !IsEmpty(ctx, storage, end) {
				end = ""
			}
			ends[folder] = end
		}
		groups[end] = append(groups[end], f)
	}
	return groups
}

// standing returns a folder or, if it is missing, the nearest one above that isn't.
func standing(ctx context.Context, storage warc.Storage, folder string) string {
	for {
		above := storage.Beside(folder, ".")
		if _, err := storage.Stat(ctx, folder); !errors.Is(err, fs.ErrNotExist) || above == folder {
			return folder
		}
		folder = above
	}
}

// IsEmpty reports whether a folder is missing or has nothing in it, as that of a disk that isn't mounted.
func IsEmpty(ctx context.Context, storage warc.Storage, folder string) bool {
	for e, err := range storage.List(ctx, folder, func(string) bool { return true }) {
		if err == nil && e.Path != folder {
			return false
		}
	}
	return true
}

func within(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && rest != "" && (strings.ContainsRune(`/\`, rune(rest[0])) || strings.HasSuffix(folder, "/"))
}

// missingFiles returns the indexed files that are gone from a folder, and the number of those that aren't. It lists the folder and asks
// only about files that are not in the list: object storages charge for each question, and a thousand names cost one.
func missingFiles(ctx context.Context, cfg Config, folder string) (gone []index.File, present int) {
	indexed := map[string][]index.File{} // by path
	for _, f := range cfg.Index.Files() {
		outer, _, _ := warc.CutMember(f.Stored())
		if f.Collection == cfg.Collection && within(folder, outer) {
			indexed[outer] = append(indexed[outer], f)
		}
	}
	isIndexed := func(path string) bool { return len(indexed[path]) > 0 }
	exists := func(files []index.File, e warc.Entry) {
		for _, f := range files {
			// A member that a replaced WACZ still has was looked at, and has its time.
			if _, _, member := warc.CutMember(f.Stored()); !member || f.ModTime.Equal(e.ModTime) || !IsGone(ctx, cfg.Storage, f.Stored()) {
				present++
			} else {
				gone = append(gone, f)
			}
		}
	}
	for e, err := range cfg.Storage.List(ctx, folder, isIndexed) {
		if err == nil {
			exists(indexed[e.Path], e)
			delete(indexed, e.Path)
		}
	}
	for path, files := range indexed {
		e, err := cfg.Storage.Stat(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			gone = append(gone, files...)
		case err != nil:
			present += len(files)
		default:
			exists(files, e)
		}
	}
	return gone, present
}

// IsGone reports whether a stored file doesn't exist any more, or a WACZ has no such member. One that can't be reached isn't gone.
func IsGone(ctx context.Context, storage warc.Storage, path string) bool {
	outer, _, member := warc.CutMember(path)
	_, err := storage.Stat(ctx, outer)
	if err == nil && member {
		var f warc.File
		if f, err = warc.Open(ctx, storage, path); err == nil {
			f.Close()
		}
	}
	return errors.Is(err, fs.ErrNotExist)
}
