package frontier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/varve-archive/varve/cdx/index/store"
)

// Claim hands out an item that is being asked for already, by a browser: one that nobody knew, or one that waits in the queue, which is
// returned as it stands there. ok is false if it is done, left out, or handed out. As with [Frontier.Next], it stays in the queue until
// it is done.
func (f *Frontier) Claim(ctx context.Context, item Item) (claimed Item, ok bool, err error) {
	f.mu.Lock()
	place, knows, err := f.where(ctx, item.Key)
	if err != nil || knows && (len(place) == 0 || f.flying[string(place)]) {
		f.mu.Unlock()
		return Item{}, false, err
	}
	if knows {
		f.flying[string(place)] = true
	}
	f.mu.Unlock()
	if !knows {
		return f.claimNew(ctx, item)
	}
	claimed, ok, err = f.Queued(ctx, item.Key)
	if !ok {
		f.Back(Item{at: place})
	}
	return claimed, ok, err
}

// claimNew queues an item and hands it out at once, unless somebody was quicker.
func (f *Frontier) claimNew(ctx context.Context, item Item) (claimed Item, ok bool, err error) {
	err = f.update(ctx, func(tx store.Txn, s *state) error {
		place := f.place(item, s.Number)
		if ok, err = note(tx, key(known, item.Key), place); err != nil || !ok {
			return err
		}
		s.Number++
		v, err := json.Marshal(item)
		if err != nil {
			return err
		}
		item.at = place
		f.flying[string(place)] = true
		return tx.Set(place, v)
	})
	if err != nil {
		f.Back(item)
		return Item{}, false, err
	}
	return item, ok, nil
}

// where returns the place of a key in the queue, nil if it isn't there, and whether it is known at all.
func (f *Frontier) where(ctx context.Context, k string) (place []byte, knows bool, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		return at.Get(key(known, k), func(v []byte) error { place = bytes.Clone(v); return nil })
	})
	if errors.Is(err, store.ErrNoKey) {
		return nil, false, nil
	}
	return place, err == nil, err
}

// Knows reports whether a key is queued, done or left out.
func (f *Frontier) Knows(ctx context.Context, k string) (bool, error) {
	_, knows, err := f.where(ctx, k)
	return knows, err
}

// Count counts the answer to an item that never stood in the queue, since nobody could ask for it again, and makes its key known.
func (f *Frontier) Count(ctx context.Context, item Item, a Answer) error {
	return f.update(ctx, func(tx store.Txn, s *state) error {
		isNew, err := note(tx, key(known, item.Key), nil)
		if err != nil || !isNew {
			return err
		}
		return s.count(tx, item, a)
	})
}
