// Package local keeps the frontier of a crawl by one process in a store of its own.
package local

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/crawl/frontier"
	"github.com/varve-archive/varve/live/manners"
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
	store store.Store
	order frontier.Order
	hosts *manners.Hosts

	mu        sync.Mutex // writes come one after the other
	state     state
	flying    map[string]flown // what is handed out, by key
	places    map[string]bool  // of these, when they were
	pages     int64            // pages of these
	last      string           // the host that was handed out last
	unsettled []string         // keys of answers by this process whose file may not be on the disk
}

var _ frontier.Frontier = (*Frontier)(nil)

// A flown item is handed out.
type flown struct {
	kind  frontier.Kind
	place string // in the queue
}

// state is what the store keeps in one place.
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
func Open(ctx context.Context, s store.Store, cfg frontier.Config) (*Frontier, error) {
	f := &Frontier{store: s, order: cfg.Order, hosts: manners.New(cfg.Manners), flying: map[string]flown{}, places: map[string]bool{}}
	err := s.View(ctx, func(at store.Snapshot) error {
		return at.Get(stateKey, func(v []byte) error { return json.Unmarshal(v, &f.state) })
	})
	if err != nil && !errors.Is(err, store.ErrNoKey) {
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

// State implements [frontier.Frontier].
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
		for k, v := range *m {
			copied[k] = v
		}
		*m = copied
	}
	return t
}

// Join implements [frontier.Frontier]. What processes share says nothing here: there is one.
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
	return f.update(ctx, func(_ store.Txn, at *state) error {
		at.Fixed = s.Fixed
		return nil
	})
}

// chunk is how many items are written at once.
const chunk = 500

// Begin implements [frontier.Frontier].
func (f *Frontier) Begin(ctx context.Context, seeds []frontier.Item, now time.Time) error {
	return f.found(ctx, frontier.Found{Items: seeds}, func(s *state) {
		if s.Begun.IsZero() {
			s.Begun = now
		}
	})
}

// Found implements [frontier.Frontier].
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
		if err := f.update(ctx, func(tx store.Txn, s *state) error { return f.queue(tx, s, part) }); err != nil {
			return err
		}
		found.Items, found.Skipped = found.Items[items:], found.Skipped[skips:]
	}
	return f.update(ctx, func(tx store.Txn, s *state) error {
		last(s)
		return f.queue(tx, s, found)
	})
}

// update changes the store and the state together, or neither.
func (f *Frontier) update(ctx context.Context, change func(store.Txn, *state) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var next state
	err := f.store.Update(ctx, func(tx store.Txn) error {
		next = f.state
		next.Totals = clone(f.state.Totals)
		next.Widens = append([]string(nil), f.state.Widens...)
		if err := change(tx, &next); err != nil {
			return err
		}
		v, err := json.Marshal(next)
		if err != nil {
			return err
		}
		return tx.Set(stateKey, v)
	})
	if err != nil {
		return fmt.Errorf("frontier: %w", err)
	}
	f.state = next
	return nil
}

func (f *Frontier) queue(tx store.Txn, s *state, found frontier.Found) error {
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
		s.Totals.Docs++
	}
	return err
}

