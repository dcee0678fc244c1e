package cdx

import (
	"cmp"
	"context"
	"iter"
	"strings"
)

// A Span is a stretch of one collection's index.
type Span struct {
	Coll  string
	From  string // first key, inclusive
	To    string // end of the keys, exclusive; "" means to the end of the collection
	Exact bool   // only the key From; To is ignored

	Since, Until Timestamp // inclusive; 0 leaves that side open

	Reverse bool
	After   Position // start after this position, in the direction of the scan; zero starts at the edge
	Newest  int      // > 0: only the last Newest captures, still in ascending order; requires Exact
	Skip    int64    // skip this many captures, in the direction of the scan; not with Newest
}

// A Position is the place of a capture in the order of an index. It stays valid while captures are added or removed,
// even its own.
type Position struct {
	Key    string
	Time   Timestamp
	File   string // base name
	Offset int64
}

// IsZero reports whether p is the zero Position.
func (p Position) IsZero() bool { return p == Position{} }

// A Source is an index that can be scanned in order. Package cdx/cdxtest checks these promises.
type Source interface {
	// Captures yields the captures of s, ordered by key, time, file name and offset; all four descend if s.Reverse. A
	// *Capture is valid until the next step only. An error ends the walk.
	Captures(ctx context.Context, s Span) iter.Seq2[*Capture, error]

	// Count returns how many captures Captures yields for s, without reading them.
	Count(ctx context.Context, s Span) (int64, error)

	// Closest yields the captures of one key by their distance in time from ts, nearest first. On a tie the earlier is
	// first; within one second the order is that of file name and offset.
	Closest(ctx context.Context, coll, key string, ts Timestamp) iter.Seq2[*Capture, error]
}

// An Annotator knows the changes of one key. The function it returns tells two things about a capture of the key: the
// index of its validity range at level content, from 0 (-1 if unknown), and its change against the capture before it:
// "none", "any", "text", "content", or "" if unknown.
type Annotator func(ctx context.Context, coll, key string) (func(c *Capture) (rng int, change string), error)

// PositionOf returns the position of c.
func PositionOf(c *Capture) Position {
	return Position{Key: c.Key, Time: c.Time, File: c.FileName, Offset: c.Offset}
}

// Compare orders positions by key, time, file name and offset.
func (p Position) Compare(q Position) int {
	return cmp.Or(
		strings.Compare(p.Key, q.Key),
		cmp.Compare(p.Time, q.Time),
		strings.Compare(p.File, q.File),
		cmp.Compare(p.Offset, q.Offset),
	)
}
