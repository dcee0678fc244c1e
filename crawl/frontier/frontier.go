// Package frontier keeps what a crawl has to ask for, what it knows already, and what became of it, so that a crawl that is
// stopped at any moment goes on where it was.
//
// An address goes the same way always: it is found and queued ([Frontier.Found]), handed out ([Frontier.Next]), and, once its
// answer has been written, done ([Frontier.Done]). What is queued and not done when the process ends is handed out again;
// [Frontier.Queued] tells whether that is so of an address whose answer turns out to have been written.
package frontier

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/varve-archive/varve/cdx/index/store"
)

// A Kind says what an address is to a crawl.
type Kind string

// The kinds.
const (
	Page    Kind = "page"
	Part    Kind = "part"    // an image, a style sheet, a frame: of a page, wherever it is
	Sitemap Kind = "sitemap" // a list of pages
)

// An Item is an address that a crawl asks for.
type Item struct {
	Key   string `json:"key"` // the same for addresses that ask for the same
	URL   string `json:"url"`
	Host  string `json:"host"` // that is asked, with its port
	Kind  Kind   `json:"kind"`
	Seed  bool   `json:"seed,omitempty"`  // what the crawl begins with, or what that redirects to
	Depth int    `json:"depth,omitempty"` // jumps from a seed; of a part, those of its page
	Level int    `json:"level,omitempty"` // of a part: parts it is a part of, with itself
	Hops  int    `json:"hops,omitempty"`  // redirects that led to it
	Run   int    `json:"run,omitempty"`   // dated pages in a row that led to it
	Tries int    `json:"tries,omitempty"` // how often it was asked for without an answer
	Via   string `json:"via,omitempty"`   // the page that named it

	at []byte // its place in the queue
}

// A Skip is an address that a crawl leaves out.
type Skip struct {
	Key    string
	Reason string
	Trap   string // which sort, if the reason is a trap
	// Now says that the reason may not hold for another way to the address: it can be queued later.
	Now bool
}

// Trap is the reason of skips that have a [Skip.Trap].
const Trap = "trap"

// Totals are what became of a crawl so far.
type Totals struct {
	Pages   int64            `json:"pages"`
	Docs    int64            `json:"docs"`
	Parts   int64            `json:"parts"`
	Bytes   int64            `json:"bytes"`
	Skipped map[string]int64 `json:"skipped"`
	Traps   map[string]int64 `json:"traps,omitempty"`
	Status  map[string]int64 `json:"status"`
	// FailedSteps counts the steps of action chains that could not be performed.
	FailedSteps int64   `json:"failed_steps,omitempty"`
	Seconds     float64 `json:"seconds"`
}

// A Seen payload is one that was written.
type Seen struct {
	URI  string    `json:"uri"`
	Time time.Time `json:"time"`
	File string    `json:"file"` // its name
}

// Order says which pages of a host come first.
type Order string

// The orders.
const (
	Breadth Order = "breadth"
	Depth   Order = "depth"
)

// The keys of the store, by their first byte.
const (
	queued  = 'q' // host, 0, order → item
	known   = 's' // key → place in the queue, or nothing
	passed  = 'p' // key, of an address that was left out for now
	docs    = 'd' // key → document
	payload = 'h' // digest → where it was written
	meta    = 'm' // totals, number
)

// A Frontier is the state of one crawl in a store of its own. It is safe for concurrent use.
type Frontier struct {
	store store.Store
	order Order

	mu     sync.Mutex // writes come one after the other
	state  state
	flying map[string]bool // places in the queue that are handed out
	last   string          // the host that was handed out last
}

// state is what the store keeps in one place.
type state struct {
	Totals Totals    `json:"totals"`
	Number uint64    `json:"number"` // of the next item
	Widens []string  `json:"widens"` // addresses that seeds were redirected to
	Begun  time.Time `json:"begun"`  // when it was given seeds; zero if it has none
	Ended  string    `json:"ended"`  // how, "" if it goes on
}

var stateKey = []byte{meta}

// Open reads the state of a crawl.
func Open(ctx context.Context, s store.Store, order Order) (*Frontier, error) {
	f := &Frontier{store: s, order: order, flying: map[string]bool{}}
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

// Sync returns once everything would survive a loss of power.
func (f *Frontier) Sync(ctx context.Context) error { return f.store.Sync(ctx) }

// Begun returns when the crawl was given seeds; it is zero if it has none.
func (f *Frontier) Begun() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Begun
}

