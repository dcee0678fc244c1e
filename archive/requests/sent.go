package requests

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// maxCompared bounds the captures whose requests are read, starting with the nearest.
const maxCompared = 200

// Sent looks for the capture that answers a request whose key doesn't determine its body, because the body is long or in bytes. It reads
// the requests of captures for the same path. It returns the nearest capture with the same request (exact), or else with one that differs
// only in values that vary. A value that looks random is assumed to vary if the archive shows that responses don't depend on it: several
// captures differ in nothing else and have the same response. If no requests are archived for the captures under the key itself, it returns
// the nearest of these.
func Sent(
	ctx context.Context, a *archive.Archive, coll string, r *fuzzy.Request, ts cdx.Timestamp,
) (tl *timeline.Timeline, c *cdx.Capture, exact bool, err error) {
	key, s := r.Key(), finder{a}
	candidates, err := s.sentTo(ctx, coll, r, ts)
	if err != nil {
		return nil, nil, false, err
	}
	compare, known := fuzzy.Compare(r), false
	var alike, unknown *sentCapture
	chance := map[string]*randomCaptures{} // by payload
	for i := range candidates[:min(len(candidates), maxCompared)] {
		x := &candidates[i]
		other, err := Of(ctx, s.Archive, x.c)
		switch {
		case err != nil || other == nil:
			if x.c.Key == key && unknown == nil {
				unknown = x
			}
			continue
		case compare.Exact(other) && !s.Timelines.IsLost(ctx, x.c):
			return x.tl, x.c, true, nil
		case alike == nil && compare.Alike(other, x.c.Time.Time()) && !s.Timelines.IsLost(ctx, x.c):
			alike = x
		default:
			if values, only := compare.Random(other, x.c.Time.Time()); only {
				noteRandom(chance, x, values)
			}
		}
		known = known || x.c.Key == key
	}
	switch {
	case alike != nil:
		return alike.tl, alike.c, false, nil
	case len(chance) == 1:
		for _, all := range chance {
			if all.areNonces() && !s.Timelines.IsLost(ctx, all.nearest.c) {
				return all.nearest.tl, all.nearest.c, false, nil
			}
		}
	case !known && unknown != nil && !s.Timelines.IsLost(ctx, unknown.c):
		return unknown.tl, unknown.c, true, nil
	}
	return nil, nil, false, nil
}

type sentCapture struct {
	tl *timeline.Timeline
	c  *cdx.Capture
}

// A randomCaptures has the captures with one response whose requests differ in values that look random.
type randomCaptures struct {
	nearest *sentCapture
	fields  []map[string]bool // for each field the captured values, "" for the value in the present request
}

func noteRandom(chance map[string]*randomCaptures, x *sentCapture, values []string) {
	all := chance[x.c.Digest]
	if all == nil {
		all = &randomCaptures{nearest: x, fields: make([]map[string]bool, len(values))}
		chance[x.c.Digest] = all
	}
	for i, v := range values {
		if all.fields[i] == nil {
			all.fields[i] = map[string]bool{}
		}
		all.fields[i][v] = true
	}
}

// areNonces reports whether each field either has the requested value, or several values with the same response.
func (all *randomCaptures) areNonces() bool {
	return !slices.ContainsFunc(all.fields, func(values map[string]bool) bool { return len(values) < 2 && !values[""] })
}

// sentTo returns the usable captures under the key of a request, and of other requests to the same path, nearest first.
func (s finder) sentTo(ctx context.Context, coll string, r *fuzzy.Request, ts cdx.Timestamp) (out []sentCapture, err error) {
	keys, err := s.keysOf(ctx, coll, r.Around())
	if err != nil {
		return nil, err
	}
	if key := r.Key(); !slices.Contains(keys, key) {
		keys = append(keys, key)
	}
	for _, k := range keys {
		tl, err := s.Timelines.Get(ctx, coll, k)
		if err != nil {
			return nil, err
		}
		for i := range tl.Captures {
			if c := &tl.Captures[i]; timeline.Usable(c) {
				out = append(out, sentCapture{tl, c})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b sentCapture) int {
		switch {
		case memento.Nearer(ts, a.c.Time, b.c.Time):
			return -1
		case memento.Nearer(ts, b.c.Time, a.c.Time):
			return 1
		}
		return 0
	})
	return out, nil
}
