package index

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// The store has the file table. An Index keeps a snapshot of it in memory, which it updates after each of its own changes and, with
// [Index.Follow], after those of other processes. The store counts changes; that count is the generation. A journal names the file that was
// changed in each generation. It has each file once, under its last change, so the journal is never longer than the table, and reading what
// is new takes one short walk.

// A tableChange is a change of the file table in progress.
type tableChange struct {
	kv.Txn
	generation uint64 // of the change
	noted      bool   // the journal has an entry for this generation
	reach      reach
	lost       lostFacts
}

// change makes one change of what the index shows. The writes of f become visible together with the next generation, and affected cached
// entries become stale and affected facts invalid.
func (x *Index) change(ctx context.Context, reached *reach, f func(*tableChange) error) error {
	var lost lostFacts
	err := x.store.Update(ctx, func(txn kv.Txn) error {
		before, err := number(txn.Get(generationKey.key()))
		if err != nil {
			return err
		}
		c := &tableChange{Txn: txn, generation: before + 1, reach: *reached}
		if err := f(c); err != nil {
			return err
		}
		if err := c.markStale(); err != nil {
			return err
		}
		if err := c.voidFacts(); err != nil {
			return err
		}
		lost = c.lost
		return txn.Set(generationKey.key(), binary.BigEndian.AppendUint64(nil, c.generation))
	})
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the change was made even if nobody waits for it any more
	x.lost.note(lost)
	return x.catchUp(ctx)
}

// number decodes a value of 8 bytes; a missing key counts as 0.
func number(value []byte, err error) (uint64, error) {
	switch {
	case errors.Is(err, kv.ErrNoKey):
		return 0, nil
	case err != nil:
		return 0, err
	case len(value) != 8:
		return 0, errors.New("index: a number of the file table is cut short")
	}
	return binary.BigEndian.Uint64(value), nil
}

func (c *tableChange) get(id cdx.FileID) (*File, error) {
	value, err := c.Get(fileKey(id))
	if errors.Is(err, kv.ErrNoKey) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decodeFile(value)
}

// A storedFile is a file's entry as it is stored. JSON keeps only Unicode, so names that file systems hold in other encodings have their
// bytes beside.
type storedFile struct {
	*File
	PathBytes   []byte `json:"path_bytes,omitempty"`
	SourceBytes []byte `json:"source_bytes,omitempty"`
	NameBytes   []byte `json:"name_bytes,omitempty"`
}

// others returns the names, each with the place of its bytes.
func (s *storedFile) others() map[*string]*[]byte {
	return map[*string]*[]byte{&s.Path: &s.PathBytes, &s.Source: &s.SourceBytes, &s.Name: &s.NameBytes}
}

func encodeFile(f *File) ([]byte, error) {
	s := storedFile{File: f}
	for name, raw := range s.others() {
		if !utf8.ValidString(*name) {
			*raw = []byte(*name)
		}
	}
	return json.Marshal(s)
}

func decodeFile(value []byte) (*File, error) {
	s := storedFile{File: new(File)}
	if err := json.Unmarshal(value, &s); err != nil {
		return nil, fmt.Errorf("index: file table: %w", err)
	}
	for name, raw := range s.others() {
		if *raw != nil {
			*name = string(*raw)
		}
	}
	return s.File, nil
}

// newID assigns the ID of a new file. IDs are never reused.
func (c *tableChange) newID() (cdx.FileID, error) {
	last, err := number(c.Get(lastFileKey.key()))
	if err != nil {
		return 0, err
	}
	return cdx.FileID(last + 1), c.Set(lastFileKey.key(), binary.BigEndian.AppendUint64(nil, last+1))
}

// put stores f under its ID.
func (c *tableChange) put(f File) error {
	return c.store(f, func(before *File) int64 { return firstChange(before, &f) })
}

// store stores f and notes the offset from which its captures have changed.
func (c *tableChange) store(f File, offset func(before *File) int64) error {
	if err := c.note(f.ID, offset); err != nil {
		return err
	}
	f.Changed = c.generation
	value, err := encodeFile(&f)
	if err != nil {
		return err
	}
	return c.Set(fileKey(f.ID), value)
}

func (c *tableChange) remove(id cdx.FileID) error {
	if err := c.note(id, func(*File) int64 { return 0 }); err != nil {
		return err
	}
	return c.Delete(fileKey(id))
}

