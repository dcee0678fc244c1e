package archive

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/internal/weighted"
)

// A Timeline is all captures of one URI-R, oldest first, and the versions they fall into.
// It does not change once made, but for the ranges that are worked out when first asked for.
type Timeline struct {
	Coll, Key  string
	Generation uint64 // of the index when it was read
	Captures   []cdx.Capture
	find       func(*Timeline, change.Level, *sketches) ([]change.Range, error)
	sketches   func() *sketches

	mu     sync.Mutex
	ranges [3][]change.Range
}

// Ranges returns the validity ranges at a level.
func (t *Timeline) Ranges(l change.Level) ([]change.Range, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.level(l, t.sketches())
}

// allLevels returns them at every level. Each text is read once for all.
func (t *Timeline) allLevels() (all [3][]change.Range, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	src := t.sketches()
	for _, l := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
		if all[l], err = t.level(l, src); err != nil {
			return all, err
		}
	}
	return all, nil
}

// level is for those who hold t.mu.
func (t *Timeline) level(l change.Level, src *sketches) ([]change.Range, error) {
	if t.ranges[l] != nil {
		return t.ranges[l], nil
	}
	r, err := t.find(t, l, src)
	t.ranges[l] = r
	return r, err
}

// RangeOf returns the index of the validity range that capture i stands in, by time.
func RangeOf(ranges []change.Range, ts cdx.Timestamp) int {
	lo, hi := 0, len(ranges)
	for lo < hi {
		if mid := (lo + hi) / 2; ranges[mid].First <= ts {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// Second returns the captures at ts, as a half-open stretch of t.captures; empty where there is none.
func (t *Timeline) Second(ts cdx.Timestamp) (from, to int) {
	lo, hi := 0, len(t.Captures)
	for lo < hi {
		if mid := (lo + hi) / 2; t.Captures[mid].Time < ts {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	to = lo
	for to < len(t.Captures) && t.Captures[to].Time == ts {
		to++
	}
	return lo, to
}

// cachedCaptures bounds what the cached timelines hold together, about 300 bytes each. One counts for half of it at
// most: a page with more captures than that would push all others out, and be pushed out by the next.
const cachedCaptures = 200_000

// timelines keeps the timelines that were asked for lately.
type timelines struct {
	index   *index.Index
	sites   *sites
	reading inFlight
	cache   *weighted.Cache[string, *Timeline]
}

func newTimelines(x *index.Index, sites *sites) *timelines {
	return keepTimelines(x, sites, cachedCaptures)
}

// keepTimelines bounds what is kept by a number of captures.
func keepTimelines(x *index.Index, sites *sites, most int) *timelines {
	weigh := func(t *Timeline) int { return min(len(t.Captures)+1, most/2) }
	return &timelines{index: x, sites: sites, cache: weighted.New[string](most, weigh)}
}

// get returns the timeline of a key, with no captures where there are none. It is read once for all who ask at the same time.
func (t *timelines) get(ctx context.Context, coll, key string) (*Timeline, error) {
	id := coll + "\x00" + key
	known := func() (*Timeline, bool) { return t.known(id) }
	return once(ctx, &t.reading, id, known, func() (*Timeline, error) {
		tl, err := t.read(ctx, coll, key)
		if err == nil && len(tl.Captures) > 0 {
			t.cache.Add(id, tl)
		}
		return tl, err
	})
}

// known returns a timeline that is in the cache and of the index as it is now.
func (t *timelines) known(id string) (*Timeline, bool) {
	tl, ok := t.cache.Get(id)
	return tl, ok && tl.Generation == t.index.Generation()
}

// read is get past the cache, for those who want each timeline once.
func (t *timelines) read(ctx context.Context, coll, key string) (*Timeline, error) {
	tl := &Timeline{Coll: coll, Key: key, Generation: t.index.Generation(), find: t.find, sketches: func() *sketches { return &sketches{index: t.index} }}
	for c, err := range t.index.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}) {
		if err != nil {
			return nil, err
		}
		tl.Captures = append(tl.Captures, *c)
	}
	return tl, nil
}

func (t *timelines) find(tl *Timeline, level change.Level, src *sketches) ([]change.Range, error) {
	states := make([]change.State, len(tl.Captures))
	text := false
	for i := range tl.Captures {
		states[i] = change.StateOf(&tl.Captures[i])
		text = text || states[i].Text != 0
	}
	if err := src.load(states); err != nil {
		return nil, err
	}
	var site *change.Site
	if text && level != change.LevelAny { // a site knows its soft 404s, and at level content more
		var err error
		if site, err = t.sites.get(context.Background(), tl.Coll, tl.Key); err != nil {
			return nil, err
		}
	}
	return change.Ranges(level, states, src, site)
}

// sketches reads sketches out of the index, each once.
type sketches struct {
	index *index.Index
	known map[uint64]*change.Sketch
}

// Sketch implements [change.Source].
func (s *sketches) Sketch(id uint64) (*change.Sketch, error) {
	if k, ok := s.known[id]; ok {
		return k, nil
	}
	if s.known == nil {
		s.known = map[uint64]*change.Sketch{}
	}
	var found *change.Sketch
	err := s.index.Text(context.Background(), id, func(b []byte) error {
		k, err := change.ParseSketch(b)
		found = &k
		return err
	})
	if errors.Is(err, index.ErrNoText) {
		err = nil
	}
	s.known[id] = found
	return found, err
}

// load reads the sketches of states that are not known yet, in the order in which the index has them: of a page with very
// many texts that takes half as long as one by one in the order of their captures.
func (s *sketches) load(states []change.State) error {
	var ids []uint64
	if s.known == nil {
		s.known = map[uint64]*change.Sketch{}
	}
	for i := range states {
		id := states[i].Text
		if _, ok := s.known[id]; ok || id == 0 {
			continue
		}
		s.known[id] = nil
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return s.index.Texts(context.Background(), ids, func(id uint64, b []byte) error {
		k, err := change.ParseSketch(b)
		s.known[id] = &k
		return err
	})
}
