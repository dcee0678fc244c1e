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
	if slices.ContainsFunc(cols, func(c column) bool { return c.field == fieldOrigFileName }) {
		s.origins, _ = a.source.(fileTable)
	}
	return s
}

// captures yields what the index has in the query's range, page by page where pages are asked for.
func (s *scan) captures(ctx context.Context) iter.Seq2[*Capture, error] {
	span := s.q.span
	span.Coll = s.coll
	switch {
	case s.q.closest != 0:
		return s.nearest(ctx, span)
	case s.q.newestOnly():
		span.Newest = -s.q.limit
	case s.q.fastLatest && s.q.limit == 0 && span.Exact && !span.Reverse && s.q.page < 0:
		span.Newest = 1
	}
	if s.q.page < 0 {
		return s.api.source.Captures(ctx, span)
	}
	span.Skip = int64(s.q.page) * int64(s.q.pageSize)
	return firstOf(s.api.source.Captures(ctx, span), s.q.pageSize)
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

func firstOf(all iter.Seq2[*Capture, error], n int) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		left := n
		for c, err := range all {
			if !yield(c, err) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// look fills s.row from c and reports whether it passes filters and collapses.
func (s *scan) look(ctx context.Context, c *Capture) (bool, error) {
	s.row = row{Capture: c, rng: -1}
	if s.annotate {
		if err := s.note(ctx, c); err != nil {
			return false, err
		}
	}
	var ok bool
	for i := range s.q.filters {
		if ok, s.scratch = s.q.filters[i].keeps(&s.row, s.scratch); !ok {
			return false, nil
		}
	}
	for i := range s.collapses {
		if ok, s.scratch = s.collapses[i].keeps(&s.row, s.scratch); !ok {
			return false, nil
		}
	}
	if s.origins != nil && c.Origin.File != 0 {
		name, _ := s.origins.FileName(c.Origin.File)
		s.row.originFile = name
	}
	return true, nil
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

// rows hands each row of the answer to emit, and returns the resume key, "" where nothing is left or none is wanted.
func (s *scan) rows(ctx context.Context, emit func(*row) error) (resume string, err error) {
	skip, left := s.q.offset, s.q.limit
	full := false
	var at Position
	for c, err := range s.captures(ctx) {
		if err != nil {
			return "", err
		}
		ok, err := s.look(ctx, c)
		switch {
		case err != nil:
			return "", err
		case full && ok: // the next answer begins here
			return encodeResumeKey(at), nil
		case full:
			at = positionOf(c)
			continue
		case !ok:
			continue
		case skip > 0:
			skip--
			continue
		}
		if err := emit(&s.row); err != nil {
			return "", err
		}
		if left > 0 {
			if left--; left == 0 && !s.q.showResumeKey {
				return "", nil
			}
			if left == 0 {
				// Walking on to the next row skips what is collapsed into the last one, and
				// tells a reader of all pages that there is no further one.
				full, at = true, positionOf(c)
			}
		}
	}
	return "", nil
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
