package search

import (
	"container/heap"
	"slices"
)

// A top keeps the first of many in an order.
type top[T any] struct {
	limit   int
	compare func(a, b *T) int
	list    []T // a heap with the last on top
}

// add takes one more.
func (t *top[T]) add(v T) {
	if t.limit == 0 || len(t.list) == t.limit && t.compare(&v, &t.list[0]) >= 0 {
		return
	}
	heap.Push(t, v)
	if len(t.list) > t.limit {
		heap.Pop(t)
	}
}

// wants reports whether a value is before one of those kept, or there is room.
func (t *top[T]) wants(v *T) bool {
	return len(t.list) < t.limit || t.limit > 0 && t.compare(v, &t.list[0]) < 0
}

// from returns those kept in order, without the first skip. The top is empty then.
func (t *top[T]) from(skip int) []T {
	out := t.list
	slices.SortFunc(out, func(a, b T) int { return t.compare(&a, &b) })
	t.list = nil
	return out[min(skip, len(out)):]
}

// Len and the others implement [heap.Interface].
func (t *top[T]) Len() int           { return len(t.list) }
func (t *top[T]) Less(i, j int) bool { return t.compare(&t.list[i], &t.list[j]) > 0 }
func (t *top[T]) Swap(i, j int)      { t.list[i], t.list[j] = t.list[j], t.list[i] }
func (t *top[T]) Push(x any)         { t.list = append(t.list, x.(T)) }
func (t *top[T]) Pop() any {
	last := t.list[len(t.list)-1]
	t.list = t.list[:len(t.list)-1]
	return last
}
