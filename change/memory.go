package change

import "sync/atomic"

// A Memory holds what Extractors have read, so that what stands on page after page is read once. Extractors at
// work side by side may share one. It holds some 40 MB at most; the zero value is ready.
type Memory struct {
	passages recall[passage]
	blocks   recall[blockWords]
}

const (
	// recallSlots is how many things of a kind are remembered.
	recallSlots = 1 << 16
	// maxRecall bounds what is remembered of a kind, in bytes.
	maxRecall = 20 << 20
)

// A recall remembers the last value for each slot that keys fall into. Values never change once they are in it.
type recall[T any] struct {
	slots [recallSlots]atomic.Pointer[remembered[T]]
	held  atomic.Int64
}

type remembered[T any] struct {
	key   uint64
	size  int
	value T
}

// get returns the value for a key, nil where there is none.
func (r *recall[T]) get(key uint64) *T {
	if m := r.slots[key%recallSlots].Load(); m != nil && m.key == key {
		return &m.value
	}
	return nil
}

// put remembers a value that holds about size bytes.
func (r *recall[T]) put(key uint64, size int, value T) {
	m := &remembered[T]{key, size, value}
	grown := size
	if old := r.slots[key%recallSlots].Swap(m); old != nil {
		grown -= old.size
	}
	if r.held.Add(int64(grown)) > maxRecall {
		r.forget()
	}
}

// forget drops everything: what pages are like now is soon learnt again.
func (r *recall[T]) forget() {
	for i := range r.slots {
		if old := r.slots[i].Swap(nil); old != nil {
			r.held.Add(-int64(old.size))
		}
	}
}
