package cdx

import (
	"context"
	"hash/maphash"
	"iter"
	"strings"
)

// rows yields what of captures passes filters and collapses. A row is valid until the next step only.
func (s *scan) rows(ctx context.Context, captures iter.Seq2[*Capture, error]) iter.Seq2[*row, error] {
	if s.q.groups() {
		return s.groups(ctx, captures)
	}
	return func(yield func(*row, error) bool) {
		var passed Position
		for c, err := range captures {
			is := rowIs
			if err == nil {
				is, err = s.look(ctx, c)
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

// groups yields each row once it is known what follows it up to the next.
func (s *scan) groups(ctx context.Context, captures iter.Seq2[*Capture, error]) iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		var held group
		var passed Position
		for c, err := range captures {
			is := rowIs
			if err == nil {
				is, err = s.look(ctx, c)
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

// A group is a row that waits for the next, with a capture of its own: that of an index is valid for one step only.
type group struct {
	row row
	own Capture
	any bool
}

func (g *group) hold(r *row) {
	before, skipped := g.row.before, g.row.skipped
	g.own = *r.Capture
	for _, s := range [...]*string{&g.own.Key, &g.own.URL, &g.own.MIME, &g.own.Digest, &g.own.Redirect, &g.own.FileName, &g.own.RefersToURI} {
		*s = strings.Clone(*s)
	}
	g.row, g.any = *r, true
	g.row.Capture, g.row.end, g.row.before, g.row.skipped = &g.own, r.Time, before, skipped
}

// counted fills in what is counted over the rows.
func (s *scan) counted(r *row) *row {
	if s.digests != nil {
		r.dupes = s.digests.add(r.Digest)
	}
	return r
}

// maxTally bounds what is remembered of an answer's digests: some 40 MB at most.
const maxTally = 1 << 20

// errTally is a count over more than can be remembered.
var errTally = &QueryError{"showDupeCount: there are more than 1048576 captures to compare; ask for fewer, as with page="}

// A tally counts digests, by a hash of them.
type tally struct {
	seed  maphash.Seed
	times map[uint64]int32
}

func newTally() *tally { return &tally{maphash.MakeSeed(), make(map[uint64]int32)} }

// add returns how often the digest was there before. What has none is no copy of anything.
func (t *tally) add(digest string) int {
	if digest == "" {
		return 0
	}
	h := maphash.String(t.seed, digest)
	n := t.times[h]
	t.times[h] = n + 1
	return int(n)
}

// What a capture is to the answer.
type rowness uint8

const (
	rowNot      rowness = iota // filtered out, or collapsed into the row before
	rowIs                      // a row
	rowReplaces                // stands for the row before
)

// look fills s.row from c and says whether it is a row, seeing filters and collapses.
func (s *scan) look(ctx context.Context, c *Capture) (rowness, error) {
	s.row = row{Capture: c, rng: -1}
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
	if s.origins != nil && c.Origin.File != 0 {
		name, _ := s.origins.FileName(c.Origin.File)
		s.row.originFile = name
	}
	return is, nil
}
