package index

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/varve-archive/varve/cdx/index/store"
)

// An Index finds captures by URI-R and time. It is safe for concurrent use; reads see finished files only.
type Index struct {
	store      store.Store
	files      atomic.Pointer[fileSet]
	fileMu     sync.Mutex   // held while the file table changes
	writers    sync.RWMutex // read-held by each Writer at work, held while texts are swept
	generation atomic.Uint64
}

// New puts an index on a store. A store of another format is refused, unless it is valid in this one too:
// then it becomes one of this format.
func New(s store.Store) (*Index, error) {
	x := &Index{store: s}
	if err := x.checkFormat(); err != nil {
		return nil, err
	}
	return x, x.loadFiles()
}

func (x *Index) checkFormat() error {
	key, have := []byte{metaPrefix, 'f', 'o', 'r', 'm', 'a', 't'}, ""
	err := x.store.View(func(s store.Snapshot) error {
		return s.Get(key, func(v []byte) error { have = string(v); return nil })
	})
	switch {
	case err == store.ErrNoKey, have == singleFormat:
		return x.set(key, []byte(indexFormat))
	case err != nil:
		return err
	case have != indexFormat:
		return fmt.Errorf("index: the index has format %q, this varve reads %q: index the files anew into another --data folder, "+
			"or use the varve that made it", have, indexFormat)
	}
	return nil
}

// Close writes everything out and gives the folder free.
func (x *Index) Close() error { return x.store.Close() }

// Generation counts the changes of what the index shows: an answer kept from an
// earlier generation may be out of date.
func (x *Index) Generation() uint64 { return x.generation.Load() }

// Compact makes look-ups faster after much was indexed. It may take a while; the index can be used beside it.
func (x *Index) Compact() error { return x.store.Compact() }

// Size returns the bytes the index takes on disk, about.
func (x *Index) Size() int64 { return x.store.Size() }

// Has reports whether a collection has a finished file.
func (x *Index) Has(coll string) bool {
	for f := range x.files.Load().all() {
		if f.Done && f.Collection == coll {
			return true
		}
	}
	return false
}

// Collections returns the names of the collections that have a finished file, sorted.
func (x *Index) Collections() []string {
	var out []string
	for f := range x.files.Load().all() {
		if f.Done && !slices.Contains(out, f.Collection) {
			out = append(out, f.Collection)
		}
	}
	slices.Sort(out)
	return out
}
