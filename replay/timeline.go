package replay

import (
	"context"
	"errors"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/change"
)

// A timeline is all captures of one URI-R, oldest first, and the versions they fall into.
// It does not change once made, but for the ranges that are worked out when first asked for.
type timeline struct {
	coll, key string
	captures  []cdx.Capture
	find      func(*timeline, change.Level, *sketches) ([]change.Range, error)
	sketches  func() *sketches

	mu     sync.Mutex
	ranges [3][]change.Range

	draw  sync.Once
	drawn *banner.Timeline
}

// levels returns the validity ranges at a level.
func (t *timeline) levels(l change.Level) ([]change.Range, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.level(l, t.sketches())
}

// allLevels returns them at every level. Each text is read once for all.
func (t *timeline) allLevels() (all [3][]change.Range, err error) {
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
func (t *timeline) level(l change.Level, src *sketches) ([]change.Range, error) {
	if t.ranges[l] != nil {
		return t.ranges[l], nil
	}
	r, err := t.find(t, l, src)
	t.ranges[l] = r
	return r, err
}

// rangeOf returns the index of the validity range that capture i stands in, by time.
func rangeOf(ranges []change.Range, ts cdx.Timestamp) int {
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

// second returns the captures at ts, as a half-open stretch of t.captures; empty where there is none.
func (t *timeline) second(ts cdx.Timestamp) (from, to int) {
	lo, hi := 0, len(t.captures)
	for lo < hi {
		if mid := (lo + hi) / 2; t.captures[mid].Time < ts {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	to = lo
	for to < len(t.captures) && t.captures[to].Time == ts {
		to++
	}
	return lo, to
}

// cachedCaptures bounds what the cached timelines hold together, about 300 bytes each. One counts for half of it at
// most: a page with more captures than that would push all others out, and be pushed out by the next.
const cachedCaptures = 200_000

// timelines keeps the timelines that were asked for lately.
type timelines struct {
	index *index.Index
	sites *sites
	most  int // captures to be held

	reading inFlight

	mu    sync.Mutex
	cache *lru.Cache[string, cachedTimeline]
	held  int // captures in cache
}

type cachedTimeline struct {
	*timeline
	generation uint64
}

func newTimelines(x *index.Index, sites *sites) *timelines {
	t := &timelines{index: x, sites: sites, most: cachedCaptures}
	t.cache, _ = lru.NewWithEvict(cachedCaptures, func(_ string, old cachedTimeline) { t.held -= t.weight(old.timeline) })
	return t
}

// weight is what a timeline counts for in the cache.
func (t *timelines) weight(tl *timeline) int { return min(len(tl.captures)+1, t.most/2) }

// get returns the timeline of a key, with no captures where there are none. It is read once for all who ask at the same time.
func (t *timelines) get(ctx context.Context, coll, key string) (*timeline, error) {
	id := coll + "\x00" + key
	known := func() (*timeline, bool) { return t.known(id) }
	return once(ctx, &t.reading, id, known, func() (*timeline, error) {
		generation := t.index.Generation()
		tl, err := t.read(ctx, coll, key)
		if err == nil && len(tl.captures) > 0 {
			t.keep(id, cachedTimeline{tl, generation})
		}
		return tl, err
	})
}

// known returns a timeline that is in the cache and of the index as it is now.
func (t *timelines) known(id string) (*timeline, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.cache.Get(id)
	return c.timeline, ok && c.generation == t.index.Generation()
}

// keep puts a timeline into the cache, in which there is room for it afterwards.
func (t *timelines) keep(id string, c cachedTimeline) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cache.Remove(id)
	t.cache.Add(id, c)
	t.held += t.weight(c.timeline)
	for t.held > t.most && t.cache.Len() > 1 {
		t.cache.RemoveOldest()
	}
}

// read is get past the cache, for those who want each timeline once.
func (t *timelines) read(ctx context.Context, coll, key string) (*timeline, error) {
	tl := &timeline{coll: coll, key: key, find: t.find, sketches: func() *sketches { return &sketches{index: t.index} }}
	for c, err := range t.index.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}) {
		if err != nil {
			return nil, err
		}
		tl.captures = append(tl.captures, *c)
	}
	return tl, nil
}

func (t *timelines) find(tl *timeline, level change.Level, src *sketches) ([]change.Range, error) {
	states := make([]change.State, len(tl.captures))
	text := false
	for i := range tl.captures {
		states[i] = change.StateOf(&tl.captures[i])
		text = text || states[i].Text != 0
	}
	if err := src.load(states); err != nil {
		return nil, err
	}
	var site *change.Site
	if text && level != change.LevelAny { // a site knows its soft 404s, and at level content more
		var err error
		if site, err = t.sites.get(context.Background(), tl.coll, tl.key); err != nil {
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
