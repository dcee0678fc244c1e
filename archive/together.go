package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// Together returns all captures of a key in some collections as one timeline, oldest first. Its versions are those of all
// captures together, so that a text which two collections have is one version. [Archive.CollectionOf] tells captures apart.
func (s *Archive) Together(ctx context.Context, colls []string, key string) (*Timeline, error) {
	id := strings.Join(colls, "\x01") + "\x00\x00" + key
	if tl, ok := s.timelines.cached(id); ok {
		return tl, nil
	}
	out := &Timeline{Key: key, Generation: s.Index.Generation(), find: s.timelines.find}
	out.sketches = func() *sketches { return &sketches{index: s.Index} }
	most := 0 // what is known of the site is that of the collection with the most captures
	for _, coll := range colls {
		tl, err := s.Timeline(ctx, coll, key)
		if err != nil {
			return nil, err
		}
		if n := len(tl.Captures); n > most {
			most, out.Coll = n, coll
		}
		out.Captures = append(out.Captures, tl.Captures...)
	}
	slices.SortStableFunc(out.Captures, func(a, b cdx.Capture) int { return cmp.Compare(a.Time, b.Time) })
	if len(out.Captures) > 0 {
		s.timelines.cache.Add(id, out)
	}
	return out, nil
}

// CollectionOf returns the collection of a capture, "" if its file was removed.
func (s *Archive) CollectionOf(c *cdx.Capture) string {
	f, _ := s.Index.Whole.File(c.File)
	return f.Collection
}
