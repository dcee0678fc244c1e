package local

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
)

// chunk is how many items are written at once.
const chunk = 500

func (f *Frontier) Begin(ctx context.Context, seeds []frontier.Item, now time.Time) error {
	return f.found(ctx, frontier.Found{Items: seeds}, func(s *state) {
		if s.Begun.IsZero() {
			s.Begun = now
		}
	})
}

func (f *Frontier) Found(ctx context.Context, found frontier.Found) error {
	return f.found(ctx, found, func(s *state) {
		if found.Widen != "" && !slices.Contains(s.Widens, found.Widen) {
			s.Widens = append(s.Widens, found.Widen)
		}
	})
}

func (f *Frontier) found(ctx context.Context, found frontier.Found, last func(*state)) error {
	for len(found.Items) > chunk || len(found.Skipped) > chunk {
		items, skips := min(chunk, len(found.Items)), min(chunk, len(found.Skipped))
		part := frontier.Found{Items: found.Items[:items], Skipped: found.Skipped[:skips]}
		if err := f.update(ctx, func(tx kv.Txn, s *state) error { return f.queue(tx, s, part) }); err != nil {
			return err
		}
		found.Items, found.Skipped = found.Items[items:], found.Skipped[skips:]
	}
	return f.update(ctx, func(tx kv.Txn, s *state) error {
		last(s)
		return f.queue(tx, s, found)
	})
}

// update changes the store and the state in one transaction.
func (f *Frontier) update(ctx context.Context, change func(kv.Txn, *state) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var next state
	err := f.store.Update(ctx, func(tx kv.Txn) error {
		next = f.state
		next.Totals = clone(f.state.Totals)
		next.Widens = append([]string(nil), f.state.Widens...)
		if err := change(tx, &next); err != nil {
			return err
		}
		return kv.SetJSON(tx, stateKey, next)
	})
	if err != nil {
		return fmt.Errorf("frontier: %w", err)
	}
	f.state = next
	return nil
}

func (f *Frontier) queue(tx kv.Txn, s *state, found frontier.Found) error {
	for _, item := range found.Items {
		if err := f.enqueue(tx, s, item); err != nil {
			return err
		}
	}
	for _, skip := range found.Skipped {
		isNew, err := noteSkip(tx, skip)
		if err != nil {
			return err
		}
		if isNew {
			countSkip(&s.Totals, skip, 1)
		}
	}
	if found.Doc == nil {
		return nil
	}
	isNew, err := note(tx, key(docs, found.DocKey), found.Doc)
	if isNew {
		s.Totals.Docs += int64(found.Docs)
	}
	return err
}

// noteSkip records a skipped address, and reports whether it is new.
func noteSkip(tx kv.Txn, s frontier.Skip) (bool, error) {
	if !s.Now {
		return note(tx, key(known, s.Key), nil)
	}
	if _, err := tx.Get(key(known, s.Key)); !errors.Is(err, kv.ErrNoKey) {
		return false, err
	}
	return note(tx, key(passed, s.Key), nil)
}

func countSkip(t *frontier.Totals, s frontier.Skip, n int64) {
	t.Skipped[s.Reason] += n
	if s.Reason == frontier.Trap {
		t.Traps[s.Trap] += n
	}
}

// enqueue adds an item to the end of its host's queue, unless its key is known.
func (f *Frontier) enqueue(tx kv.Txn, s *state, item frontier.Item) error {
	place := f.place(item, s.Number)
	isNew, err := note(tx, key(known, item.Key), place)
	if err != nil || !isNew {
		return err
	}
	s.Number++
	s.Ended = ""
	return kv.SetJSON(tx, place, item)
}

// note sets a key if it doesn't exist, and reports whether it did.
func note(tx kv.Txn, k, v []byte) (bool, error) {
	if _, err := tx.Get(k); !errors.Is(err, kv.ErrNoKey) {
		return false, err
	}
	return true, tx.Set(k, v)
}

func key(kind byte, rest string) []byte { return append([]byte{kind}, rest...) }

// hostPrefix is the prefix of the queue keys of a host. No host contains a NUL.
func hostPrefix(host string) []byte { return append(key(queued, host), 0) }

// place returns the queue key of an item: parts come before pages, so that pages are complete soon, and pages that didn't answer
// come last.
func (f *Frontier) place(item frontier.Item, number uint64) []byte {
	at := hostPrefix(item.Host)
	class, depth := byte(1), uint32(item.Depth)
	switch {
	case item.Kind != frontier.Page:
		class = 0
	case item.Tries > 0 || item.Late:
		class = 2
	case f.order == frontier.Depth:
		depth, number = ^depth, ^number
	}
	at = append(at, class)
	at = binary.BigEndian.AppendUint32(at, depth)
	return binary.BigEndian.AppendUint64(at, number)
}

