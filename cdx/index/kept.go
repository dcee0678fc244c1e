package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index/store"
)

// What was worked out from very many captures of a URI-R can be kept in the index, so that nobody has to read them all
// again. It is kept in parts by time, under a run that nothing else uses, and a head. The head counts: what has none is
// not there. A list names all that is kept, and each change of the file table drops what it makes out of date, heads and
// list in one transaction with the change itself. So whoever finds a head may rely on it.

// A KeptName says what is kept: something of a sort, worked out from the captures of a key.
type KeptName struct {
	Coll string `json:"coll"`
	Key  string `json:"key"`
	Sort byte   `json:"sort"`
	// Host says that it depends on the captures of all keys of the same host, those up to the same ")".
	Host bool `json:"host,omitempty"`
}

// A KeptPart is what is kept of the time from First on.
type KeptPart struct {
	First cdx.Timestamp
	Value []byte // less than 1 MiB
}

const (
	maxKept     = 1_000    // names
	maxKeptList = 48 << 10 // bytes of their list: so it stays where stores keep small values, which leave nothing behind when they change
	maxKeptKey  = 500      // bytes
)

// ErrNotKept says that something can't be kept, or is not needed any more: the index has changed since it was read.
var ErrNotKept = errors.New("index: this can't be kept now")

// keptList is the list of what is kept, oldest first.
type keptList []KeptName

func parseKept(v []byte, err error) (list keptList, _ error) {
	if errors.Is(err, store.ErrNoKey) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(v, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("index: the list of what is kept: %w", err)
	}
	return list, nil
}

// size returns about how many bytes the list takes.
func (l keptList) size() (n int) {
	for i := range l {
		n += l[i].size()
	}
	return n
}

func (n *KeptName) size() int {
	return len(n.Coll) + len(n.Key) + len(`{"coll":"","key":"","sort":10,"host":true},`)
}

// put stores the list.
func (l keptList) put(txn store.Txn) error {
	v, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return txn.Set(keptKey, v)
}

// Keep stores what was worked out at a generation, in the order of time, unless the index has changed since: then it returns
// [ErrNotKept]. It replaces what was kept under the name.
func (x *Index) Keep(ctx context.Context, name KeptName, generation uint64, head []byte, parts []KeptPart) error {
	if len(name.Key) > maxKeptKey || x.Imported(name.Coll) {
		return ErrNotKept
	}
	before, err := x.headOf(ctx, name)
	if err != nil {
		return err
	}
	run := binary.BigEndian.AppendUint64(nil, rand.Uint64())
	if err := x.putParts(ctx, name, run, parts); err != nil {
		return errors.Join(err, x.dropRuns(ctx, []keptRun{{name, run}}))
	}
	var old []keptRun
	err = x.store.Update(ctx, func(txn store.Txn) (err error) {
		old, err = keep(txn, name, generation, before, slices.Concat(run, head))
		return err
	})
	switch {
	case errors.Is(err, ErrNotKept):
		old = []keptRun{{name, run}}
	case err != nil:
		old = nil // whether the head was written is not known
	}
	return errors.Join(err, x.dropRuns(context.WithoutCancel(ctx), old))
}

// Imported reports whether some captures of a collection came from an index file. They are written over in place when their
// records are read.
func (x *Index) Imported(coll string) bool {
	for f := range x.files.Load().all() {
		if f.Imported && f.Collection == coll {
			return true
		}
	}
	return false
}

func (x *Index) headOf(ctx context.Context, name KeptName) (head []byte, err error) {
	err = x.store.View(ctx, func(snap store.Snapshot) error {
		return snap.Get(keptHeadKey(name), func(v []byte) error { head = bytes.Clone(v); return nil })
	})
	return head, ignoreNoKey(err)
}