// firstChange returns the offset from which the captures of a file differ before and after a change of its entry.
func firstChange(before, after *File) int64 {
	if before == nil || !before.Done || !after.Done || before.Imported || after.Imported {
		return 0
	}
	return min(before.Scanned, after.Scanned)
}

// touch notes that captures of a file have changed from an offset on.
func (c *tableChange) touch(id cdx.FileID, offset int64) error {
	f, err := c.get(id)
	if err != nil || f == nil {
		return err
	}
	return c.store(*f, func(*File) int64 { return offset })
}

// note moves a file to the end of the journal. offset returns the offset from which its captures have changed, given its previous entry,
// nil if it is new.
func (c *tableChange) note(id cdx.FileID, offset func(before *File) int64) error {
	before, err := c.get(id)
	if err != nil {
		return err
	}
	if c.noted { // the journal has one file per generation
		c.generation++
	}
	c.noted = true
	entry := journalEntry{file: id}
	if before != nil && before.Changed != 0 {
		value, err := c.Get(journalKey(before.Changed))
		if ignoreNoKey(err) != nil {
			return err
		}
		if err == nil {
			if entry, err = parseJournal(value); err != nil {
				return err
			}
		}
		if err := c.Delete(journalKey(before.Changed)); err != nil {
			return err
		}
	}
	entry.add(fileChange{c.generation, offset(before)})
	return c.Set(journalKey(c.generation), entry.pack())
}

// Follow keeps the index up to date with other processes that write to the same store, until ctx ends. If no other process can, it returns
// at once.
func (x *Index) Follow(ctx context.Context) error {
	shared, ok := x.store.(kv.Shared)
	if !ok {
		return nil
	}
	return shared.Watch(ctx, generationKey.key(), func() error { return x.catchUp(ctx) })
}

// catchUp updates the snapshot of the file table from the store.
func (x *Index) catchUp(ctx context.Context) error {
	x.catching.Lock()
	defer x.catching.Unlock()
	files, since := x.files.Load(), x.generation.Load()
	err := x.store.View(ctx, func(snap kv.Snapshot) (err error) {
		before := since
		err = snap.Get(generationKey.key(), func(v []byte) (err error) { since, err = number(v, nil); return err })
		if err != nil || since == before {
			return ignoreNoKey(err)
		}
		files, err = changedSince(snap, files, before)
		return err
	})
	if err != nil {
		return err
	}
	x.files.Store(files)
	x.generation.Store(since)
	return nil
}

func ignoreNoKey(err error) error {
	if errors.Is(err, kv.ErrNoKey) {
		return nil
	}
	return err
}

// changedSince returns the file table with the changes that the journal has after a generation.
func changedSince(snap kv.Snapshot, files *fileSet, generation uint64) (*fileSet, error) {
	var ids []cdx.FileID
	err := kv.Each(snap, kv.Range{Prefix: []byte{journalPrefix}}, journalKey(generation+1), func(cur kv.Cursor) error {
		return cur.Value(func(v []byte) error {
			e, err := parseJournal(v)
			ids = append(ids, e.file)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = fileKey(id)
		files = files.change(id, nil)
	}
	err = snap.GetMany(keys, func(_ int, v []byte) error {
		f, err := decodeFile(v)
		if err == nil {
			files = files.change(f.ID, f)
		}
		return err
	})
	return files, err
}

// loadFiles reads the whole file table and the store's identity.
func (x *Index) loadFiles(ctx context.Context) error {
	set, generation := new(fileSet), uint64(0)
	err := x.store.View(ctx, func(snap kv.Snapshot) error {
		err := snap.Get(generationKey.key(), func(v []byte) (err error) { generation, err = number(v, nil); return err })
		if ignoreNoKey(err) != nil {
			return err
		}
		err = snap.Get(identityKey.key(), func(v []byte) error { x.identity = string(v); return nil })
		if ignoreNoKey(err) != nil {
			return err
		}
		set, err = allFiles(snap)
		return err
	})
	x.files.Store(set)
	x.generation.Store(generation)
	return err
}

func allFiles(snap kv.Snapshot) (*fileSet, error) {
	set := new(fileSet)
	prefix := []byte{filePrefix}
	err := kv.Each(snap, kv.Range{Prefix: prefix}, prefix, func(cur kv.Cursor) error {
		return cur.Value(func(v []byte) error {
			f, err := decodeFile(v)
			if err == nil {
				set = set.change(f.ID, f)
			}
			return err
		})
	})
	return set, err
}
