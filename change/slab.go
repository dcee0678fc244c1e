package change

import "unsafe"

// A slab cuts small things out of large pieces of memory: what is kept of a page lies together then, and is soon found
// together again. A piece stays as long as anything cut out of it.
type slab[T any] struct{ free []T }

// slabBytes is about how large a piece is.
const slabBytes = 32 << 10

// take returns n things, zero values.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		var one T
		s.free = make([]T, max(n, slabBytes/int(unsafe.Sizeof(one))))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// clone returns a copy of v.
func (s *slab[T]) clone(v []T) []T {
	out := s.take(len(v))
	copy(out, v)
	return out
}
