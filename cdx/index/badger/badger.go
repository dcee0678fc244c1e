// Package badger keeps an index in a folder of one machine, with Badger.
package badger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/internal/disk"
)

// Sizes that keep a server's resident memory flat: tables are mapped, so the page cache does the
// caching (Badger without compression reads fastest when its own block cache is off).
const (
	memTableSize  = 32 << 20
	memTables     = 3
	baseTableSize = 8 << 20
	indexCache    = 32 << 20
	valueLogFile  = 64 << 20
	inlineValue   = 1 << 16 // values up to here stay in the tree, so the value log stays empty
)

const (
	roomToOpen  = 1 << 20          // a new log's first page, and the lists of files
	roomToWrite = 3 * memTableSize // a log, the table it becomes, and tables being merged
	writesAside = 1 << 20          // bytes written between two looks at the disk
)

// emptyLog is what Badger says of a log without a byte, as is left where a disk was full or a process ended just
// when one was made. Badger gives it its size then, so that opening once more succeeds: nothing was in it.
const emptyLog = "Create a new file"

type engine struct{ db *badger.DB }

// Open opens the Badger store in dir, creating it where there is none; dir "" keeps it in memory.
// One process at a time may have it open: while another has, the error wraps [store.ErrInUse].
func Open(dir string, log *slog.Logger) (store.Store, error) {
	opt := badger.DefaultOptions(dir).
		WithInMemory(dir == "").
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false).
		WithMetricsEnabled(false).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(indexCache).
		WithMemTableSize(memTableSize).
		WithNumMemtables(memTables).
		WithBaseTableSize(baseTableSize).
		WithValueLogFileSize(valueLogFile).
		WithValueThreshold(inlineValue).
		WithCompactL0OnClose(false).
		WithLogger(logger{log})
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("index: index folder: %w", err)
		}
	}
	if err := disk.CheckRoom(dir, roomToOpen); err != nil {
		return nil, err
	}
	db, err := badger.Open(opt)
	for range memTables {
		if err == nil || !strings.Contains(err.Error(), emptyLog) {
			break
		}
		db, err = badger.Open(opt)
	}
	if err != nil {
		if strings.Contains(err.Error(), "Cannot acquire directory lock") {
			return nil, fmt.Errorf("%w (folder %s)", store.ErrInUse, dir)
		}
		return nil, fmt.Errorf("index: open index in %s: %w", dir, err)
	}
	return &engine{db}, nil
}

func (s *engine) Close() error { return s.db.Close() }

func (s *engine) Sync() error {
	if s.db.Opts().InMemory {
		return nil
	}
	return s.db.Sync()
}

func (s *engine) Compact() error { return s.db.Flatten(1) }

func (s *engine) Size() int64 {
	lsm, vlog := s.db.Size()
	return lsm + vlog
}

func (s *engine) Batch() store.Batch {
	b := &batch{WriteBatch: s.db.NewWriteBatch()}
	if opt := s.db.Opts(); !opt.InMemory {
		b.dir = opt.Dir
	}
	return b
}

func (s *engine) View(f func(store.Snapshot) error) error {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	return f(snapshot{txn})
}

type batch struct {
	*badger.WriteBatch
	dir   string
	aside int // bytes that may still be written before the disk is looked at
}

func (b *batch) Set(key, value []byte) error {
	if err := b.makeRoom(len(key) + len(value)); err != nil {
		return err
	}
	return b.WriteBatch.Set(key, value)
}

// makeRoom looks at the disk before the first write and then now and again.
func (b *batch) makeRoom(n int) error {
	if b.aside -= n; b.aside > 0 {
		return nil
	}
	b.aside = writesAside
	return disk.CheckRoom(b.dir, roomToWrite)
}

func (b *batch) Flush() error {
	if err := b.WriteBatch.Flush(); err != nil {
		return fmt.Errorf("index: writing the index: %w", err)
	}
	return nil
}

type snapshot struct{ txn *badger.Txn }

func (s snapshot) Get(key []byte, f func([]byte) error) error {
	item, err := s.txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return store.ErrNoKey
	}
	if err != nil {
		return err
	}
	return item.Value(f)
}

// Cursor hands Badger the prefix: without it short reads are some sixteen times slower, because every table is opened.
func (s snapshot) Cursor(prefix []byte, reverse bool) store.Cursor {
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Reverse = reverse
	opt.Prefix = prefix
	return cursor{s.txn.NewIterator(opt), prefix}
}

type cursor struct {
	it     *badger.Iterator
	prefix []byte
}

func (c cursor) Seek(key []byte)                  { c.it.Seek(key) }
func (c cursor) Next()                            { c.it.Next() }
func (c cursor) Valid() bool                      { return c.it.ValidForPrefix(c.prefix) }
func (c cursor) Key() []byte                      { return c.it.Item().Key() }
func (c cursor) Value(f func([]byte) error) error { return c.it.Item().Value(f) }
func (c cursor) Close()                           { c.it.Close() }

// logger passes Badger's own messages on; its chatter about compactions is for debugging only.
type logger struct{ log *slog.Logger }

func (l logger) say(level slog.Level, f string, a ...any) {
	if l.log == nil || !l.log.Enabled(context.Background(), level) {
		return
	}
	l.log.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(f, a...)), "from", "badger")
}

func (l logger) Errorf(f string, a ...any)   { l.say(slog.LevelError, f, a...) }
func (l logger) Warningf(f string, a ...any) { l.say(slog.LevelWarn, f, a...) }
func (l logger) Infof(f string, a ...any)    { l.say(slog.LevelDebug, f, a...) }
func (l logger) Debugf(f string, a ...any)   { l.say(slog.LevelDebug-4, f, a...) }
