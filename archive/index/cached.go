package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Results that were computed from very many captures of a URI-R can be cached in the index. An entry of the cache has a head and parts,
// which are read separately; the head says which parts there are. The index has a list of the names of all entries. Each change of the file
// table sets a mark, in the same transaction, on every name whose captures it changes: an entry with a mark is stale. So a head without a
// mark is fresh.

// A Cache is the cache of an index: heads with their parts, and facts of hosts.
type Cache struct{ x *Index }

// A CacheName names an entry: a result of some sort, computed from the captures of a key.
type CacheName struct {
	Coll string `json:"coll"`
	Key  string `json:"key"`
	Sort byte   `json:"sort"`
}

// A CachePart is a part of an entry. Numbers must never be reused, so choose them at random.
type CachePart struct {
	Number uint64
	Value  []byte // less than 1 MiB
}

const (
	maxCached     = 1_000    // names
	maxCachedList = 48 << 10 // bytes of the list of names; Badger stores small values without leaving garbage when they change
	maxCachedKey  = 500      // bytes
	maxCachedHead = 512 << 10
	maxCachedPart = 1<<20 - 1 // bytes of a value that every store takes
)

// ErrNotCached says that an entry isn't or can't be stored, for instance because the index has changed since its captures were read.
const ErrNotCached = sentinel.Error("index: this can't be cached now")

// ErrNoPart says that a part of an entry is missing.
const ErrNoPart = sentinel.Error("index: what is cached lacks a part")

// A Cached is an entry that was found. Its parts can be read until the function that it was passed to returns.
type Cached struct {
	Head       []byte
	Generation uint64 // of the index
	name       CacheName
	mark       []byte
	snap       kv.Snapshot
}

// Fresh reports whether the captures of the key are still those that the entry was computed from.
func (c *Cached) Fresh() bool { return c.mark == nil }

// Since returns the datetime of the first capture that was added, removed or replaced since the entry was computed.
func (c *Cached) Since() cdx.Timestamp { return sinceOf(c.mark) }

// appendMark packs a mark: the generation of the last change, and the earliest datetime of all changes since the entry was stored.
func appendMark(generation uint64, since cdx.Timestamp) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, generation), uint64(since))
}

func sinceOf(mark []byte) cdx.Timestamp {
	if len(mark) != 16 {
		return 0
	}
	return cdx.Timestamp(binary.BigEndian.Uint64(mark[8:]))
}

// Get calls f with the entry of a name, fresh or stale, and reports whether there is one. While captures that are shown are being changed,
// no entry is found.
func (h Cache) Get(ctx context.Context, name CacheName, f func(*Cached) error) (found bool, err error) {
	err = h.x.view(ctx, func(v view) error {
		c, err := v.cached(name)
		if err != nil || c == nil {
			return err
		}
		found = true
		return f(c)
	})
	return found && err == nil, err
}

// cacheKeys returns the keys that [view.cached] reads.
func cacheKeys(name CacheName) [][]byte {
	return [][]byte{unsettledKey.key(), resolvedKey.key(), generationKey.key(), markKey(name), cacheKey(name)}
}

// cached returns the entry of a name, nil if there is none.
func (snap view) cached(name CacheName) (*Cached, error) {
	var values [5][]byte
	err := snap.GetMany(cacheKeys(name), func(i int, value []byte) error {
		values[i] = append([]byte{}, value...) // never nil
		return nil
	})
	if err != nil || values[0] != nil || values[1] != nil || values[4] == nil {
		return nil, err
	}
	generation, err := number(values[2], nil)
	return &Cached{Head: values[4], Generation: generation, name: name, mark: values[3], snap: snap.Snapshot}, err
}

// Names returns the names of all entries.
func (h Cache) Names(ctx context.Context) (names []CacheName, err error) {
	err = h.x.store.View(ctx, func(snap kv.Snapshot) error {
		err := snap.Get(cachedKey.key(), func(v []byte) (err error) { names, err = parseNames(v, nil); return err })
		return ignoreNoKey(err)
	})
	return names, err
}

// Parts calls f with the values of parts, in the order of numbers. A value is valid until f returns. The error wraps [ErrNoPart] if a part
// is missing.
func (c *Cached) Parts(numbers []uint64, f func(i int, value []byte) error) error {
	n := 0
	err := c.snap.GetMany(c.keys(numbers), func(i int, value []byte) error { n++; return f(i, value) })
	if err == nil && n < len(numbers) {
		err = fmt.Errorf("%w: %d of %d parts of %q are missing", ErrNoPart, len(numbers)-n, len(numbers), c.name.Key)
	}
	return err
}

