package change

import "github.com/varve-archive/varve/cdx"

// A Source looks up sketches by ID. It returns nil for one that it does not have; an error stops the caller.
type Source interface {
	Sketch(id uint64) (*Sketch, error)
}

// A Range is a validity range: the longest run of captures in which nothing that matters changed.
type Range struct {
	// First and Last are the datetimes of the first and the last good capture. Until is First of the next range, 0 for
	// the newest range.
	First, Last, Until cdx.Timestamp
	// FirstIndex and LastIndex are the indices of these two captures in the states.
	FirstIndex, LastIndex int
	// Captures includes failed captures and redirects to the same URI-R.
	Captures int
	Kind     Kind
	Status   int
	Redirect string
	Soft404  bool
	// Unshown are the indices of captures at status 200 that show an error, a wall or an empty shell instead of the
	// page. Only level content finds them.
	Unshown []int
	// Change compares with the previous range; it is nil unless both have text.
	Change *Delta
}

// Ranges returns the validity ranges of one URI-R, oldest first. states are all its captures in time order; captures of
// the same second keep their order. site may be nil. A capture whose text src does not know differs from every other
// text. The error is that of src.
func Ranges(level Level, states []State, src Source, site *Site) ([]Range, error) {
	c, err := newComparer(level, states, src, site)
	if err != nil {
		return nil, err
	}
	var out []Range
	last := -1 // index of the last good capture
	for i := range states {
		switch {
		case c.passing(i) && len(out) > 0:
			r := &out[len(out)-1]
			r.Captures++
			if c.failed[i] {
				r.Unshown = append(r.Unshown, i)
			}
			if last < 0 {
				r.Last, r.LastIndex = states[i].Time, i
			}
			continue
		case c.passing(i):
			out = append(out, c.begin(i))
			continue
		case last >= 0 && c.same(last, i):
			r := &out[len(out)-1]
			r.Captures++
			r.Last, r.LastIndex = states[i].Time, i
		default:
			out = append(out, c.begin(i))
			c.end(out, last)
		}
		last = i
	}
	return out, nil
}

// end closes the range before the newest; last is the index of its last good capture, -1 if none.
func (c *comparer) end(out []Range, last int) {
	n := len(out)
	if n < 2 {
		return
	}
	out[n-2].Until = out[n-1].First
	if last < 0 {
		return
	}
	a, b := c.sketches[c.states[last].Text], c.sketches[c.states[out[n-1].FirstIndex].Text]
	if a != nil && b != nil {
		d := Compare(a, b)
		out[n-1].Change = &d
	}
}

// passing reports whether a capture says nothing about what the URI-R showed.
func (c *comparer) passing(i int) bool { return c.failed[i] || c.states[i].passing() }

func (c *comparer) begin(i int) Range {
	s := &c.states[i]
	r := Range{
		First: s.Time, Last: s.Time, FirstIndex: i, LastIndex: i, Captures: 1,
		Kind: c.kinds[i], Status: s.Status, Redirect: s.Redirect, Soft404: c.soft(i),
	}
	if r.Kind != Redirect {
		r.Redirect = ""
	}
	if c.failed[i] {
		r.Unshown = []int{i}
	}
	return r
}

func (c *comparer) soft(i int) bool { return c.kinds[i] == Missing && c.states[i].kind() == Page }
