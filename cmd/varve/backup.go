package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/backup"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/disk"
)

type backupCmd struct {
	Place string `arg:"" help:"Folder for the backup, or s3://BUCKET/PREFIX; it may have earlier ones."`
}

// Validate refuses a place that can't hold backups; kong calls it after parsing.
func (c *backupCmd) Validate() error { return blobstore.Check(c.Place) }

// Run makes a backup of the index of this process, or of the server that has it open.
func (c *backupCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	at, err := openPrivate(w, c.Place)
	if err != nil {
		return err
	}
	entries, closeAll, err := entriesOf(ctx, w)
	if err != nil {
		return err
	}
	files, err := besideIndex(w)
	if err != nil {
		return errors.Join(err, closeAll())
	}
	done, err := backup.Write(ctx, at, "varve "+version(), time.Now(), entries, files)
	if err = errors.Join(err, closeAll()); err != nil {
		return err
	}
	w.Sayf("%s: %s in %s, %d of them new (%.1f MB)", done.Name, console.Plural(done.Entries, "entry", "entries"),
		console.Count(int64(done.Parts), "part"), done.Fresh, float64(done.Written)/1e6)
	return nil
}

// openPrivate opens a place whose files only their owner may read.
func openPrivate(w *workspace.Workspace, at string) (*blobstore.Store, error) {
	return blobstore.Open(at, blobstore.Config{S3: w.S3, Private: true})
}

// entriesOf returns the entries of the index. If a server has the index open, the server sends them.
func entriesOf(ctx context.Context, w *workspace.Workspace) (entries backup.Entries, closeAll func() error, err error) {
	x, err := w.OpenExisting(ctx)
	if errors.Is(err, kv.ErrInUse) {
		if entries, closeAll, err := (control.Client{Data: w.Data}).Entries(ctx); err == nil {
			return entries, closeAll, nil
		} else if !errors.Is(err, control.ErrNoServer) {
			return nil, nil, err
		}
		w.ReadOnly = true // a read-only server tolerates other readers
		x, err = w.OpenExisting(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	return func(put func(key, value []byte) error) error { return x.Dump(ctx, put) }, x.Close, nil
}

// besideIndex reads the other files that can't be rebuilt: the log of takedowns, and the CA of the proxy, which browsers trust. The
// search can be rebuilt.
func besideIndex(w *workspace.Workspace) (files []backup.File, err error) {
	entries, err := os.ReadDir(w.ProxyDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, filepath.Join(w.ProxyDir(), e.Name()))
	}
	for _, path := range append(paths, w.TakedownsFile()) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		var content []byte
		if err == nil {
			content, err = os.ReadFile(path)
		}
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(w.Data, path)
		if err != nil {
			return nil, err
		}
		files = append(files, backup.File{Name: filepath.ToSlash(name), Mode: info.Mode().Perm(), Content: content})
	}
	return files, nil
}

type restoreCmd struct {
	Place string `arg:"" help:"Folder with backups, or s3://BUCKET/PREFIX."`
	Name  string `help:"Which backup, the newest without it." placeholder:"FILE"`
}

// Validate refuses a place that can't hold backups; kong calls it after parsing.
func (c *restoreCmd) Validate() error { return blobstore.Check(c.Place) }

// restoring is the folder inside --data in which an index is restored. As long as it exists, the restore isn't complete.
const restoring = "restoring.open"

// Run restores a backup into --data, or into the database of --index. Either must be empty.
func (c *restoreCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	from, err := openPrivate(w, c.Place)
	if err != nil {
		return err
	}
	into := c.intoFolder
	if w.Database != "" {
		into = c.intoDatabase
	}
	done, err := into(ctx, w, from)
	if err != nil {
		return err
	}
	w.Sayf("restored %s of %s: %s", done.Name, done.Made.Format(time.DateTime), console.Plural(done.Entries, "entry", "entries"))
	w.Say("the search is built anew by the next varve serve, or by varve index --search")
	return nil
}