func (c *Cached) keys(numbers []uint64) [][]byte {
	keys := make([][]byte, len(numbers))
	for i, n := range numbers {
		keys[i] = cachePartKey(c.name, n)
	}
	return keys
}

// Reopen calls f with an entry that was read before, so that its parts can be read from the present state of the index. Parts never change,
// but may be missing. An index on another machine fetches the parts in prefetch together.
func (h Cache) Reopen(ctx context.Context, c *Cached, prefetch []uint64, f func(*Cached) error) error {
	return h.x.store.View(ctx, func(snap kv.Snapshot) error {
		snap.Prefetch(c.keys(prefetch), nil)
		now := *c
		now.snap = snap
		return f(&now)
	})
}

// A CacheEntry is an entry to be stored.
type CacheEntry struct {
	Name       CacheName
	Head       []byte
	Parts      []CachePart // new parts
	Stay       []uint64    // numbers of parts of Before that the new head uses too
	Generation uint64      // of the index when the captures were read; ignored if there is a Before
	Before     *Cached     // the entry that was there before the captures were read, and is replaced; nil to replace any
}

// Put stores an entry. It returns [ErrNotCached] if captures have changed since they were read: those of the entry's key if there is a
// Before, else any. If Before was fresh, answers may change, so the generation does too.
func (h Cache) Put(ctx context.Context, e *CacheEntry) error {
	tooLarge := func(p CachePart) bool { return len(p.Value) > maxCachedPart }
	if len(e.Name.Key) > maxCachedKey || len(e.Head) > maxCachedHead || slices.ContainsFunc(e.Parts, tooLarge) || h.Imported(e.Name.Coll) {
		return ErrNotCached
	}
	tidying := context.WithoutCancel(ctx) // whoever gives up leaves no parts that nobody uses
	if err := h.putParts(ctx, e); err != nil {
		return errors.Join(err, h.dropParts(tidying, e))
	}
	var evicted []CacheName
	err := h.x.store.Update(ctx, func(txn kv.Txn) (err error) { evicted, err = e.write(txn); return err })
	switch {
	case errors.Is(err, ErrNotCached):
		return errors.Join(err, h.dropParts(tidying, e))
	case err != nil:
		return err // the head may have been written
	}
	err = h.sweepParts(tidying, e.Name, e.numbers())
	for _, name := range evicted {
		err = errors.Join(err, h.sweepParts(tidying, name, nil))
	}
	if e.Before != nil && e.Before.Fresh() {
		err = errors.Join(err, h.x.catchUp(tidying))
	}
	return err
}

// Imported reports whether captures of a collection were imported from an index file. Such captures are overwritten in place when their
// records are read.
func (h Cache) Imported(coll string) bool {
	for f := range h.x.files.Load().all() {
		if f.Imported && f.Collection == coll {
			return true
		}
	}
	return false
}

