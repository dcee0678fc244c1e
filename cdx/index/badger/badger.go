// Package badger keeps an index in a folder of one machine, with Badger.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package badger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"

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
	inlineValue   = 1 << 16 // values up to here stay in the tree, so the value log stays nearly empty
	largestInline = 1 << 20 // of Badger; in memory, where there is no value log, larger values have no place
)

const (
	roomToOpen  = 1 << 20          // a new log's first page, and the lists of files
	roomToWrite = 3 * memTableSize // a log, the table it becomes, and tables being merged
	writesAside = 1 << 20          // bytes written between two looks at the disk
)

// emptyLog is what Badger says of a log without a byte, as is left where a disk was full or a process ended just
// when one was made. Badger gives it its size then, so that opening once more succeeds: nothing was in it.
const emptyLog = "Create a new file"

var (
	_ store.Store     = (*engine)(nil)
	_ store.Compactor = (*engine)(nil)
)

type engine struct {
	db       *badger.DB
	updating sync.Mutex // Badger locks its folder: this process is the only one that updates
}

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
		WithValueThreshold(inlineOf(dir)).
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
	return &engine{db: db}, nil
}

// inlineOf returns from which length on values leave the tree.
func inlineOf(dir string) int64 {
	if dir == "" {
		return largestInline
	}
	return inlineValue
}

func (s *engine) Close() error { return s.db.Close() }

func (s *engine) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.db.Opts().InMemory {
		return err
	}
	return s.db.Sync()
}

// Compact can't be stopped halfway.
func (s *engine) Compact(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.Flatten(1)
}

func (s *engine) View(ctx context.Context, f func(store.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	return f(snapshot{ctx, txn})
}

// Update needs no second try: updates come one after the other, and batches write other keys.
func (s *engine) Update(ctx context.Context, f func(store.Txn) error) error {
	s.updating.Lock()
	defer s.updating.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := disk.CheckRoom(s.dir(), roomToWrite); err != nil {
		return err
	}
	txn := s.db.NewTransaction(true)
	defer txn.Discard()
	if err := f(update{txn, s.db.Opts().InMemory}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := txn.Commit(); err != nil {
		return fmt.Errorf("index: writing the index: %w", err)
	}
	return nil
}

// dir is where the disk may run out of room, "" in memory.
func (s *engine) dir() string {
	if opt := s.db.Opts(); !opt.InMemory {
		return opt.Dir
	}
	return ""
}

type update struct {
	*badger.Txn
	inMemory bool
}

func (u update) Set(key, value []byte) error {
	if u.inMemory && len(value) >= largestInline {
		return store.ErrTooLarge
	}
	return sizeError(u.Txn.Set(key, value))
}

// sizeError returns err, as the store's where it says that something is too large.
func sizeError(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) || err != nil && strings.Contains(err.Error(), "exceeded") {
		return fmt.Errorf("%w: %v", store.ErrTooLarge, err)
	}
	return err
}

func (u update) Get(key []byte) ([]byte, error) {
	item, err := u.Txn.Get(key)
	if err != nil {
		return nil, keyError(err)
	}
	return item.ValueCopy(nil)
}

func keyError(err error) error {
	if errors.Is(err, badger.ErrKeyNotFound) {
		return store.ErrNoKey
	}
	return err
}

type snapshot struct {
	ctx context.Context
	txn *badger.Txn
}

func (s snapshot) Get(key []byte, f func([]byte) error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	item, err := s.txn.Get(key)
	if err != nil {
		return keyError(err)
	}
	return item.Value(f)
}

func (s snapshot) GetMany(keys [][]byte, f func(int, []byte) error) error {
	for i, key := range keys {
		err := s.Get(key, func(v []byte) error { return f(i, v) })
		if err != nil && err != store.ErrNoKey {
			return err
		}
	}
	return nil
}

// Cursor hands Badger the prefix: without it short reads are some sixteen times slower, because every table is opened.
func (s snapshot) Cursor(r store.Range) store.Cursor {
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Reverse = r.Reverse
	opt.Prefix = r.Prefix
	return &cursor{ctx: s.ctx, it: s.txn.NewIterator(opt), prefix: r.Prefix}
}

// lookAgain is after how many steps a cursor looks whether its context has ended: a look at every step would cost more
// than the step.
const lookAgain = 256

// A cursor walks a range. Badger's iterators report no errors of their own: a table that can't be mapped fails when it is
// opened, one whose checksum is wrong when its block is read, by a panic.
type cursor struct {
	ctx    context.Context
	it     *badger.Iterator
	prefix []byte
	steps  int
	err    error
}

func (c *cursor) Seek(key []byte) {
	if c.look(); c.err == nil {
		c.it.Seek(key)
	}
}

func (c *cursor) Next() {
	if c.steps++; c.steps%lookAgain == 0 {
		c.look()
	}
	if c.err == nil {
		c.it.Next()
	}
}

func (c *cursor) look() {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
}

func (c *cursor) Valid() bool                      { return c.err == nil && c.it.ValidForPrefix(c.prefix) }
func (c *cursor) Key() []byte                      { return c.it.Item().Key() }
func (c *cursor) Value(f func([]byte) error) error { return c.it.Item().Value(f) }
func (c *cursor) Err() error                       { return c.err }
func (c *cursor) Close()                           { c.it.Close() }

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
