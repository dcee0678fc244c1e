package index

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// nearestScan is the number of captures of a key up to which reading all is faster than seeking around a datetime.
const nearestScan = 8

// Nearest looks up many keys around one datetime, in one snapshot and one ordered pass over the index. For each of keys
// that has captures it calls pick with the key's index in keys and its captures by distance from ts, as [Index.Closest]
// yields them. keys may be in any order and have duplicates; pick is called in no particular order. The captures are valid until
// pick returns.
func (x *Index) Nearest(ctx context.Context, coll string, ts cdx.Timestamp, keys []string, pick func(i int,
	candidates iter.Seq2[*cdx.Capture, error]),
) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	return x.view(ctx, func(snap view) error {
		var many []int // keys with more captures; these are read around ts only
		walks := walksOf(coll, keys, order)
		g := snap.groups(kv.Range{Prefix: collKey(capturePrefix, coll), Walks: walks, Rows: nearestScan + 2}, coll)
		defer g.cur.Close()
		var found []cdx.Capture // captures of the previous key: all, or more than nearestScan
		for n, i := range order {
			if n == 0 || keys[i] != keys[order[n-1]] {
				found = found[:0]
				g.cur.Seek(walks[n].From)
				err := g.each(keys[i], func(c *cdx.Capture) bool { found = append(found, *c); return len(found) <= nearestScan })
				if err != nil {
					return err
				}
			}
			switch {
			case len(found) > nearestScan:
				many = append(many, i)
			case len(found) > 0:
				pick(i, cdx.ByDistance(found, ts))
			}
		}
		if len(many) == 0 {
			return nil
		}
		n := snap.nearby(coll, collKey(capturePrefix, coll), aroundEach(coll, keys, many, ts))
		defer n.close()
		var failed error // read errors, so that pick needn't handle them
		for _, i := range many {
			pick(i, func(yield func(*cdx.Capture, error) bool) {
				if err := n.outwards(keys[i], ts, yield); err != nil && err != errStop {
					failed = err
					yield(nil, err)
				}
			})
			if failed != nil {
				return failed
			}
		}
		return nil
	})
}

// around is how many captures on each side of a datetime are read at once.
const around = 4

// closestRows is how many rows on each side of a datetime are announced when the number needed is unknown.
const closestRows = 64

// bothSides returns the ranges that [nearby.outwards] reads first.
func bothSides(coll, key string, ts cdx.Timestamp) []kv.PrefetchRange {
	prefix := nameKey(capturePrefix, coll, key)
	up := kv.PrefetchRange{
		Range: kv.Range{Prefix: prefix, Rows: closestRows}, From: binary.BigEndian.AppendUint64(slices.Clone(prefix), uint64(ts)),
	}
	down := up
	down.Reverse = true
	return []kv.PrefetchRange{up, down}
}

// aroundEach returns, for each of some keys, the walks away from ts in both directions.
func aroundEach(coll string, keys []string, of []int, ts cdx.Timestamp) []kv.Walk {
	walks := make([]kv.Walk, len(of))
	for n, i := range of {
		prefix := nameKey(capturePrefix, coll, keys[i])
		walks[n] = kv.Walk{From: binary.BigEndian.AppendUint64(slices.Clone(prefix), uint64(ts)), Prefix: prefix}
	}
	return walks
}

// walksOf returns walks over all captures of each key, in the given order of keys.
func walksOf(coll string, keys []string, order []int) []kv.Walk {
	walks := make([]kv.Walk, len(order))
	for n, i := range order {
		prefix := nameKey(capturePrefix, coll, keys[i])
		walks[n] = kv.Walk{From: prefix, Prefix: prefix}
	}
	return walks
}

// Firsts calls f with the captures of each key, oldest first, in one snapshot. f reports whether it wants more of that key. most is roughly
// how many it wants, and so how many are read together. The captures are valid until f returns.
func (x *Index) Firsts(ctx context.Context, coll string, keys []string, most int, f func(i int, c *cdx.Capture) bool) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	walks := walksOf(coll, keys, order)
	return x.view(ctx, func(snap view) error {
		g := snap.groups(kv.Range{Prefix: collKey(capturePrefix, coll), Walks: walks, Rows: most + 1}, coll)
		defer g.cur.Close()
		for i, key := range keys {
			g.cur.Seek(walks[i].From)
			if err := g.each(key, func(c *cdx.Capture) bool { return f(i, c) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// each calls f with the captures of key from the cursor's position on, until f returns false.
func (g *groupReader) each(key string, f func(*cdx.Capture) bool) error {
	for {
		group, err := g.nextOf(key)
		if err != nil || len(group) == 0 {
			return err
		}
		for i := range group {
			if !f(&group[i]) {
				return nil
			}
		}
	}
}

// A nearby reads captures outwards from a datetime, key after key, with two cursors.
type nearby struct {
	coll          string
	after, before *groupReader
}

// nearby returns a nearby for the keys under a prefix. walks announces its walks, if they are known.
func (snap view) nearby(coll string, prefix []byte, walks []kv.Walk) *nearby {
	r := kv.Range{Prefix: prefix, Walks: walks}
	if walks != nil {
		r.Rows = around
	}
	back := r
	back.Reverse = true
	return &nearby{coll, snap.groups(r, coll), snap.groups(back, coll)}
}

func (n *nearby) close() {
	n.after.cur.Close()
	n.before.cur.Close()
}

// outwards merges the walks from ts into both directions.
func (n *nearby) outwards(key string, ts cdx.Timestamp, yield func(*cdx.Capture, error) bool) error {
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

// nextOf returns the next group if it belongs to key.
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
	g := snap.groups(kv.Range{Prefix: prefix}, coll)
	defer g.cur.Close()
	g.cur.Seek(prefix)
	return g.next()
}