// Ended returns how the crawl ended, "" if it goes on.
func (f *Frontier) Ended() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Ended
}

// Widens returns the addresses that seeds were redirected to.
func (f *Frontier) Widens() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.state.Widens...)
}

// Totals returns what became of the crawl so far.
func (f *Frontier) Totals() Totals {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Totals.clone()
}

func (t Totals) clone() Totals {
	for _, m := range []*map[string]int64{&t.Skipped, &t.Traps, &t.Status} {
		copied := make(map[string]int64, len(*m))
		for k, v := range *m {
			copied[k] = v
		}
		*m = copied
	}
	return t
}

// Found is what an answer has brought.
type Found struct {
	Items   []Item // queued, unless their keys are known
	Skipped []Skip // counted, unless their keys are known
	Widen   string // an address that a seed was redirected to, or ""
	DocKey  string // of the page that Doc was read from
	Doc     []byte // may be nil
}

// chunk is how many items are written at once.
const chunk = 500

// Begin queues the seeds. Those that are known change nothing; with another one a crawl that has ended goes on.
func (f *Frontier) Begin(ctx context.Context, found Found, now time.Time) error {
	return f.found(ctx, found, func(s *state) {
		if s.Begun.IsZero() {
			s.Begun = now
		}
	})
}

// Found queues what an answer has brought. Doing so again changes nothing.
func (f *Frontier) Found(ctx context.Context, found Found) error {
	return f.found(ctx, found, func(s *state) {
		if found.Widen != "" {
			s.Widens = append(s.Widens, found.Widen)
		}
	})
}

func (f *Frontier) found(ctx context.Context, found Found, last func(*state)) error {
	for len(found.Items) > chunk || len(found.Skipped) > chunk {
		items, skips := min(chunk, len(found.Items)), min(chunk, len(found.Skipped))
		part := Found{Items: found.Items[:items], Skipped: found.Skipped[:skips]}
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
		next.Totals = f.state.Totals.clone()
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

func (f *Frontier) queue(tx store.Txn, s *state, found Found) error {
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
			s.Totals.skip(skip)
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
func noteSkip(tx store.Txn, s Skip) (bool, error) {
	if !s.Now {
		return note(tx, key(known, s.Key), nil)
	}
	if _, err := tx.Get(key(known, s.Key)); !errors.Is(err, store.ErrNoKey) {
		return false, err
	}
	return note(tx, key(passed, s.Key), nil)
}

func (t *Totals) skip(s Skip) {
	t.Skipped[s.Reason]++
	if s.Reason == Trap {
		t.Traps[s.Trap]++
	}
}

// enqueue puts an item behind the others of its host, unless its key is known.
func (f *Frontier) enqueue(tx store.Txn, s *state, item Item) error {
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
func (f *Frontier) place(item Item, number uint64) []byte {
	at := hostPrefix(item.Host)
	class, depth := byte(1), uint32(item.Depth)
	switch {
	case item.Kind != Page:
		class = 0
	case item.Tries > 0:
		class = 2
	case f.order == Depth:
		depth, number = ^depth, ^number
	}
	at = append(at, class)
	at = binary.BigEndian.AppendUint32(at, depth)
	return binary.BigEndian.AppendUint64(at, number)
}

// Next hands out an item of the first host, in turn, that may be asked. ready is called with the first item of each host; it
// takes a turn at the host if it returns true. flying is how many items are handed out then: an item may come back any time.
func (f *Frontier) Next(ctx context.Context, ready func(Item) bool) (item Item, ok bool, flying int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
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
			for !ok && c.Valid() && (pass == 0 || bytes.Compare(c.Key(), after) < 0) {
				if ok, err = f.first(c, &item, ready); err != nil {
					return err
				}
			}
		}
		return c.Err()
	})
	if err != nil || !ok {
		return Item{}, false, len(f.flying), err
	}
	f.flying[string(item.at)] = true
	f.last = item.Host
	return item, true, len(f.flying), nil
}

// first looks at the first item of the host at the cursor, and moves on to the next host.
func (f *Frontier) first(c store.Cursor, item *Item, ready func(Item) bool) (ok bool, err error) {
	host, _, _ := bytes.Cut(bytes.Clone(c.Key()[1:]), []byte{0})
	prefix := hostPrefix(string(host))
	for c.Valid() && bytes.HasPrefix(c.Key(), prefix) && f.flying[string(c.Key())] {
		c.Next()
	}
	if c.Valid() && bytes.HasPrefix(c.Key(), prefix) {
		found, err := read(c)
		if err != nil {
			return false, err
		}
		if ok = ready(found); ok {
			*item = found
			return true, nil
		}
	}
	prefix[len(prefix)-1] = 1
	c.Seek(prefix)
	return false, c.Err()
}

func read(c store.Cursor) (item Item, err error) {
	item.at = bytes.Clone(c.Key())
	err = c.Value(func(v []byte) error { return json.Unmarshal(v, &item) })
	return item, err
}

// Back takes an item back that was not asked for.
func (f *Frontier) Back(item Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.flying, string(item.at))
}

