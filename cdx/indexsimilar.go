package cdx

import (
	"cmp"
	"context"
	"slices"
)

// maxPerBand bounds how many texts one band brings in: beyond it a band says little, as with pages that a
// script makes by the thousand.
const maxPerBand = 2000

// SimilarTexts returns the texts of a collection that share a band with the one that has these bands,
// itself among them, those that share most first; at most limit, 0 means no limit. They are candidates: what
// they have in common is for the caller to measure, and where they stand for [Index.WhereText], which
// may know no place for a text whose file was removed a moment ago.
func (x *Index) SimilarTexts(ctx context.Context, coll string, bands []uint32, limit int) ([]uint64, error) {
	shared := map[uint64]int{}
	err := x.store.View(func(snap Snapshot) error {
		for i, hash := range bands {
			if err := ctx.Err(); err != nil {
				return err
			}
			countBand(snap, bandKey(coll, i, hash, 0), shared)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]uint64, 0, len(shared))
	for id := range shared {
		out = append(out, id)
	}
	slices.SortFunc(out, func(a, b uint64) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b)) })
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out, nil
}

func countBand(snap Snapshot, first []byte, shared map[uint64]int) {
	cur := snap.Cursor(first[:len(first)-8], false)
	defer cur.Close()
	n := 0
	for cur.Seek(first); cur.Valid() && n < maxPerBand; cur.Next() {
		shared[bandText(cur.Key())]++
		n++
	}
}
