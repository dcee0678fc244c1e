package visible

import "sync/atomic"

// A Memory holds what Extractors have read, so that what stands on page after page is read only once. Extractors that
// run in parallel may share one. It holds some 60 MB at most; the zero value is ready to use.
type Memory struct {
	passages recall[passage]
	notes    recall[any]
}

// Recall returns what was remembered under a key, usually the hash of a text, or nil.
func (m *Memory) Recall(key uint64) any {
	if v := m.notes.get(key); v != nil {
		return *v
	}
	return nil
}

// Remember remembers a value, which nobody may change any more, and which takes so many bytes, about.
func (m *Memory) Remember(key uint64, value any, size int) {
	m.notes.put(&remembered[any]{key: key, size: size, value: value})
}

const (
	// recallSlots is how many values of a kind are remembered.
	recallSlots = 1 << 18
	// maxRecall bounds the memory that values of a kind take, in bytes.
	maxRecall = 28 << 20
)

// A recall remembers the last value for each slot that keys fall into. A value never changes once it is in.
type recall[T any] struct {
	slots [recallSlots]atomic.Pointer[remembered[T]]
	held  atomic.Int64
}

type remembered[T any] struct {
	key   uint64
	size  int         // approximate bytes that value takes
	asked atomic.Bool // since the last time forget ran
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

// put remembers m until another value takes its slot or it is forgotten.
func (r *recall[T]) put(m *remembered[T]) {
	grown := m.size
	if old := r.slots[m.key%recallSlots].Swap(m); old != nil {
		grown -= old.size
	}
	if r.held.Add(int64(grown)) > maxRecall {
		r.forget()
	}
}

// forget drops what nobody has asked for since it last ran, and everything if that is too little: what pages look like
// now is soon learnt again.
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
