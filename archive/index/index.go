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

// An Index finds captures by URI-R and time. It is safe for concurrent use. Reads see finished files only.
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

// New opens an index on a store, which it owns from then on. It refuses a store of another format, unless that is valid
// in this format too; then it upgrades the store.
func New(ctx context.Context, s kv.Store) (*Index, error) {
	x := &Index{store: s}
	x.workers = workers{store: s, name: rand.Text(), shared: x.Shared()}
	if err := checkFormat(ctx, s); err != nil {
		return nil, err
	}
	return x, x.loadFiles(ctx)
}

// checkFormat checks the format and upgrades the store if necessary. It writes nothing if the format is current, so that read-only stores
// work.
func checkFormat(ctx context.Context, s kv.Store) error {
	files, have := new(fileSet), ""
	err := s.View(ctx, func(snap kv.Snapshot) (err error) {
		err = snap.Get(formatKey.key(), func(v []byte) error { have = string(v); return nil })
		if ignoreNoKey(err) != nil || have == indexFormat {
			return err
		}
		if strings.HasPrefix(have, restoringMark) {
			return ErrHalf
		}
		files, err = allFiles(snap)
		return err
	})
	if err != nil || have == indexFormat {
		return err
	}
	err = s.Update(ctx, func(txn kv.Txn) error { return upgrade(txn, have, files) })
	if errors.Is(err, kv.ErrReadOnly) && slices.Contains(likeFormats(), have) {
		return nil // read-only: without the upgrade it only lacks cached entries
	}
	if errors.Is(err, kv.ErrReadOnly) {
		return fmt.Errorf("index: the index has format %q, this varve reads %q: %w", have, indexFormat, err)
	}
	return err
}

// likeFormats returns the formats that differ from the current one only in cached entries.
func likeFormats() []string {
	return []string{unkeptFormat, undoubtedFormat, factlessFormat, unmarkedFormat}
}

// upgrade converts an empty store, or one of an earlier format, to the current format. files are the store's files.
func upgrade(txn kv.Txn, have string, files *fileSet) error {
	if slices.Contains(likeFormats(), have) {
		return txn.Set(formatKey.key(), []byte(indexFormat))
	}
	switch have {
	case "", unlistedFormat, uncountedFormat, singleFormat:
	default:
		return fmt.Errorf("index: the index has format %q, this varve reads %q: index the files again into another --data folder, "+
			"or use the varve that made it", have, indexFormat)
	}
	last := uint64(0)
	for f := range files.all() {
		last = uint64(f.ID)
	}
	if have == unlistedFormat { // the last ID is stored; that file may have been removed
		n, err := number(txn.Get(lastFileKey.key()))
		if err != nil {
			return err
		}
		last = n
	}
	for _, key := range [][]byte{lastFileKey.key(), unlistedKey.key()} {
		if err := txn.Set(key, binary.BigEndian.AppendUint64(nil, last)); err != nil {
			return err
		}
	}
	if err := txn.Set(identityKey.key(), []byte(rand.Text())); err != nil {
		return err
	}
	return txn.Set(formatKey.key(), []byte(indexFormat))
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

// Parts returns the published parts, such as those of searches, which are built from the index and stored elsewhere.
func (x *Index) Parts() Parts { return Parts{x} }

// Has reports whether a collection has a finished file.
func (x *Index) Has(coll string) bool {
	_, found := slices.BinarySearch(x.files.Load().served(), coll)
	return found
}

// Collections returns the names of the collections that have a finished file, sorted.
func (x *Index) Collections() []string {
	return slices.Clone(x.files.Load().served())
}
