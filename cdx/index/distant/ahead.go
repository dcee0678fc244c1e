package distant

import (
	"bytes"
	"context"
	"sort"

	"github.com/varve-archive/varve/cdx/index/store"
)

// An Ahead is what a snapshot was told that it will be asked ([store.Snapshot]), and the answers once the first of them was wanted.
// Like the snapshot it is for one goroutine. The zero Ahead was told nothing.
type Ahead struct {
	keys      [][]byte
	stretches []store.Stretch

	fetched bool
	values  map[string][]byte // of those keys that exist
	pages   []*Page           // of stretches
}

// A Together fetches in one round trip.
type Together interface {
	// FetchTogether calls give with the values of those of keys that exist, which it doesn't keep, and fills pages: each with the first
	// n rows of a range, as [Source.Fetch] does.
	FetchTogether(keys [][]byte, give func(i int, value []byte), pages []Asked) error
}

// Asked is a page that is asked for.
type Asked struct {
	*Page
	Range    store.Range
	From, To []byte // the bounds; To is nil if there is no end
	N        int    // rows
}

// Say replaces what was said before.
func (a *Ahead) Say(keys [][]byte, stretches []store.Stretch) {
	*a = Ahead{keys: keys, stretches: stretches}
}

// Values calls f for those of keys that exist, as [store.Snapshot.GetMany] does, if all of them were said ahead. Else ok is false.
func (a *Ahead) Values(ctx context.Context, src Together, keys [][]byte, f func(i int, value []byte) error) (ok bool, err error) {
	if len(keys) == 0 {
		return true, ctx.Err()
	}
	for _, key := range keys {
		if !a.said(key) {
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

func (a *Ahead) said(key []byte) bool {
	for _, k := range a.keys {
		if bytes.Equal(k, key) {
			return true
		}
	}
	return false
}

// seek returns the page that has what a cursor over r finds when it is sought to key, and where: the one that goes furthest. ok is false
// if none has it.
func (a *Ahead) seek(ctx context.Context, src Source, r store.Range, key []byte) (p *Page, at int, ok bool, err error) {
	for i := range a.stretches {
		s := &a.stretches[i]
		leads := s.Reverse == r.Reverse && (r.KeysOnly || !s.KeysOnly) && bytes.Equal(s.Prefix, r.Prefix)
		if !leads || before(r.Reverse, key, s.From) {
			continue
		}
		together, able := src.(Together)
		if !able {
			return nil, 0, false, nil
		}
		if err := a.fetch(ctx, together); err != nil {
			return nil, 0, true, err
		}
		page := a.pages[i]
		first := page.at(r.Reverse, key)
		if left := page.Len() - first; !page.more || left > 0 && (!ok || left > p.Len()-at) {
			p, at, ok = page, first, true
		}
		if !page.more {
			break // there is nothing behind it
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
func (p *Page) at(reverse bool, key []byte) int {
	return sort.Search(p.Len(), func(i int) bool { return !before(reverse, p.key(i), key) })
}

// fetch fetches all that was said, unless it has done so. After a failure nothing counts as said.
func (a *Ahead) fetch(ctx context.Context, src Together) error {
	if err := ctx.Err(); err != nil || a.fetched {
		return err
	}
	a.values, a.pages = make(map[string][]byte, len(a.keys)), make([]*Page, len(a.stretches))
	var asked []Asked
	for i := range a.stretches {
		s := &a.stretches[i]
		a.pages[i] = new(Page)
		from, to := boundsOf(s.Range, s.Prefix, Behind(s.Prefix), s.From)
		if to == nil || bytes.Compare(from, to) < 0 {
			asked = append(asked, Asked{a.pages[i], s.Range, from, to, rowsOf(s.Range)})
		}
	}
	err := src.FetchTogether(a.keys, func(i int, value []byte) { a.values[string(a.keys[i])] = bytes.Clone(value) }, asked)
	if err != nil {
		*a = Ahead{}
		return err
	}
	for i := range asked {
		asked[i].more = asked[i].Len() >= asked[i].N
	}
	a.fetched = true
	return nil
}
