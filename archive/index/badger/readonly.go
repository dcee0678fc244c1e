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

// OpenReadOnly opens the Badger store in dir without writing to it. Any number of processes may do so at the same time, as long as none has
// it open for writing. Changes fail with [kv.ErrReadOnly]. If the last writer did not close the store, the error wraps [kv.ErrUnfinished],
// because only a writer can turn its log into tables.
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

// readError wraps the error for a store that can't be opened for reading.
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

// hasLog reports whether there is a log that is not a table yet. Closing a store leaves none.
func hasLog(dir string) bool {
	logs, err := fs.Glob(os.DirFS(dir), "*.mem")
	return err == nil && len(logs) > 0
}

// openLinks opens a store through links to its files. Badger syncs the folder of a store even if it only reads, and read-only file systems,
// such as those of CDs, refuse that as invalid.
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
