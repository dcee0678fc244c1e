// Package local keeps the frontier of a crawl by one process in a store of its own.
package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
)

// The keys of the store, by their first byte.
const (
	queued  = 'q' // host, 0, order → item
	known   = 's' // key → place in the queue, or nothing
	passed  = 'p' // key, of an address that was left out for now
	docs    = 'd' // key → document
	payload = 'h' // digest → where it was written
	written = 'w' // key → item and answer, until its file is known to be on the disk
	meta    = 'm' // totals, number
)

// A Frontier is the state of one crawl in a store. It implements [frontier.Frontier].
type Frontier struct {
	store kv.Store
	order frontier.Order
	hosts *politeness.Hosts

	mu        sync.Mutex // writes come one after the other
	state     state
	flying    map[string]leased // items that are handed out, by key
	pages     int64             // pages among them
	last      string            // the host that was handed out last
	unsettled []string          // keys of answers by this process whose file may not be on disk
}

// A leased item has been handed out.
type leased struct {
	kind frontier.Kind
	// claimed says that the item has no turn at its host.
	claimed bool
}

// state is the part of the state that is stored under one key.
type state struct {
	Totals frontier.Totals    `json:"totals"`
	Number uint64             `json:"number"` // of the next item
	Widens []string           `json:"widens"` // addresses that seeds were redirected to
	Begun  time.Time          `json:"begun"`  // when it was given seeds; zero if it has none
	Ended  string             `json:"ended"`  // how, "" if it goes on
	Fixed  []frontier.Setting `json:"fixed"`  // nil before the first process joins
}

var stateKey = []byte{meta}

// Open reads the state of a crawl.
func Open(ctx context.Context, s kv.Store, cfg frontier.Config) (*Frontier, error) {
	f := &Frontier{store: s, order: cfg.Order, hosts: politeness.New(cfg.Politeness), flying: map[string]leased{}}
	if _, err := kv.GetJSON(ctx, s, stateKey, &f.state); err != nil {
		return nil, fmt.Errorf("frontier: %w", err)
	}
	t := &f.state.Totals
	for _, m := range []*map[string]int64{&t.Skipped, &t.Traps, &t.Status} {
		if *m == nil {
			*m = map[string]int64{}
		}
	}
	return f, nil
}

// Close closes the store.
func (f *Frontier) Close() error { return f.store.Close() }

func (f *Frontier) State(context.Context) (frontier.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return frontier.State{
		Totals: clone(f.state.Totals), Begun: f.state.Begun, Ended: f.state.Ended, Widens: append([]string(nil), f.state.Widens...),
	}, nil
}

func clone(t frontier.Totals) frontier.Totals {
	for _, m := range []*map[string]int64{&t.Skipped, &t.Traps, &t.Status} {
		copied := make(map[string]int64, len(*m))
		maps.Copy(copied, *m)
		*m = copied
	}
	return t
}

// Join implements [frontier.Frontier]. It ignores shared settings, because there is only one process.
func (f *Frontier) Join(ctx context.Context, s frontier.Setup) error {
	f.mu.Lock()
	was := f.state.Fixed
	f.mu.Unlock()
	if err := frontier.Differs(was, s.Fixed); err != nil {
		return err
	}
	if was != nil {
		return nil
	}
	return f.update(ctx, func(_ kv.Txn, at *state) error {
		at.Fixed = s.Fixed
		return nil
	})
}

func (f *Frontier) Queued(ctx context.Context, k string) (item frontier.Item, ok bool, err error) {
	err = f.store.View(ctx, func(at kv.Snapshot) error {
		var place []byte
		err := at.Get(key(known, k), func(v []byte) error { place = bytes.Clone(v); return nil })
		if err != nil || len(place) == 0 {
			return err
		}
		ok = true
		return at.Get(place, func(v []byte) error { return json.Unmarshal(v, &item) })
	})
	if errors.Is(err, kv.ErrNoKey) {
		return frontier.Item{}, false, nil
	}
	return item, ok && err == nil, err
}

func (f *Frontier) Payload(ctx context.Context, digest string) (seen frontier.Seen, ok bool, err error) {
	ok, err = kv.GetJSON(ctx, f.store, key(payload, digest), &seen)
	return seen, ok, err
}

// Repeated implements [frontier.Frontier]. There are no other processes.
func (f *Frontier) Repeated(context.Context) ([]string, error) { return nil, nil }

func (f *Frontier) Mended(context.Context, []string, []string) error { return nil }

func (f *Frontier) Docs(ctx context.Context, each func(doc []byte) error) error {
	return f.store.View(ctx, func(at kv.Snapshot) error {
		prefix := []byte{docs}
		return kv.Each(at, kv.Range{Prefix: prefix}, prefix, func(c kv.Cursor) error { return c.Value(each) })
	})
}

func (f *Frontier) End(ctx context.Context, how string, ran time.Duration) error {
	return f.update(ctx, func(_ kv.Txn, s *state) error {
		s.Ended = how
		s.Totals.Seconds += ran.Seconds()
		return nil
	})
}

func (f *Frontier) Restart(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch := f.store.Batch(ctx)
	defer batch.Cancel()
	err := f.store.View(ctx, func(at kv.Snapshot) error {
		return kv.Each(at, kv.Range{KeysOnly: true}, []byte{0}, func(c kv.Cursor) error {
			if c.Key()[0] == payload {
				return nil
			}
			return batch.Delete(bytes.Clone(c.Key()))
		})
	})
	if err == nil {
		err = batch.Flush()
	}
	if err != nil {
		return fmt.Errorf("frontier: %w", err)
	}
	f.state = state{Totals: frontier.Totals{Skipped: map[string]int64{}, Traps: map[string]int64{}, Status: map[string]int64{}}}
	return nil
}
