package cdx

import (
	"context"
	"hash/maphash"
	"iter"
	"strings"
)

// rows yields the captures that pass the filters and collapses. A row is valid until the next step only.
func (s *scan) rows(ctx context.Context, captures iter.Seq2[*Capture, error]) iter.Seq2[*row, error] {
	if s.q.groups() {
		return s.groups(ctx, captures)
	}
	return func(yield func(*row, error) bool) {
		var passed Position
		for c, err := range captures {
			is := rowIs
			if err == nil {
				is, err = s.examine(ctx, c)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if is == rowIs {
				if s.row.before = passed; !yield(s.counted(&s.row), nil) {
					return
				}
			}
			if s.q.showResumeKey {
				passed = positionOf(c)
			}
		}
	}
}

// groups yields each row once all captures up to the next row are known.
func (s *scan) groups(ctx context.Context, captures iter.Seq2[*Capture, error]) iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		var held group
		var passed Position
		for c, err := range captures {
			is := rowIs
			if err == nil {
				is, err = s.examine(ctx, c)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			switch {
			case is == rowIs:
				if held.any && !yield(s.counted(&held.row), nil) {
					return
				}
				held.hold(&s.row)
				held.row.before, held.row.skipped = passed, 0
			case held.any:
				if is == rowReplaces {
					held.hold(&s.row)
				}
				held.row.skipped++
				held.row.end = c.Time
			}
			if s.q.showResumeKey {
				passed = positionOf(c)
			}
		}
		if held.any {
			yield(s.counted(&held.row), nil)
		}
	}
}

// A group is a row that waits for the next one. It holds a copy of its capture, because the source reuses captures.
type group struct {
	row     row
	capture Capture
	any     bool
}

func (g *group) hold(r *row) {
	before, skipped := g.row.before, g.row.skipped
	g.capture = *r.Capture
	c := &g.capture
	for _, s := range [...]*string{&c.Key, &c.URL, &c.MIME, &c.Digest, &c.Redirect, &c.FileName, &c.RefersToURI} {
		*s = strings.Clone(*s)
	}
	g.row, g.any = *r, true
	g.row.Capture, g.row.end, g.row.before, g.row.skipped = &g.capture, r.Time, before, skipped
}

// counted sets the count of equal digests in earlier rows.
func (s *scan) counted(r *row) *row {
	if s.digests != nil {
		r.dupes = s.digests.add(r.Digest)
	}
	return r
}

// maxTally bounds how many digests of an answer are remembered: some 40 MB at most.
const maxTally = 1 << 20

// errTally refuses a count that would need too much memory.
var errTally = &QueryError{"showDupeCount: there are more than 1048576 captures to compare; ask for fewer, as with page="}

// A tally counts digests by their hashes.
type tally struct {
	seed  maphash.Seed
	times map[uint64]int32
}

func newTally() *tally { return &tally{maphash.MakeSeed(), make(map[uint64]int32)} }

// add returns how often the digest was added before. A capture without a digest duplicates nothing.
func (t *tally) add(digest string) int {
	if digest == "" {
		return 0
	}
	h := maphash.String(t.seed, digest)
	n := t.times[h]
	t.times[h] = n + 1
	return int(n)
}

// rowRole is what a capture means for the rows of the answer.
type rowRole uint8

const (
	rowNot      rowRole = iota // filtered out, or collapsed into the row before it
	rowIs                      // a row
	rowReplaces                // replaces the row before it
)

// examine fills s.row from c and says, after filters and collapses, whether it is a row.
func (s *scan) examine(ctx context.Context, c *Capture) (rowRole, error) {
	s.row = row{Capture: c, rng: -1}
	s.row.unnamed = s.guard != nil && c.Kind == Revisit && !s.guard.MayNameOriginal(c)
	if s.origins != nil && c.Origin.File != 0 {
		s.row.originFile, _ = s.origins.FileName(c.Origin.File)
	}
	if s.annotate {
		if err := s.note(ctx, c); err != nil {
			return rowNot, err
		}
	}
	var ok bool
	for i := range s.q.filters {
		if ok, s.scratch = s.q.filters[i].keeps(&s.row, s.scratch); !ok {
			return rowNot, nil
		}
	}
	is := rowIs
	for i := range s.collapses {
		if ok, s.scratch = s.collapses[i].keeps(&s.row, s.scratch); ok {
			continue
		}
		if !s.collapses[i].toLast {
			return rowNot, nil
		}
		is = rowReplaces
	}
	return is, nil
}
