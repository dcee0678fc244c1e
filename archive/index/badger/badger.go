// Package badger stores an index in a folder of one machine, with Badger.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package badger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	compression "github.com/dgraph-io/badger/v4/options"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/disk"
)

// Sizes that keep a server's resident memory flat. Tables are memory-mapped, so the page cache does the caching;
// without compression Badger reads fastest when its own block cache is off.
const (
	memTableSize  = 32 << 20
	memTables     = 3
	baseTableSize = 8 << 20
	compactors    = 2 // at a time; Badger's minimum, because each takes memory for several tables
	indexCache    = 32 << 20
	valueLogFile  = 64 << 20
	inlineValue   = 1 << 16 // values up to this size stay in the tree, so the value log stays nearly empty
	maxInline     = 1 << 20 // Badger's limit; in memory there is no value log, so larger values don't fit
)

const (
	roomToOpen      = 1 << 20          // the first page of a new log, and the lists of files
	roomToWrite     = 3 * memTableSize // large enough for any value of the index: in memory there is no value log
	checkEveryBytes = 1 << 20          // bytes written between two checks of the disk
	discardsSize    = 1 << 20          // of the file in which Badger counts what could be removed from its value log
)

// emptyLog is Badger's error for an empty log, which remains when a disk was full or a process ended while the log was
// being created. The failed attempt gives the log its size, so opening it again succeeds. It contained nothing.
const emptyLog = "Create a new file"

var (
	_ kv.Compactor = (*engine)(nil)
	_ kv.Verifier  = (*engine)(nil)
)

type engine struct {
	db       *badger.DB
	log      *logger
	updating sync.Mutex // serializes updates of this process; no other process has the folder open
	links    string     // folder of links to remove at the end, "" for none
	readOnly bool
}

func options(dir string, says *logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithInMemory(dir == "").
		WithDetectConflicts(false).
		WithMetricsEnabled(false).
		WithCompression(compression.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(indexCache).
		WithMemTableSize(memTableSize).
		WithNumMemtables(memTables).
		WithNumCompactors(compactors).
		WithBaseTableSize(baseTableSize).
		WithValueLogFileSize(valueLogFile).
		WithValueThreshold(inlineOf(dir)).
		WithCompactL0OnClose(false).
		WithLogger(says)
}

// Open opens the Badger store in dir and creates it if necessary; dir "" keeps it in memory. Only one process at a time
// may have it open: if another has, the error wraps [kv.ErrInUse]. If nothing can be written to dir, it wraps
// [kv.ErrReadOnly].
func Open(dir string, log *slog.Logger) (kv.Store, error) {
	return open(dir, log, func(o badger.Options) badger.Options { return o })
}

// open opens a store with options that differ changes.
func open(dir string, log *slog.Logger, differ func(badger.Options) badger.Options) (*engine, error) {
	logs := &logger{log: log, stuck: make(chan error, 1)}
	opt := differ(options(dir, logs).WithChecksumVerificationMode(verification(dir)))
	if dir != "" {
		if err := makeWritable(dir); err != nil {
			return nil, folderError(err)
		}
	}
	if err := disk.CheckRoom(dir, roomToOpen); err != nil {
		return nil, err
	}
	if err := checkManifest(dir); err != nil {
		return nil, err
	}
	db, err := badger.Open(opt)
	for range memTables {
		if err == nil || !strings.Contains(err.Error(), emptyLog) {
			break
		}
		db, err = badger.Open(opt)
	}
	if isRegistry(dir, err) && os.Remove(filepath.Join(dir, badger.KeyRegistryFileName)) == nil {
		db, err = badger.Open(opt)
	}
	if err != nil {
		return nil, openError(dir, err)
	}
	return &engine{db: db, log: logs}, nil
}

// openError wraps Badger's error for a store that can't be opened. It has to read the text, because Badger doesn't wrap causes.
func openError(dir string, err error) error {
	if strings.Contains(err.Error(), "Cannot acquire directory lock") {
		return fmt.Errorf("%w (folder %s)", kv.ErrInUse, dir)
	}
	if isDamage(dir, err) {
		return damage(dir, err)
	}
	return fmt.Errorf("index: open index in %s: %w", dir, err)
}

// damage says that a store is damaged, and what to do.
func damage(dir string, err error) error {
	return fmt.Errorf("index: the index in %s %w: %w: restore it from a backup (varve restore), or move the folder away and run the "+
		"command again, which makes it anew", dir, kv.ErrDamaged, err)
}

// checkManifest returns an error if the list of the tables is missing beside tables, all of which Badger would then delete.
func checkManifest(dir string) error {
	_, err := os.Stat(filepath.Join(dir, badger.ManifestFilename))
	if tables, _ := fs.Glob(os.DirFS(dir), "*.sst"); errors.Is(err, fs.ErrNotExist) && len(tables) > 0 {
		return damage(dir, err)
	}
	return nil
}

// isDamage reports whether Badger's error means that a file is damaged.
func isDamage(dir string, err error) bool {
	return says(dir, err, "checksum", "CRC", "crc", "verify table", "magic", "corrupted", "file does not exist for table") ||
		isRegistry(dir, err)
}

// isRegistry reports whether Badger's error means that its file of encryption keys is damaged, as by a loss of power. It has no keys,
// because nothing is encrypted, so Badger makes another one.
func isRegistry(dir string, err error) bool {
	return says(dir, err, "key registry", "sanity text", "Encryption key mismatch")
}

// says reports whether an error has one of these words elsewhere than in the name of the folder.
func says(dir string, err error, words ...string) bool {
	if err == nil {
		return false
	}
	name := filepath.Clean(dir)
	if !strings.ContainsRune(name, filepath.Separator) { // it may be a word of the error
		name += string(filepath.Separator)
	}
	text := strings.ReplaceAll(err.Error(), name, "")
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// makeWritable creates the folder and tests whether files can be written there, since Badger's errors don't say.
func makeWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "LOCK"), os.O_RDWR|os.O_CREATE, 0o644) // Badger's own file, which remains when it closes
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return makeDiscards(dir)
}

