package cdx

import (
	"cmp"
	"context"
	"iter"
	"strings"
)

// A Span names a stretch of one collection's index.
type Span struct {
	Coll  string
	From  string // first key, inclusive
	To    string // end of the keys, exclusive; "" means to the end of the collection
	Exact bool   // only the key From; To is not looked at

	Since, Until Timestamp // inclusive; 0 leaves that side open

	Reverse bool
	After   Position // start behind this place, in the direction of the scan; zero starts at the edge
	Newest  int      // > 0: only the last Newest captures, still in ascending order; with Exact only
	Skip    int64    // pass over so many captures, in the direction of the scan; not with Newest
}

// A Position is the place of one capture in the order of an index. It stays meaningful
// while captures are added or removed around it, itself included.
type Position struct {
	Key    string
	Time   Timestamp
	File   string // base name
	Offset int64
}

// IsZero reports whether p is no place at all.
func (p Position) IsZero() bool { return p == Position{} }

// A Source is an index that can be scanned in order. Package cdx/cdxtest checks that one keeps these promises.
type Source interface {
	// Captures yields the captures of s in the order of key, time, file name and offset, all four
	// descending if s.Reverse. The *Capture is valid until the next step only. An error ends the walk.
	Captures(ctx context.Context, s Span) iter.Seq2[*Capture, error]

	// Count returns how many captures Captures yields for s, without reading them.
	Count(ctx context.Context, s Span) (int64, error)

	// Closest yields the captures of one key by their distance in time from ts, nearest first; on a
	// tie the earlier first, and within one second by file name and offset.
	Closest(ctx context.Context, coll, key string, ts Timestamp) iter.Seq2[*Capture, error]
}

// An Annotator knows the changes of one key. The function it returns tells for a capture of the key
// the index of its validity range at level content, from 0 (-1 if unknown), and its change against the
// capture before it: "none", "any", "text", "content", or "" if unknown.
type Annotator func(ctx context.Context, coll, key string) (func(c *Capture) (rng int, change string), error)

// PositionOf returns the place of c.
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
