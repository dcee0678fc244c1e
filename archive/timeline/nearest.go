package timeline

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// Nearest returns the usable capture nearest to ts, or nil if there is none. It skips captures whose record is known to be damaged, but not
// those whose file can't be reached at the moment.
func (t *Timelines) Nearest(ctx context.Context, tl *Timeline, ts cdx.Timestamp) (*cdx.Capture, error) {
	return t.Of(tl).Nearest(ctx, ts)
}

// Usable reports whether the index knows no reason why the capture can't be replayed. A revisit without its original has no body, a 304
// only says that the crawler had one already, and a redirect to itself leads nowhere.
func Usable(c *cdx.Capture) bool {
	return !c.Unresolved() && c.Status != http.StatusNotModified && !ToItself(c)
}

// ToItself reports whether a capture redirects to its own URI-R.
func ToItself(c *cdx.Capture) bool {
	return IsRedirect(c) && c.Redirect != "" && surt.Of(c.Redirect) == PlainKey(c)
}

// IsRedirect reports whether the status of a capture is a 3xx other than 304.
func IsRedirect(c *cdx.Capture) bool { return c.Status >= 300 && c.Status <= 399 && c.Status != 304 }

// PlainKey returns the capture's key without the suffix for a request method other than GET.
func PlainKey(c *cdx.Capture) string {
	if strings.Contains(c.Key, "__wb_method=") {
		return surt.Of(c.URL)
	}
	return c.Key
}

// Closest yields the captures by their distance from ts, nearest first. On a tie the earlier comes first.
func (t *Timeline) Closest(ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return cdx.ByDistance(t.Captures, ts)
}

// Memento returns the capture that the URI-M at ts stands for, nil if there is none. Among captures of one second it prefers a usable one,
// then a 2xx, then a response to a revisit, then the order of file name and offset.
func (t *Timeline) Memento(ts cdx.Timestamp) *cdx.Capture {
	from, to := t.Second(ts)
	var best *cdx.Capture
	for i := from; i < to; i++ {
		if c := &t.Captures[i]; standsFor(c, best) {
			best = c
		}
	}
	return best
}

// MementoNear returns the capture of the URI-M at ts, or else the nearest; nil if there are no captures.
func (t *Timeline) MementoNear(ts cdx.Timestamp) *cdx.Capture {
	if c := t.Memento(ts); c != nil {
		return c
	}
	for c, err := range memento.Preferred(ts, t.Closest(ts)) {
		if err == nil {
			return t.Memento(c.Time)
		}
	}
	return nil
}

// statesOf returns the states of captures in time order. Of those of one second only one is shown; see [Timeline.Memento].
func statesOf(captures []cdx.Capture) []change.State {
	states := make([]change.State, len(captures))
	shown := 0
	for i := range captures {
		states[i] = change.StateOf(&captures[i])
		switch {
		case i == 0 || captures[i].Time != captures[shown].Time:
			shown = i
		case standsFor(&captures[i], &captures[shown]):
			states[shown].Beside, shown = true, i
		default:
			states[i].Beside = true
		}
	}
	return states
}

// standsFor reports whether a capture is preferred to another one of the same second, which may be nil.
func standsFor(c, other *cdx.Capture) bool {
	return other == nil || rankInSecond(c) > rankInSecond(other)
}

// rankInSecond ranks captures of one second; see [Timeline.Memento].
func rankInSecond(c *cdx.Capture) int {
	m := 0
	if Usable(c) {
		m += 4
	}
	if c.Status >= 200 && c.Status <= 299 {
		m += 2
	}
	if c.Kind != cdx.Revisit {
		m++
	}
	return m
}

// FirstUsable returns the usable candidate nearest to ts, nil if there is none.
func FirstUsable(ts cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) *cdx.Capture {
	for c, err := range memento.Preferred(ts, candidates) {
		if err == nil && Usable(c) {
			return c
		}
	}
	return nil
}

// Neighbourhood returns the captures that the Link header of c names: first, last, adjacent, and those of the
// previous and next version.
func (t *Timeline) Neighbourhood(c *cdx.Capture) (*memento.Neighbourhood, error) {
	ranges, err := t.Ranges(change.LevelContent)
	if err != nil {
		return nil, err
	}
	n := &memento.Neighbourhood{Current: c, First: &t.Captures[0], Last: &t.Captures[len(t.Captures)-1]}
	n.Prev, n.Next = t.adjacent(c.Time)
	i := RangeOf(ranges, c.Time)
	if i > 0 {
		n.Predecessor = t.Memento(ranges[i-1].Last)
	}
	if i+1 < len(ranges) {
		n.Successor = t.Memento(ranges[i+1].First)
	}
	return n, nil
}

// adjacent returns the captures before and after a second, nil at the ends.
func (t *Timeline) adjacent(ts cdx.Timestamp) (prev, next *cdx.Capture) {
	from, to := t.Second(ts)
	if from > 0 {
		prev = t.Memento(t.Captures[from-1].Time)
	}
	if to < len(t.Captures) {
		next = t.Memento(t.Captures[to].Time)
	}
	return prev, next
}

// LeadsElsewhere reports whether a capture redirects to another resource. A redirect to its own URI-R counts as well
// if the URI-R has no usable capture.
func LeadsElsewhere(tl *Timeline, c *cdx.Capture) bool {
	if !IsRedirect(c) || c.Redirect == "" {
		return false
	}
	return !ToItself(c) || !slices.ContainsFunc(tl.Captures, func(o cdx.Capture) bool { return Usable(&o) })
}

// MementoAt returns the capture that the URI-M of ts shows. If the index no longer has one at ts, because it changed
// since the search was built, it returns a capture that has only a key and the datetime.
func MementoAt(tl *Timeline, ts cdx.Timestamp) *cdx.Capture {
	if c := tl.Memento(ts); c != nil {
		return c
	}
	return &cdx.Capture{Key: tl.Key, Time: ts}
}

// FirstOf returns a copy of the first capture of a sequence, nil if it is empty.
func FirstOf(captures iter.Seq2[*cdx.Capture, error]) (*cdx.Capture, error) {
	for c, err := range captures {
		if err != nil {
			return nil, err
		}
		keep := *c
		return &keep, nil
	}
	return nil, nil
}
