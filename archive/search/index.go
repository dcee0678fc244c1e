package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Format numbers the layout of documents and fields, and the form of words in them. An index of another format is rebuilt, since everything
// in it is derived data.
const Format = 10

func format() string { return fmt.Sprint("varve-search-", Format) }

// An Index is the search over one collection. It is safe for concurrent use; its updates run one at a time.
type Index struct {
	dir  string // "" for an index in memory
	stop *language.Lists

	// Pace is called after each small step of an update with the time that the step took, and returns when the next may begin. nil doesn't
	// pause. Set it before the first update.
	Pace func(ctx context.Context, took time.Duration) error

	// Sizes and Limits say how histories are cut. Set them before the first update.
	Sizes  history.Sizes
	Limits history.Limits

	// Paired says whether a word is so common that pairs of such words are indexed too. It has to be the same whenever the index is open. Set
	// it before the first update.
	Paired func(w string) bool

	fields   atomic.Pointer[fields.Set] // see SetFields
	inlinks  atomic.Pointer[inlinks]    // of the last snapshot that was asked for them
	emptied  error                      // see Emptied
	readOnly bool
	updating sync.Mutex
	mu       sync.RWMutex // write-locked while store changes
	store    *store       // nil after Close
}

// ErrUnbuilt says that a folder has no index that this version of varve can read.
const ErrUnbuilt = sentinel.Error("search: there is no index")

// errReadOnly says that the index was opened read-only.
const errReadOnly = sentinel.Error("search: the index can't be written")

// Open opens the index in folder dir and creates it if there is none; "" keeps it in memory. Only one process at a
// time can have it open. Open empties an index of another format, or one whose segments are damaged, and the next [Index.Update] fills it.
func Open(dir string) (*Index, error) {
	unusable, err := usable(dir)
	if err != nil {
		return nil, err
	}
	if unusable != nil {
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("search: the index of an older format, or a damaged one, can't be removed: %w", err)
		}
	}
	x, err := opened(dir, (*Index).open)
	if x != nil {
		x.emptied = unusable
	}
	return x, err
}

// usable returns why the index in dir is of no use, nil if it is usable: it has another format or damaged segments. What can't be opened
// may well be usable; that is an error.
func usable(dir string) (unusable, err error) {
	if dir == "" {
		return nil, nil
	}
	have, err := readFormat(dir)
	if err != nil {
		return nil, err
	}
	if have != format() {
		return errors.New("it is of another format"), nil
	}
	unusable = verifyOnOpening(dir)
	if unopened, ok := errors.AsType[*fs.PathError](unusable); ok && unopened.Op == "open" {
		return nil, unusable
	}
	return unusable, nil
}

// Emptied returns why [Open] emptied the index, nil if it didn't.
func (x *Index) Emptied() error { return x.emptied }

// OpenReadOnly opens the index in folder dir without writing to it. Any number of processes may do so at the same time. The error wraps
// [ErrUnbuilt] if there is none, or one of another format.
func OpenReadOnly(dir string) (*Index, error) {
	unbuilt, err := isUnbuilt(dir)
	if err != nil {
		return nil, err
	}
	if unbuilt {
		return nil, fmt.Errorf("%w in %s", ErrUnbuilt, dir)
	}
	if err := verifyOnOpening(dir); err != nil {
		return nil, fmt.Errorf("%w: varve check --repair builds it anew, where it may write", err)
	}
	return openedReadOnly(dir)
}

// isUnbuilt reports whether a folder has no index that this version of varve can read. A process that was killed when it began one may have
// left an empty file, which only bolt may fill.
func isUnbuilt(dir string) (bool, error) {
	root, err := os.Stat(filepath.Join(dir, "terms", "root.bolt"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && root.Size() == 0 {
		return true, nil
	}
	have, err := readFormat(dir)
	return have != format(), err
}

func openedReadOnly(dir string) (*Index, error) {
	return opened(dir, func(x *Index) error {
		x.readOnly = true
		return x.openStore()
	})
}

// opened returns an Index for dir after open has opened its store.
func opened(dir string, open func(*Index) error) (*Index, error) {
	stop, err := language.New()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	x := &Index{dir: dir, stop: stop, Sizes: history.DefaultSizes, Limits: history.DefaultLimits, Paired: language.Common()}
	return x, open(x)
}

func formatFile(dir string) string { return filepath.Join(dir, "format") }

// readFormat returns the format of the index in dir, the current one if there is no index.
func readFormat(dir string) (string, error) {
	b, err := os.ReadFile(formatFile(dir))
	if err == nil {
		return string(b), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("search: %w", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		return format(), nil
	}
	return "", nil
}

// roomToWrite is the free disk space in bytes that a batch and the merging of segments need. On a full disk scorch would retry forever.
const roomToWrite = 64 << 20

func (x *Index) open() error {
	if x.dir != "" {
		if err := os.MkdirAll(x.dir, 0o755); err != nil {
			return fmt.Errorf("search: %w", err)
		}
		if have, err := os.ReadFile(formatFile(x.dir)); err != nil || string(have) != format() { // a full disk would empty it
			if err := os.WriteFile(formatFile(x.dir), []byte(format()), 0o644); err != nil {
				return fmt.Errorf("search: %w", err)
			}
		}
	}
	return x.openStore()
}

// openStore opens the store of the index, in its folder or in memory.
func (x *Index) openStore() (err error) {
	x.store, err = openStore(x.dir, x.readOnly)
	return err
}

// errClosed is returned after Close.
const errClosed = sentinel.Error("search: the index is closed")

// Close waits for a running update and closes the index.
func (x *Index) Close() error {
	x.updating.Lock()
	defer x.updating.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.closeStore()
}

// closeStore closes the store once nobody reads it.
func (x *Index) closeStore() error {
	if x.store == nil {
		return nil
	}
	err := x.store.close()
	x.store = nil
	return err
}

// Clear empties the index.
func (x *Index) Clear() error {
	if x.readOnly {
		return errReadOnly
	}
	x.updating.Lock()
	defer x.updating.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.store == nil {
		return errClosed
	}
	if err := x.closeStore(); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	if x.dir != "" {
		if err := os.RemoveAll(x.dir); err != nil {
			return fmt.Errorf("search: %w", err)
		}
	}
	return x.open()
}

// Size returns the size of the index on disk in bytes. While the index is open that includes files that were merged and not yet removed.
func (x *Index) Size() int64 { return Size(x.dir) }

// Size returns the size of the index in a folder in bytes, whether it is open or not.
func Size(dir string) int64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// SetFields sets the templates whose values are searched; nil for none. The next update indexes the values of new templates.
func (x *Index) SetFields(s *fields.Set) { x.fields.Store(s) }

// Fields returns the templates.
func (x *Index) Fields() *fields.Set { return x.fields.Load() }

// view calls f with a snapshot of the index, which is valid until f returns.
func (x *Index) view(f func(reader) error) (err error) {
	defer asDamaged(&err)
	x.mu.RLock()
	store := x.store
	if store == nil {
		x.mu.RUnlock()
		return errClosed
	}
	store.readers.Add(1)
	x.mu.RUnlock()
	defer store.readers.Done()
	snapshot, err := newReader(store.index)
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	defer snapshot.close()
	snapshot.paired = x.Paired
	if err := f(snapshot); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// Settled returns the state of the archive at the last complete update, "" if there was none, and the number of pages then.
func (x *Index) Settled() (state string, pages int64, err error) {
	err = x.view(func(r reader) error {
		s, err := r.settled()
		state, pages = s.state, s.pages
		return err
	})
	return state, pages, err
}
