package change

import (
	"slices"

	"github.com/varve-archive/varve/cdx"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A Source returns the sketch with an ID, or nil if it doesn't have it. An error stops the caller.
type Source interface {
	Sketch(id uint64) (*sketch.Sketch, error)
}

// A Range is a validity range: the longest run of captures in which nothing that matters changed.
type Range struct {
	// First and Last are the datetimes of the first and the last good capture. Until is First of the next range, 0 for
	// the newest range.
	First, Last, Until cdx.Timestamp
	// FirstIndex and LastIndex are these captures' indices in the states.
	FirstIndex, LastIndex int
	// Captures includes failed captures and redirects to the same URI-R.
	Captures int
	Kind     Kind
	Status   int
	Redirect string
	Soft404  bool
	// Alternates says that from First on two texts of the page alternate.
	Alternates bool
	// Unshown are the indices of captures at status 200 that show an error, a wall or an empty shell instead of the
	// page. Only level content finds them.
	Unshown []int
	// Change compares with the previous range; it is nil unless both have text.
	Change *sketch.Delta
}

// Ranges returns the validity ranges of one URI-R, oldest first. states are all its captures in time order; captures of the same second
// keep their order. site may be nil. A capture whose text src does not know differs from every other. Errors come from src.
func Ranges(level Level, states []State, src Source, site *site.Site) ([]Range, error) {
	c, err := ReadChapter(level, &Window{States: states, To: len(states)}, src, site)
	return c.Ranges, err
}

// passing reports whether a capture says nothing about what the URI-R showed.
func (c *comparer) passing(i int) bool { return c.failed[i] || c.states[i].passing() }

// begin returns the range that begins with capture i. Its indices count from capture from.
func (c *comparer) begin(i, from int) Range {
	s := &c.states[i]
	r := Range{
		First: s.Time, Last: s.Time, FirstIndex: i - from, LastIndex: i - from, Captures: 1,
		Kind: c.kinds[i], Status: s.Status, Redirect: s.Redirect, Soft404: c.soft(i),
	}
	if r.Kind != Redirect {
		r.Redirect = ""
	}
	r.Alternates = slices.ContainsFunc(c.turns, func(t turn) bool { return t.since == s.Time })
	if c.failed[i] {
		r.Unshown = []int{i - from}
	}
	return r
}

func (c *comparer) soft(i int) bool { return c.kinds[i] == Missing && c.states[i].kind() == Page }
