package cdxtest

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/varve-archive/varve/cdx"
)

// Coll is the collection of the suite's captures.
const Coll = "web"

// Memory returns a Source over a sorted copy of captures, all in the collection [Coll]. It is simple enough to be obviously correct.
func Memory(captures []cdx.Capture) cdx.Source {
	sorted := slices.Clone(captures)
	slices.SortStableFunc(sorted, func(a, b cdx.Capture) int {
		return cdx.PositionOf(&a).Compare(cdx.PositionOf(&b))
	})
	return memory(sorted)
}

// memory implements [cdx.Source].
type memory []cdx.Capture

func (m memory) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	part := m.part(s)
	return func(yield func(*cdx.Capture, error) bool) {
		var c cdx.Capture // reused, as a source may: those who keep the pointer see it change
		for i := range part {
			if c = part[i]; s.Reverse {
				c = part[len(part)-1-i]
			}
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&c, nil) {
				return
			}
		}
	}
}

// part returns the captures of s in ascending order.
func (m memory) part(s cdx.Span) memory {
	if s.Coll != Coll {
		return nil
	}
	from := sort.Search(len(m), func(i int) bool { return m[i].Key >= s.From })
	to := len(m)
	switch {
	case s.Exact:
		to = from + sort.Search(to-from, func(i int) bool { return m[from+i].Key > s.From })
	case s.To != "":
		to = from + sort.Search(to-from, func(i int) bool { return m[from+i].Key >= s.To })
	}
	part := m[from:to]
	if s.Since != 0 || s.Until != 0 || !s.After.IsZero() {
		part = slices.DeleteFunc(slices.Clone(part), func(c cdx.Capture) bool { return outside(&c, s) })
	}
	if s.Newest > 0 && len(part) > s.Newest {
		part = part[len(part)-s.Newest:]
	}
	if n := int(max(0, min(s.Skip, int64(len(part))))); s.Reverse {
		part = part[:len(part)-n]
	} else {
		part = part[n:]
	}
	return part
}

func (m memory) Count(_ context.Context, s cdx.Span) (int64, error) {
	return int64(len(m.part(s))), nil
}

func outside(c *cdx.Capture, s cdx.Span) bool {
	if c.Time < s.Since || s.Until != 0 && c.Time > s.Until {
		return true
	}
	if s.After.IsZero() {
		return false
	}
	order := cdx.PositionOf(c).Compare(s.After)
	return order == 0 || (order > 0) == s.Reverse
}

func (m memory) Closest(ctx context.Context, coll, key string, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	near := slices.Clone(m.part(cdx.Span{Coll: coll, From: key, Exact: true}))
	slices.SortStableFunc(near, func(a, b cdx.Capture) int {
		return cmp.Compare(a.Time.Distance(ts), b.Time.Distance(ts)) // stable, so on a tie the earlier stays first
	})
	return func(yield func(*cdx.Capture, error) bool) {
		for i := range near {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&near[i], nil) {
				return
			}
		}
	}
}
