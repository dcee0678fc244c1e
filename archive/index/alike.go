package index

import (
	"bytes"
	"context"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A TextGroup is a group of at least two texts of a collection that have the same hash in one band. Two texts share as many groups as they
// share bands.
type TextGroup struct {
	Band  int
	Texts []uint64 // sorted; valid until the next group
	Met   int      // the first Met texts were in the previous group too
}

// MaxTextGroup bounds a group. More texts come as several groups, each of which begins with half of the previous one. It also bounds how
// many texts are written under one key.
const MaxTextGroup = 1024

// maxWindow bounds how many texts with the same hash in a band are sorted at a time, 16 bytes each. If there are more,
// their keys are read several times.
const maxWindow = 1 << 17

// Groups yields the texts of a collection that may be alike, band by band. Some may belong to hidden files; [Texts.Captures] leaves those
// out.
func (t Texts) Groups(ctx context.Context, coll string) iter.Seq2[TextGroup, error] {
	return t.groups(ctx, coll, maxWindow)
}

func (t Texts) groups(ctx context.Context, coll string, most int) iter.Seq2[TextGroup, error] {
	return func(yield func(TextGroup, error) bool) {
		err := t.x.view(ctx, func(snap view) error {
			prefix := collKey(bandPrefix, coll)
			g := grouper{cur: snap.Cursor(kv.Range{Prefix: prefix}), yield: yield, window: window{most: most}}
			defer g.cur.Close()
			for g.cur.Seek(prefix); g.cur.Valid(); {
				if err := g.join(len(prefix)); err != nil {
					return err
				}
			}
			return g.cur.Err()
		})
		if err != nil && err != errStop {
			yield(TextGroup{}, err)
		}
	}
}

// A grouper joins the stored groups of one band and hash.
type grouper struct {
	TextGroup
	cur    kv.Cursor
	yield  func(TextGroup, error) bool
	window window
	key    []byte   // of the band and hash
	texts  []uint64 // of one stored group
	fresh  bool     // Texts has a text that was in no group before
}

// join yields the texts of the band and hash at the cursor and moves the cursor past them. collLen is the length of
// their keys before the band.
func (g *grouper) join(collLen int) error {
	if len(g.cur.Key()) < collLen+bandLen {
		return errShortGroup
	}
	g.key = append(g.key[:0], g.cur.Key()[:collLen+bandLen]...)
	g.Band, g.Texts, g.Met, g.fresh = int(g.key[collLen]), g.Texts[:0], 0, false
	for from, more := uint64(0), true; more; {
		var texts []uint64
		var err error
		if texts, more, err = g.gather(from); err != nil {
			return err
		}
		for _, id := range texts {
			if !g.add(id) {
				return errStop
			}
			from = id + 1
		}
		if more {
			g.cur.Seek(g.key)
		}
	}
	if !g.flush() {
		return errStop
	}
	return nil
}

// gather returns the texts under the key, starting with from, and whether there are more than the window keeps.
func (g *grouper) gather(from uint64) (texts []uint64, more bool, err error) {
	g.window.open(from)
	for ; g.cur.Valid() && bytes.HasPrefix(g.cur.Key(), g.key); g.cur.Next() {
		if g.texts, err = readGroup(g.texts[:0], g.cur, g.key); err != nil {
			return nil, false, err
		}
		for _, id := range g.texts {
			g.window.add(id)
		}
	}
	texts, more = g.window.close()
	return texts, more, g.cur.Err()
}

// add appends a text to the group, and yields the group when it is full.
func (g *grouper) add(text uint64) bool {
	g.Texts, g.fresh = append(g.Texts, text), true
	if len(g.Texts) < MaxTextGroup {
		return true
	}
	if !g.yield(g.TextGroup, nil) {
		return false
	}
	g.Met, g.fresh = MaxTextGroup/2, false
	g.Texts = append(g.Texts[:0], g.Texts[MaxTextGroup-g.Met:]...)
	return true
}

// flush yields the last group.
func (g *grouper) flush() bool {
	return !g.fresh || len(g.Texts) < 2 || g.yield(g.TextGroup, nil)
}

// ByText yields the captures of a collection that have a text, except revisits of the same SURT. Captures with the same text come together,
// oldest first.
func (t Texts) ByText(ctx context.Context, coll string) iter.Seq2[*cdx.Capture, error] {
	return t.placed(ctx, coll, collKey(wherePrefix, coll), func(c *cdx.Capture) bool { return c.Text != 0 })
}

// SameDigest yields captures of payloads that several SURTs of a collection have: for each SURT the first that isn't a revisit. Captures
// with the same digest come together. Only captures for which shows returns true count; nil counts all.
func (t Texts) SameDigest(ctx context.Context, coll string, shows func(*cdx.Capture) bool) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		runOn(ctx, t.x, yield, func(snap view) error {
			prefix := collKey(digestPrefix, coll)
			var digest []byte
			var first *cdx.Capture // the first capture of the digest, until another SURT has it too
			seen := map[string]bool{}
			return kv.Each(snap, kv.Range{Prefix: prefix}, prefix, func(cur kv.Cursor) error {
				name, _, _, ok := splitTail(cur.Key(), len(coll))
				if !ok {
					return nil
				}
				if !bytes.Equal(name, digest) {
					digest, first = append(digest[:0], name...), nil
					clear(seen)
				}
				c, err := snap.firstOf(coll, cur, seen, shows)
				switch {
				case err != nil:
					return err
				case c == nil:
				case len(seen) == 1:
					first = c
				case first != nil && !yield(first, nil), !yield(c, nil):
					return errStop
				default:
					first = nil
				}
				return nil
			})
		})
	}
}

// firstOf returns the capture at the cursor if it is the first of its SURT that counts, and adds the SURT to seen. Otherwise it returns
// nil.
func (snap view) firstOf(coll string, cur kv.Cursor, seen map[string]bool, shows func(*cdx.Capture) bool) (*cdx.Capture, error) {
	known := false
	if err := cur.Value(func(v []byte) error { known = seen[string(v)]; return nil }); err != nil || known {
		return nil, err
	}
	c, err := snap.captureAt(coll, cur)
	if c == nil || err != nil || shows != nil && !shows(c) {
		return nil, err
	}
	if len(seen) < maxSameDigest {
		seen[c.Key] = true
	}
	return c, nil
}

// maxSameDigest bounds the SURTs that are remembered for a digest. Beyond it, several captures of a SURT may be yielded.
const maxSameDigest = 1 << 16
