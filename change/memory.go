package change

import "sync/atomic"

// A Memory holds what Extractors have read, so that what stands on page after page is read once. Extractors at
// work side by side may share one. It holds some 40 MB at most; the zero value is ready.
type Memory struct {
	passages recall[passage, *passage]
	blocks   recall[blockWords, *blockWords]
}

const (
	// recallSlots is how many things of a kind are remembered.
	recallSlots = 1 << 16
	// maxRecall bounds what is remembered of a kind, in bytes.
	maxRecall = 20 << 20
)

// A recall remembers the last value for each slot that keys fall into. Values never change once they are in it.
type recall[T any, P interface {
	*T
	hash() uint64
	size() int
}] struct {
	slots [recallSlots]atomic.Pointer[T]
	held  atomic.Int64
}

// get returns the value for a key, nil where there is none.
func (r *recall[T, P]) get(key uint64) P {
	if v := P(r.slots[key%recallSlots].Load()); v != nil && v.hash() == key {
		return v
	}
	return nil
}

func (r *recall[T, P]) put(v P) {
	grown := v.size()
	if old := P(r.slots[v.hash()%recallSlots].Swap((*T)(v))); old != nil {
		grown -= old.size()
	}
	if r.held.Add(int64(grown)) > maxRecall {
		r.forget()
	}
}

// forget drops everything: what pages are like now is soon learnt again.
func (r *recall[T, P]) forget() {
	for i := range r.slots {
		if old := P(r.slots[i].Swap(nil)); old != nil {
			r.held.Add(-int64(old.size()))
		}
	}
}
