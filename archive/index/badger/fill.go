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

// Badger keeps new tables in its first level, where they overlap, and merges them into the levels below, each of which is ten times as
// large. Of what is written in bulk every byte is written some twenty times so. Nobody reads much meanwhile: it is better to let
// many tables wait, and to merge them into the last level at once: each such merge writes anew what is there already.
const (
	fillMemTable = 8 << 20  // small enough for a processor's cache, where its keys are sorted
	fillWaiting  = 768      // tables that wait, if the process may open so many files
	fillBase     = 64 << 30 // bytes; the last level is the only one below the first up to this size
	noGrowth     = 1        // tables of all levels are of one size: those that merge them reserve twice as much, for each of several
)

func filling(o badger.Options) badger.Options {
	o.MemTableSize = fillMemTable
	waiting := descriptors.Share(4, fillWaiting)
	o.NumLevelZeroTables, o.NumLevelZeroTablesStall = waiting, 2*waiting
	o.BaseLevelSize, o.TableSizeMultiplier = fillBase, noGrowth
	return o
}

// OpenToFill is [Open] for a process that writes much and reads little. [Compact] afterwards makes reading fast.
func OpenToFill(dir string, log *slog.Logger) (kv.Store, error) {
	if err := settleLog(dir, log); err != nil {
		return nil, err
	}
	return open(dir, log, filling)
}

// settleLog makes a table of the log that a process left which could not close the store. Badger ends the process if a log is larger than
// the memory for one, and that is smaller here than elsewhere.
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

// Compact merges the tables of the store in dir, which must not be open, so that reads find what they look for in one place. It takes up to
// some minutes and can't be interrupted, but a process that is killed meanwhile loses nothing. If the disk has no room for all tables
// once more, it does nothing and the error wraps [disk.ErrFull].
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
		o.NumLevelZeroTables = 1 // none waits
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

// sizeOf returns how many bytes the files of a folder have.
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
