package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/crawl/frontier"
)

func (f *Frontier) Done(ctx context.Context, item frontier.Item, a frontier.Answer) (isNew bool, err error) {
	err = f.update(ctx, func(tx kv.Txn, s *state) error {
		place, err := tx.Get(key(known, item.Key))
		if isNew = len(place) > 0; !isNew {
			if errors.Is(err, kv.ErrNoKey) {
				err = nil
			}
			return err
		}
		count(&s.Totals, item, a, 1)
		if err := f.remember(tx, item, a); err != nil {
			return err
		}
		return errors.Join(tx.Delete(place), tx.Set(key(known, item.Key), nil))
	})
	f.land(item)
	if err == nil && isNew && a.Status != 0 {
		f.mu.Lock()
		f.unsettled = append(f.unsettled, item.Key)
		f.mu.Unlock()
	}
	return isNew, err
}

// remember stores a written answer until its file is known to be on disk, and its digest for good.
func (f *Frontier) remember(tx kv.Txn, item frontier.Item, a frontier.Answer) error {
	if a.Status == 0 {
		return nil
	}
	return errors.Join(kv.SetJSON(tx, key(written, item.Key), frontier.Written{Item: item, Answer: a}), seen(tx, a))
}

// seen stores where a payload was written.
func seen(tx kv.Txn, a frontier.Answer) error {
	if a.Digest == "" {
		return nil
	}
	v, err := json.Marshal(a.Seen)
	if err != nil {
		return err
	}
	_, err = note(tx, key(payload, a.Digest), v)
	return err
}

// count adds the outcome of an item n times.
func count(t *frontier.Totals, item frontier.Item, a frontier.Answer, n int64) {
	if a.Status == 0 {
		countSkip(t, a.Skip, n)
		return
	}
	status := strconv.Itoa(a.Status)
	if t.Status[status] += n; t.Status[status] == 0 {
		delete(t.Status, status)
	}
	t.Bytes += n * a.Bytes
	t.FailedSteps += n * int64(a.Failed)
	switch {
	case item.Kind != frontier.Page:
		t.Parts += n
	case a.Status < 300 || a.Status > 399: // a redirect isn't a page
		t.Pages += n
	}
}

func (f *Frontier) Sync(ctx context.Context, files func() error) error {
	f.mu.Lock()
	settled := f.unsettled // answers recorded during the sync may not be in the files
	f.unsettled = nil
	f.mu.Unlock()
	err := files()
	if err != nil {
		f.mu.Lock()
		f.unsettled = append(settled, f.unsettled...)
		f.mu.Unlock()
		return err
	}
	if err := f.settled(ctx, settled); err != nil {
		return err
	}
	return f.store.Sync(ctx)
}

// settled removes answers that are on disk.
func (f *Frontier) settled(ctx context.Context, keys []string) error {
	batch := f.store.Batch(ctx)
	defer batch.Cancel()
	for _, k := range keys {
		if err := batch.Delete(key(written, k)); err != nil {
			return fmt.Errorf("frontier: %w", err)
		}
	}
	return batch.Flush()
}

func (f *Frontier) Unsettled(ctx context.Context) (all []frontier.Written, err error) {
	f.mu.Lock()
	own := map[string]bool{}
	for _, k := range f.unsettled {
		own[k] = true
	}
	f.mu.Unlock()
	err = f.store.View(ctx, func(at kv.Snapshot) error {
		prefix := []byte{written}
		return kv.Each(at, kv.Range{Prefix: prefix}, prefix, func(c kv.Cursor) error {
			if own[string(c.Key()[1:])] {
				return nil
			}
			var w frontier.Written
			err := c.Value(func(v []byte) error { return json.Unmarshal(v, &w) })
			all = append(all, w)
			return err
		})
	})
	return all, err
}

func (f *Frontier) Settle(ctx context.Context, kept, lost []frontier.Written) error {
	for _, w := range lost {
		if err := f.lose(ctx, w); err != nil {
			return err
		}
	}
	keys := make([]string, len(kept))
	for i, w := range kept {
		keys[i] = w.Item.Key
	}
	return f.settled(ctx, keys)
}

// lose queues an item again whose answer is lost, and forgets its payload.
func (f *Frontier) lose(ctx context.Context, w frontier.Written) error {
	return f.update(ctx, func(tx kv.Txn, s *state) error {
		count(&s.Totals, w.Item, w.Answer, -1)
		if err := errors.Join(tx.Delete(key(known, w.Item.Key)), tx.Delete(key(written, w.Item.Key))); err != nil {
			return err
		}
		if w.Answer.Digest != "" {
			if err := tx.Delete(key(payload, w.Answer.Digest)); err != nil {
				return err
			}
		}
		return f.enqueue(tx, s, w.Item)
	})
}
