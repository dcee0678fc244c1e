package search

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// format names what documents and fields mean. An index of another format is made anew: nothing in it can't be had again.
const format = "varve-search-2"

// An Index is the change-text search over one collection. It is safe for concurrent use, but for [Index.Update], of which
// one may run at a time.
type Index struct {
	dir   string
	stop  *stopWords
	queue *index.AnalysisQueue

	updating sync.Mutex
	mu       sync.RWMutex // held to exchange store
	store    index.Index
}

// Open opens the index in folder dir, made where there is none; "" keeps it in memory. One process at a time may have it
// open. An index of another format is emptied: the next [Index.Update] fills it.
func Open(dir string) (*Index, error) {
	stop, err := newStopWords()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	x := &Index{dir: dir, stop: stop, queue: index.NewAnalysisQueue(1)}
	if dir != "" && readFormat(dir) != format {
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("search: the index of an older format can't be removed: %w", err)
		}
	}
	if err := x.open(); err != nil {
		x.queue.Close()
		return nil, err
	}
	return x, nil
}

func formatFile(dir string) string { return filepath.Join(dir, "format") }

// readFormat returns the format of the index in dir, this one's where there is none.
func readFormat(dir string) string {
	b, err := os.ReadFile(formatFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
			return format
		}
	}
	return string(b)
}

// roomToWrite is how many bytes of the disk have to be free: a batch, and segments being merged. A full disk keeps the
// store trying for ever.
const roomToWrite = 64 << 20

func (x *Index) open() error {
	if x.dir != "" {
		if err := os.MkdirAll(x.dir, 0o755); err != nil {
			return fmt.Errorf("search: %w", err)
		}
		if err := os.WriteFile(formatFile(x.dir), []byte(format), 0o644); err != nil {
			return fmt.Errorf("search: %w", err)
		}
	}
	path := ""
	if x.dir != "" {
		path = filepath.Join(x.dir, "terms")
	}
	store, err := scorch.NewScorch(scorch.Name, map[string]any{"path": path, "bolt_timeout": "3s"}, x.queue)
	if err == nil {
		err = store.Open()
	}
	if err != nil {
		return fmt.Errorf("search: the index in %s can't be opened: %w (it can be removed: it is made anew from the archive)", x.dir, err)
	}
	x.store = store
	return nil
}

// errClosed is what an index answers that was closed.
var errClosed = errors.New("search: the index is closed")

// Close gives the folder free, once a running update has ended.
func (x *Index) Close() error {
	x.updating.Lock()
	defer x.updating.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.store == nil {
		return nil
	}
	err := x.store.Close()
	x.queue.Close()
	x.store = nil
	return err
}

// Clear takes everything out, for those who want it built from the beginning.
func (x *Index) Clear() error {
	x.updating.Lock()
	defer x.updating.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.store == nil {
		return errClosed
	}
	if err := x.store.Close(); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	if x.dir != "" {
		if err := os.RemoveAll(x.dir); err != nil {
			return fmt.Errorf("search: %w", err)
		}
	}
	return x.open()
}

// Size returns how many bytes the index takes on disk.
func (x *Index) Size() int64 {
	var n int64
	_ = filepath.WalkDir(x.dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// view runs f on the index as it is at one moment.
func (x *Index) view(f func(reader) error) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.store == nil {
		return errClosed
	}
	r, err := x.store.Reader()
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	defer r.Close()
	if err := f(reader{r}); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}
