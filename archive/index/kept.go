package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// What was worked out from very many captures of a URI-R can be kept in the index, so that nobody has to read them all
// again. It is kept in parts by time, under a run that nothing else uses, and a head, which says which parts there are. The head
// counts: what has none is not there. A list names all that is kept, and each change of the file table puts in doubt what it
// reaches, heads and list in one transaction with the change itself. So whoever finds a head without doubt may rely on it. If other
// keys of the host alone have changed, a head is dated: it says what is right for all captures of its key, and may be told by what was
// known of the host a moment ago. The list has what the doubt is about: who looks at that alone may keep the rest.

// A KeptName says what is kept: something of a sort, worked out from the captures of a key.
type KeptName struct {
	Coll string `json:"coll"`
	Key  string `json:"key"`
	Sort byte   `json:"sort"`
	// Host says that it depends on the captures of all keys of the same host, those up to the same ")".
	Host bool `json:"host,omitempty"`
}

// A KeptPart is what is kept of the time from First on. Number tells it from others of that time.
type KeptPart struct {
	First  cdx.Timestamp
	Number uint32
	Value  []byte // less than 1 MiB, else it is not kept
}

// A TimeSpan is the time from From to To, both included.
type TimeSpan struct{ From, To cdx.Timestamp }

var anyTime = TimeSpan{0, math.MaxInt64}

// add extends the span to another.
func (s *TimeSpan) add(o TimeSpan) { s.From, s.To = min(s.From, o.From), max(s.To, o.To) }

// A Stale says what has changed since something was kept.
type Stale struct {
	Times []TimeSpan `json:"times,omitempty"` // between which captures of the key came, went or became others
	Site  bool       `json:"site,omitempty"`  // captures of other keys of the host did
}

// state is that of a head about which the doubt is.
func (d *Stale) state() byte {
	if len(d.Times) > 0 {
		return keptDoubted
	}
	return keptDated
}

// maxDoubts is how many spans of time are told apart.
const maxDoubts = 16

// about adds a span of time.
func (d *Stale) about(s TimeSpan) {
	d.Times = slices.DeleteFunc(d.Times, func(o TimeSpan) bool {
		if o.To < s.From || s.To < o.From {
			return false
		}
		s.add(o)
		return true
	})
	if d.Times = append(d.Times, s); len(d.Times) > maxDoubts {
		for _, o := range d.Times {
			s.add(o)
		}
		d.Times = []TimeSpan{s}
	}
}

const (
	maxKept     = 1_000    // names
	maxKeptList = 48 << 10 // bytes of their list: so it stays where stores keep small values, which leave nothing behind when they change
	maxKeptKey  = 500      // bytes
	maxKeptHead = 512 << 10
	maxKeptPart = 1<<20 - 1 // bytes of a value that every store takes
	maxDoubted  = 512 << 10 // bytes of heads that one change marks; a store takes a few megabytes at once
)

// ErrNotKept says that something can't be kept, or is not needed any more: the index has changed since it was read.
var ErrNotKept = errors.New("index: this can't be kept now")

// A keptEntry is something that is kept, and what is in doubt of it.
type keptEntry struct {
	KeptName
	Stale *Stale `json:"doubt,omitempty"`
}

// keptList is the list of what is kept, oldest first.
type keptList []keptEntry

