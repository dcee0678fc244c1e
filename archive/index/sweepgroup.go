package index

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
)

// maxGone bounds the texts that are removed from their groups at once. They have about as many bands as a Writer holds.
const maxGone = 1 << 12

// groups removes the suspect texts that no capture of their collection has from its groups, some at a time.
func (s sweeper) groups(ctx context.Context, snap kv.Snapshot) error {
	c := snap.Cursor(kv.Range{Prefix: []byte{sweepPrefix}, KeysOnly: true})
	defer c.Close()
	for c.Seek([]byte{sweepPrefix}); c.Valid(); {
		gone, err := nextGone(snap, c)
		if err != nil {
			return err
		}
		if err := s.removeFromGroups(ctx, gone); err != nil {
			return err
		}
	}
	return c.Err()
}

// nextGone continues through the suspects at c. It returns, by collection, the bands of the next texts that no capture has.
func nextGone(snap kv.Snapshot, c kv.Cursor) (gone map[string][]heldBand, err error) {
	gone = map[string][]heldBand{}
	for n := 0; c.Valid() && n < maxGone; c.Next() {
		coll, id := splitSuspect(c.Key())
		used, err := has(snap, whereKey(coll, id))
		if err != nil {
			return nil, err
		}
		if used {
			continue
		}
		n++
		if gone[coll], err = appendBands(gone[coll], snap, id); err != nil {
			return nil, err
		}
	}
	return gone, c.Err()
}

// appendBands appends the bands of a text, none if it has no sketch.
func appendBands(held []heldBand, snap kv.Snapshot, id uint64) ([]heldBand, error) {
	err := snap.Get(textKey(id), func(v []byte) error {
		bands, _, err := splitText(v)
		for i, hash := range bands {
			held = append(held, heldBand{hashIn(i, hash), id})
		}
		return err
	})
	if errors.Is(err, kv.ErrNoKey) {
		err = nil
	}
	return held, err
}

// removeFromGroups removes texts from their groups. It uses a new snapshot, which shows groups that earlier calls rewrote. All texts are
// removed together, since a group may contain several of them.
func (s sweeper) removeFromGroups(ctx context.Context, gone map[string][]heldBand) error {
	b := s.x.store.Batch(ctx)
	defer b.Cancel()
	err := s.x.store.View(ctx, func(now kv.Snapshot) error {
		for coll, held := range gone {
			if err := removeFromBands(now, b, coll, held); err != nil {
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

func removeFromBands(snap kv.Snapshot, b kv.Batch, coll string, gone []heldBand) error {
	cur := snap.Cursor(kv.Range{Prefix: collKey(bandPrefix, coll)})
	defer cur.Close()
	for gone = sortBands(gone); len(gone) > 0; {
		n := sameBand(gone)
		if err := removeFromBand(cur, b, coll, gone[:n]); err != nil {
			return err
		}
		gone = gone[n:]
	}
	return nil
}

// removeFromBand rewrites the groups of one band and hash.
func removeFromBand(cur kv.Cursor, b kv.Batch, coll string, gone []heldBand) error {
	at := gone[0].at
	band := bandKey(coll, at)
	isGone := func(id uint64) bool {
		_, found := slices.BinarySearchFunc(gone, heldBand{at, id}, heldBand.compare)
		return found
	}
	for cur.Seek(band); cur.Valid() && bytes.HasPrefix(cur.Key(), band); cur.Next() {
		texts, err := readGroup(nil, cur, band)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(texts, isGone) {
			continue
		}
		if err := replaceGroup(b, coll, at, slices.Clone(cur.Key()), slices.DeleteFunc(texts, isGone)); err != nil {
			return err
		}
	}
	return cur.Err()
}

// replaceGroup writes the rest of a group, if there is one, before it deletes the group. If that is interrupted, texts are in two groups
// rather than in none.
func replaceGroup(b kv.Batch, coll string, at bandHash, key []byte, left []uint64) error {
	if len(left) > 0 {
		if err := putGroup(b, coll, at, left); err != nil {
			return err
		}
	}
	return b.Delete(key)
}
