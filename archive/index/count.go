package index

import (
	"bytes"
	"context"
	"math"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// Count implements [cdx.Source]. It reads keys only, which is several times faster than [Index.Captures].
func (x *Index) Count(ctx context.Context, s cdx.Span) (n int64, err error) {
	if s.Newest > 0 || !s.After.IsZero() { // these conditions need the captures
		for _, err := range x.Captures(ctx, s) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	err = x.view(ctx, func(snap view) error {
		n, err = snap.count(s)
		return err
	})
	return n, err
}

// count counts the captures of a span without After and Newest.
func (snap view) count(s cdx.Span) (int64, error) {
	prefix := spanPrefix(s)
	g := snap.groups(kv.Range{Prefix: prefix, Reverse: s.Reverse, KeysOnly: true}, s.Coll)
	defer g.cur.Close()
	g.cur.Seek(seekKey(s, prefix))
	n, err := g.skipGroups(s, math.MaxInt64)
	return max(0, n-s.Skip), err
}

// skipGroups moves past whole groups of s, reading keys only, as long as they have at most n captures together. It returns how many they
// had. That is less than n if the next group has too many or s ends. With s.After it skips nothing, because positions are compared by file
// name, which keys don't have.
func (g *groupReader) skipGroups(s cdx.Span, n int64) (passed int64, err error) {
	if !s.After.IsZero() {
		return 0, nil
	}
	for g.cur.Valid() {
		size, over, err := g.measure(s)
		if err != nil || over {
			return passed, err
		}
		if passed+size > n {
			g.cur.Seek(g.start)
			return passed, nil
		}
		passed += size
	}
	return passed, g.cur.Err()
}

// measure counts the captures of s in the group at the cursor and moves the cursor past it. over means that s ends before the group, where
// the cursor stays.
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

func skipFirst(n int64, yield func(*cdx.Capture, error) bool) func(*cdx.Capture, error) bool {
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
