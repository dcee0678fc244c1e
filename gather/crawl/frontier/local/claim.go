package local

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/crawl/frontier"
)

func (f *Frontier) Claim(ctx context.Context, item frontier.Item) (claimed frontier.Item, ok bool, err error) {
	if !f.reserve(item.Key) {
		return frontier.Item{}, false, nil
	}
	err = f.update(ctx, func(tx kv.Txn, s *state) error {
		claimed, ok = item, true
		place, err := tx.Get(key(known, item.Key))
		if errors.Is(err, kv.ErrNoKey) {
			return f.enqueue(tx, s, item)
		}
		if ok = len(place) > 0; !ok { // it is done or left out
			return err
		}
		v, err := tx.Get(place)
		if err != nil {
			return err
		}
		return json.Unmarshal(v, &claimed)
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || !ok {
		delete(f.flying, item.Key)
		return frontier.Item{}, false, err
	}
	f.flying[item.Key] = leased{kind: claimed.Kind, claimed: true}
	if claimed.Kind == frontier.Page {
		f.pages++
	}
	return claimed, true, nil
}

// reserve marks a key as handed out, unless it is already.
func (f *Frontier) reserve(k string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, flies := f.flying[k]; flies {
		return false
	}
	f.flying[k] = leased{claimed: true}
	return true
}

func (f *Frontier) Knows(ctx context.Context, k string) (bool, error) {
	err := f.store.View(ctx, func(at kv.Snapshot) error {
		return at.Get(key(known, k), func([]byte) error { return nil })
	})
	if errors.Is(err, kv.ErrNoKey) {
		return false, nil
	}
	return err == nil, err
}

func (f *Frontier) Count(ctx context.Context, item frontier.Item, a frontier.Answer) error {
	return f.update(ctx, func(tx kv.Txn, s *state) error {
		isNew, err := note(tx, key(known, item.Key), nil)
		if err != nil || !isNew {
			return err
		}
		count(&s.Totals, item, a, 1)
		return seen(tx, a)
	})
}