func (c *restoreCmd) intoFolder(ctx context.Context, w *workspace.Workspace, from *blobstore.Store) (*backup.Done, error) {
	if err := checkEmpty(w.Data); err != nil {
		return nil, err
	}
	half := filepath.Join(w.Data, restoring)
	if err := os.RemoveAll(half); err != nil {
		return nil, err
	}
	done, err := c.into(ctx, w, from, half)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(half))
	}
	return done, moveInto(w.Data, half)
}

// intoDatabase restores the entries into a database, and the files beside them into --data.
func (c *restoreCmd) intoDatabase(ctx context.Context, w *workspace.Workspace, from *blobstore.Store) (done *backup.Done, err error) {
	s, err := w.OpenStore(ctx, kv.Create)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var beside []backup.File
	err = index.Restore(ctx, s, func(put func(key, value []byte) error) error {
		beside = nil
		done, err = backup.Read(ctx, from, c.Name, func(f backup.File) error {
			f.Content = bytes.Clone(f.Content)
			beside = append(beside, f)
			_, err := isBeside(w.Data, f)
			return err
		}, put)
		return err
	})
	for _, f := range beside { // not before the database is known to be the right one
		if err == nil {
			err = keepBeside(w.Data, f)
		}
	}
	if errors.Is(err, index.ErrNotEmpty) {
		return nil, fmt.Errorf("%w (%s): name an index of its own with %s", err, w.IndexPlace(), workspace.OtherTable)
	}
	return done, err
}

// isBeside reports whether a file is already in --data. Another file of the same name is an error.
func isBeside(data string, f backup.File) (bool, error) {
	path := besidePath(data, f)
	there, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && !bytes.Equal(there, f.Content):
		return false, fmt.Errorf("%s is there already and is another than in the backup: name another folder with --data", path)
	}
	return err == nil, err
}

// keepBeside writes a file into --data atomically, unless it is already there.
func keepBeside(data string, f backup.File) error {
	there, err := isBeside(data, f)
	if there || err != nil {
		return err
	}
	path := besidePath(data, f)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.Write(path, f.Content, f.Mode)
}

func besidePath(data string, f backup.File) string {
	return filepath.Join(data, filepath.FromSlash(f.Name))
}

// checkEmpty returns an error if --data has files. The remains of an interrupted restore don't count.
func checkEmpty(data string) error {
	found, err := os.ReadDir(data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	stopped := slices.ContainsFunc(found, func(e os.DirEntry) bool { return e.Name() == restoring })
	for _, e := range found {
		if name := e.Name(); name != restoring && name != "lost+found" && (!stopped || name == "index") {
			return fmt.Errorf("%s is not empty: it has %s; name another folder with --data", data, name)
		}
	}
	return err
}

func (c *restoreCmd) into(ctx context.Context, w *workspace.Workspace, from *blobstore.Store, dir string) (done *backup.Done, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s, err := badger.Open(filepath.Join(dir, "index"), w.Log())
	if err != nil {
		return nil, err
	}
	put, end := index.Fill(ctx, s)
	done, err = backup.Read(ctx, from, c.Name, func(f backup.File) error {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Content, f.Mode))
	}, put)
	if err = errors.Join(err, end()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	x, err := index.New(ctx, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return done, x.Close()
}

// moveInto moves the content of the folder half to dir, the index last, which completes the restore.
func moveInto(dir, half string) error {
	found, err := os.ReadDir(half)
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b os.DirEntry) int {
		if a.Name() == "index" {
			return 1
		}
		return -1
	})
	for _, e := range found {
		to := filepath.Join(dir, e.Name())
		if e.Name() != "index" { // of a restoring that was stopped here
			if err := os.RemoveAll(to); err != nil {
				return err
			}
		}
		if err := os.Rename(filepath.Join(half, e.Name()), to); err != nil {
			return err
		}
	}
	return os.Remove(half)
}
