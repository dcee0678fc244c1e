package timeline

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Comparer knows how the captures of a URI-R looked.
type Comparer interface {
	// Splits returns the datetimes of captures that look importantly different from before, and of all captures with a picture, oldest first;
	// of those that are spelled so, unless spelling is "".
	Splits(ctx context.Context, coll, key, spelling string) (at, pictured []cdx.Timestamp, err error)
}

// ErrNotPictured says that there are no versions at level visual, because the page has no pictures.
const ErrNotPictured = sentinel.Error("no picture was made of this page, so nothing is known of how it looked: varve render makes pictures")

// looks returns when the look of the page changed, and when it was pictured. The error is [ErrNotPictured] if it never was.
func (t *Timeline) looks() (at, pictured []cdx.Timestamp, err error) {
	if t.comparer == nil {
		return nil, nil, ErrNotPictured
	}
	at, pictured, err = t.comparer.Splits(context.Background(), t.Coll, t.Key, t.spelling)
	if err == nil && len(pictured) == 0 {
		err = ErrNotPictured
	}
	return at, pictured, err
}

// visual returns the versions at level visual: those at level content, divided where the look changed. t.mu must be held.
func (t *Timeline) visual(src *Sketches) ([]change.Range, error) {
	at, _, err := t.looks()
	if err != nil {
		return nil, err
	}
	content, err := t.level(change.LevelContent, src)
	if err != nil || len(at) == 0 {
		return content, err
	}
	var out []change.Range
	for i, r := range content {
		lead := 0 // captures before the first good one
		if i == 0 {
			lead = r.FirstIndex
		}
		for _, ts := range at {
			n := t.shown(&r, ts)
			if n < 0 {
				continue
			}
			before, after := t.divide(r, n, lead)
			if after.Change, err = compare(src, &t.Captures[before.LastIndex], &t.Captures[n]); err != nil {
				return nil, err
			}
			out, r, lead = append(out, before), after, 0
		}
		out = append(out, r)
	}
	return out, nil
}

// shown returns the index of the capture at a datetime within a version, if it isn't the first, -1 otherwise.
func (t *Timeline) shown(r *change.Range, ts cdx.Timestamp) int {
	c := t.Memento(ts)
	from, to := t.Second(ts)
	for i := from; i < to; i++ {
		if t.Captures[i].Location == c.Location && i > r.FirstIndex && i <= r.LastIndex {
			return i
		}
	}
	return -1
}

// divide divides a version at capture n. lead is the number of its captures before its first good one.
func (t *Timeline) divide(r change.Range, n, lead int) (before, after change.Range) {
	before, after = r, r
	last := n - 1
	for last > r.FirstIndex && (t.Captures[last].Failed() || ToItself(&t.Captures[last]) || slices.Contains(r.Unshown, last)) {
		last--
	}
	before.LastIndex, before.Last, before.Until = last, t.Captures[last].Time, t.Captures[n].Time
	before.Captures = n - r.FirstIndex + lead
	after.FirstIndex, after.First = n, t.Captures[n].Time
	after.Captures = r.Captures - before.Captures
	at, _ := slices.BinarySearch(r.Unshown, n)
	before.Unshown, after.Unshown = r.Unshown[:at:at], r.Unshown[at:]
	return before, after
}

// compare returns how the texts of two captures differ, nil if either has none.
func compare(src *Sketches, a, b *cdx.Capture) (*sketch.Delta, error) {
	x, err := src.Sketch(a.Text)
	if err != nil || x == nil {
		return nil, err
	}
	y, err := src.Sketch(b.Text)
	if err != nil || y == nil {
		return nil, err
	}
	d := sketch.Compare(x, y)
	return &d, nil
}

// looked sets the number of pictured captures, and which ranges are open because not all of their captures have pictures.
func (c *ChangeWriter) looked(tl *Timeline) error {
	_, pictured, err := tl.looks()
	if err != nil {
		return err
	}
	n := len(pictured)
	c.Looked = &n
	c.open = func(r *change.Range) bool {
		if r.Kind != change.Page {
			return false
		}
		for i := r.FirstIndex; i <= r.LastIndex; i++ {
			at := &tl.Captures[i]
			shows := !at.Failed() && !ToItself(at) && !slices.Contains(r.Unshown, i)
			if _, seen := slices.BinarySearch(pictured, at.Time); shows && !seen {
				return true
			}
		}
		return false
	}
	return nil
}