func (h Cache) putParts(ctx context.Context, e *CacheEntry) error {
	b := h.x.store.Batch(ctx)
	defer b.Cancel()
	for _, p := range e.Parts {
		if err := b.Set(cachePartKey(e.Name, p.Number), p.Value); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return h.x.store.Sync(ctx) // the head must not outlive its parts
}

// dropParts deletes the new parts of an entry whose head was not stored.
func (h Cache) dropParts(ctx context.Context, e *CacheEntry) error {
	b := h.x.store.Batch(ctx)
	defer b.Cancel()
	for _, p := range e.Parts {
		if err := b.Delete(cachePartKey(e.Name, p.Number)); err != nil {
			return err
		}
	}
	return b.Flush()
}

// numbers returns the set of parts that the head uses.
func (e *CacheEntry) numbers() map[uint64]bool {
	all := make(map[uint64]bool, len(e.Parts)+len(e.Stay))
	for _, p := range e.Parts {
		all[p.Number] = true
	}
	for _, n := range e.Stay {
		all[n] = true
	}
	return all
}

// sweepParts deletes the parts of a name except those in stay. It may delete a part that another process has just stored; readers of that
// entry then find a part missing, and compute everything again.
func (h Cache) sweepParts(ctx context.Context, name CacheName, stay map[uint64]bool) error {
	b := h.x.store.Batch(ctx)
	defer b.Cancel()
	prefix := cachePartsOf(name)
	err := h.x.store.View(ctx, func(snap kv.Snapshot) error {
		return kv.Each(snap, kv.Range{Prefix: prefix, KeysOnly: true}, prefix, func(cur kv.Cursor) error {
			if tail := cur.Key()[len(prefix):]; len(tail) == 8 && stay[binary.BigEndian.Uint64(tail)] {
				return nil
			}
			return b.Delete(slices.Clone(cur.Key()))
		})
	})
	return errors.Join(err, b.Flush())
}

// write writes the head, and returns the names that were evicted to make room for it.
func (e *CacheEntry) write(txn kv.Txn) (evicted []CacheName, err error) {
	generation, err := e.check(txn)
	if err != nil {
		return nil, err
	}
	names, err := parseNames(txn.Get(cachedKey.key()))
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n CacheName) bool { return n == e.Name })
	if evicted, err = putNames(txn, append(names, e.Name)); err != nil {
		return nil, err
	}
	for _, name := range evicted {
		if err := errors.Join(txn.Delete(cacheKey(name)), txn.Delete(markKey(name))); err != nil {
			return nil, err
		}
	}
	if e.Before != nil && e.Before.Fresh() {
		if err := txn.Set(generationKey.key(), binary.BigEndian.AppendUint64(nil, generation+1)); err != nil {
			return nil, err
		}
	}
	return evicted, errors.Join(txn.Delete(markKey(e.Name)), txn.Set(cacheKey(e.Name), e.Head))
}

// check returns the current generation, or [ErrNotCached] if captures have changed or are being changed.
func (e *CacheEntry) check(txn kv.Txn) (generation uint64, err error) {
	if generation, err = unchanging(txn); err != nil {
		return 0, err
	}
	if e.Before == nil {
		if generation != e.Generation {
			return 0, ErrNotCached
		}
		return generation, nil
	}
	for _, as := range []struct{ key, value []byte }{{cacheKey(e.Name), e.Before.Head}, {markKey(e.Name), e.Before.mark}} {
		now, err := txn.Get(as.key)
		if ignoreNoKey(err) != nil {
			return 0, err
		}
		if !bytes.Equal(now, as.value) {
			return 0, ErrNotCached
		}
	}
	return generation, nil
}

// parseNames reads the list of what is cached, oldest first.
func parseNames(v []byte, err error) (names []CacheName, _ error) {
	if errors.Is(err, kv.ErrNoKey) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(v, &names)
	}
	if err != nil {
		return nil, fmt.Errorf("index: the list of what is cached: %w", err)
	}
	return names, nil
}

// putNames stores the list of names without the oldest, if there are too many, and returns these.
func putNames(txn kv.Txn, names []CacheName) (evicted []CacheName, err error) {
	for from := 0; ; from++ {
		v, err := json.Marshal(names[from:])
		if err != nil {
			return nil, err
		}
		if len(names)-from <= maxCached && len(v) <= maxCachedList {
			return names[:from], txn.Set(cachedKey.key(), v)
		}
	}
}

// unchanging returns the generation of the index, or [ErrNotCached] while captures that are shown are being changed.
func unchanging(txn kv.Txn) (generation uint64, err error) {
	if generation, err = number(txn.Get(generationKey.key())); err != nil {
		return 0, err
	}
	unsettled, err := unsettledFiles(txn)
	if err != nil {
		return 0, err
	}
	_, err = txn.Get(resolvedKey.key())
	if ignoreNoKey(err) != nil {
		return 0, err
	}
	if len(unsettled) > 0 || err == nil {
		return 0, ErrNotCached
	}
	return generation, nil
}

// A reach says which cached entries a change makes stale.
type reach struct {
	all   bool                       // everything
	names map[collName]bool          // names that had an entry before the change
	since map[collName]cdx.Timestamp // of these, the first capture that the change affects
	facts factsReach
}

type collName struct{ coll, name string }

