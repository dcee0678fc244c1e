package follow

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
)

// A state is the state of all sources, in memory and in the store.
type state struct {
	cfg   Config
	set   *Settings
	store kv.Store
	log   *slog.Logger
	now   func() time.Time
	woken chan struct{} // wakes the loop after a change

	mu       sync.Mutex
	sources  []*source
	byURL    map[string]*source
	queue    []*visit // in order of discovery
	queued   map[string]bool
	resting  map[string]time.Time // hosts that must not be asked, and until when
	busy     map[string]int       // tasks at a host
	totals   totals
	failed   error
	problems int // sources that failed in this run
}

// A source is one that is followed. Its memory is guarded by mu of the state.
type source struct {
	set  Source
	kind string
	url  string
	busy bool
	fat  []feed.Document // delivered by hubs
	memory
}

func (f *state) load(ctx context.Context) error {
	if _, err := kv.GetJSON(ctx, f.store, key(keyTotals), &f.totals); err != nil {
		return err
	}
	for _, set := range f.set.Sources {
		kind, address := set.Kind()
		s := &source{set: set, kind: kind, url: address}
		if _, err := kv.GetJSON(ctx, f.store, addressKey(keySource, address), &s.memory); err != nil {
			return err
		}
		f.sources = append(f.sources, s)
		f.byURL[address] = s
		f.totals.Allowance.Needs(address, s.Rate.Need())
	}
	err := each(ctx, f.store, keyVisit, func(_, value []byte) error {
		var v visit
		if err := json.Unmarshal(value, &v); err != nil {
			return err
		}
		f.enqueue(&v)
		return nil
	})
	slices.SortStableFunc(f.queue, byFound)
	return err
}

func byFound(a, b *visit) int { return a.Found.Compare(b.Found) }

// enqueue queues a visit, unless it is queued. f.mu is held, or no goroutine runs yet.
func (f *state) enqueue(v *visit) {
	if !f.queued[string(v.Key)] {
		f.queued[string(v.Key)] = true
		f.queue = append(f.queue, v)
	}
}

func (f *state) put(ctx context.Context, key []byte, value any) error {
	return f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error { return kv.SetJSON(tx, key, value) })
}

// remember stores the state of a source, and the totals.
func (f *state) remember(ctx context.Context, s *source) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error {
		return errors.Join(kv.SetJSON(tx, addressKey(keySource, s.url), s.memory), kv.SetJSON(tx, key(keyTotals), f.totals))
	})
}

// fatal ends the run if the store or a file can't be written, because further captures would be lost.
func (f *state) fatal(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	return err
}

// byToken returns the source with a token, or nil. f.mu is held.
func (f *state) byToken(token string) *source {
	if token == "" {
		return nil
	}
	for _, s := range f.sources {
		if s.Push.Token == token {
			return s
		}
	}
	return nil
}

// soon makes a source due at the given time after its last poll. f.mu is held.
func (f *state) soon(s *source, after time.Duration) {
	at := later(s.Asked.Add(after), f.now())
	if at.Before(s.Next) {
		s.Next = at
	}
	f.wake()
}

func (f *state) wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

func (f *state) problem() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// rest suspends a host if an error says so.
func (f *state) rest(err error) (wait time.Duration, is bool) {
	var r *restError
	if !errors.As(err, &r) {
		return 0, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resting[r.host] = f.now().Add(r.wait)
	maps.DeleteFunc(f.resting, func(_ string, until time.Time) bool { return until.Before(f.now()) })
	return r.wait, true
}

// unqueue removes a visit from the queue in memory. No goroutine runs yet.
func (f *state) unqueue(v *visit) {
	f.queue = slices.DeleteFunc(f.queue, func(other *visit) bool { return other == v })
}

// back puts a visit back into the queue.
func (f *state) back(v *visit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, _ := slices.BinarySearchFunc(f.queue, v, byFound)
	f.queue = slices.Insert(f.queue, i, v)
}

// drop removes a visit from the store for good.
func (f *state) drop(ctx context.Context, v *visit) error {
	err := f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error { return tx.Delete(v.Key) })
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.queued, string(v.Key))
	return err
}

// countNews counts a page that was captured. f.mu is held.
func (f *state) countNews(got outcome) {
	if got == fresh {
		f.totals.New++
	} else if got == changed {
		f.totals.Changed++
	}
}
