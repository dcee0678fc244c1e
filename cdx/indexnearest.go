package cdx

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"
)

// nearestScan is the number of captures of one key up to which a forward scan beats seeking to both sides.
const nearestScan = 64

// Nearest looks many keys up around one moment, in one snapshot and one ordered pass over the index:
// for each of keys that has captures it calls pick with the key's place in keys and its captures by
// distance from ts, as [Index.Closest] yields them. keys may come in any order and repeat themselves.
func (x *Index) Nearest(ctx context.Context, coll string, ts Timestamp, keys []string, pick func(i int, candidates iter.Seq2[*Capture, error])) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareStrings(keys[a], keys[b]) })
	return x.store.View(func(snap Snapshot) error {
		g := x.groups(snap, collKey(capturePrefix, coll), coll, false)
		defer g.cur.Close()
		var found []Capture
		for n, i := range order {
			if n == 0 || keys[i] != keys[order[n-1]] {
				var err error
				if found, err = g.all(ctx, coll, keys[i], found[:0]); err != nil {
					return err
				}
			}
			switch {
			case len(found) > nearestScan:
				pick(i, func(yield func(*Capture, error) bool) {
					if err := x.closest(ctx, snap, coll, keys[i], ts, yield); err != nil && err != errStop {
						yield(nil, err)
					}
				})
			case len(found) > 0:
				pick(i, ByDistance(found, ts))
			}
		}
		return nil
	})
}

// all appends the captures of key, but stops once there are more than nearestScan.
func (g *groupReader) all(ctx context.Context, coll, key string, found []Capture) ([]Capture, error) {
	g.cur.Seek(nameKey(capturePrefix, coll, key))
	for len(found) <= nearestScan {
		group, err := g.nextOf(ctx, key)
		if err != nil || len(group) == 0 {
			return found, err
		}
		found = append(found, group...)
	}
	return found, nil
}

// nextOf is next, ending where another key begins, which it leaves unread.
func (g *groupReader) nextOf(ctx context.Context, key string) ([]Capture, error) {
	g.used = 0
	for g.cur.Valid() {
		name, _, _, ok := splitTail(g.cur.Key(), g.collLen)
		if ok && string(name) != key {
			return nil, nil
		}
		return g.next(ctx)
	}
	return nil, nil
}

// ByDistance yields captures, which are in time order, by their distance from ts: nearest first, on a tie the earlier.
func ByDistance(captures []Capture, ts Timestamp) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		right, _ := slices.BinarySearchFunc(captures, ts, func(c Capture, ts Timestamp) int {
			if c.Time < ts {
				return -1
			}
			return 1
		})
		left := right
		for left > 0 || right < len(captures) {
			from, to := right, secondEnd(captures, right)
			if right == len(captures) || left > 0 && captures[left-1].Time.Distance(ts) <= captures[right].Time.Distance(ts) {
				from, to = secondStart(captures, left), left
				left = from
			} else {
				right = to
			}
			for i := from; i < to; i++ {
				if !yield(&captures[i], nil) {
					return
				}
			}
		}
	}
}

func secondEnd(c []Capture, i int) int {
	j := i
	for j < len(c) && c[j].Time == c[i].Time {
		j++
	}
	return j
}

func secondStart(c []Capture, end int) int {
	i := end - 1
	for i > 0 && c[i-1].Time == c[end-1].Time {
		i--
	}
	return i
}

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// at appends to c the visible captures of key at exactly ts.
func (x *Index) at(ctx context.Context, snap Snapshot, coll, key string, ts Timestamp) ([]Capture, error) {
	prefix := binary.BigEndian.AppendUint64(nameKey(capturePrefix, coll, key), uint64(ts))
	g := x.groups(snap, prefix, coll, false)
	defer g.cur.Close()
	g.cur.Seek(prefix)
	return g.next(ctx)
}
