package cdx

import (
	"context"
	"slices"
)

// lastFromEnd reports whether the last rows can be found by walking backwards from the end.
func (q *Query) lastFromEnd() bool {
	return !q.looksAround() && q.offset == 0 && q.page < 0 && q.span.After.IsZero() && q.closest == 0
}

// last emits the last n rows, in order. It keeps rows in their written form, which is smaller than a capture and whose
// memory can be reused.
func (s *scan) last(ctx context.Context, n int, format func(dst []byte, r *row) []byte, emit func(line []byte) error) error {
	captures, backwards := s.captures(ctx), s.q.lastFromEnd()
	if backwards {
		span := s.q.span
		span.Coll, span.Reverse = s.coll, !span.Reverse
		captures = s.api.source.Captures(ctx, span)
	}
	var ring [][]byte
	seen := 0
	for r, err := range s.rows(ctx, captures) {
		if err != nil {
			return err
		}
		if seen++; seen <= s.q.offset {
			continue
		}
		if len(ring) < n {
			ring = append(ring, format(nil, r))
		} else {
			at := (seen - s.q.offset - 1) % n
			ring[at] = format(ring[at][:0], r)
		}
		if backwards && len(ring) == n {
			break
		}
	}
	if backwards {
		slices.Reverse(ring)
	} else if excess := seen - s.q.offset - n; excess > 0 {
		ring = slices.Concat(ring[excess%n:], ring[:excess%n])
	}
	return emitAll(ring, emit)
}

func emitAll(lines [][]byte, emit func([]byte) error) error {
	for _, l := range lines {
		if err := emit(l); err != nil {
			return err
		}
	}
	return nil
}