func (f *Frontier) Next(ctx context.Context, l frontier.Limits) (h frontier.Assignment, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h = frontier.Assignment{Held: len(f.flying), Limit: l.Reached(f.state.Totals), Widens: len(f.state.Widens)}
	if h.Limit == frontier.MaxDocs || h.Limit == frontier.MaxBytes {
		return h, nil
	}
	noPage := l.Pages > 0 && f.state.Totals.Pages+f.pages >= l.Pages
	now := time.Now()
	err = f.choose(ctx, &h, func(first frontier.Item) bool {
		if first.Kind == frontier.Page && noPage {
			return false
		}
		ok, pause := f.hosts.Take(first.Host, now)
		if !ok {
			h.Waits = true
			if pause > 0 && (h.Wait == 0 || pause < h.Wait) {
				h.Wait = pause
			}
		}
		return ok
	})
	if err != nil || !h.OK {
		return h, err
	}
	f.flying[h.Item.Key] = leased{kind: h.Item.Kind}
	if h.Item.Kind == frontier.Page {
		f.pages++
	}
	h.Held++
	f.last = h.Item.Host
	return h, nil
}

// choose finds the next host, in turn, whose first item is ready. ready takes a turn at the host if it returns true.
func (f *Frontier) choose(ctx context.Context, h *frontier.Assignment, ready func(frontier.Item) bool) error {
	err := f.store.View(ctx, func(at kv.Snapshot) error {
		c := at.Cursor(kv.Range{Prefix: []byte{queued}})
		defer c.Close()
		after := append(key(queued, f.last), 1)
		for pass := range 2 { // the hosts after the last one, then those before it
			if pass == 0 {
				c.Seek(after)
			} else {
				c.Seek([]byte{queued})
			}
			for !h.OK && c.Valid() && (pass == 0 || bytes.Compare(c.Key(), after) < 0) {
				if err := f.first(c, h, ready); err != nil {
					return err
				}
			}
		}
		return c.Err()
	})
	if err != nil {
		return fmt.Errorf("frontier: %w", err)
	}
	return nil
}

// first checks the first item of the host at the cursor, and moves on to the next host.
func (f *Frontier) first(c kv.Cursor, h *frontier.Assignment, ready func(frontier.Item) bool) error {
	host, _, _ := bytes.Cut(bytes.Clone(c.Key()[1:]), []byte{0})
	prefix := hostPrefix(string(host))
	for c.Valid() && bytes.HasPrefix(c.Key(), prefix) {
		var found frontier.Item
		if err := c.Value(func(v []byte) error { return json.Unmarshal(v, &found) }); err != nil {
			return err
		}
		if _, flies := f.flying[found.Key]; flies {
			c.Next()
			continue
		}
		if ready(found) {
			h.Item, h.OK = found, true
			return nil
		}
		break
	}
	prefix[len(prefix)-1] = 1
	c.Seek(prefix)
	return c.Err()
}

func (f *Frontier) Slow(_ context.Context, item frontier.Item, delay time.Duration) error {
	f.hosts.Crawl(item.Host, delay)
	return nil
}

// Holds implements [frontier.Frontier]. No other process takes anything from this one.
func (f *Frontier) Holds(context.Context, frontier.Item) (bool, error) { return true, nil }

func (f *Frontier) Back(_ context.Context, item frontier.Item) error {
	item.Turn = politeness.Answer{}
	f.land(item)
	return nil
}

// land ends the handing out of an item.
func (f *Frontier) land(item frontier.Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, ok := f.flying[item.Key]
	if !ok {
		return
	}
	delete(f.flying, item.Key)
	if at.kind == frontier.Page {
		f.pages--
	}
	if at.claimed {
		f.hosts.Rest(item.Host, time.Now(), item.Turn)
	} else {
		f.hosts.Done(item.Host, time.Now(), item.Turn)
	}
}

func (f *Frontier) Again(ctx context.Context, item frontier.Item) error {
	item.Tries++
	err := f.update(ctx, func(tx kv.Txn, s *state) error {
		if err := f.unqueue(tx, item.Key); err != nil {
			return err
		}
		place := f.place(item, s.Number)
		s.Number++
		return errors.Join(kv.SetJSON(tx, place, item), tx.Set(key(known, item.Key), place))
	})
	f.land(item)
	return err
}

// unqueue removes the item with a key from the queue.
func (f *Frontier) unqueue(tx kv.Txn, k string) error {
	place, err := tx.Get(key(known, k))
	if len(place) == 0 {
		return err
	}
	return tx.Delete(place)
}
