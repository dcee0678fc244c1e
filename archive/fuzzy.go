package archive

import (
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// fuzzyScan bounds how many keys of one path are compared. sentScan does so for requests with a body, whose keys differ
// more.
const (
	fuzzyScan = 100
	sentScan  = 1000
)

// Fuzzy looks for a capture under other keys that mean the same as key: they differ only in values that vary, such as
// session IDs and cache busters. It returns the one nearest to ts with its timeline, or nil if there is none. As a last
// resort it tries the host name that clients used before IDNA2008: with "ss" for "ß", which may belong to somebody
// else.
func (s *Archive) Fuzzy(ctx context.Context, coll, key string, ts cdx.Timestamp) (*Timeline, *cdx.Capture, error) {
	keys, err := s.sameMeaning(ctx, coll, key)
	if err != nil {
		return nil, nil, err
	}
	tl, c, err := s.nearestOf(ctx, coll, keys, ts, meaningOf(key))
	if old, other := surt.IDNA2003(key); other && c == nil && err == nil {
		return s.nearestOf(ctx, coll, []string{old}, ts, meaningOf(key))
	}
	return tl, c, err
}

// nearestOf returns the usable capture under keys that is nearest to ts, with its timeline.
func (s *Archive) nearestOf(
	ctx context.Context, coll string, keys []string, ts cdx.Timestamp, meaning string,
) (*Timeline, *cdx.Capture, error) {
	var best *cdx.Capture
	var bestLine *Timeline
	for _, k := range keys {
		tl, err := s.Timeline(ctx, coll, k)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.nearestBeyond(ctx, tl, ts, meaning)
		if err != nil {
			return nil, nil, err
		}
		if c != nil && (best == nil || better(ts, c, best)) {
			best, bestLine = c, tl
		}
	}
	return bestLine, best, nil
}

// nearestBeyond returns the nearest usable capture of tl. It skips redirects to a key of the same meaning, because
// they would lead in a circle.
func (s *Archive) nearestBeyond(ctx context.Context, tl *Timeline, ts cdx.Timestamp, meaning string) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.Closest(ts)) {
		if err != nil {
			return nil, err
		}
		if IsRedirect(c) && c.Redirect != "" && meaningOf(surt.Of(c.Redirect)) == meaning || !Usable(c) {
			continue
		}
		if best := tl.Memento(c.Time); best != nil && s.readable(ctx, best) {
			return best, nil
		}
	}
	return nil, nil
}

// better reports whether a is a better answer than b: a success before a failure, then the nearer one.
func better(ts cdx.Timestamp, a, b *cdx.Capture) bool {
	if wentA, wentB := a.Status < 300, b.Status < 300; wentA != wentB {
		return wentA
	}
	return memento.Nearer(ts, a.Time, b.Time)
}

// sameMeaning returns the keys other than key that mean the same. It looks at the bare form of key, without its
// varying parts, and at the first [fuzzyScan] keys of the same path.
func (s *Archive) sameMeaning(ctx context.Context, coll, key string) ([]string, error) {
	want := meaningOf(key)
	path, _, _ := strings.Cut(want, "?")
	sent, most := surt.HasMethod(key), fuzzyScan
	spans := [][2]string{{want, want + "\x00"}, {path, path + "\x00"}, {path + "?", path + "@"}, {path + ";", path + "<"}}
	if sent {
		same := sentBegin(key)
		spans, most = [][2]string{{want, want + "\x00"}, {same, same + "\xff"}}, sentScan
	}
	var out []string
	for _, span := range spans {
		n := 0
		for k, err := range s.Index.Keys(ctx, coll, span[0], span[1]) {
			if err != nil {
				return nil, err
			}
			if k != key && surt.HasMethod(k) == sent && meaningOf(k) == want && !slices.Contains(out, k) {
				out = append(out, k)
			}
			if n++; n == most {
				break
			}
		}
	}
	return out, nil
}