func (x *Index) putParts(ctx context.Context, name KeptName, run []byte, parts []KeptPart) error {
	b := x.store.Batch(ctx)
	defer b.Cancel()
	for i, p := range parts {
		if err := b.Set(keptPartKey(name, run, p.First, i), p.Value); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return x.store.Sync(ctx) // the head must not outlive its parts
}

// keep writes a head, and returns the runs that it takes the place of.
func keep(txn store.Txn, name KeptName, generation uint64, before, head []byte) (old []keptRun, err error) {
	now, err := number(txn.Get(generationKey))
	if err != nil {
		return nil, err
	}
	unsettled, err := unsettledFiles(txn)
	if err != nil {
		return nil, err
	}
	_, err = txn.Get(resolvedKey)
	if ignoreNoKey(err) != nil {
		return nil, err
	}
	untold := err == nil
	have, err := txn.Get(keptHeadKey(name))
	if ignoreNoKey(err) != nil {
		return nil, err
	}
	if now != generation || len(unsettled) > 0 || untold || !bytes.Equal(have, before) {
		return nil, ErrNotKept
	}
	list, err := parseKept(txn.Get(keptKey))
	if err != nil {
		return nil, err
	}
	if len(have) > 0 {
		old = append(old, keptRun{name, have[:runLen]})
	}
	same := func(n KeptName) bool { return n.Coll == name.Coll && n.Key == name.Key && n.Sort == name.Sort }
	list = append(slices.DeleteFunc(list, same), name)
	for size := list.size(); len(list) > maxKept || size > maxKeptList; list = list[1:] {
		if old, err = dropHead(txn, list[0], old); err != nil {
			return nil, err
		}
		size -= list[0].size()
	}
	if err := list.put(txn); err != nil {
		return nil, err
	}
	return old, txn.Set(keptHeadKey(name), head)
}

// dropHead deletes the head of a name and appends its run.
func dropHead(txn store.Txn, name KeptName, runs []keptRun) ([]keptRun, error) {
	head, err := txn.Get(keptHeadKey(name))
	if errors.Is(err, store.ErrNoKey) {
		return runs, nil
	}
	if err != nil {
		return nil, err
	}
	if len(head) >= runLen {
		runs = append(runs, keptRun{name, bytes.Clone(head[:runLen])})
	}
	return runs, txn.Delete(keptHeadKey(name))
}

// A Kept is what was found under a name. It is valid until the function that it was passed to returns.
type Kept struct {
	Head []byte
	name KeptName
	run  []byte
	snap store.Snapshot
}

// Kept calls f with what is kept under a name, and reports whether there is anything. Host is of no account. What f gets is
// in accordance with all captures that the index shows, at this moment.
func (x *Index) Kept(ctx context.Context, name KeptName, f func(*Kept) error) (found bool, err error) {
	err = x.view(ctx, func(v view) error {
		k := &Kept{name: name, snap: v.Snapshot}
		unsettled := false
		err := v.GetMany([][]byte{unsettledKey, resolvedKey, keptHeadKey(name)}, func(i int, value []byte) error {
			switch {
			case i < 2:
				unsettled = true
			case len(value) >= runLen:
				k.run, k.Head = bytes.Clone(value[:runLen]), bytes.Clone(value[runLen:])
			}
			return nil
		})
		if err != nil || unsettled || k.run == nil {
			return err
		}
		found = true
		return f(k)
	})
	return found && err == nil, err
}

// Parts yields the parts in the order of time. The values are valid until the next one.
func (k *Kept) Parts() iter.Seq2[KeptPart, error] {
	prefix := keptRunKey(k.name, k.run)
	return func(yield func(KeptPart, error) bool) {
		cur := k.snap.Cursor(store.Range{Prefix: prefix})
		defer cur.Close()
		for cur.Seek(prefix); cur.Valid(); cur.Next() {
			p, err := k.part(cur)
			if !yield(p, err) || err != nil {
				return
			}
		}
		if err := cur.Err(); err != nil {
			yield(KeptPart{}, err)
		}
	}
}

// At calls f with the last part that begins at ts or before. It reports whether there is one.
func (k *Kept) At(ts cdx.Timestamp, f func(KeptPart) error) (found bool, err error) {
	prefix := keptRunKey(k.name, k.run)
	cur := k.snap.Cursor(store.Range{Prefix: prefix, Reverse: true})
	defer cur.Close()
	cur.Seek(append(binary.BigEndian.AppendUint64(slices.Clone(prefix), uint64(ts)), 0xff, 0xff, 0xff, 0xff))
	if !cur.Valid() {
		return false, cur.Err()
	}
	p, err := k.part(cur)
	if err != nil {
		return false, err
	}
	return true, f(p)
}

func (k *Kept) part(cur store.Cursor) (p KeptPart, err error) {
	at := cur.Key()[len(keptRunKey(k.name, k.run)):]
	if len(at) != keptAtLen {
		return p, errors.New("index: a kept part has no valid key")
	}
	p.First = cdx.Timestamp(binary.BigEndian.Uint64(at))
	err = cur.Value(func(v []byte) error { p.Value = bytes.Clone(v); return nil })
	return p, err
}

// A keptRun names the parts that belong to a head.
type keptRun struct {
	name KeptName
	run  []byte
}

// dropRuns deletes parts that no head leads to any more.
func (x *Index) dropRuns(ctx context.Context, runs []keptRun) error {
	if len(runs) == 0 {
		return nil
	}
	b := x.store.Batch(ctx)
	defer b.Cancel()
	err := x.store.View(ctx, func(snap store.Snapshot) error {
		for _, r := range runs {
			if err := deleteAll(snap, b, keptRunKey(r.name, r.run)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

// deleteAll deletes all keys that begin with prefix.
func deleteAll(snap store.Snapshot, b store.Batch, prefix []byte) error {
	cur := snap.Cursor(store.Range{Prefix: prefix, KeysOnly: true})
	defer cur.Close()
	for cur.Seek(prefix); cur.Valid(); cur.Next() {
		if err := b.Delete(slices.Clone(cur.Key())); err != nil {
			return err
		}
	}
	return cur.Err()
}

// A reach says what of the kept a change reaches.
type reach struct {
	all    bool // everything
	list   keptList
	hit    []bool
	byKey  map[collName][]int // the indices of what depends on a key
	byHost map[collName][]int
}

type collName struct{ coll, name string }

// reachOf returns the reach of a change. look calls see with the keys whose captures it changes; it is not called if nothing is
// kept.
func (x *Index) reachOf(ctx context.Context, look func(snap store.Snapshot, r *reach) error) (*reach, error) {
	r := &reach{byKey: map[collName][]int{}, byHost: map[collName][]int{}}
	err := x.store.View(ctx, func(snap store.Snapshot) error {
		err := snap.Get(keptKey, func(v []byte) (err error) { r.list, err = parseKept(v, nil); return err })
		if ignoreNoKey(err) != nil || len(r.list) == 0 {
			return ignoreNoKey(err)
		}
		r.hit = make([]bool, len(r.list))
		for i, n := range r.list {
			if n.Host {
				of := collName{n.Coll, hostOf(n.Key)}
				r.byHost[of] = append(r.byHost[of], i)
			} else {
				of := collName{n.Coll, n.Key}
				r.byKey[of] = append(r.byKey[of], i)
			}
		}
		return look(snap, r)
	})
	return r, err
}

// file looks at the captures of a file from an offset on.
func (r *reach) file(snap store.Snapshot, coll string, id cdx.FileID, from int64) error {
	var unlisted uint64
	err := snap.Get(unlistedKey, func(v []byte) (err error) { unlisted, err = number(v, nil); return err })
	if ignoreNoKey(err) != nil {
		return err
	}
	if uint64(id) <= unlisted {
		r.all = true
		return nil
	}
	return eachListed(snap, id, from, func(key []byte) { r.see(coll, key) })
}

func (r *reach) see(coll string, key []byte) {
	for _, i := range r.byKey[collName{coll, string(key)}] {
		r.hit[i] = true
	}
	host, _, _ := bytes.Cut(key, []byte{')'})
	for _, i := range r.byHost[collName{coll, string(host)}] {
		r.hit[i] = true
	}
}

func hostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}

// spares reports whether the change leaves a name as it is. What was kept after the look is not known, so it goes.
func (r *reach) spares(n KeptName) bool {
	i := slices.Index(r.list, n)
	return !r.all && i >= 0 && !r.hit[i]
}

// dropKept drops what the change reaches, and remembers its runs.
func (c *tableChange) dropKept() error {
	list, err := parseKept(c.Get(keptKey))
	if err != nil || len(list) == 0 {
		return err
	}
	var left keptList
	for _, n := range list {
		if c.reach.spares(n) {
			left = append(left, n)
		} else if c.dropped, err = dropHead(c.Txn, n, c.dropped); err != nil {
			return err
		}
	}
	if len(left) == len(list) {
		return nil
	}
	return left.put(c.Txn)
}

// Unsettled files are those whose captures change while they are shown: they are written over or removed. Until they are
// settled nothing is kept, and what is kept doesn't count.

func unsettledFiles(txn store.Txn) (files []cdx.FileID, err error) {
	v, err := txn.Get(unsettledKey)
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

// settle adds a file to the unsettled ones or takes it away, and reports whether it was one of them.
func settle(txn store.Txn, id cdx.FileID, settled bool) (was bool, err error) {
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
		return was, txn.Delete(unsettledKey)
	}
	var v []byte
	for _, f := range files {
		v = binary.BigEndian.AppendUint32(v, uint32(f))
	}
	return was, txn.Set(unsettledKey, v)
}
