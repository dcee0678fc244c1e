package index

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/index/kv"
)

// ErrUnavailable says that the store of the index can't be reached now.
const ErrUnavailable = kv.ErrUnavailable

// An Index finds captures by URI-R and time. It is safe for concurrent use. Reads see finished files only. It implements [cdx.Source].
type Index struct {
	store      kv.Store
	claims     claims
	workers    workers
	files      atomic.Pointer[fileSet] // the file table as last read
	generation atomic.Uint64           // of files
	catching   sync.Mutex              // held while files and generation are updated
	identity   string                  // of the store, random
	lost       lostHosts
}

// New opens an index on a store, which it owns from then on. It refuses a store of another format.
func New(ctx context.Context, s kv.Store) (*Index, error) {
	x := &Index{store: s}
	x.workers = workers{store: s, name: rand.Text(), shared: x.Shared()}
	if err := checkFormat(ctx, s); err != nil {
		return nil, err
	}
	return x, x.loadFiles(ctx)
}

// checkFormat checks the format, and gives an empty store the current one. It writes nothing otherwise, so that read-only stores work.
func checkFormat(ctx context.Context, s kv.Store) error {
	have := ""
	err := s.View(ctx, func(snap kv.Snapshot) error {
		return ignoreNoKey(snap.Get(formatKey.key(), func(v []byte) error { have = string(v); return nil }))
	})
	switch {
	case err != nil || have == indexFormat:
		return err
	case strings.HasPrefix(have, restoringMark):
		return ErrHalf
	case have != "":
		return fmt.Errorf("index: the index has format %q, this varve reads %q: index the files again into another --data folder, "+
			"or use the varve that made it", have, indexFormat)
	}
	return s.Update(ctx, begin)
}

// begin makes an empty store an index.
func begin(txn kv.Txn) error {
	return errors.Join(
		txn.Set(lastFileKey.key(), binary.BigEndian.AppendUint64(nil, 0)),
		txn.Set(identityKey.key(), []byte(rand.Text())),
		txn.Set(formatKey.key(), []byte(indexFormat)),
	)
}

// Shared reports whether other processes may write to the store too.
func (x *Index) Shared() bool {
	_, shared := x.store.(kv.Shared)
	return shared
}

// Close writes pending data and closes the store.
func (x *Index) Close() error { return x.store.Close() }

// Generation counts the changes of what the index shows. An answer from an earlier generation may be outdated.
func (x *Index) Generation() uint64 { return x.generation.Load() }

// Compact makes lookups faster after bulk indexing, in stores that need it. It may take a while; the index can be used meanwhile.
func (x *Index) Compact(ctx context.Context) error {
	if c, ok := x.store.(kv.Compactor); ok {
		return c.Compact(ctx)
	}
	return nil
}

// Verify returns an error if stored data is damaged, in stores that can detect that.
func (x *Index) Verify(ctx context.Context) error {
	if v, ok := x.store.(kv.Verifier); ok {
		return v.Verify(ctx)
	}
	return nil
}

// Texts returns the texts of captures.
func (x *Index) Texts() Texts { return Texts{x} }

// Cache returns the cache of results that were computed from captures.
func (x *Index) Cache() Cache { return Cache{x} }

// Has reports whether a collection has a finished file.
func (x *Index) Has(coll string) bool {
	_, found := slices.BinarySearch(x.files.Load().served(), coll)
	return found
}

// Collections returns the names of the collections that have a finished file, sorted.
func (x *Index) Collections() []string {
	return slices.Clone(x.files.Load().served())
}
