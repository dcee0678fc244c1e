// Package best keeps the first of many in an order, without all of them in memory.
package best

import (
	"container/heap"
	"slices"
)

// A List keeps the first values of those that it is given. It is not safe for concurrent use.
type List[T any] struct {
	kept kept[T]
	most int
}

// Of returns a list of at most so many values. compare is negative if a comes before b.
func Of[T any](most int, compare func(a, b *T) int) List[T] {
	return List[T]{kept[T]{compare: compare}, most}
}

// Add takes one more.
func (l *List[T]) Add(v T) {
	if !l.Wants(&v) {
		return
	}
	heap.Push(&l.kept, v)
	if l.kept.Len() > l.most {
		heap.Pop(&l.kept)
	}
}

// Wants reports whether a value is before one of those kept, or there is room.
func (l *List[T]) Wants(v *T) bool {
	return l.kept.Len() < l.most || l.most > 0 && l.kept.compare(v, &l.kept.list[0]) < 0
}

// Take returns the values kept, in order, without the first skip. The list is empty then.
func (l *List[T]) Take(skip int) []T {
	out := l.kept.list
	slices.SortFunc(out, func(a, b T) int { return l.kept.compare(&a, &b) })
	l.kept.list = nil
	return out[min(skip, len(out)):]
}

// kept is a heap with the last value on top.
type kept[T any] struct {
	compare func(a, b *T) int
	list    []T
}

// Len and the others implement [heap.Interface].
func (k *kept[T]) Len() int           { return len(k.list) }
func (k *kept[T]) Less(i, j int) bool { return k.compare(&k.list[i], &k.list[j]) > 0 }
func (k *kept[T]) Swap(i, j int)      { k.list[i], k.list[j] = k.list[j], k.list[i] }
func (k *kept[T]) Push(x any)         { k.list = append(k.list, x.(T)) }
func (k *kept[T]) Pop() any {
	last := k.list[len(k.list)-1]
	k.list = k.list[:len(k.list)-1]
	return last
}
