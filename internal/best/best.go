// Package best keeps the first values of an order without holding all values in memory.
package best

import (
	"container/heap"
	"slices"
)

// A List keeps the first of the values that are added. It is not safe for concurrent use.
type List[T any] struct {
	kept kept[T]
	most int
}

// Of returns a list of at most most values. compare is negative if a comes before b.
func Of[T any](most int, compare func(a, b *T) int) List[T] {
	return List[T]{kept[T]{compare: compare}, most}
}

// Add adds a value, if it is among the first.
func (l *List[T]) Add(v T) {
	if !l.Wants(&v) {
		return
	}
	heap.Push(&l.kept, v)
	if l.kept.Len() > l.most {
		heap.Pop(&l.kept)
	}
}

// Wants reports whether Add would keep a value.
func (l *List[T]) Wants(v *T) bool {
	return l.kept.Len() < l.most || l.most > 0 && l.kept.compare(v, &l.kept.list[0]) < 0
}

// Take returns the kept values in order, without the first skip, and empties the list.
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
