package archive

import (
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// fuzzyScan bounds how many keys of one path are looked at.
const fuzzyScan = 100

// Fuzzy returns the capture nearest to ts among those of the keys that mean the same as key, nil if there is none.
func (s *Archive) Fuzzy(ctx context.Context, coll, key string, ts cdx.Timestamp) (*Timeline, *cdx.Capture, error) {
	keys, err := s.sameMeaning(ctx, coll, key)
	if err != nil {
		return nil, nil, err
	}
	var best *cdx.Capture
	var bestLine *Timeline
	for _, k := range keys {
		tl, err := s.Timeline(ctx, coll, k)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.nearestBeyond(ctx, tl, ts, meant(key))
		if err != nil {
			return nil, nil, err
		}
		if c != nil && (best == nil || better(ts, c, best)) {
			best, bestLine = c, tl
		}
	}
	return bestLine, best, nil
}

// nearestBeyond is nearest among the captures that don't redirect to what means the same, which would lead round in a circle.
func (s *Archive) nearestBeyond(ctx context.Context, tl *Timeline, ts cdx.Timestamp, meaning string) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.Closest(ts)) {
		if err != nil {
			return nil, err
		}
		if IsRedirect(c) && c.Redirect != "" && meant(surt.Of(c.Redirect)) == meaning || !Usable(c) {
			continue
		}
		if best := tl.Memento(c.Time); best != nil && s.readable(ctx, best) {
			return best, nil
		}
	}
	return nil, nil
}

// better prefers what went well, then what is nearer.
func better(ts cdx.Timestamp, a, b *cdx.Capture) bool {
	if wentA, wentB := a.Status < 300, b.Status < 300; wentA != wentB {
		return wentA
	}
	return memento.Nearer(ts, a.Time, b.Time)
}

// sameMeaning returns the keys, other than key, that mean the same: what key means without what doesn't count, and
// among the first [fuzzyScan] keys of the path.
func (s *Archive) sameMeaning(ctx context.Context, coll, key string) ([]string, error) {
	want := meant(key)
	path, _, _ := strings.Cut(want, "?")
	var out []string
	for _, span := range [...][2]string{{want, want + "\x00"}, {path, path + "\x00"}, {path + "?", path + "@"}, {path + ";", path + "<"}} {
		n := 0
		for k, err := range s.Index.Keys(ctx, coll, span[0], span[1]) {
			if err != nil {
				return nil, err
			}
			if k != key && !surt.HasMethod(k) && meant(k) == want && !slices.Contains(out, k) {
				out = append(out, k)
			}
			if n++; n == fuzzyScan {
				break
			}
		}
	}
	return out, nil
}