// Flying returns how many items are handed out, pages and others.
func (f *Frontier) Flying() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.flying)
}

// Again puts an item behind the others, to be asked for once more.
func (f *Frontier) Again(ctx context.Context, item Item) error {
	item.Tries++
	err := f.update(ctx, func(tx store.Txn, s *state) error {
		place := f.place(item, s.Number)
		s.Number++
		v, err := json.Marshal(item)
		if err != nil {
			return err
		}
		return errors.Join(tx.Delete(item.at), tx.Set(place, v), tx.Set(key(known, item.Key), place))
	})
	f.Back(item)
	return err
}

// Answer is what became of an item.
type Answer struct {
	Status int   // 0 if nothing was written
	Bytes  int64 // of the answer
	Skip   Skip  // why nothing was written; its key doesn't count
	Digest string
	Seen   Seen // of the digest, unless it is ""
	Failed int  // steps that could not be performed on the page
}

// Done takes an item out of the queue.
func (f *Frontier) Done(ctx context.Context, item Item, a Answer) error {
	err := f.update(ctx, func(tx store.Txn, s *state) error {
		return errors.Join(s.count(tx, item, a), tx.Delete(item.at), tx.Set(key(known, item.Key), nil))
	})
	f.Back(item)
	return err
}

// count counts an answer and remembers its payload.
func (s *state) count(tx store.Txn, item Item, a Answer) error {
	s.Totals.count(item, a)
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

func (t *Totals) count(item Item, a Answer) {
	if a.Status == 0 {
		t.skip(a.Skip)
		return
	}
	t.Status[fmt.Sprint(a.Status)]++
	t.Bytes += a.Bytes
	t.FailedSteps += int64(a.Failed)
	switch {
	case item.Kind != Page:
		t.Parts++
	case a.Status < 300 || a.Status > 399: // a redirect is on the way to a page
		t.Pages++
	}
}

// Queued returns the item with a key, if it is in the queue.
func (f *Frontier) Queued(ctx context.Context, k string) (item Item, ok bool, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		err := at.Get(key(known, k), func(v []byte) error { item.at = bytes.Clone(v); return nil })
		if err != nil || len(item.at) == 0 {
			return err
		}
		ok = true
		return at.Get(item.at, func(v []byte) error { return json.Unmarshal(v, &item) })
	})
	if errors.Is(err, store.ErrNoKey) {
		return Item{}, false, nil
	}
	return item, ok && err == nil, err
}

// Payload returns where a payload was written.
func (f *Frontier) Payload(ctx context.Context, digest string) (seen Seen, ok bool, err error) {
	err = f.store.View(ctx, func(at store.Snapshot) error {
		return at.Get(key(payload, digest), func(v []byte) error { return json.Unmarshal(v, &seen) })
	})
	if errors.Is(err, store.ErrNoKey) {
		return Seen{}, false, nil
	}
	return seen, err == nil, err
}

// Docs calls each with the documents, in the order of their keys.
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

// End notes how long the crawl ran, and how it ended; "" if it goes on some other time.
func (f *Frontier) End(ctx context.Context, how string, ran time.Duration) error {
	return f.update(ctx, func(_ store.Txn, s *state) error {
		s.Ended = how
		s.Totals.Seconds += ran.Seconds()
		return nil
	})
}

// Restart forgets the crawl, all but the payloads that it has written.
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
	f.state = state{Totals: Totals{Skipped: map[string]int64{}, Traps: map[string]int64{}, Status: map[string]int64{}}}
	f.flying, f.last = map[string]bool{}, ""
	return nil
}
