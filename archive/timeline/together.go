package timeline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// Together returns all captures of a key in some collections as one timeline, oldest first. Versions are determined from all captures
// together, so a text that two collections have is one version. Captures are told apart by their files.
func (t *Timelines) Together(ctx context.Context, colls []string, key string) (*Timeline, error) {
	id := strings.Join(colls, "\x01") + "\x00\x00" + key
	if tl, ok := t.cached(id); ok {
		return tl, nil
	}
	out := &Timeline{Key: key, Generation: t.index.Generation(), find: t.find}
	out.sketches = func() *Sketches { return &Sketches{index: t.index} }
	most := 0 // the site's facts are those of the collection with the most captures
	for _, coll := range colls {
		tl, err := t.Get(ctx, coll, key)
		if err != nil {
			return nil, err
		}
		if n := len(tl.Captures); n > most {
			most, out.Coll = n, coll
		}
		out.Captures = append(out.Captures, tl.Captures...)
	}
	slices.SortStableFunc(out.Captures, func(a, b cdx.Capture) int { return cmp.Compare(a.Time, b.Time) })
	t.keep(id, out)
	return out, nil
}