// reachOf returns the reach of a change. find calls see with the keys whose captures it affects. It isn't called if nothing is cached.
func (x *Index) reachOf(ctx context.Context, find func(snap kv.Snapshot, r *reach) error) (*reach, error) {
	r := &reach{
		names: map[collName]bool{}, since: map[collName]cdx.Timestamp{},
		facts: factsReach{all: x.Shared(), hosts: map[HostName]bool{}},
	}
	err := x.store.View(ctx, func(snap kv.Snapshot) error {
		err := snap.GetMany([][]byte{cachedKey.key(), factsKey.key()}, func(i int, v []byte) (err error) {
			if i == 1 {
				r.facts.stamp, err = stampOf(v, nil)
				return err
			}
			names, err := parseNames(v, nil)
			for _, n := range names {
				r.names[collName{n.Coll, n.Key}] = true
			}
			return err
		})
		if err != nil || len(r.names) == 0 && r.facts.idle() {
			return err
		}
		if err := find(snap, r); err != nil {
			return err
		}
		return r.facts.find(snap)
	})
	return r, err
}

// file sees the captures of a file from an offset on.
func (r *reach) file(snap kv.Snapshot, coll string, id cdx.FileID, from int64) error {
	return eachListed(snap, id, from, func(key []byte, times TimeSpan) { r.see(coll, key, times.From) })
}

// see notes that captures of a key are affected, the first of them at ts.
func (r *reach) see(coll string, key []byte, ts cdx.Timestamp) {
	r.facts.see(coll, key)
	if len(r.names) == 0 || !r.names[collName{coll, string(key)}] {
		return
	}
	of := collName{coll, string(key)}
	if since, seen := r.since[of]; !seen || ts < since {
		r.since[of] = ts
	}
}

// of returns whether the change makes the entries of a key stale, and since which capture: since the beginning if the entry was stored
// after the snapshot.
func (r *reach) of(key collName) (since cdx.Timestamp, stale bool) {
	if r.all || !r.names[key] {
		return 0, true
	}
	since, stale = r.since[key]
	return since, stale
}

// markStale marks the entries that the change makes stale.
func (c *tableChange) markStale() error {
	names, err := parseNames(c.Get(cachedKey.key()))
	for _, n := range names {
		since, stale := c.reach.of(collName{n.Coll, n.Key})
		if !stale {
			continue
		}
		before, err := c.Get(markKey(n))
		if ignoreNoKey(err) != nil {
			return err
		}
		if err == nil {
			since = min(since, sinceOf(before))
		}
		if err := c.Set(markKey(n), appendMark(c.generation, since)); err != nil {
			return err
		}
	}
	return err
}

// A touchedName is a key whose captures have changed, and the datetime of the first of these.
type touchedName struct {
	collName
	since cdx.Timestamp
}

// touch adds a capture to names. Captures of one key must come together.
func touch(names []touchedName, coll string, name []byte, ts cdx.Timestamp) []touchedName {
	if n := len(names); n > 0 && names[n-1].name == string(name) && names[n-1].coll == coll {
		names[n-1].since = min(names[n-1].since, ts)
		return names
	}
	return append(names, touchedName{collName{coll, string(name)}, ts})
}

// A file is unsettled while its captures are overwritten or removed although they are shown. As long as there is one, nothing is cached and
// no cached entry is found.

func unsettledFiles(txn kv.Txn) (files []cdx.FileID, err error) {
	v, err := txn.Get(unsettledKey.key())
	if ignoreNoKey(err) != nil {
		return nil, err
	}
	if len(v)%4 != 0 {
		return nil, errors.New("index: the list of unsettled files is cut short")
	}
	for ; len(v) > 0; v = v[4:] {
		files = append(files, cdx.FileID(binary.BigEndian.Uint32(v)))
	}
	return files, nil
}

// settle marks a file as settled or unsettled, and reports whether it was unsettled.
func settle(txn kv.Txn, id cdx.FileID, settled bool) (was bool, err error) {
	files, err := unsettledFiles(txn)
	if err != nil {
		return false, err
	}
	was = slices.Contains(files, id)
	switch {
	case was != settled:
		return was, nil
	case settled:
		files = slices.DeleteFunc(files, func(f cdx.FileID) bool { return f == id })
	default:
		files = append(files, id)
	}
	if len(files) == 0 {
		return was, txn.Delete(unsettledKey.key())
	}
	var v []byte
	for _, f := range files {
		v = binary.BigEndian.AppendUint32(v, uint32(f))
	}
	return was, txn.Set(unsettledKey.key(), v)
}
