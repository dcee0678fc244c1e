package cdx

import (
	"encoding/binary"
	"errors"
	"slices"
)

// A text is stored once for all captures that have it, so taking a file out leaves open whether its texts
// go too. purge notes them down, sweep settles it. Whoever reads meanwhile is not misled: a text
// without captures is found nowhere by [Index.WhereText].

// doubt notes that a capture with the text that the key of a place names is gone.
func doubt(b Batch, coll string, place []byte) error {
	name, _, _, ok := splitTail(place, len(coll))
	if !ok || len(name) != 8 {
		return nil
	}
	return b.Set(append(collKey(doubtPrefix, coll), name...), nil)
}

// sweep deletes the noted texts that no capture has any more. While a Writer is at work it leaves them
// for the next time: that Writer may be about to add a capture with one of them.
func (x *Index) sweep() error {
	if !x.writers.TryLock() {
		return nil
	}
	defer x.writers.Unlock()
	b := x.store.Batch()
	defer b.Cancel()
	err := x.store.View(func(snap Snapshot) error {
		c := snap.Cursor([]byte{doubtPrefix}, false)
		defer c.Close()
		for c.Seek([]byte{doubtPrefix}); c.Valid(); c.Next() {
			if err := x.sweepText(snap, b, slices.Clone(c.Key())); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, b.Flush())
}

// sweepText settles the text that the key of a doubt names.
func (x *Index) sweepText(snap Snapshot, b Batch, doubt []byte) error {
	coll, id := splitColl(doubt), binary.BigEndian.Uint64(doubt[len(doubt)-8:])
	if err := b.Delete(doubt); err != nil || has(snap, whereKey(coll, id)) {
		return err
	}
	var bands []uint32
	err := snap.Get(textKey(id), func(v []byte) (err error) { bands, _, err = splitText(v); return err })
	if err != nil {
		if errors.Is(err, ErrNoKey) {
			err = nil
		}
		return err
	}
	for i, hash := range bands {
		if err := b.Delete(bandKey(coll, i, hash, id)); err != nil {
			return err
		}
	}
	for _, other := range x.collections() {
		if has(snap, whereKey(other, id)) {
			return nil
		}
	}
	return b.Delete(textKey(id))
}

// collections returns the names of the collections that have a file, finished or not.
func (x *Index) collections() []string {
	var out []string
	for f := range x.files.Load().all() {
		if !slices.Contains(out, f.Collection) {
			out = append(out, f.Collection)
		}
	}
	return out
}

// has reports whether there is a key that begins with prefix.
func has(snap Snapshot, prefix []byte) bool {
	c := snap.Cursor(prefix, false)
	defer c.Close()
	c.Seek(prefix)
	return c.Valid()
}
