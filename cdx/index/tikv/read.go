package tikv

import (
	"bytes"
	"context"
	"sync/atomic"
	"time"

	tikverr "github.com/tikv/client-go/v2/error"
	"github.com/tikv/client-go/v2/txnkv/txnsnapshot"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/cdx/index/distant"
	"github.com/varve-archive/varve/cdx/index/store"
)

const (
	// packedBy stands before each value: TiKV keeps no empty ones.
	packedBy = 'v'
	// rowsAtOnce is how many rows one question brings at most.
	rowsAtOnce = 1024
	// rowsDownwards is how many a walk downwards brings: the client knows no lower bound there, and takes what is below as well.
	rowsDownwards = 32
	// walksAtOnce is how many questions are under way at a time. The client sends those to one machine together.
	walksAtOnce = 128
)

func packed(value []byte) []byte { return append([]byte{packedBy}, value...) }

// View implements [store.Store].
func (s *engine) View(ctx context.Context, f func(store.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f(&snapshot{ctx: ctx, s: s})
}

// A snapshot has its timestamp from its first read on.
type snapshot struct {
	ctx context.Context
	s   *engine
	ts  uint64

	said distant.Ahead
}

// Ahead implements [store.Snapshot].
func (s *snapshot) Ahead(keys [][]byte, stretches []store.Stretch) { s.said.Say(keys, stretches) }

// at returns a snapshot of the cluster. It has settings, so each use has its own.
func (s *snapshot) at() (*txnsnapshot.KVSnapshot, error) {
	if s.ts == 0 {
		err := within(s.ctx, s.s.wait, func(ctx context.Context) (err error) { s.ts, err = s.s.clock.read(ctx); return err })
		if err != nil {
			return nil, err
		}
	}
	return s.s.kv.GetSnapshot(s.ts), nil
}

// Get implements [store.Snapshot].
func (s *snapshot) Get(key []byte, f func([]byte) error) error {
	found := false
	known, err := s.said.Values(s.ctx, s, [][]byte{key}, func(_ int, v []byte) error { found = true; return f(v) })
	switch {
	case known && err == nil && !found:
		return store.ErrNoKey
	case known:
		return err
	}
	snap, err := s.at()
	if err != nil {
		return err
	}
	var value []byte
	err = within(s.ctx, s.s.wait, func(ctx context.Context) (err error) {
		value, err = snap.Get(ctx, s.s.space.key(key))
		return err
	})
	if err != nil {
		return err
	}
	return f(value[1:])
}

// point returns the value that a key of the cluster has now.
func (s *engine) point(ctx context.Context, key []byte) ([]byte, error) {
	ts, err := s.clock.own(ctx)
	if err != nil {
		return nil, err
	}
	value, err := s.kv.GetSnapshot(ts).Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return value[1:], nil
}

// GetMany implements [store.Snapshot].
func (s *snapshot) GetMany(keys [][]byte, f func(i int, value []byte) error) error {
	if known, err := s.said.Values(s.ctx, s, keys, f); known {
		return err
	}
	snap, err := s.at()
	if err != nil {
		return err
	}
	return s.many(s.ctx, snap, keys, f)
}

func (s *snapshot) many(
	ctx context.Context, snap *txnsnapshot.KVSnapshot, keys [][]byte, f func(i int, value []byte) error,
) error {
	at := make([][]byte, len(keys))
	for i, key := range keys {
		at[i] = s.s.space.key(key)
	}
	var found map[string][]byte
	err := within(ctx, s.s.wait, func(ctx context.Context) (err error) { found, err = snap.BatchGet(ctx, at); return err })
	if err != nil {
		return err
	}
	for i, key := range at {
		if value := found[string(key)]; len(value) > 0 {
			if err := f(i, value[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cursor implements [store.Snapshot].
func (s *snapshot) Cursor(r store.Range) store.Cursor { return distant.New(s.ctx, s, &s.said, r) }

// Fetch implements [distant.Source].
func (s *snapshot) Fetch(p *distant.Page, r store.Range, from, to []byte, n int) error {
	snap, err := s.at()
	if err != nil {
		return err
	}
	return s.fetch(s.ctx, snap, p, r, from, to, n)
}

// FetchWalks implements [distant.Source].
func (s *snapshot) FetchWalks(pages []*distant.Page, r store.Range, walks []store.Walk) error {
	if _, err := s.at(); err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(s.ctx)
	all.SetLimit(walksAtOnce)
	for i, w := range walks {
		all.Go(func() error {
			from, to := distant.Bounds(w, r.Reverse)
			if to != nil && bytes.Compare(from, to) >= 0 || ctx.Err() != nil { // the first that failed has said why
				return nil
			}
			return s.fetch(ctx, s.s.kv.GetSnapshot(s.ts), pages[i], r, from, to, r.Rows)
		})
	}
	return all.Wait()
}

// FetchTogether implements [distant.Together].
func (s *snapshot) FetchTogether(keys [][]byte, give func(i int, value []byte), pages []distant.Asked) error {
	if _, err := s.at(); err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(s.ctx)
	if len(keys) > 0 {
		all.Go(func() error {
			return s.many(ctx, s.s.kv.GetSnapshot(s.ts), keys, func(i int, value []byte) error { give(i, value); return nil })
		})
	}
	for _, p := range pages {
		all.Go(func() error { return s.fetch(ctx, s.s.kv.GetSnapshot(s.ts), p.Page, p.Range, p.From, p.To, p.N) })
	}
	return all.Wait()
}

// fetch appends rows to a page. The client's scans know no contexts, so one that gets no answer for too long is left alone.
func (s *snapshot) fetch(
	ctx context.Context, snap *txnsnapshot.KVSnapshot, p *distant.Page, r store.Range, from, to []byte, n int,
) error {
	most := rowsAtOnce
	if r.Reverse {
		most = rowsDownwards
	}
	snap.SetScanBatchSize(min(max(n, 2), most)) // with 1 the client takes its own number
	snap.SetKeyOnly(r.KeysOnly)
	w := &walker{space: s.s.space, snap: snap, reverse: r.Reverse, left: n}
	defer w.alone.Store(true)
	done := make(chan error, 1)
	page := new(distant.Page)
	go func() { done <- w.level(page, nil, from, to) }()
	for answers := int64(-1); ; {
		select {
		case err := <-done:
			*p = *page
			return failure(ctx, err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.s.wait):
			if now := w.answers.Load(); now != answers {
				answers = now
				continue
			}
			return failure(ctx, context.DeadlineExceeded)
		}
	}
}

// A walker walks over the keys of a range, level by level.
type walker struct {
	space   space
	snap    *txnsnapshot.KVSnapshot
	reverse bool
	left    int          // rows that are wanted yet
	answers atomic.Int64 // of the client so far
	alone   atomic.Bool  // nobody waits any more
}

// level adds the rows below base with keys from from on and before to, which are nil where there are no bounds.
func (w *walker) level(p *distant.Page, base, from, to []byte) error {
	prefix := w.space.level(base)
	lower, upper := bounds(prefix, from, to)
	rows, err := w.rows(lower, upper)
	if err != nil {
		return err
	}
	defer rows.Close()
	for w.left > 0 && rows.Valid() && (!w.reverse || bytes.Compare(rows.Key(), lower) >= 0) {
		key := rows.Key()[len(prefix):]
		if len(key) <= levelLen {
			p.Add(rows.Value()[min(1, len(rows.Value())):], base, key)
			w.left--
		} else if err := w.below(p, base, key[:levelLen], from, to); err != nil {
			return err
		}
		if w.left == 0 || w.alone.Load() {
			return nil // the next one may be in another page of the client's
		}
		if err := rows.Next(); err != nil {
			return err
		}
		w.answers.Add(1)
	}
	return nil
}

// below adds the rows of the level below a key of levelLen bytes.
func (w *walker) below(p *distant.Page, base, key, from, to []byte) error {
	return w.level(p, append(bytes.Clone(base), key...), rest(key, from), rest(key, to))
}

// rest returns what a bound means on the level below a key: nothing, unless it leads there.
func rest(key, bound []byte) []byte {
	if len(bound) > levelLen && bytes.Equal(bound[:levelLen], key) {
		return bound[levelLen:]
	}
	return nil
}

// bounds returns where a range begins and ends on a level.
func bounds(prefix, from, to []byte) (lower, upper []byte) {
	lower = append(prefix[:len(prefix):len(prefix)], from[:min(len(from), levelLen)]...)
	if len(from) > levelLen {
		lower = append(lower, deeper)
	}
	switch {
	case to == nil:
		upper = distant.Behind(prefix)
	case len(to) > levelLen:
		upper = append(append(prefix[:len(prefix):len(prefix)], to[:levelLen]...), deeper+1)
	default:
		upper = append(prefix[:len(prefix):len(prefix)], to...)
	}
	return lower, upper
}

// An iterator is one of the client's.
type iterator interface {
	Valid() bool
	Key() []byte
	Value() []byte
	Next() error
	Close()
}

// rows begins to walk over keys of the cluster. Downwards the client knows no lower bound.
func (w *walker) rows(lower, upper []byte) (iterator, error) {
	if bytes.Compare(lower, upper) >= 0 {
		return none{}, nil
	}
	w.answers.Add(1)
	var rows iterator
	var err error
	if w.reverse {
		rows, err = w.snap.IterReverse(upper)
	} else {
		rows, err = w.snap.Iter(lower, upper)
	}
	if tikverr.IsErrNotFound(err) {
		return none{}, nil
	}
	return rows, err
}

// none is an iterator over nothing.
type none struct{}

func (none) Valid() bool   { return false }
func (none) Key() []byte   { return nil }
func (none) Value() []byte { return nil }
func (none) Next() error   { return nil }
func (none) Close()        {}
