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

	annotate bool // the rows need range and change
	noted    bool // notes were fetched, for the key notedKey
	notedKey string
	notes    func(*Capture) (int, string)
	origins  fileTable // nil unless rows depend on where a revisit's original is
	guard    guard     // nil unless they do, and readers may not know of all originals
	digests  *tally    // nil unless duplicates are counted
}

// A fileTable names the file that contains a revisit's original.
type fileTable interface {
	FileName(id FileID) (name string, ok bool)
}

// A guard is a source some of whose captures refer to others that readers may not know of.
type guard interface {
	MayNameOriginal(revisit *Capture) bool
}

func (a *API) newScan(coll string, q *Query) *scan {
	s := &scan{api: a, coll: coll, q: q, collapses: slices.Clone(q.collapses)}
	cols := q.outputColumns()
	needs := func(is func(field) bool) bool {
		return slices.ContainsFunc(cols, func(c column) bool { return is(c.field) }) ||
			slices.ContainsFunc(q.filters, func(f filter) bool { return is(f.field) }) ||
			slices.ContainsFunc(q.collapses, func(c collapse) bool { return is(c.field) })
	}
	s.annotate = a.annotate != nil && needs(field.annotated)
	if needs(field.ofOrigin) {
		s.guard, _ = a.source.(guard)
		s.origins, _ = a.source.(fileTable)
	}
	if q.counts(fieldDupeCount) {
		s.digests = newTally()
	}
	return s
}

// captures yields the index's captures in the query's range, or one page of them.
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

// errNoPage refuses a page after the last. Clients that fetch page after page stop there.
var errNoPage = &QueryError{"page: there is none behind the last; showNumPages=true says how many there are"}

// onePage yields the first page of all. An empty page is an error, except the first.
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

// nearestPage yields the captures of nearest, or one page of them.
func (s *scan) nearestPage(ctx context.Context, span Span) iter.Seq2[*Capture, error] {
	if s.q.page < 0 {
		return s.nearest(ctx, span)
	}
	return s.onePage(skipFirst(s.nearest(ctx, span), s.q.page*s.q.pageSize))
}

// skipFirst skips the first n captures.
func skipFirst(all iter.Seq2[*Capture, error], n int) iter.Seq2[*Capture, error] {
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

// nearest yields the captures between from and to, nearest to closest first.
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

// write emits each row of the answer. It returns the resume key, "" if no row is left or no key is wanted.
func (s *scan) write(ctx context.Context, emit func(*row) error) (resume string, err error) {
	skip, left := s.q.offset, s.q.limit
	full := false
	for r, err := range s.rows(ctx, s.captures(ctx)) {
		switch {
		case err != nil:
			return "", err
		case full: // the next answer begins after the capture before this row
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
			full = left == 0 // a key is given only if there is another row
		}
	}
	return "", nil
}

// countable refuses to count duplicates among more captures than a tally can hold.
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

// positionOf is [PositionOf] with texts of its own, since the source reuses its captures.
func positionOf(c *Capture) Position {
	return Position{Key: strings.Clone(c.Key), Time: c.Time, File: strings.Clone(c.FileName), Offset: c.Offset}
}

// pages returns the number of pages in the query's range, at least one.
func (s *scan) pages(ctx context.Context) (int64, error) {
	span := s.q.span
	span.Coll = s.coll
	n, err := s.api.source.Count(ctx, span)
	return max(1, (n+int64(s.q.pageSize)-1)/int64(s.q.pageSize)), err
}
