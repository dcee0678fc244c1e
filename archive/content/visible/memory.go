package visible

import "sync/atomic"

// A Memory caches what Extractors have read, so that parts that many pages share are read only once. Extractors that run in parallel may
// share one. It takes some 60 MB at most; the zero value is ready to use.
type Memory struct {
	passages recall[passage]
	notes    recall[any]
}

// Recall returns the value that was cached under a key, usually the hash of a text, or nil.
func (m *Memory) Recall(key uint64) any {
	if v := m.notes.get(key); v != nil {
		return *v
	}
	return nil
}

// Remember caches a value, which must not be modified any more. size is roughly its memory in bytes.
func (m *Memory) Remember(key uint64, value any, size int) {
	m.notes.put(&remembered[any]{key: key, size: size, value: value})
}

const (
	// recallSlots bounds the cached values of a kind.
	recallSlots = 1 << 18
	// maxRecall bounds the memory that values of a kind take, in bytes.
	maxRecall = 28 << 20
)

// A recall caches the last value for each slot that keys are mapped to. Values are immutable.
type recall[T any] struct {
	slots [recallSlots]atomic.Pointer[remembered[T]]
	held  atomic.Int64
}

type remembered[T any] struct {
	key   uint64
	size  int         // approximate bytes that value takes
	asked atomic.Bool // since forget last ran
	value T
}

// get returns the value for a key, or nil.
func (r *recall[T]) get(key uint64) *T {
	m := r.slots[key%recallSlots].Load()
	if m == nil || m.key != key {
		return nil
	}
	if !m.asked.Load() {
		m.asked.Store(true)
	}
	return &m.value
}

// put caches m until another value takes its slot or it is forgotten.
func (r *recall[T]) put(m *remembered[T]) {
	grown := m.size
	if old := r.slots[m.key%recallSlots].Swap(m); old != nil {
		grown -= old.size
	}
	if r.held.Add(int64(grown)) > maxRecall {
		r.forget()
	}
}

// forget drops the values that nobody asked for since it last ran, and everything if that is too little. New pages soon fill the cache
// again.
func (r *recall[T]) forget() {
	r.drop(func(m *remembered[T]) bool { return !m.asked.Swap(false) })
	if r.held.Load() > maxRecall/4*3 {
		r.drop(func(*remembered[T]) bool { return true })
	}
}

func (r *recall[T]) drop(those func(*remembered[T]) bool) {
	for i := range r.slots {
		if m := r.slots[i].Load(); m != nil && those(m) && r.slots[i].CompareAndSwap(m, nil) {
			r.held.Add(-int64(m.size))
		}
	}
}
