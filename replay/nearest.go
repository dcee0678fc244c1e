package replay

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// nearest returns the capture that answers for ts: the nearest usable one, or nil where none is.
func (s *Archive) nearest(ctx context.Context, tl *timeline, ts cdx.Timestamp) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.closest(ts)) {
		if err != nil {
			return nil, err
		}
		if !usable(c) {
			continue
		}
		if best := tl.stands(c.Time); best != nil && s.readable(ctx, best) {
			return best, nil
		}
	}
	return nil, nil
}

// usable reports whether a capture can answer at all, as far as the index tells: a revisit without
// its original has no body, and a redirect to itself leads nowhere.
func usable(c *cdx.Capture) bool { return !c.Unresolved() && !toItself(c) }

// toItself reports whether a capture redirects to its own URI-R.
func toItself(c *cdx.Capture) bool {
	return isRedirect(c) && c.Redirect != "" && surt.Of(c.Redirect) == plainKey(c)
}

func isRedirect(c *cdx.Capture) bool { return c.Status >= 300 && c.Status <= 399 && c.Status != 304 }

// plainKey is the capture's key without what a request's method adds.
func plainKey(c *cdx.Capture) string {
	if strings.Contains(c.Key, "__wb_method=") {
		return surt.Of(c.URL)
	}
	return c.Key
}

// readable reports whether the record of c can be opened.
func (s *Archive) readable(ctx context.Context, c *cdx.Capture) bool {
	rec, err := s.Records.Record(ctx, bodyOf(c))
	if err != nil {
		return false
	}
	rec.Close()
	return true
}

// closest yields the captures by distance from ts, nearest first, on a tie the earlier.
func (t *timeline) closest(ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return cdx.ByDistance(t.captures, ts)
}

// stands returns the capture that a URI-M of this second stands for: one that can be used before one that
// can't, a 2xx before others, a response before a revisit, then by file name and offset.
func (t *timeline) stands(ts cdx.Timestamp) *cdx.Capture {
	from, to := t.second(ts)
	var best *cdx.Capture
	for i := from; i < to; i++ {
		if c := &t.captures[i]; best == nil || merit(c) > merit(best) {
			best = c
		}
	}
	return best
}

func merit(c *cdx.Capture) int {
	m := 0
	if usable(c) {
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

func firstUsable(ts cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) *cdx.Capture {
	for c, err := range memento.Preferred(ts, candidates) {
		if err == nil && usable(c) {
			return c
		}
	}
	return nil
}

// neighbourhood says where capture c stands among the others: what its Link header tells.
func (t *timeline) neighbourhood(c *cdx.Capture) (*memento.Neighbourhood, error) {
	ranges, err := t.levels(change.LevelContent)
	if err != nil {
		return nil, err
	}
	from, to := t.second(c.Time)
	n := &memento.Neighbourhood{Current: c, First: &t.captures[0], Last: &t.captures[len(t.captures)-1]}
	if from > 0 {
		n.Prev = t.stands(t.captures[from-1].Time)
	}
	if to < len(t.captures) {
		n.Next = t.stands(t.captures[to].Time)
	}
	i := rangeOf(ranges, c.Time)
	if i > 0 {
		n.Predecessor = t.stands(ranges[i-1].Last)
	}
	if i+1 < len(ranges) {
		n.Successor = t.stands(ranges[i+1].First)
	}
	return n, nil
}

// leadsElsewhere reports whether a redirect leads to another resource; one that leads to the URI-R itself
// counts where there is nothing else of it to show.
func leadsElsewhere(tl *timeline, c *cdx.Capture) bool {
	if !isRedirect(c) || c.Redirect == "" {
		return false
	}
	return !toItself(c) || !slices.ContainsFunc(tl.captures, func(o cdx.Capture) bool { return usable(&o) })
}

// standing returns the capture that a URI-M of ts shows. The index may have moved on since the search was built: then the nearest.
func standing(tl *timeline, ts cdx.Timestamp) *cdx.Capture {
	if c := tl.stands(ts); c != nil {
		return c
	}
	return &cdx.Capture{Key: tl.key, Time: ts}
}

func firstOf(captures iter.Seq2[*cdx.Capture, error]) (*cdx.Capture, error) {
	for c, err := range captures {
		if err != nil {
			return nil, err
		}
		keep := *c
		return &keep, nil
	}
	return nil, nil
}
