package cdx

import (
	"context"
	"iter"
	"slices"
	"strings"
)

// A scan is one run of a query over one collection.
type scan struct {
	api  *API
	coll string
	q    *Query

	collapses []collapse // with their state
	scratch   []byte
	row       row

	annotate bool // rows need range and change
	noted    bool // notes has been asked for, for the key notedKey
	notedKey string
	notes    func(*Capture) (int, string)
	origins  fileTable // nil unless origins are to be named
	digests  *tally    // nil unless dupes are counted
}

// A fileTable can name the file that a revisit's original is in.
type fileTable interface {
	FileName(id FileID) (name string, ok bool)
}

func (a *API) newScan(coll string, q *Query) *scan {
	s := &scan{api: a, coll: coll, q: q, collapses: slices.Clone(q.collapses)}
	cols := q.outputColumns()
	s.annotate = a.annotate != nil && (needAnnotation(cols) ||
		slices.ContainsFunc(q.filters, func(f filter) bool { return f.field == fieldRange || f.field == fieldChange }) ||
		slices.ContainsFunc(q.collapses, func(c collapse) bool { return c.field == fieldRange || c.field == fieldChange }))
	if has(cols, fieldOrigFileName) {
		s.origins, _ = a.source.(fileTable)
	}
	if q.counts(fieldDupeCount) {
		s.digests = newTally()
	}
	return s
}

// captures yields what the index has in the query's range, page by page where pages are asked for.
func (s *scan) captures(ctx context.Context) iter.Seq2[*Capture, error] {
	span := s.q.span
	span.Coll = s.coll
	switch {
	case s.q.closest != 0:
		return s.nearestPage(ctx, span)
	case s.q.newestOnly():
		span.Newest = -s.q.limit
	case s.q.fastLatest && s.q.limit == 0 && span.Exact && !span.Reverse && s.q.page < 0 && !s.q.looksAround():
		span.Newest = 1
	}
	if s.q.page < 0 {
		return s.api.source.Captures(ctx, span)
	}
	span.Skip = int64(s.q.page) * int64(s.q.pageSize)
	return s.onePage(s.api.source.Captures(ctx, span))
}

// errNoPage is a page behind the last. Clients that ask for one page after another stop there.
var errNoPage = &QueryError{"page: there is none behind the last; showNumPages=true says how many there are"}

// onePage ends a page. One that is empty is no page, but the first is always there.
func (s *scan) onePage(all iter.Seq2[*Capture, error]) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		left := s.q.pageSize
		for c, err := range all {
			if !yield(c, err) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
		if s.q.page > 0 && left == s.q.pageSize {
			yield(nil, errNoPage)
		}
	}
}

// nearestPage is nearest, or a page of it.
func (s *scan) nearestPage(ctx context.Context, span Span) iter.Seq2[*Capture, error] {
	if s.q.page < 0 {
		return s.nearest(ctx, span)
	}
	return s.onePage(behind(s.nearest(ctx, span), s.q.page*s.q.pageSize))
}

// behind passes over the first n.
func behind(all iter.Seq2[*Capture, error], n int) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		for c, err := range all {
			if n--; n >= 0 && err == nil {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// nearest is closest= : nearest first, between from and to.
func (s *scan) nearest(ctx context.Context, span Span) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		for c, err := range s.api.source.Closest(ctx, s.coll, span.From, s.q.closest) {
			if err == nil && (c.Time < span.Since || span.Until != 0 && c.Time > span.Until) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (s *scan) note(ctx context.Context, c *Capture) error {
	if !s.noted || c.Key != s.notedKey {
		notes, err := s.api.annotate(ctx, s.coll, c.Key)
		if err != nil {
			return err
		}
		s.noted, s.notedKey, s.notes = true, strings.Clone(c.Key), notes
	}
	if s.notes != nil {
		s.row.rng, s.row.change = s.notes(c)
	}
	return nil
}

// write hands each row of the answer to emit, and returns the resume key, "" where nothing is left or none is wanted.
func (s *scan) write(ctx context.Context, emit func(*row) error) (resume string, err error) {
	skip, left := s.q.offset, s.q.limit
	full := false
	for r, err := range s.rows(ctx, s.captures(ctx)) {
		switch {
		case err != nil:
			return "", err
		case full: // the next answer begins behind what is in front of this row
			return encodeResumeKey(r.before), nil
		case skip > 0:
			skip--
			continue
		}
		if err := emit(r); err != nil {
			return "", err
		}
		if left > 0 {
			if left--; left == 0 && !s.q.showResumeKey {
				return "", nil
			}
			full = left == 0 // a key is given only where there is a further row
		}
	}
	return "", nil
}

// countable refuses to count what can't be remembered.
func (s *scan) countable(ctx context.Context) error {
	if s.digests == nil || s.q.page >= 0 && s.q.pageSize <= maxTally {
		return nil
	}
	span := s.q.span
	span.Coll = s.coll
	n, err := s.api.source.Count(ctx, span)
	if err == nil && n > maxTally {
		return errTally
	}
	return err
}

// positionOf is PositionOf for captures that are valid until the next step only.
func positionOf(c *Capture) Position {
	return Position{Key: strings.Clone(c.Key), Time: c.Time, File: strings.Clone(c.FileName), Offset: c.Offset}
}

// pages counts the pages of the query's range: at least one.
func (s *scan) pages(ctx context.Context) (int64, error) {
	span := s.q.span
	span.Coll = s.coll
	n, err := s.api.source.Count(ctx, span)
	return max(1, (n+int64(s.q.pageSize)-1)/int64(s.q.pageSize)), err
}