// makeDiscards creates a file that Badger would create on opening: Badger ends the process if it can't.
func makeDiscards(dir string) error {
	path := filepath.Join(dir, "DISCARD")
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	err := os.WriteFile(path, make([]byte, discardsSize), 0o644)
	if err != nil {
		_ = os.Remove(path) // Badger would accept a shorter file
	}
	return err
}

// folderError says what is wrong with a folder that can't be written.
func folderError(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w: give varve the right to write there, or name another folder", kv.ErrReadOnly, err)
	}
	return fmt.Errorf("index: index folder: %w", err)
}

// inlineOf returns the size from which on values go to the value log.
func inlineOf(dir string) int64 {
	if dir == "" {
		return maxInline
	}
	return inlineValue
}

// Close gives up if the disk is full, because Badger would retry writing its last table forever. Nothing is lost: the log has its content,
// and the next process to open the store writes the table.
func (s *engine) Close() error {
	select {
	case <-s.log.stuck: // an old message; the disk may have room again
	default:
	}
	if s.links != "" {
		defer os.RemoveAll(s.links)
	}
	closed := make(chan error, 1)
	go func() { closed <- s.db.Close() }()
	select {
	case err := <-closed:
		return err
	case err := <-s.log.stuck:
		return fmt.Errorf("index: closing the index in %s: %w: %v", s.dir(), disk.ErrFull, err)
	}
}

func (s *engine) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.db.Opts().InMemory {
		return err
	}
	return s.db.Sync()
}

// Compact can't be interrupted.
func (s *engine) Compact(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.readOnly {
		return kv.ErrReadOnly
	}
	return s.db.Flatten(1)
}

func (s *engine) View(ctx context.Context, f func(kv.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	return f(snapshot{ctx, txn})
}

// Update needs no retries: updates of this process run one at a time, and batches never write the same keys.
func (s *engine) Update(ctx context.Context, f func(kv.Txn) error) error {
	s.updating.Lock()
	defer s.updating.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.readOnly {
		return kv.ErrReadOnly
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

// dir returns the folder on the disk that may fill up, "" for a store in memory.
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
	if u.inMemory && len(value) >= maxInline {
		return kv.ErrTooLarge
	}
	return sizeError(u.Txn.Set(key, value))
}

// sizeError turns Badger's errors about sizes into [kv.ErrTooLarge].
func sizeError(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) || err != nil && strings.Contains(err.Error(), "exceeded") {
		return fmt.Errorf("%w: %v", kv.ErrTooLarge, err)
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
		return kv.ErrNoKey
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
		if err != nil && err != kv.ErrNoKey {
			return err
		}
	}
	return nil
}

// Prefetch implements [kv.Snapshot]. It does nothing, since there are no round trips to save.
func (s snapshot) Prefetch([][]byte, []kv.PrefetchRange) {}

// Cursor passes the prefix to Badger. Without it short reads are some sixteen times slower, because Badger opens every
// table.
func (s snapshot) Cursor(r kv.Range) kv.Cursor {
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Reverse = r.Reverse
	opt.Prefix = r.Prefix
	return &cursor{ctx: s.ctx, it: s.txn.NewIterator(opt), prefix: r.Prefix}
}

// checkEverySteps is how many steps a cursor takes between two checks of its context. Checking costs more than a step.
const checkEverySteps = 256

// A cursor walks a range. Badger's iterators report no errors: a table that can't be mapped fails when it is opened,
// and one with a wrong checksum panics when its block is read.
type cursor struct {
	ctx    context.Context
	it     *badger.Iterator
	prefix []byte
	steps  int
	err    error
}

func (c *cursor) Seek(key []byte) {
	if c.checkContext(); c.err == nil {
		c.it.Seek(key)
	}
}

func (c *cursor) Next() {
	if c.steps++; c.steps%checkEverySteps == 0 {
		c.checkContext()
	}
	if c.err == nil {
		c.it.Next()
	}
}

func (c *cursor) checkContext() {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
}

func (c *cursor) Valid() bool                      { return c.err == nil && c.it.ValidForPrefix(c.prefix) }
func (c *cursor) Key() []byte                      { return c.it.Item().Key() }
func (c *cursor) Value(f func([]byte) error) error { return c.it.Item().Value(f) }
func (c *cursor) Err() error                       { return c.err }
func (c *cursor) Close()                           { c.it.Close() }

// logger passes on Badger's own messages. Those about compactions go to the debug level. It implements [badger.Logger].
type logger struct {
	log   *slog.Logger
	stuck chan error // receives errors that Badger retries because the disk is full; the first suffices
}

func (l *logger) say(level slog.Level, f string, a ...any) {
	if l.log == nil || !l.log.Enabled(context.Background(), level) {
		return
	}
	l.log.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(f, a...)), "from", "badger")
}

func (l *logger) Errorf(f string, a ...any) {
	l.say(slog.LevelError, f, a...)
	text := fmt.Sprintf(f, a...)
	if !strings.Contains(text, "retrying") || !strings.Contains(text, syscall.ENOSPC.Error()) {
		return
	}
	select {
	case l.stuck <- errors.New(text):
	default:
	}
}

func (l *logger) Warningf(f string, a ...any) { l.say(slog.LevelWarn, f, a...) }
func (l *logger) Infof(f string, a ...any)    { l.say(slog.LevelDebug, f, a...) }
func (l *logger) Debugf(f string, a ...any)   { l.say(slog.LevelDebug-4, f, a...) }
