package requests

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// A finder finds captures that answer a request.
type finder struct{ *archive.Archive }

// Fuzzy looks for a capture under other keys with the same meaning as key: they differ only in values that vary, such as session IDs and
// cache busters. It returns the one nearest to ts with its timeline, or nil if there is none. As a last resort it tries the same file
// without arguments, if key is that of a page in a file, and the host name by IDNA2003: with "ss" for "ß", which may belong to somebody
// else.
func Fuzzy(ctx context.Context, a *archive.Archive, coll, key string, ts cdx.Timestamp) (*timeline.Timeline, *cdx.Capture, error) {
	s := finder{a}
	keys, err := s.sameMeaning(ctx, coll, key)
	if err != nil {
		return nil, nil, err
	}
	tl, c, err := s.nearestOf(ctx, coll, keys, ts, fuzzy.Of(key))
	if page := fuzzy.Page(key); page != "" && c == nil && err == nil {
		tl, c, err = s.nearestOf(ctx, coll, []string{page}, ts, fuzzy.Of(key))
	}
	if old, other := surt.IDNA2003(key); other && c == nil && err == nil {
		return s.nearestOf(ctx, coll, []string{old}, ts, fuzzy.Of(key))
	}
	return tl, c, err
}

// nearestOf returns the usable capture under keys that is nearest to ts, with its timeline.
func (s finder) nearestOf(
	ctx context.Context, coll string, keys []string, ts cdx.Timestamp, same string,
) (*timeline.Timeline, *cdx.Capture, error) {
	var best *cdx.Capture
	var bestLine *timeline.Timeline
	for _, k := range keys {
		tl, err := s.Timelines.Get(ctx, coll, k)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.nearestBeyond(ctx, tl, ts, same)
		if err != nil {
			return nil, nil, err
		}
		if c != nil && (best == nil || better(ts, c, best)) {
			best, bestLine = c, tl
		}
	}
	return bestLine, best, nil
}

// nearestBeyond returns the nearest usable capture of tl. It skips redirects to a key with the same meaning, because these would form a
// loop.
func (s finder) nearestBeyond(ctx context.Context, tl *timeline.Timeline, ts cdx.Timestamp, same string) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.Closest(ts)) {
		if err != nil {
			return nil, err
		}
		if timeline.IsRedirect(c) && fuzzy.Of(surt.Of(c.Redirect)) == same || !timeline.Usable(c) {
			continue
		}
		if best := tl.Memento(c.Time); best != nil && !s.Timelines.IsLost(ctx, best) {
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

// sameMeaning returns the other keys with the same meaning as key.
func (s finder) sameMeaning(ctx context.Context, coll, key string) ([]string, error) {
	want, sent := fuzzy.Of(key), surt.HasMethod(key)
	var out []string
	for _, span := range fuzzy.Spans(key) {
		n := 0
		for k, err := range s.Index.Keys(ctx, coll, span.From, span.To) {
			if err != nil {
				return nil, err
			}
			if k != key && surt.HasMethod(k) == sent && fuzzy.Of(k) == want && !slices.Contains(out, k) {
				out = append(out, k)
			}
			if n++; n == span.Most {
				break
			}
		}
	}
	return out, nil
}
