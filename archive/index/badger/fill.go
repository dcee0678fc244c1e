package badger

import (
	"io/fs"
	"log/slog"
	"os"

	"github.com/dgraph-io/badger/v4"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/descriptors"
	"github.com/varve-archive/varve/internal/disk"
)

// Badger puts new tables into its first level, where they overlap, and merges them into levels below, each ten times as large. Bulk writes
// are thereby written some twenty times. While an index is filled there is little to read. So many tables are allowed to wait, and are then
// merged into the last level at once, because each such merge rewrites what is there.
const (
	fillMemTable = 8 << 20  // small enough for a processor's cache, where its keys are sorted
	fillWaiting  = 768      // tables that may wait, if the process may open so many files
	fillBase     = 64 << 30 // bytes up to which the last level is the only one below the first
	noGrowth     = 1        // tables of all levels have the same size; a merge reserves memory for larger ones
)

func filling(o badger.Options) badger.Options {
	o.MemTableSize = fillMemTable
	waiting := descriptors.Share(4, fillWaiting)
	o.NumLevelZeroTables, o.NumLevelZeroTablesStall = waiting, 2*waiting
	o.BaseLevelSize, o.TableSizeMultiplier = fillBase, noGrowth
	return o
}

// OpenToFill is [Open] for a process that writes much and reads little. Call [Compact] afterwards to make reads fast.
func OpenToFill(dir string, log *slog.Logger) (kv.Store, error) {
	if err := settleLog(dir, log); err != nil {
		return nil, err
	}
	return open(dir, log, filling)
}

// settleLog turns the log of a process that didn't close the store into a table. Badger ends the process if a log is larger than a memory
// table, and filling uses smaller ones than usual.
func settleLog(dir string, log *slog.Logger) error {
	if !hasLog(dir) {
		return nil
	}
	s, err := Open(dir, log)
	if err != nil {
		return err
	}
	return s.Close()
}

// Compact merges the tables of the store in dir, which must not be open, so that reads look in fewer places. It may take some minutes and
// can't be interrupted, but nothing is lost if the process is killed. If the disk has no room for a second copy of all tables, it does
// nothing and the error wraps [disk.ErrFull].
func Compact(dir string, log *slog.Logger) error {
	size, err := sizeOf(dir)
	if err == nil {
		err = disk.CheckRoom(dir, size+roomToWrite)
	}
	if err == nil {
		err = settleLog(dir, log)
	}
	if err != nil {
		return err
	}
	s, err := open(dir, log, func(o badger.Options) badger.Options {
		o = filling(o)
		o.NumLevelZeroTables = 1 // merge at once
		return o
	})
	if err != nil {
		return err
	}
	err = s.db.Flatten(1)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	return err
}

// sizeOf returns the size of a folder's files in bytes.
func sizeOf(dir string) (sum uint64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		var info fs.FileInfo
		if info, err = e.Info(); err == nil {
			sum += uint64(info.Size())
		}
	}
	return sum, err
}
