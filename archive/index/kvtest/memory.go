package kvtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Memory is a store in memory, for tests: a sorted list that is replaced as a whole by each write. Several indexes may share it, as
// processes share a store on another machine. It can be used after Close, so that it can be opened again. It implements [kv.Shared].
type Memory struct {
	updating sync.Mutex // held while an Update runs

	mu      sync.Mutex
	entries []entry       // sorted by key; replaced, never modified
	written chan struct{} // closed by the next write
}

type entry struct {
	key, value []byte
	deleted    bool // in lists of writes only
}

func (e entry) compare(key []byte) int { return bytes.Compare(e.key, key) }

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{written: make(chan struct{})} }

// Clone returns a separate store with the same keys and values.
func (m *Memory) Clone() *Memory {
	c := NewMemory()
	c.entries, _ = m.now()
	return c
}

// now returns the current entries, and a channel that is closed by the next write.
func (m *Memory) now() ([]entry, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries, m.written
}

// write makes writes visible at once. For a key that is written several times, the last write counts.
func (m *Memory) write(writes []entry) {
	slices.SortStableFunc(writes, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	m.mu.Lock()
	defer m.mu.Unlock()
	merged, old := make([]entry, 0, len(m.entries)+len(writes)), m.entries
	for i, w := range writes {
		if i+1 < len(writes) && bytes.Equal(w.key, writes[i+1].key) {
			continue
		}
		n, found := slices.BinarySearchFunc(old, w.key, entry.compare)
		merged = append(merged, old[:n]...)
		if old = old[n:]; found {
			old = old[1:]
		}
		if !w.deleted {
			merged = append(merged, w)
		}
	}
	m.entries = append(merged, old...)
	close(m.written)
	m.written = make(chan struct{})
}

func (m *Memory) View(ctx context.Context, f func(kv.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, _ := m.now()
	s := &snapshot{ctx: ctx, entries: entries}
	err := f(s)
	if s.cursors > 0 {
		panic("kvtest: a cursor is left open")
	}
	return err
}

func (m *Memory) Update(ctx context.Context, f func(kv.Txn) error) error {
	m.updating.Lock()
	defer m.updating.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, _ := m.now()
	t := &txn{before: &snapshot{ctx: ctx, entries: entries}}
	if err := f(t); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.write(t.writes)
	return nil
}

func (m *Memory) Batch(ctx context.Context) kv.Batch { return &batch{ctx: ctx, in: m} }

func (m *Memory) Sync(ctx context.Context) error { return ctx.Err() }

func (m *Memory) Close() error { return nil }

func (m *Memory) Watch(ctx context.Context, key []byte, changed func() error) error {
	for last, first := []byte(nil), true; ; first = false {
		entries, written := m.now()
		var value []byte
		err := (&snapshot{ctx: ctx, entries: entries}).Get(key, func(v []byte) error { value = v; return nil })
		if err != nil && err != kv.ErrNoKey {
			return err
		}
		if first || !bytes.Equal(value, last) {
			if err := changed(); err != nil {
				return err
			}
		}
		last = value
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-written:
		}
	}
}

type snapshot struct {
	ctx     context.Context
	entries []entry
	cursors int // open ones
}

func (s *snapshot) Get(key []byte, f func([]byte) error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	i, found := slices.BinarySearchFunc(s.entries, key, entry.compare)
	if !found {
		return kv.ErrNoKey
	}
	return f(s.entries[i].value)
}

func (s *snapshot) GetMany(keys [][]byte, f func(int, []byte) error) error {
	for i, key := range keys {
		err := s.Get(key, func(v []byte) error { return f(i, v) })
		if err != nil && err != kv.ErrNoKey {
			return err
		}
	}
	return nil
}

// Prefetch checks its arguments and does nothing else.
func (s *snapshot) Prefetch(_ [][]byte, ranges []kv.PrefetchRange) {
	for _, st := range ranges {
		if st.Rows < 1 || st.Walks != nil || !bytes.HasPrefix(st.From, st.Prefix) {
			panic("kvtest: a range that no cursor could be on")
		}
	}
}

// Cursor checks what the range says of its walks.
func (s *snapshot) Cursor(r kv.Range) kv.Cursor {
	if r.Walks != nil && r.Rows < 1 {
		panic("kvtest: walks of unknown length")
	}
	s.cursors++
	return &cursor{snapshot: s, r: r, at: -1}
}

type cursor struct {
	*snapshot
	r   kv.Range
	at  int // -1 and len(entries): at no key
	err error
}

func (c *cursor) Seek(key []byte) {
	n, found := slices.BinarySearchFunc(c.entries, key, entry.compare)
	if c.at = n; c.r.Reverse && !found {
		c.at--
	}
	c.err = cmp.Or(c.err, c.ctx.Err())
}

func (c *cursor) Next() {
	if c.at++; c.r.Reverse {
		c.at -= 2
	}
	c.err = cmp.Or(c.err, c.ctx.Err())
}

func (c *cursor) Valid() bool {
	return c.err == nil && c.at >= 0 && c.at < len(c.entries) && bytes.HasPrefix(c.entries[c.at].key, c.r.Prefix)
}

func (c *cursor) Key() []byte { return c.entries[c.at].key }

// Value fails if the range is KeysOnly.
func (c *cursor) Value(f func([]byte) error) error {
	if c.r.KeysOnly {
		return errors.New("kvtest: a value is asked for in a range of keys only")
	}
	return f(c.entries[c.at].value)
}

func (c *cursor) Err() error { return c.err }
func (c *cursor) Close()     { c.cursors-- }

type txn struct {
	before *snapshot
	writes []entry
}

func (t *txn) Get(key []byte) (value []byte, err error) {
	for _, w := range slices.Backward(t.writes) {
		if bytes.Equal(w.key, key) {
			if w.deleted {
				return nil, kv.ErrNoKey
			}
			return slices.Clone(w.value), nil
		}
	}
	err = t.before.Get(key, func(v []byte) error { value = slices.Clone(v); return nil })
	return value, err
}

func (t *txn) Set(key, value []byte) error {
	t.writes = append(t.writes, entry{key: slices.Clone(key), value: slices.Clone(value)})
	return nil
}

func (t *txn) Delete(key []byte) error {
	t.writes = append(t.writes, entry{key: slices.Clone(key), deleted: true})
	return nil
}

type batch struct {
	ctx context.Context
	in  *Memory // nil when used up

	mu     sync.Mutex
	writes []entry
}

func (b *batch) Set(key, value []byte) error { return b.add(entry{key: key, value: value}) }
func (b *batch) Delete(key []byte) error     { return b.add(entry{key: key, deleted: true}) }

func (b *batch) add(e entry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in == nil {
		return kv.ErrUsedUp
	}
	b.writes = append(b.writes, e)
	return b.ctx.Err()
}

func (b *batch) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in == nil {
		return kv.ErrUsedUp
	}
	if err := b.ctx.Err(); err != nil {
		return err
	}
	b.in.write(b.writes)
	b.in = nil
	return nil
}

func (b *batch) Cancel() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in = nil
}
