package postgres

import (
	"bytes"
	"context"
	"slices"
	"sort"

	"github.com/varve-archive/varve/archive/index/kv"
)

// A prefetched has the announced reads of a snapshot ([kv.Snapshot]), and their results after the first was read. Only one goroutine may
// use it. The zero value has none.
type prefetched struct {
	keys   [][]byte
	ranges []kv.PrefetchRange

	fetched bool
	values  map[string][]byte // of the announced keys that exist
	pages   []*page           // by range
}

// wanted is a page to be fetched.
type wanted struct {
	*page
	Range    kv.Range
	From, To []byte // the bounds; To is nil if there is no end
	N        int    // rows
}

// getMany is [kv.Snapshot.GetMany] for announced keys. ok is false if some were not announced.
func (a *prefetched) getMany(ctx context.Context, src *snapshot, keys [][]byte, f func(i int, value []byte) error) (ok bool, err error) {
	if len(keys) == 0 {
		return true, ctx.Err()
	}
	for _, key := range keys {
		if !slices.ContainsFunc(a.keys, func(k []byte) bool { return bytes.Equal(k, key) }) {
			return false, nil
		}
	}
	if err := a.fetch(ctx, src); err != nil {
		return true, err
	}
	for i, key := range keys {
		if value, exists := a.values[string(key)]; exists {
			if err := f(i, value); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// seek finds the page of an announced range with the position that a cursor over r reaches by seeking key. Of several it takes the one
// that goes furthest. ok is false if there is none.
func (a *prefetched) seek(ctx context.Context, src *snapshot, r kv.Range, key []byte) (p *page, at int, ok bool, err error) {
	for i := range a.ranges {
		s := &a.ranges[i]
		leads := s.Reverse == r.Reverse && (r.KeysOnly || !s.KeysOnly) && bytes.Equal(s.Prefix, r.Prefix)
		if !leads || before(r.Reverse, key, s.From) {
			continue
		}
		if err := a.fetch(ctx, src); err != nil {
			return nil, 0, true, err
		}
		page := a.pages[i]
		first := page.at(r.Reverse, key)
		if left := page.Len() - first; !page.more || left > 0 && (!ok || left > p.Len()-at) {
			p, at, ok = page, first, true
		}
		if !page.more {
			break // nothing follows it
		}
	}
	return p, at, ok, nil
}

// before reports whether one key comes before another in a direction.
func before(reverse bool, one, other []byte) bool {
	if reverse {
		return bytes.Compare(one, other) > 0
	}
	return bytes.Compare(one, other) < 0
}

// at returns the first row that is not before a key.
func (p *page) at(reverse bool, key []byte) int {
	return sort.Search(p.Len(), func(i int) bool { return !before(reverse, p.key(i), key) })
}

// fetch fetches all announced reads, once. If it fails, the announcement is dropped.
func (a *prefetched) fetch(ctx context.Context, src *snapshot) error {
	if err := ctx.Err(); err != nil || a.fetched {
		return err
	}
	a.values, a.pages = make(map[string][]byte, len(a.keys)), make([]*page, len(a.ranges))
	var asked []wanted
	for i := range a.ranges {
		s := &a.ranges[i]
		a.pages[i] = new(page)
		from, to := boundsOf(s.Range, s.Prefix, kv.AfterPrefix(s.Prefix), s.From)
		if to == nil || bytes.Compare(from, to) < 0 {
			asked = append(asked, wanted{a.pages[i], s.Range, from, to, rowsOf(s.Range)})
		}
	}
	err := src.fetchTogether(a.keys, func(i int, value []byte) { a.values[string(a.keys[i])] = bytes.Clone(value) }, asked)
	if err != nil {
		*a = prefetched{}
		return err
	}
	for i := range asked {
		asked[i].more = asked[i].Len() >= asked[i].N
	}
	a.fetched = true
	return nil
}
