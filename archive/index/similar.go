package index

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
)

const (
	// maxPerBand bounds the texts that one band contributes. If more share it, it says little: a script may have generated such pages by the
	// thousand.
	maxPerBand = 2000
	// maxReadPerBand bounds the texts that are read to find these. Each file may have the same texts in a group of its own.
	maxReadPerBand = 1 << 16
)

// Similar returns the texts of a collection that share a band with the text that has these bands, including that text, those with most
// shared bands first; at most limit, 0 means no limit. They are candidates: the caller compares them, and asks [Texts.Captures] where they
// occur. A text whose file was just removed may occur nowhere.
func (t Texts) Similar(ctx context.Context, coll string, bands []uint32, limit int) ([]uint64, error) {
	s := sharers{}
	err := t.x.view(ctx, func(snap view) error {
		for i, hash := range bands {
			if err := s.count(snap, bandKey(coll, hashIn(i, hash)), i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := s.ranked()
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out, nil
}

// sharers has the texts that share bands with a given text.
type sharers map[uint64]shared

// shared is the number of bands that a text shares, and the last of them.
type shared struct{ bands, last int }

// count adds the texts in the groups of a band. key is the key of these groups without the group.
func (s sharers) count(snap view, key []byte, band int) error {
	cur := snap.Cursor(kv.Range{Prefix: key})
	defer cur.Close()
	var texts []uint64
	read, met := 0, 0
	for cur.Seek(key); cur.Valid() && met < maxPerBand && read < maxReadPerBand; cur.Next() {
		var err error
		if texts, err = readGroup(texts[:0], cur, key); err != nil {
			return err
		}
		read += len(texts)
		met += s.add(texts, band, maxPerBand-met)
	}
	return cur.Err()
}

// add counts a band for texts for which it wasn't counted yet, at most for most of them. It returns how many.
func (s sharers) add(texts []uint64, band, most int) (n int) {
	for _, id := range texts {
		k, known := s[id]
		if known && k.last == band {
			continue
		}
		if n == most {
			break
		}
		s[id] = shared{k.bands + 1, band}
		n++
	}
	return n
}

// ranked returns the texts, those with most shared bands first.
func (s sharers) ranked() []uint64 {
	return slices.SortedFunc(maps.Keys(s), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(s[b].bands, s[a].bands), cmp.Compare(a, b))
	})
}
