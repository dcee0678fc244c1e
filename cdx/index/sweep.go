package index

import (
	"encoding/binary"
	"slices"

	"github.com/varve-archive/varve/cdx/index/store"
)

// A text is stored once for all captures that have it, so taking a file out leaves open whether its texts
// go too. purge notes them down, sweep settles it. Whoever reads meanwhile is not misled: a text
// without captures is found nowhere by [Index.WhereText].

// doubt notes that a capture with the text that the key of a place names is gone.
func doubt(b store.Batch, coll string, place []byte) error {
	name, _, _, ok := splitTail(place, len(coll))
	if !ok || len(name) != 8 {
		return nil
	}
	return b.Set(append(collKey(doubtPrefix, coll), name...), nil)
}

// splitDoubt returns the collection and the text that the key of a doubt names.
func splitDoubt(key []byte) (coll string, text uint64) {
	return splitColl(key), binary.BigEndian.Uint64(key[len(key)-8:])
}

// sweep deletes the noted texts that no capture has any more. While a Writer is at work it leaves them
// for the next time: that Writer may be about to add a capture with one of them.
//
// The groups come first and what leads to them last, so that a sweep which was cut short is made up for by the next one.
// Both go by what is gone in the same snapshot: another file may be removed meanwhile.
func (x *Index) sweep() error {
	if !x.writers.TryLock() {
		return nil
	}
	defer x.writers.Unlock()
	return x.store.View(func(snap store.Snapshot) error {
		if err := x.sweepGroups(snap); err != nil {
			return err
		}
		return x.sweepTexts(snap)
	})
}

func (x *Index) sweepTexts(snap store.Snapshot) error {
	b := x.store.Batch()
	defer b.Cancel()
	c := snap.Cursor([]byte{doubtPrefix}, false)
	defer c.Close()
	for c.Seek([]byte{doubtPrefix}); c.Valid(); c.Next() {
		if err := x.sweepText(snap, b, slices.Clone(c.Key())); err != nil {
			return err
		}
	}
	return b.Flush()
}

// sweepText settles the text that the key of a doubt names.
func (x *Index) sweepText(snap store.Snapshot, b store.Batch, doubt []byte) error {
	coll, id := splitDoubt(doubt)
	if err := b.Delete(doubt); err != nil || has(snap, whereKey(coll, id)) {
		return err
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
func has(snap store.Snapshot, prefix []byte) bool {
	c := snap.Cursor(prefix, false)
	defer c.Close()
	c.Seek(prefix)
	return c.Valid()
}
