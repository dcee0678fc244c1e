package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Touched says which URI-Rs of a collection may have other captures than in an earlier state of the index.
type Touched struct {
	Keys  []string // their SURTs, sorted
	All   bool     // any URI-R may: the index can't tell, or there are too many to list
	State string   // the present state, to be passed to the next call
}

// Touched compares the index with an earlier state; "" is no state. The effort grows with the captures of the files that have changed
// since. All is set after a file was removed, for a state of another index, and if there are more than most SURTs.
func (x *Index) Touched(ctx context.Context, coll, state string, most int) (t Touched, err error) {
	now := x.generation.Load() // the generation that readers see; the store may have later changes by other processes
	err = x.store.View(ctx, func(snap kv.Snapshot) error {
		t.State = stateOf(x.identity, now)
		since, ok := sinceState(state, x.identity)
		if !ok || since > now {
			t.All = true
			return nil
		}
		c := collector{snap: snap, coll: coll, most: most}
		if err := c.collect(since); err != nil {
			return err
		}
		t.Keys, t.All = c.sorted(), c.all
		return nil
	})
	return t, err
}

// Identity returns a random text that identifies this index: generations of another index mean nothing here.
func (x *Index) Identity() string { return x.identity }

func stateOf(identity string, generation uint64) string { return fmt.Sprint(identity, " ", generation) }

// sinceState returns the generation of a state; ok is false if the state is of another index.
func sinceState(state, identity string) (generation uint64, ok bool) {
	number, ok := strings.CutPrefix(state, identity+" ")
	if !ok {
		return 0, false
	}
	generation, err := strconv.ParseUint(number, 10, 64)
	return generation, err == nil
}

// A collector collects the SURTs of changed files.
type collector struct {
	snap kv.Snapshot
	coll string
	most int
	keys map[string]struct{}
	all  bool
}

// collect collects the SURTs of the changes in the journal after a generation.
func (c *collector) collect(since uint64) error {
	c.keys = map[string]struct{}{}
	cur := c.snap.Cursor(kv.Range{Prefix: []byte{journalPrefix}})
	defer cur.Close()
	for cur.Seek(journalKey(since + 1)); cur.Valid() && !c.all; cur.Next() {
		var e journalEntry
		if err := cur.Value(func(v []byte) (err error) { e, err = parseJournal(v); return err }); err != nil {
			return err
		}
		if err := c.file(&e, since); err != nil {
			return err
		}
	}
	return cur.Err()
}

// file collects the SURTs of a file's captures that have changed after a generation.
func (c *collector) file(e *journalEntry, since uint64) error {
	var f *File
	err := c.snap.Get(fileKey(e.file), func(v []byte) (err error) { f, err = decodeFile(v); return err })
	switch {
	case errors.Is(err, kv.ErrNoKey):
		c.all = true
		return nil
	case err != nil:
		return err
	case f.Collection != c.coll:
		return nil
	}
	cur := c.snap.Cursor(kv.Range{Prefix: listsOf(f.ID)})
	defer cur.Close()
	for cur.Seek(listKey(f.ID, e.from(since))); cur.Valid() && !c.all; cur.Next() {
		if err := cur.Value(c.take); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return cur.Err()
}

func (c *collector) take(list []byte) error {
	err := eachName(list, func(name []byte, _ TimeSpan) {
		if _, ok := c.keys[string(name)]; !ok { // most names repeat, and a lookup allocates no string
			c.keys[string(name)] = struct{}{}
		}
	})
	if len(c.keys) > c.most {
		c.all = true
	}
	return err
}

func (c *collector) sorted() []string {
	if c.all {
		return nil
	}
	return slices.Sorted(maps.Keys(c.keys))
}

// A journalEntry is the recent changes of a file. It is stored as the file's number and, for each change, its generation and the offset
// from which captures may differ.
type journalEntry struct {
	file    cdx.FileID
	changes []fileChange
}

type fileChange struct {
	generation uint64
	offset     int64
}

// rememberedChanges is the number of changes of a file that the journal keeps. For a reader that has seen none of them, the whole file
// counts as changed.
const rememberedChanges = 8

const errJournal = sentinel.Error("index: the journal of the file table is cut short")

func parseJournal(v []byte) (e journalEntry, err error) {
	if len(v) < 4 || len(v)%16 != 4 {
		return e, errJournal
	}
	e.file = cdx.FileID(binary.BigEndian.Uint32(v))
	for v = v[4:]; len(v) > 0; v = v[16:] {
		e.changes = append(e.changes, fileChange{binary.BigEndian.Uint64(v), int64(binary.BigEndian.Uint64(v[8:]))})
	}
	return e, nil
}

// add appends a change and drops the oldest if there are too many.
func (e *journalEntry) add(c fileChange) {
	e.changes = append(e.changes, c)
	e.changes = e.changes[max(0, len(e.changes)-rememberedChanges):]
}

func (e *journalEntry) pack() []byte {
	v := binary.BigEndian.AppendUint32(nil, uint32(e.file))
	for _, c := range e.changes {
		v = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(v, c.generation), uint64(c.offset))
	}
	return v
}

// from returns the lowest offset that has changed after a generation. It is 0 if an earlier change may have been dropped.
func (e *journalEntry) from(generation uint64) int64 {
	if len(e.changes) == 0 || len(e.changes) == rememberedChanges && e.changes[0].generation > generation {
		return 0
	}
	lowest := int64(-1)
	for _, c := range e.changes {
		if c.generation > generation && (lowest < 0 || c.offset < lowest) {
			lowest = c.offset
		}
	}
	return max(lowest, 0)
}
