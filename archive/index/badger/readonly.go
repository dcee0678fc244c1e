package badger

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"github.com/varve-archive/varve/archive/index/kv"
)

// OpenReadOnly opens the Badger store in dir to read it, and writes nothing there. Any number of processes may have it open so
// at the same time, and no other for writing. Changes fail with [kv.ErrReadOnly]. If the process that wrote it last did not
// close it, the error wraps [kv.ErrUnfinished]: only a writer can sort its log into tables.
func OpenReadOnly(dir string, log *slog.Logger) (kv.Store, error) {
	s := &engine{log: &logger{log: log, stuck: make(chan error, 1)}, readOnly: true}
	opt := options(dir, s.log).WithReadOnly(true).WithChecksumVerificationMode(verification(dir))
	var err error
	if s.db, err = badger.Open(opt); err != nil && strings.Contains(err.Error(), "While syncing directory") {
		s.db, s.links, err = openLinks(opt)
	}
	if err != nil {
		return nil, readError(dir, err)
	}
	return s, nil
}

// readError says why the store in dir could not be opened to read it.
func readError(dir string, err error) error {
	err = openError(dir, err)
	if !errors.Is(err, kv.ErrInUse) && hasLog(dir) {
		return fmt.Errorf("%w (folder %s)", kv.ErrUnfinished, dir)
	}
	if strings.Contains(err.Error(), fs.ErrPermission.Error()) {
		return fmt.Errorf("%w: give varve the right to read all files there", err)
	}
	return err
}

// hasLog reports whether there is a log that was not sorted into a table. Closing does that.
func hasLog(dir string) bool {
	logs, err := fs.Glob(os.DirFS(dir), "*.mem")
	return err == nil && len(logs) > 0
}

// openLinks opens a store through links to its files. Badger syncs the folder of a store even if it only reads it, and some
// file systems that nobody can write to, those of CDs among them, refuse this as invalid.
func openLinks(opt badger.Options) (db *badger.DB, links string, err error) {
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, "", err
	}
	links, err = os.MkdirTemp("", "varve-index-")
	if err != nil {
		return nil, "", fmt.Errorf("reading it on this file system takes links in a temporary folder: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(links)
		}
	}()
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, "", err
	}
	for _, f := range files {
		if err := os.Symlink(filepath.Join(dir, f.Name()), filepath.Join(links, f.Name())); err != nil {
			return nil, "", err
		}
	}
	db, err = badger.Open(opt.WithDir(links).WithValueDir(links))
	return db, links, err
}
