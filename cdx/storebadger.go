package cdx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
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

// emptyLog is what Badger says of a log without a byte, as is left where a disk was full or a process ended just
// when one was made. Badger gives it its size then, so that opening once more succeeds: nothing was in it.
const emptyLog = "Create a new file"

type badgerStore struct{ db *badger.DB }

// OpenBadger opens the Badger store in dir, creating it where there is none; dir "" keeps it in memory.
// One process at a time may have it open: while another has, the error wraps [ErrInUse].
func OpenBadger(dir string, log *slog.Logger) (Store, error) {
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
		WithLogger(badgerLog{log})
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("cdx: index folder: %w", err)
		}
	}
	if err := CheckRoom(dir, roomToOpen); err != nil {
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
			return nil, fmt.Errorf("%w (folder %s)", ErrInUse, dir)
		}
		return nil, fmt.Errorf("cdx: open index in %s: %w", dir, err)
	}
	return &badgerStore{db}, nil
}

func (s *badgerStore) Close() error { return s.db.Close() }

func (s *badgerStore) Sync() error {
	if s.db.Opts().InMemory {
		return nil
	}
	return s.db.Sync()
}

func (s *badgerStore) Compact() error { return s.db.Flatten(1) }

func (s *badgerStore) Size() int64 {
	lsm, vlog := s.db.Size()
	return lsm + vlog
}

func (s *badgerStore) Batch() Batch {
	b := &badgerBatch{WriteBatch: s.db.NewWriteBatch()}
	if opt := s.db.Opts(); !opt.InMemory {
		b.dir = opt.Dir
	}
	return b
}

func (s *badgerStore) View(f func(Snapshot) error) error {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	return f(badgerSnapshot{txn})
}

type badgerBatch struct {
	*badger.WriteBatch
	dir   string
	aside int // bytes that may still be written before the disk is looked at
}

func (b *badgerBatch) Set(key, value []byte) error {
	if err := b.makeRoom(len(key) + len(value)); err != nil {
		return err
	}
	return b.WriteBatch.Set(key, value)
}

// makeRoom looks at the disk before the first write and then now and again.
func (b *badgerBatch) makeRoom(n int) error {
	if b.aside -= n; b.aside > 0 {
		return nil
	}
	b.aside = writesAside
	return CheckRoom(b.dir, roomToWrite)
}

func (b *badgerBatch) Flush() error {
	if err := b.WriteBatch.Flush(); err != nil {
		return fmt.Errorf("cdx: writing the index: %w", err)
	}
	return nil
}

type badgerSnapshot struct{ txn *badger.Txn }

func (s badgerSnapshot) Get(key []byte, f func([]byte) error) error {
	item, err := s.txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return ErrNoKey
	}
	if err != nil {
		return err
	}
	return item.Value(f)
}

// Cursor hands Badger the prefix: without it short reads are some sixteen times slower, because every table is opened.
func (s badgerSnapshot) Cursor(prefix []byte, reverse bool) Cursor {
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Reverse = reverse
	opt.Prefix = prefix
	return badgerCursor{s.txn.NewIterator(opt), prefix}
}

type badgerCursor struct {
	it     *badger.Iterator
	prefix []byte
}

func (c badgerCursor) Seek(key []byte)                  { c.it.Seek(key) }
func (c badgerCursor) Next()                            { c.it.Next() }
func (c badgerCursor) Valid() bool                      { return c.it.ValidForPrefix(c.prefix) }
func (c badgerCursor) Key() []byte                      { return c.it.Item().Key() }
func (c badgerCursor) Value(f func([]byte) error) error { return c.it.Item().Value(f) }
func (c badgerCursor) Close()                           { c.it.Close() }

// badgerLog passes Badger's own messages on; its chatter about compactions is for debugging only.
type badgerLog struct{ log *slog.Logger }

func (l badgerLog) say(level slog.Level, f string, a ...any) {
	if l.log == nil || !l.log.Enabled(context.Background(), level) {
		return
	}
	l.log.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(f, a...)), "from", "badger")
}

func (l badgerLog) Errorf(f string, a ...any)   { l.say(slog.LevelError, f, a...) }
func (l badgerLog) Warningf(f string, a ...any) { l.say(slog.LevelWarn, f, a...) }
func (l badgerLog) Infof(f string, a ...any)    { l.say(slog.LevelDebug, f, a...) }
func (l badgerLog) Debugf(f string, a ...any)   { l.say(slog.LevelDebug-4, f, a...) }
