package index

import (
	"bytes"
	"context"
	"math"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index/store"
)

// Count implements [cdx.Source]. It reads keys only, which is several times faster than [Index.Captures].
func (x *Index) Count(ctx context.Context, s cdx.Span) (n int64, err error) {
	if s.Newest > 0 || !s.After.IsZero() { // here it matters what the captures are
		for _, err := range x.Captures(ctx, s) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	err = x.view(ctx, func(snap view) error {
		prefix := spanPrefix(s)
		g := snap.groups(store.Range{Prefix: prefix, Reverse: s.Reverse, KeysOnly: true}, s.Coll)
		defer g.cur.Close()
		g.cur.Seek(seekKey(s, prefix))
		n, err = g.passOver(s, math.MaxInt64)
		return err
	})
	return max(0, n-s.Skip), err
}

// passOver moves over whole groups of s with n captures together at most, by their keys alone, and returns how many they
// had: fewer than n where the next group has more than are left, or s ends. After a position the file names
// decide, which the keys don't have; nothing is passed over then.
func (g *groupReader) passOver(s cdx.Span, n int64) (passed int64, err error) {
	if !s.After.IsZero() {
		return 0, nil
	}
	for g.cur.Valid() {
		size, over, err := g.measure(s)
		if err != nil {
			return passed, err
		}
		if over || passed+size > n {
			g.cur.Seek(g.start)
			return passed, nil
		}
		passed += size
	}
	return passed, g.cur.Err()
}

// measure counts the captures of s in the group that the cursor is on, and moves behind it. over says that s ended before.
func (g *groupReader) measure(s cdx.Span) (size int64, over bool, err error) {
	g.start = append(g.start[:0], g.cur.Key()...)
	name, ts, _, ok := splitTail(g.start, g.collLen)
	if ok {
		if g.at.Key != string(name) {
			g.at.Key = string(name)
		}
		if g.at.Time = ts; outside(s, &g.at) {
			return 0, true, nil
		}
		ok = within(s, &g.at)
	}
	group := g.start[:max(0, len(g.start)-tailLen+8)]
	for ; g.cur.Valid(); g.cur.Next() {
		k := g.cur.Key()
		if !bytes.Equal(k[:max(0, len(k)-tailLen+8)], group) {
			break
		}
		if _, _, loc, whole := splitTail(k, g.collLen); ok && whole {
			if _, shows := g.files.visible(loc.File, loc.Offset); shows {
				size++
			}
		}
	}
	return size, false, g.cur.Err()
}

// behind keeps the first n captures from yield.
func behind(n int64, yield func(*cdx.Capture, error) bool) func(*cdx.Capture, error) bool {
	return func(c *cdx.Capture, err error) bool {
		if err == nil && n > 0 {
			n--
			return true
		}
		return yield(c, err)
	}
}

func spanPrefix(s cdx.Span) []byte {
	if s.Exact {
		return nameKey(capturePrefix, s.Coll, s.From)
	}
	return collKey(capturePrefix, s.Coll)
}
