package duplicates

import (
	"context"

	"github.com/varve-archive/varve/cdx"
)

// pictures groups pictures of different URI-Rs whose payloads are equal.
func (f *finder) pictures(ctx context.Context) (out []Group, err error) {
	var same []cdx.Capture
	end := func() {
		if len(same) > 1 {
			out = append(out, Group{Kind: Picture, Similarity: 1, Captures: same, texts: [][]cdx.Capture{same}})
		}
		same = nil
	}
	total := 0
	for c, err := range f.archive.Index.SameDigest(ctx, f.query.Coll) {
		if err != nil {
			return nil, err
		}
		if !c.IsPicture() {
			continue
		}
		if len(same) > 0 && same[0].Digest != c.Digest {
			end()
		}
		if total++; total > MaxCaptures {
			f.cut = true
			break
		}
		same = append(same, *c)
	}
	end()
	return out, nil
}
