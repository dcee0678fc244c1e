package index

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index/store"
)

// nearestScan is the number of captures of a key up to which reading all is faster than seeking to both sides of a
// datetime.
const nearestScan = 8

// Nearest looks up many keys around one datetime, in one snapshot and one ordered pass over the index. For each of keys
// that has captures it calls pick with the key's index in keys and its captures by distance from ts, as [Index.Closest]
// yields them. keys may be in any order and have duplicates. The captures are valid until pick returns.
func (x *Index) Nearest(ctx context.Context, coll string, ts cdx.Timestamp, keys []string, pick func(i int,
	candidates iter.Seq2[*cdx.Capture, error]),
) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	return x.view(ctx, func(snap view) error {
		n := snap.nearby(coll, collKey(capturePrefix, coll))
		defer n.close()
		for _, i := range order {
			if err := n.find(keys[i]); err != nil {
				return err
			}
			switch {
			case len(n.found) > nearestScan:
				pick(i, func(yield func(*cdx.Capture, error) bool) {
					if err := n.outwards(keys[i], ts, yield); err != nil && err != errStop {
						yield(nil, err)
					}
				})
			case len(n.found) > 0:
				pick(i, cdx.ByDistance(n.found, ts))
			}
		}
		return nil
	})
}

// A nearby walks outwards from a datetime, key after key, with two cursors.
type nearby struct {
	snap          view
	coll          string
	prefix        []byte // prefix of the cursors: a collection's or one key's
	after, before *groupReader
	key           string        // the key of found
	found         []cdx.Capture // all captures of key, or more than nearestScan of them
}

func (snap view) nearby(coll string, prefix []byte) *nearby {
	return &nearby{snap: snap, coll: coll, prefix: prefix, after: snap.groups(store.Range{Prefix: prefix}, coll)}
}

func (n *nearby) close() {
	n.after.cur.Close()
	if n.before != nil {
		n.before.cur.Close()
	}
}

// find fills found with the captures of key, but stops once there are more than nearestScan.
func (n *nearby) find(key string) error {
	if key == n.key && len(n.found) <= nearestScan {
		return nil
	}
	n.key, n.found = key, n.found[:0]
	n.after.cur.Seek(nameKey(capturePrefix, n.coll, key))
	for len(n.found) <= nearestScan {
		group, err := n.after.nextOf(key)
		if err != nil || len(group) == 0 {
			return err
		}
		n.found = append(n.found, group...)
	}
	return nil
}

// outwards merges two walks that lead away from ts in both directions.
func (n *nearby) outwards(key string, ts cdx.Timestamp, yield func(*cdx.Capture, error) bool) error {
	if n.before == nil {
		n.before = n.snap.groups(store.Range{Prefix: n.prefix, Reverse: true}, n.coll)
	}
	at := binary.BigEndian.AppendUint64(nameKey(capturePrefix, n.coll, key), uint64(ts))
	n.after.cur.Seek(at)
	n.before.cur.Seek(at) // keys at ts itself are longer, so they sort after it
	newer, err := n.after.nextOf(key)
	if err != nil {
		return err
	}
	older, err := n.before.nextOf(key)
	if err != nil {
		return err
	}
	for len(newer) > 0 || len(older) > 0 {
		side, reader := &newer, n.after
		if len(newer) == 0 || len(older) > 0 && older[0].Time.Distance(ts) <= newer[0].Time.Distance(ts) {
			side, reader = &older, n.before
		}
		for i := range *side {
			if !yield(&(*side)[i], nil) {
				return errStop
			}
		}
		if *side, err = reader.nextOf(key); err != nil {
			return err
		}
	}
	return nil
}

// nextOf is next, but stops before another key.
func (g *groupReader) nextOf(key string) ([]cdx.Capture, error) {
	g.used = 0
	if !g.cur.Valid() {
		return nil, g.cur.Err()
	}
	if name, _, _, ok := splitTail(g.cur.Key(), g.collLen); ok && string(name) != key {
		return nil, nil
	}
	group, err := g.next()
	if err != nil || len(group) > 0 && group[0].Key != key {
		return nil, err
	}
	return group, nil
}

// at returns the visible captures of key at exactly ts.
func (snap view) at(coll, key string, ts cdx.Timestamp) ([]cdx.Capture, error) {
	prefix := binary.BigEndian.AppendUint64(nameKey(capturePrefix, coll, key), uint64(ts))
	g := snap.groups(store.Range{Prefix: prefix}, coll)
	defer g.cur.Close()
	g.cur.Seek(prefix)
	return g.next()
}
