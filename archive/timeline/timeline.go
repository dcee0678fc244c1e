package timeline

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"sort"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/inflight"
	"github.com/varve-archive/varve/internal/weighted"
)

// A Timeline holds all captures of one URI-R, oldest first, and their versions. Its captures don't change; its validity ranges are computed
// when they are first needed. It is safe for concurrent use.
type Timeline struct {
	Coll, Key  string
	Generation uint64 // of the index at the time of reading
	Captures   []cdx.Capture
	spelling   string // of the captures, if others of the key are left out; see [Timeline.Spelled]
	raw        uint64 // without the rules' part; 0 if the captures are of several collections
	find       func(*Timeline, change.Level, *Sketches) ([]change.Range, error)
	sketches   func() *Sketches

	mu       sync.Mutex
	ranges   [change.LevelVisual][]change.Range // without level visual, because pictures are added without a new generation
	comparer Comparer                           // nil if there are no pictures
}

// Ranges returns the validity ranges at a level, oldest first.
func (t *Timeline) Ranges(l change.Level) ([]change.Range, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.level(l, t.sketches())
}

// allLevels returns the ranges at every level except visual, and reads each text only once.
func (t *Timeline) allLevels() (all [change.LevelVisual][]change.Range, err error) {
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

// TextAndContent returns the ranges at both levels, and reads each text only once. With a single text and no pictures both are the same.
func (t *Timeline) TextAndContent() (text, content []change.Range, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	src := t.sketches()
	if text, err = t.level(change.LevelText, src); err == nil && (len(text) > 1 || src.pictured()) {
		content, err = t.level(change.LevelContent, src)
	}
	return text, content, err
}

// level computes the ranges at a level. t.mu must be held.
func (t *Timeline) level(l change.Level, src *Sketches) ([]change.Range, error) {
	if l == change.LevelVisual {
		return t.visual(src)
	}
	if t.ranges[l] != nil {
		return t.ranges[l], nil
	}
	r, err := t.find(t, l, src)
	t.ranges[l] = r
	return r, err
}

// RangeOf returns the index of the validity range of a capture at ts: the last that begins at or before ts, or else the first, because
// redirects of the URI-R to itself may precede it. It is -1 if there are no ranges.
func RangeOf(ranges []change.Range, ts cdx.Timestamp) int {
	return min(max(BegunBy(ranges, ts), 0), len(ranges)-1)
}

// BegunBy returns the index of the last range that begins at or before ts, -1 if there is none.
func BegunBy(ranges []change.Range, ts cdx.Timestamp) int {
	return sort.Search(len(ranges), func(i int) bool { return ranges[i].First > ts }) - 1
}

// Second returns the captures of one second as t.Captures[from:to], empty if there are none.
func (t *Timeline) Second(ts cdx.Timestamp) (from, to int) {
	from = sort.Search(len(t.Captures), func(i int) bool { return t.Captures[i].Time >= ts })
	return from, sort.Search(len(t.Captures), func(i int) bool { return t.Captures[i].Time > ts })
}

// maxCachedCaptures bounds the captures in all cached timelines together, about 300 bytes each. A timeline weighs at most half of it:
// otherwise a page with more captures would evict all others, and the next such page would evict it.
const maxCachedCaptures = 200_000

// Timelines reads the timelines of URI-Rs for the readers of a view, and caches those that were read recently.
type Timelines struct {
	index    *view.View
	sites    *Sites
	software string // version of the software that cached versions must be from
	log      *slog.Logger
	isLost   func(context.Context, *cdx.Capture) bool
	reading  inflight.Group
	cache    *weighted.Cache[string, *Timeline]
	many     int                          // number of captures from which on a URI-R has many
	division change.Division              // of those
	long     *lru.Cache[string, struct{}] // URI-Rs with many captures
	comparer Comparer
}

// A Config says what [Timelines] read. View is required.
type Config struct {
	View     *view.View
	Software string       // names the program's version: another one may find other versions
	Log      *slog.Logger // nil logs nothing
	// IsLost reports whether the record of a capture is known to be unreadable. nil means that none is.
	IsLost func(context.Context, *cdx.Capture) bool
	// Comparer knows how captures looked; nil if there are no pictures.
	Comparer Comparer
	// CacheSites stores what is learnt about hosts in the index.
	CacheSites bool
}

// New returns the timelines of a view.
func New(c Config) *Timelines {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.IsLost == nil {
		c.IsLost = func(context.Context, *cdx.Capture) bool { return false }
	}
	t := &Timelines{
		index: c.View, sites: newSites(&c), software: c.Software, log: c.Log, isLost: c.IsLost, many: manyCaptures, division: usualDivision,
		comparer: c.Comparer,
	}
	t.bound(maxCachedCaptures)
	t.long, _ = lru.New[string, struct{}](maxKnownLong)
	return t
}

// bound bounds the cache by a number of captures.
func (t *Timelines) bound(maxCaptures int) {
	t.cache = weighted.New[string](maxCaptures, func(tl *Timeline) int { return min(len(tl.Captures)+1, maxCaptures/2) })
}

// View returns what the readers of the timelines may see.
func (t *Timelines) View() *view.View { return t.index }

// IsLost reports whether the record of c is known to be unreadable.
func (t *Timelines) IsLost(ctx context.Context, c *cdx.Capture) bool { return t.isLost(ctx, c) }

// Sites returns what is known of hosts.
func (t *Timelines) Sites() *Sites { return t.sites }

// maxKnownLong bounds the URI-Rs that are remembered to have many captures.
const maxKnownLong = 4096

// Get returns the timeline of a key, oldest capture first, empty if it has no captures. Concurrent callers for one key share one reading.
func (t *Timelines) Get(ctx context.Context, coll, key string) (*Timeline, error) {
	id := coll + "\x00" + key
	cached := func() (*Timeline, bool) { return t.cached(id) }
	return inflight.Do(ctx, &t.reading, id, cached, func() (*Timeline, error) {
		tl, err := t.Read(ctx, coll, key)
		if err == nil {
			t.keep(id, tl)
		}
		return tl, err
	})
}

// short returns the timeline of a key, unless it has many captures and is not cached; then it returns an excerpt around ts.
func (t *Timelines) short(ctx context.Context, coll, key string, ts cdx.Timestamp) (tl *Timeline, g *excerpt, err error) {
	id := coll + "\x00" + key
	cached := func() (*Timeline, bool) {
		if tl, ok := t.cached(id); ok {
			return tl, true
		}
		return nil, t.long.Contains(id) // a result from before the last change may be outdated
	}
	tl, err = inflight.Do(ctx, &t.reading, id, cached, func() (tl *Timeline, err error) {
		tl, g, err = t.readOrExcerpt(ctx, coll, key, ts, t.many)
		switch {
		case err != nil:
			return nil, err
		case g != nil:
			t.long.Add(id, struct{}{})
		default:
			t.keep(id, tl)
		}
		return tl, nil
	})
	if tl != nil || g != nil || err != nil {
		return tl, g, err
	}
	return t.readOrExcerpt(ctx, coll, key, ts, 0)
}

// keep caches a timeline that has captures. The others are without end: anybody can ask for any address.
func (t *Timelines) keep(id string, tl *Timeline) {
	if len(tl.Captures) > 0 {
		t.cache.Add(id, tl)
	}
}

// cached returns a timeline from the cache if the index has not changed since.
func (t *Timelines) cached(id string) (*Timeline, bool) {
	tl, ok := t.cache.Get(id)
	return tl, ok && tl.Generation == t.index.Generation()
}

// Read is [Timelines.Get] without the cache, for callers that need each timeline once.
func (t *Timelines) Read(ctx context.Context, coll, key string) (*Timeline, error) {
	tl, all := t.blank(coll, key), cdx.Span{Coll: coll, From: key, Exact: true}
	reads := index.Prefetch{Spans: []index.PrefetchSpan{{Span: all, Most: manyCaptures}}}
	err := t.index.Read(ctx, reads, func(snap *view.Snapshot) error {
		_, err := tl.fill(snap.Captures(all), math.MaxInt)
		return err
	})
	if err != nil {
		return nil, err
	}
	return tl, nil
}

// blank returns a timeline without captures, for the present or a later state of the index.
func (t *Timelines) blank(coll, key string) *Timeline {
	tl := &Timeline{
		Coll: coll, Key: key, raw: t.index.Whole.Generation(), Generation: t.index.Generation(), find: t.find, comparer: t.comparer,
	}
	tl.sketches = func() *Sketches { return &Sketches{index: t.index, page: tl} }
	return tl
}

// find returns the validity ranges of a timeline. Those of very many captures are cached in the index.
func (t *Timelines) find(tl *Timeline, level change.Level, src *Sketches) ([]change.Range, error) {
	ctx, long := context.Background(), len(tl.Captures) > t.many && tl.raw != 0
	if long {
		if cached, found, err := t.ranges(ctx, tl, level); found || err != nil {
			return cached, err
		}
	}
	if len(tl.Captures) > t.many {
		src.page = nil // otherwise new captures of pictures would have to make cached versions stale
	}
	r, err := t.readAll(ctx, tl, level, src)
	if err != nil {
		return nil, err
	}
	if long {
		ctx, cancel := context.WithTimeout(ctx, cacheTime)
		defer cancel()
		if err := t.cacheAll(ctx, tl, r); err != nil {
			t.log.Warn("the versions of a page could not be cached in the index", "key", tl.Key, "error", err)
		}
	}
	return r.ranges(), nil
}

// Sketches reads sketches from the index and keeps them, so that each is read once.
// It implements [change.PictureSource] and [change.Source].
type Sketches struct {
	index    *view.View
	cached   map[uint64]*sketch.Sketch
	page     *Timeline // the page whose pictures are compared, may be nil
	pictures *Pictures
}

// Sketches returns a source of sketches. Only one goroutine may use it.
func (t *Timelines) Sketches() *Sketches { return &Sketches{index: t.index} }

// Sketch implements [change.Source]. 0 is the ID of no text, which is not looked up.
func (s *Sketches) Sketch(id uint64) (*sketch.Sketch, error) {
	if k, ok := s.cached[id]; ok || id == 0 {
		return k, nil
	}
	if s.cached == nil {
		s.cached = map[uint64]*sketch.Sketch{}
	}
	var found *sketch.Sketch
	err := s.index.Text(context.Background(), id, func(b []byte) error {
		k, err := sketch.Parse(b)
		found = &k
		return err
	})
	if errors.Is(err, index.ErrNoText) {
		err = nil
	}
	s.cached[id] = found
	return found, err
}

// Load reads missing sketches in the order of their IDs in the index. For a page with very many texts that takes half the time of the order
// of captures.
func (s *Sketches) Load(states []change.State) error {
	var ids []uint64
	if s.cached == nil {
		s.cached = map[uint64]*sketch.Sketch{}
	}
	for i := range states {
		id := states[i].Text
		if _, ok := s.cached[id]; ok || id == 0 {
			continue
		}
		s.cached[id] = nil
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	return s.index.Texts(context.Background(), ids, func(id uint64, b []byte) error {
		k, err := sketch.Parse(b)
		s.cached[id] = &k
		return err
	})
}