// noteSkip notes that an address is left out, and reports whether that is new.
func noteSkip(tx store.Txn, s frontier.Skip) (bool, error) {
	if !s.Now {
		return note(tx, key(known, s.Key), nil)
	}
	if _, err := tx.Get(key(known, s.Key)); !errors.Is(err, store.ErrNoKey) {
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

// enqueue puts an item behind the others of its host, unless its key is known.
func (f *Frontier) enqueue(tx store.Txn, s *state, item frontier.Item) error {
	place := f.place(item, s.Number)
	isNew, err := note(tx, key(known, item.Key), place)
	if err != nil || !isNew {
		return err
	}
	s.Number++
	s.Ended = ""
	v, err := json.Marshal(item)
	if err != nil {
		return err
	}
	return tx.Set(place, v)
}

// note sets a key, unless it is there, and reports whether it was not.
func note(tx store.Txn, k, v []byte) (bool, error) {
	if _, err := tx.Get(k); !errors.Is(err, store.ErrNoKey) {
		return false, err
	}
	return true, tx.Set(k, v)
}

func key(kind byte, rest string) []byte { return append([]byte{kind}, rest...) }

// hostPrefix is how the places of a host begin. No host has a NUL in it.
func hostPrefix(host string) []byte { return append(key(queued, host), 0) }

// place returns where an item stands in the queue: parts before pages, so that pages are whole soon, and last the pages that
// didn't answer.
func (f *Frontier) place(item frontier.Item, number uint64) []byte {
	at := hostPrefix(item.Host)
	class, depth := byte(1), uint32(item.Depth)
	switch {
	case item.Kind != frontier.Page:
		class = 0
	case item.Tries > 0:
		class = 2
	case f.order == frontier.Depth:
		depth, number = ^depth, ^number
	}
	at = append(at, class)
	at = binary.BigEndian.AppendUint32(at, depth)
	return binary.BigEndian.AppendUint64(at, number)
}

// Next implements [frontier.Frontier].
func (f *Frontier) Next(ctx context.Context, l frontier.Limits) (h frontier.Handed, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h = frontier.Handed{Held: len(f.flying), Limit: l.Reached(f.state.Totals), Widens: len(f.state.Widens)}
	if h.Limit == frontier.MaxDocs || h.Limit == frontier.MaxBytes {
		return h, nil
	}
	noPage := l.Pages > 0 && f.state.Totals.Pages+f.pages >= l.Pages
	now := time.Now()
	place, err := f.choose(ctx, &h, func(first frontier.Item) bool {
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
	f.flying[h.Item.Key] = flown{h.Item.Kind, place}
	f.places[place] = true
	if h.Item.Kind == frontier.Page {
		f.pages++
	}
	h.Held++
	f.last = h.Item.Host
	return h, nil
}

// choose finds the first host, in turn, whose first item is ready. ready takes a turn at the host if it returns true.
func (f *Frontier) choose(ctx context.Context, h *frontier.Handed, ready func(frontier.Item) bool) (place string, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		c := at.Cursor(store.Range{Prefix: []byte{queued}})
		defer c.Close()
		after := append(key(queued, f.last), 1)
		for pass := range 2 { // the hosts behind the last one, then those before
			if pass == 0 {
				c.Seek(after)
			} else {
				c.Seek([]byte{queued})
			}
			for !h.OK && c.Valid() && (pass == 0 || bytes.Compare(c.Key(), after) < 0) {
				if place, err = f.first(c, h, ready); err != nil {
					return err
				}
			}
		}
		return c.Err()
	})
	if err != nil {
		return "", fmt.Errorf("frontier: %w", err)
	}
	return place, nil
}

// first looks at the first item of the host at the cursor, and moves on to the next host.
func (f *Frontier) first(c store.Cursor, h *frontier.Handed, ready func(frontier.Item) bool) (place string, err error) {
	host, _, _ := bytes.Cut(bytes.Clone(c.Key()[1:]), []byte{0})
	prefix := hostPrefix(string(host))
	for c.Valid() && bytes.HasPrefix(c.Key(), prefix) {
		if f.places[string(c.Key())] {
			c.Next()
			continue
		}
		var found frontier.Item
		if err := c.Value(func(v []byte) error { return json.Unmarshal(v, &found) }); err != nil {
			return "", err
		}
		if _, flies := f.flying[found.Key]; flies { // it stands in another place already, for the next time
			c.Next()
			continue
		}
		if ready(found) {
			h.Item, h.OK = found, true
			return string(c.Key()), nil
		}
		break
	}
	prefix[len(prefix)-1] = 1
	c.Seek(prefix)
	return "", c.Err()
}

// Slow implements [frontier.Frontier].
func (f *Frontier) Slow(_ context.Context, item frontier.Item, delay time.Duration) error {
	f.hosts.Crawl(item.Host, delay)
	return nil
}

// Holds implements [frontier.Frontier]. No other process takes anything from this one.
func (f *Frontier) Holds(context.Context, frontier.Item) (bool, error) { return true, nil }

// Back implements [frontier.Frontier].
func (f *Frontier) Back(_ context.Context, item frontier.Item) error {
	item.Turn.Status = http.StatusOK // it says nothing about the host
	f.land(item)
	return nil
}

// land ends what handing out an item began.
func (f *Frontier) land(item frontier.Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, ok := f.flying[item.Key]
	if !ok {
		return
	}
	delete(f.flying, item.Key)
	delete(f.places, at.place)
	if at.kind == frontier.Page {
		f.pages--
	}
	f.hosts.Done(item.Host, time.Now(), item.Turn)
}

// Again implements [frontier.Frontier].
func (f *Frontier) Again(ctx context.Context, item frontier.Item) error {
	item.Tries++
	err := f.update(ctx, func(tx store.Txn, s *state) error {
		if err := f.unqueue(tx, item.Key); err != nil {
			return err
		}
		place := f.place(item, s.Number)
		s.Number++
		v, err := json.Marshal(item)
		if err != nil {
			return err
		}
		return errors.Join(tx.Set(place, v), tx.Set(key(known, item.Key), place))
	})
	f.land(item)
	return err
}

// unqueue takes what has a key out of the queue.
func (f *Frontier) unqueue(tx store.Txn, k string) error {
	place, err := tx.Get(key(known, k))
	if err != nil && !errors.Is(err, store.ErrNoKey) || len(place) == 0 {
		return err
	}
	return tx.Delete(place)
}

// Done implements [frontier.Frontier].
func (f *Frontier) Done(ctx context.Context, item frontier.Item, a frontier.Answer) (isNew bool, err error) {
	err = f.update(ctx, func(tx store.Txn, s *state) error {
		place, err := tx.Get(key(known, item.Key))
		if isNew = err == nil && len(place) > 0; !isNew {
			if errors.Is(err, store.ErrNoKey) {
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

// remember keeps what was written, until it is known to be on the disk, and its digest for good.
func (f *Frontier) remember(tx store.Txn, item frontier.Item, a frontier.Answer) error {
	if a.Status == 0 {
		return nil
	}
	v, err := json.Marshal(frontier.Written{Item: item, Answer: a})
	if err != nil {
		return err
	}
	if err := tx.Set(key(written, item.Key), v); err != nil || a.Digest == "" {
		return err
	}
	if v, err = json.Marshal(a.Seen); err != nil {
		return err
	}
	_, err = note(tx, key(payload, a.Digest), v)
	return err
}

// count adds what became of an item n times.
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
	switch {
	case item.Kind != frontier.Page:
		t.Parts += n
	case a.Status < 300 || a.Status > 399: // a redirect is on the way to a page
		t.Pages += n
	}
}

// Queued implements [frontier.Frontier].
func (f *Frontier) Queued(ctx context.Context, k string) (item frontier.Item, ok bool, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		var place []byte
		err := at.Get(key(known, k), func(v []byte) error { place = bytes.Clone(v); return nil })
		if err != nil || len(place) == 0 {
			return err
		}
		ok = true
		return at.Get(place, func(v []byte) error { return json.Unmarshal(v, &item) })
	})
	if errors.Is(err, store.ErrNoKey) {
		return frontier.Item{}, false, nil
	}
	return item, ok && err == nil, err
}

// Payload implements [frontier.Frontier].
func (f *Frontier) Payload(ctx context.Context, digest string) (seen frontier.Seen, ok bool, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		return at.Get(key(payload, digest), func(v []byte) error { return json.Unmarshal(v, &seen) })
	})
	if errors.Is(err, store.ErrNoKey) {
		return frontier.Seen{}, false, nil
	}
	return seen, err == nil, err
}

// Sync implements [frontier.Frontier].
func (f *Frontier) Sync(ctx context.Context, files func() error) error {
	f.mu.Lock()
	settled := f.unsettled // what is done while the files are synced may be in them or not
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

// settled drops answers that are.
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

// Unsettled implements [frontier.Frontier].
func (f *Frontier) Unsettled(ctx context.Context) (all []frontier.Written, err error) {
	f.mu.Lock()
	own := map[string]bool{}
	for _, k := range f.unsettled {
		own[k] = true
	}
	f.mu.Unlock()
	err = f.store.View(ctx, func(at store.Snapshot) error {
		c := at.Cursor(store.Range{Prefix: []byte{written}})
		defer c.Close()
		for c.Seek([]byte{written}); c.Valid(); c.Next() {
			if own[string(c.Key()[1:])] {
				continue
			}
			var w frontier.Written
			if err := c.Value(func(v []byte) error { return json.Unmarshal(v, &w) }); err != nil {
				return err
			}
			all = append(all, w)
		}
		return c.Err()
	})
	return all, err
}

// Settle implements [frontier.Frontier].
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

// lose queues an item again whose answer is lost, and forgets that its payload was written.
func (f *Frontier) lose(ctx context.Context, w frontier.Written) error {
	return f.update(ctx, func(tx store.Txn, s *state) error {
		k := key(known, w.Item.Key)
		if place, err := tx.Get(k); err != nil || len(place) > 0 { // it is queued, for whatever reason
			return errors.Join(err, tx.Delete(key(written, w.Item.Key)))
		}
		count(&s.Totals, w.Item, w.Answer, -1)
		if err := errors.Join(tx.Delete(k), tx.Delete(key(written, w.Item.Key))); err != nil {
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

// Repeated implements [frontier.Frontier]. There are no others.
func (f *Frontier) Repeated(context.Context) ([]string, error) { return nil, nil }

// Mended implements [frontier.Frontier].
func (f *Frontier) Mended(context.Context, []string, []string) error { return nil }

// Docs implements [frontier.Frontier].
func (f *Frontier) Docs(ctx context.Context, each func(doc []byte) error) error {
	return f.store.View(ctx, func(at store.Snapshot) error {
		c := at.Cursor(store.Range{Prefix: []byte{docs}})
		defer c.Close()
		for c.Seek([]byte{docs}); c.Valid(); c.Next() {
			if err := c.Value(each); err != nil {
				return err
			}
		}
		return c.Err()
	})
}

// End implements [frontier.Frontier].
func (f *Frontier) End(ctx context.Context, how string, ran time.Duration) error {
	return f.update(ctx, func(_ store.Txn, s *state) error {
		s.Ended = how
		s.Totals.Seconds += ran.Seconds()
		return nil
	})
}

// Restart implements [frontier.Frontier].
func (f *Frontier) Restart(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch := f.store.Batch(ctx)
	defer batch.Cancel()
	err := f.store.View(ctx, func(at store.Snapshot) error {
		c := at.Cursor(store.Range{KeysOnly: true})
		defer c.Close()
		for c.Seek([]byte{0}); c.Valid(); c.Next() {
			if c.Key()[0] == payload {
				continue
			}
			if err := batch.Delete(bytes.Clone(c.Key())); err != nil {
				return err
			}
		}
		return c.Err()
	})
	if err == nil {
		err = batch.Flush()
	}
	if err != nil {
		return fmt.Errorf("frontier: %w", err)
	}
	f.state = state{Totals: frontier.Totals{Skipped: map[string]int64{}, Traps: map[string]int64{}, Status: map[string]int64{}}}
	f.flying, f.places, f.pages, f.last, f.unsettled = map[string]flown{}, map[string]bool{}, 0, "", nil
	return nil
}
