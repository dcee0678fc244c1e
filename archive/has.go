package archive

import (
	"context"
	"errors"
	"iter"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Has reports, for each URI-R, whether the archive has a capture near ts that isn't an archived error. It finds all in one ordered pass
// over the index.
func (s *Archive) Has(ctx context.Context, coll string, ts cdx.Timestamp, uris []string) ([]bool, error) {
	out, keys := make([]bool, len(uris)), make([]string, len(uris))
	for i, uri := range uris {
		keys[i] = surt.Of(uri)
	}
	err := s.Index.Nearest(ctx, coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		c := timeline.FirstSpelled(uris[i], ts, candidates)
		out[i] = c != nil && c.Status < 400
	})
	return out, err
}

// Captured reports whether an address or a pattern has a capture.
func (s *Archive) Captured(ctx context.Context, coll, pattern string) (bool, error) {
	ranges, err := surt.Ranges(pattern, "")
	if err != nil || ranges[0].From == "" {
		return false, nil
	}
	for _, k := range ranges {
		for _, err := range s.Index.Keys(ctx, coll, k.From, k.To) {
			return err == nil, err
		}
	}
	return false, nil
}

// Having returns the collections with a capture of an address, or of any that matches a pattern. With an error it returns those that it
// could look up.
func (s *Archive) Having(ctx context.Context, pattern string) (colls []string, err error) {
	for _, coll := range s.Index.Collections() {
		captured, failed := s.Captured(ctx, coll, pattern)
		if err = errors.Join(err, failed); captured {
			colls = append(colls, coll)
		}
	}
	return colls, err
}