func parseKept(v []byte, err error) (list keptList, _ error) {
	if errors.Is(err, kv.ErrNoKey) {
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

func (e *keptEntry) size() int {
	n := len(e.Coll) + len(e.Key) + len(`{"coll":"","key":"","sort":10,"host":true},`)
	if e.Stale != nil {
		n += len(`"doubt":{"times":[],"site":true},`) + len(e.Stale.Times)*len(`{"From":20200101000000,"To":20200101000000},`)
	}
	return n
}

// of returns the index of a name, whatever it depends on; -1 if it isn't in the list.
func (l keptList) of(name KeptName) int {
	return slices.IndexFunc(l, func(e keptEntry) bool { return e.Coll == name.Coll && e.Key == name.Key && e.Sort == name.Sort })
}

// put stores the list.
func (l keptList) put(txn kv.Txn) error {
	v, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return txn.Set(keptKey, v)
}

// Keep stores what was worked out at a generation, in the order of time, unless the index has changed since: then it returns
// [ErrNotKept]. It replaces what was kept under the name.
func (x *Index) Keep(ctx context.Context, name KeptName, generation uint64, head []byte, parts []KeptPart) error {
	before, err := x.headOf(ctx, name)
	if err != nil {
		return err
	}
	return x.keep(ctx, &keeping{name: name, generation: generation, run: newRun(), before: before, head: head, parts: parts})
}

// A Renewal takes the place of something that is kept but in doubt.
type Renewal struct {
	Head        []byte
	Parts, Gone []KeptPart // that come, and that go
	Dated       bool       // the doubt about the site is left
}

// Renew is [Index.Keep] for what is mostly as it was kept: it adds parts to those of k, and takes away others. Nobody else may have
// used the numbers of the new ones, so they are best random.
func (x *Index) Renew(ctx context.Context, name KeptName, generation uint64, k *Kept, r *Renewal) error {
	return x.keep(ctx, &keeping{
		name: name, generation: generation, run: k.run, before: k.value, head: r.Head, parts: r.Parts, gone: r.Gone, dated: r.Dated,
	})
}

// Replace is [Index.Keep] in the place of k, which is dated. Until then k was shown, so this is a change of what the index shows, with a
// generation of its own. It is kept, as dated, although the index has changed since, unless captures of its key have: what takes long to
// work out would never be kept in an index that changes all the time.
func (x *Index) Replace(ctx context.Context, name KeptName, generation uint64, k *Kept, head []byte, parts []KeptPart) error {
	if len(k.value) <= runLen || k.value[runLen] != keptDated {
		return ErrNotKept
	}
	err := x.keep(ctx, &keeping{
		name: name, generation: generation, run: newRun(), before: k.value, head: head, parts: parts, replaces: true,
	})
	if err != nil {
		return err
	}
	return x.catchUp(context.WithoutCancel(ctx))
}

// A keeping is something that is about to be kept.
type keeping struct {
	name         KeptName
	generation   uint64
	run, before  []byte // before is the value of the head that it takes the place of
	head         []byte
	parts, gone  []KeptPart
	dated        bool // the site is in doubt
	replaces     bool // what is dated and was shown
	droppedOther []keptRun
}

func newRun() []byte { return binary.BigEndian.AppendUint64(nil, rand.Uint64()) }

func (x *Index) keep(ctx context.Context, k *keeping) error {
	tooLarge := func(p KeptPart) bool { return len(p.Value) > maxKeptPart }
	if len(k.name.Key) > maxKeptKey || len(k.head) > maxKeptHead || slices.ContainsFunc(k.parts, tooLarge) || x.Imported(k.name.Coll) {
		return ErrNotKept
	}
	if err := x.putParts(ctx, k.name, k.run, k.parts); err != nil {
		return errors.Join(err, x.dropParts(ctx, k.name, k.run, k.parts))
	}
	err := x.store.Update(ctx, func(txn kv.Txn) error { return k.write(txn) })
	ctx = context.WithoutCancel(ctx)
	switch {
	case errors.Is(err, ErrNotKept):
		return errors.Join(err, x.dropParts(ctx, k.name, k.run, k.parts))
	case err != nil:
		return err // whether the head was written is not known
	}
	return errors.Join(x.dropParts(ctx, k.name, k.run, k.gone), x.dropRuns(ctx, k.droppedOther))
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
	err = x.store.View(ctx, func(snap kv.Snapshot) error {
		return snap.Get(keptHeadKey(name), func(v []byte) error { head = bytes.Clone(v); return nil })
	})
	return head, ignoreNoKey(err)
}

func (x *Index) putParts(ctx context.Context, name KeptName, run []byte, parts []KeptPart) error {
	b := x.store.Batch(ctx)
	defer b.Cancel()
	for _, p := range parts {
		if err := b.Set(keptPartKey(name, run, p.First, p.Number), p.Value); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return x.store.Sync(ctx) // the head must not outlive its parts
}

// dropParts deletes parts to which no head leads any more.
func (x *Index) dropParts(ctx context.Context, name KeptName, run []byte, parts []KeptPart) error {
	b := x.store.Batch(ctx)
	defer b.Cancel()
	for _, p := range parts {
		if err := b.Delete(keptPartKey(name, run, p.First, p.Number)); err != nil {
			return err
		}
	}
	return b.Flush()
}

// write writes the head.
func (k *keeping) write(txn kv.Txn) error {
	k.droppedOther = nil
	now, err := k.check(txn)
	if err != nil {
		return err
	}
	entry, state := keptEntry{KeptName: k.name}, byte(keptSure)
	if k.dated || now != k.generation {
		entry.Stale, state = &Stale{Site: true}, keptDated
	}
	list, err := parseKept(txn.Get(keptKey))
	if err != nil {
		return err
	}
	if len(k.before) >= runLen && !bytes.Equal(k.before[:runLen], k.run) {
		k.droppedOther = append(k.droppedOther, keptRun{k.name, k.before[:runLen]})
	}
	if i := list.of(k.name); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	list = append(list, entry)
	for size := list.size(); len(list) > maxKept || size > maxKeptList; list = list[1:] {
		if k.droppedOther, err = dropHead(txn, list[0].KeptName, k.droppedOther); err != nil {
			return err
		}
		size -= list[0].size()
	}
	if err := list.put(txn); err != nil {
		return err
	}
	if k.replaces {
		if err := txn.Set(generationKey, binary.BigEndian.AppendUint64(nil, now+1)); err != nil {
			return err
		}
	}
	return txn.Set(keptHeadKey(k.name), slices.Concat(k.run, []byte{state}, k.head))
}

// check returns the generation of now, or [ErrNotKept] if the index has changed since what is kept was worked out, or changes now. What
// replaces something dated goes by its head: that is another one if captures of its key have changed.
func (k *keeping) check(txn kv.Txn) (now uint64, err error) {
	if now, err = unchanging(txn); err != nil {
		return 0, err
	}
	have, err := txn.Get(keptHeadKey(k.name))
	if ignoreNoKey(err) != nil {
		return 0, err
	}
	if now != k.generation && !k.replaces || !bytes.Equal(have, k.before) {
		return 0, ErrNotKept
	}
	return now, nil
}

// unchanging returns the generation of the index, or [ErrNotKept] while captures change that are shown.
func unchanging(txn kv.Txn) (generation uint64, err error) {
	if generation, err = number(txn.Get(generationKey)); err != nil {
		return 0, err
	}
	unsettled, err := unsettledFiles(txn)
	if err != nil {
		return 0, err
	}
	_, err = txn.Get(resolvedKey)
	if ignoreNoKey(err) != nil {
		return 0, err
	}
	if len(unsettled) > 0 || err == nil {
		return 0, ErrNotKept
	}
	return generation, nil
}

// The byte behind the run in the value of a head. Any other is of a program that kept otherwise.
const (
	keptSure    = 2
	keptDoubted = 3 // captures of the key have changed
	keptDated   = 4 // others of its host have
)

// shownStates are the states of heads that readers go by.
func shownStates() []byte { return []byte{keptSure, keptDated} }

// dropHead deletes the head of a name and appends its run.
func dropHead(txn kv.Txn, name KeptName, runs []keptRun) ([]keptRun, error) {
	head, err := txn.Get(keptHeadKey(name))
	if errors.Is(err, kv.ErrNoKey) {
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

// staleHead marks the head of a name as one in doubt, unless it is marked as worse, and reports whether there is one. It takes what it
// writes from room; for a head that doesn't fit in there is none.
func staleHead(txn kv.Txn, name KeptName, state byte, room *int) (bool, error) {
	head, err := txn.Get(keptHeadKey(name))
	switch {
	case errors.Is(err, kv.ErrNoKey):
		return false, nil
	case err != nil:
		return true, err
	case len(head) <= runLen || !slices.Contains([]byte{keptSure, keptDated, keptDoubted}, head[runLen]):
		return false, nil
	case head[runLen] == keptDoubted || head[runLen] == state:
		return true, nil
	case len(head) > *room:
		return false, nil
	}
	*room -= len(head)
	head = bytes.Clone(head)
	head[runLen] = state
	return true, txn.Set(keptHeadKey(name), head)
}

// A Kept is what was found under a name. Its parts can be read until the function that it was passed to returns.
type Kept struct {
	Head  []byte
	Dated bool // it was worked out before other captures of its host have changed
	name  KeptName
	run   []byte
	value []byte // of the head
	snap  kv.Snapshot
}

// Kept calls f with what is kept under a name, and reports whether there is anything. Host is of no account. What f gets is
// in accordance with all captures of its key that the index shows, at this moment, and with those of its host unless it is Dated.
func (x *Index) Kept(ctx context.Context, name KeptName, f func(*Kept) error) (found bool, err error) {
	return x.keptIn(ctx, name, shownStates(), f)
}

// Stale calls f with what is kept under a name but in doubt, and reports whether there is anything. Everything is as it was when
// it was kept, except for what the doubt is about. generation is that of the index. As long as this process doesn't know all files of that
// generation, there is nothing: it would not see their captures.
func (x *Index) Stale(ctx context.Context, name KeptName, f func(k *Kept, d *Stale, generation uint64) error) (found bool, err error) {
	known := false
	found, err = x.keptIn(ctx, name, []byte{keptDated, keptDoubted}, func(k *Kept) error {
		var list keptList
		var generation uint64
		err := k.snap.Get(keptKey, func(v []byte) (err error) { list, err = parseKept(v, nil); return err })
		if err == nil {
			err = k.snap.Get(generationKey, func(v []byte) (err error) { generation, err = number(v, nil); return err })
		}
		i := list.of(name)
		if known = err == nil && i >= 0 && list[i].Stale != nil && generation == x.generation.Load(); !known {
			return ignoreNoKey(err)
		}
		return f(k, list[i].Stale, generation)
	})
	return found && known, err
}

func (x *Index) keptIn(ctx context.Context, name KeptName, states []byte, f func(*Kept) error) (found bool, err error) {
	err = x.view(ctx, func(v view) error {
		k, err := v.kept(name, states)
		if err != nil || k == nil {
			return err
		}
		found = true
		return f(k)
	})
	return found && err == nil, err
}

// keptKeys returns the keys that tell what is kept under a name: two that say that nothing counts, and that of the head.
func keptKeys(name KeptName) [][]byte { return [][]byte{unsettledKey, resolvedKey, keptHeadKey(name)} }

// kept returns what is kept under a name in one of some states, nil if there is nothing.
func (snap view) kept(name KeptName, states []byte) (*Kept, error) {
	k := &Kept{name: name, snap: snap.Snapshot}
	unsettled := false
	err := snap.GetMany(keptKeys(name), func(i int, value []byte) error {
		switch {
		case i < 2:
			unsettled = true
		case len(value) > runLen && slices.Contains(states, value[runLen]):
			k.value = bytes.Clone(value)
			k.run, k.Head, k.Dated = k.value[:runLen], k.value[runLen+1:], value[runLen] == keptDated
		}
		return nil
	})
	if err != nil || unsettled || k.run == nil {
		return nil, err
	}
	return k, nil
}

// StaleNames returns the names of what is kept but in doubt.
func (x *Index) StaleNames(ctx context.Context) (names []KeptName, err error) {
	err = x.store.View(ctx, func(snap kv.Snapshot) error {
		var list keptList
		err := snap.Get(keptKey, func(v []byte) (err error) { list, err = parseKept(v, nil); return err })
		for _, e := range list {
			if e.Stale != nil {
				names = append(names, e.KeptName)
			}
		}
		return ignoreNoKey(err)
	})
	return names, err
}

// Parts calls f with the values of parts, in their order. They are valid until it returns. The error wraps [ErrNoPart] if one isn't
// there.
func (k *Kept) Parts(parts []KeptPart, f func(i int, value []byte) error) error {
	n := 0
	err := k.snap.GetMany(k.keys(parts), func(i int, value []byte) error { n++; return f(i, value) })
	if err == nil && n < len(parts) {
		err = fmt.Errorf("%w: %d of %d parts of %q are missing", ErrNoPart, len(parts)-n, len(parts), k.name.Key)
	}
	return err
}

func (k *Kept) keys(parts []KeptPart) [][]byte {
	keys := make([][]byte, len(parts))
	for i, p := range parts {
		keys[i] = keptPartKey(k.name, k.run, p.First, p.Number)
	}
	return keys
}

// KeptParts is [Kept.Parts] in the state in which the index is now.
func (x *Index) KeptParts(ctx context.Context, k *Kept, parts []KeptPart, f func(i int, value []byte) error) error {
	return x.Reopen(ctx, k, nil, func(now *Kept) error { return now.Parts(parts, f) })
}

// Reopen calls f with what was kept, whose parts are read in the state in which the index is now. They are as they were, or they are
// not there any more. An index on another machine reads those of ahead together.
func (x *Index) Reopen(ctx context.Context, k *Kept, ahead []KeptPart, f func(*Kept) error) error {
	return x.store.View(ctx, func(snap kv.Snapshot) error {
		snap.Ahead(k.keys(ahead), nil)
		now := *k
		now.snap = snap
		return f(&now)
	})
}

// ErrNoPart says that a part is not there.
var ErrNoPart = errors.New("index: what is kept lacks a part")

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
	err := x.store.View(ctx, func(snap kv.Snapshot) error {
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
func deleteAll(snap kv.Snapshot, b kv.Batch, prefix []byte) error {
	cur := snap.Cursor(kv.Range{Prefix: prefix, KeysOnly: true})
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
	stale  []*Stale           // nil where the change reaches nothing
	byKey  map[collName][]int // the indices of what depends on a key
	byHost map[collName][]int
	facts  factsReach
}

type collName struct{ coll, name string }

// reachOf returns the reach of a change. look calls see with the keys whose captures it changes; it is not called if nothing is
// kept.
func (x *Index) reachOf(ctx context.Context, look func(snap kv.Snapshot, r *reach) error) (*reach, error) {
	r := &reach{byKey: map[collName][]int{}, byHost: map[collName][]int{}, facts: factsReach{all: x.Shared(), hosts: map[HostName]bool{}}}
	err := x.store.View(ctx, func(snap kv.Snapshot) error {
		err := snap.GetMany([][]byte{keptKey, factsKey}, func(i int, v []byte) (err error) {
			if i == 0 {
				r.list, err = parseKept(v, nil)
			} else {
				r.facts.stamp, err = stampOf(v, nil)
			}
			return err
		})
		if err != nil || len(r.list) == 0 && r.facts.idle() {
			return err
		}
		r.stale = make([]*Stale, len(r.list))
		for i, n := range r.list {
			of := collName{n.Coll, n.Key}
			r.byKey[of] = append(r.byKey[of], i)
			if n.Host {
				of := collName{n.Coll, hostOf(n.Key)}
				r.byHost[of] = append(r.byHost[of], i)
			}
		}
		if err := look(snap, r); err != nil {
			return err
		}
		return r.facts.look(snap)
	})
	return r, err
}

// file looks at the captures of a file from an offset on.
func (r *reach) file(snap kv.Snapshot, coll string, id cdx.FileID, from int64) error {
	var unlisted uint64
	err := snap.Get(unlistedKey, func(v []byte) (err error) { unlisted, err = number(v, nil); return err })
	if ignoreNoKey(err) != nil {
		return err
	}
	if uint64(id) <= unlisted {
		r.all = true
		return nil
	}
	return eachListed(snap, id, from, func(key []byte, times TimeSpan) { r.see(coll, key, times) })
}

// see looks at captures of a key.
func (r *reach) see(coll string, key []byte, times TimeSpan) {
	r.facts.see(coll, key)
	if len(r.list) == 0 {
		return
	}
	for _, i := range r.byKey[collName{coll, string(key)}] {
		r.staleAt(i).about(times)
	}
	host, _, _ := bytes.Cut(key, []byte{')'})
	for _, i := range r.byHost[collName{coll, string(host)}] {
		r.staleAt(i).Site = true
	}
}

func (r *reach) staleAt(i int) *Stale {
	if r.stale[i] == nil {
		r.stale[i] = &Stale{}
	}
	return r.stale[i]
}

func hostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}

// of returns what the change makes doubtful of a name. drop says that all of it is: so is what was kept after the look, because
// it is not known.
func (r *reach) of(n KeptName) (d *Stale, drop bool) {
	i := slices.IndexFunc(r.list, func(e keptEntry) bool { return e.KeptName == n })
	if r.all || i < 0 {
		return nil, true
	}
	return r.stale[i], false
}

// markStale puts in doubt what the change reaches. What is dropped altogether it remembers.
func (c *tableChange) markStale() error {
	list, err := parseKept(c.Get(keptKey))
	if err != nil || len(list) == 0 {
		return err
	}
	var left keptList
	changed, room := false, maxDoubted
	for _, e := range list {
		d, drop := c.reach.of(e.KeptName)
		if d == nil && !drop {
			left = append(left, e)
			continue
		}
		changed = true
		if !drop {
			there, err := staleHead(c.Txn, e.KeptName, d.state(), &room)
			if err != nil {
				return err
			}
			if drop = !there; there {
				left = append(left, e.with(d))
			}
		}
		if drop {
			if c.dropped, err = dropHead(c.Txn, e.KeptName, c.dropped); err != nil {
				return err
			}
		}
	}
	if !changed {
		return nil
	}
	for size := left.size(); size > maxKeptList; left = left[1:] { // staleness takes room too
		if c.dropped, err = dropHead(c.Txn, left[0].KeptName, c.dropped); err != nil {
			return err
		}
		size -= left[0].size()
	}
	return left.put(c.Txn)
}

// with returns the entry with more doubt. It leaves the entry as it is.
func (e keptEntry) with(d *Stale) keptEntry {
	both := &Stale{Site: d.Site}
	if e.Stale != nil {
		both.Times, both.Site = slices.Clone(e.Stale.Times), both.Site || e.Stale.Site
	}
	for _, s := range d.Times {
		both.about(s)
	}
	e.Stale = both
	return e
}

// A touchedName is a key with captures that have changed, between two datetimes.
type touchedName struct {
	collName
	times TimeSpan
}

// touch adds a capture to names. Those of one key come together.
func touch(names []touchedName, coll string, name []byte, ts cdx.Timestamp) []touchedName {
	at := TimeSpan{ts, ts}
	if n := len(names); n > 0 && names[n-1].name == string(name) && names[n-1].coll == coll {
		names[n-1].times.add(at)
		return names
	}
	return append(names, touchedName{collName{coll, string(name)}, at})
}

// Unsettled files are those whose captures change while they are shown: they are written over or removed. Until they are
// settled nothing is kept, and what is kept doesn't count.

func unsettledFiles(txn kv.Txn) (files []cdx.FileID, err error) {
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
		return was, txn.Delete(unsettledKey)
	}
	var v []byte
	for _, f := range files {
		v = binary.BigEndian.AppendUint32(v, uint32(f))
	}
	return was, txn.Set(unsettledKey, v)
}
