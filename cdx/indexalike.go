package cdx

import (
	"bytes"
	"context"
	"iter"
)

// A TextGroup is texts of a collection that have the same hash in one band, at least two. Two texts stand
// together in as many groups as they share bands.
type TextGroup struct {
	Band  int
	Texts []uint64 // sorted; valid until the next group
	Met   int      // how many of them, at the beginning, stood together in the group before
}

// MaxTextGroup bounds a group: more texts come as several groups, each of them beginning with half of the
// one before.
const MaxTextGroup = 1024

// TextGroups yields the texts of a collection that may be alike, band by band. Texts of files that do not show
// are among them; [Index.WhereText] tells.
func (x *Index) TextGroups(ctx context.Context, coll string) iter.Seq2[TextGroup, error] {
	return func(yield func(TextGroup, error) bool) {
		err := x.store.View(func(snap Snapshot) error {
			prefix := collKey(bandPrefix, coll)
			cur := snap.Cursor(prefix, false)
			defer cur.Close()
			g := grouper{hash: make([]byte, 0, 5)}
			for cur.Seek(prefix); cur.Valid(); cur.Next() {
				if g.steps++; g.steps%stopAfter == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				k := cur.Key()
				if len(k) != len(prefix)+5+8 {
					continue
				}
				if !g.add(k[len(prefix):], yield) {
					return errStop
				}
			}
			if !g.give(yield) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(TextGroup{}, err)
		}
	}
}

// A grouper gathers neighbouring keys of the same band and hash.
type grouper struct {
	TextGroup
	hash  []byte // band and hash
	fresh bool   // has a text that was in no group yet
	steps int
}

func (g *grouper) add(key []byte, yield func(TextGroup, error) bool) bool {
	if !bytes.Equal(key[:5], g.hash) {
		if !g.give(yield) {
			return false
		}
		g.hash = append(g.hash[:0], key[:5]...)
		g.Band, g.Texts, g.Met, g.fresh = int(key[0]), g.Texts[:0], 0, false
	}
	g.Texts, g.fresh = append(g.Texts, bandText(key)), true
	if len(g.Texts) < MaxTextGroup {
		return true
	}
	if !yield(g.TextGroup, nil) {
		return false
	}
	g.Met, g.fresh = MaxTextGroup/2, false
	g.Texts = append(g.Texts[:0], g.Texts[MaxTextGroup-g.Met:]...)
	return true
}

func (g *grouper) give(yield func(TextGroup, error) bool) bool {
	return !g.fresh || len(g.Texts) < 2 || yield(g.TextGroup, nil)
}

// ByText yields the captures of a collection that have a text, revisits aside: those with the same text
// together, oldest first.
func (x *Index) ByText(ctx context.Context, coll string) iter.Seq2[*Capture, error] {
	return x.placed(ctx, coll, collKey(wherePrefix, coll), func(*Capture) bool { return true })
}
