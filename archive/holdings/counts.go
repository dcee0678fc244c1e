package holdings

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/inflight"
	"github.com/varve-archive/varve/internal/settle"
	"github.com/varve-archive/varve/internal/weighted"
)

const (
	// fewCaptures is the number of captures up to which a collection is counted while a reader waits.
	fewCaptures = 20_000
	// maxListBytes bounds the memory of all lists together. The newest list is kept whatever its size.
	maxListBytes = 512 << 20
	// lightList is the size in bytes up to which a list is kept in memory although nobody has asked for it.
	lightList = 16 << 20
	// countStep is the number of captures counted between two calls of [Config.Pace].
	countStep = 64
)

// A ListedAddress is an address with its versions.
type ListedAddress struct {
	Address
	Versions int
	Changed  cdx.Timestamp // when the newest began; 0 if there is only one
}

// A List has all addresses of a collection with their versions at one level, at the time of counting. Use it for what can be
// told without reading captures again. To show a single address, get its present state from [Counts.Now].
type List struct {
	*catalogue.Catalogue
	Overview   Overview
	Generation uint64 // of the index when it was counted
	Number     uint64 // unique
	key        countKey
	mark       string // of the access rules ([access.Policy.Mark])
}

// A Progress is the progress of counting.
type Progress struct{ Done, All int64 } // captures

// A countKey identifies a list.
type countKey struct {
	coll  string
	level change.Level
}

func (k countKey) String() string { return k.coll + "\x00" + k.level.String() }

// A Config says what is counted. Archive is required.
type Config struct {
	Archive *archive.Archive // as everybody may see it
	// Dir is the folder in which lists are stored, with a folder for each collection. Without it everything is counted again at each start.
	Dir string
	// ReadOnly stores nothing in Dir.
	ReadOnly bool
	// Pace is called after each small step with the time that the step took, and returns when the next may begin. nil doesn't pause.
	Pace func(ctx context.Context, took time.Duration) error
	// Searches know how many pages link to a page; may be nil.
	Searches *searches.Searches
}

// Counts counts the addresses of an archive and their versions, for one group of readers.
type Counts struct {
	Config
	archive *archive.Archive // as the readers may see it
	counted *lists
	keeping *atomic.Bool // Keep runs
	groups  *sync.Map    // the counts of groups of readers, by name
}

// New returns the counts of an archive.
func New(cfg Config) *Counts {
	return &Counts{cfg, cfg.Archive, newLists(), new(atomic.Bool), &sync.Map{}}
}

// For returns the counts for a group of readers, or those for everybody if no access rule names the group. Call it on the counts for
// everybody.
func (s *Counts) For(group string) *Counts {
	over := s.archive.For(group)
	if over == s.archive {
		return s
	}
	of, ok := s.groups.Load(group)
	if !ok {
		cfg := s.Config
		if cfg.Searches != nil {
			cfg.Searches = cfg.Searches.For(group)
		}
		of, _ = s.groups.LoadOrStore(group, &Counts{cfg, over, newLists(), s.keeping, s.groups})
	}
	return of.(*Counts)
}

// lists caches the lists of one group.
type lists struct {
	lists    *weighted.Cache[countKey, *List]
	light    int // [lightList]
	counting inflight.Group
	last     atomic.Uint64 // number of the newest list

	mu      sync.Mutex
	sought  map[countKey]bool // in the folder
	asked   map[countKey]bool // by a reader
	wanted  map[countKey]bool
	running map[countKey]*atomic.Int64 // captures counted so far
}

func newLists() *lists {
	return &lists{
		lists: weighted.New[countKey](maxListBytes, func(c *List) int { return c.Size() }),
		light: lightList, sought: map[countKey]bool{}, asked: map[countKey]bool{}, wanted: map[countKey]bool{},
		running: map[countKey]*atomic.Int64{},
	}
}

// Of returns the addresses of a collection with their versions. While [Counts.Keep] runs, a large collection is counted in the background:
// then the list may be of an earlier state of the index, and it is nil if there is none yet, unless wait is set. Otherwise the caller
// waits.
func (s *Counts) Of(ctx context.Context, coll string, level change.Level, wait bool) (*List, Progress, error) {
	key := countKey{coll, level}
	s.counted.noteAsked(key)
	known, ok := s.known(key)
	if ok && !s.archive.Access.Covers(known.mark) {
		known, ok = nil, false // the current rules may exclude addresses in the list
	}
	if ok && known.Generation == s.archive.Index.Whole.Generation() {
		return known, Progress{}, nil
	}
	total, err := s.archive.Index.Total(ctx, coll)
	if err != nil {
		return nil, Progress{}, err
	}
	if total > fewCaptures && s.keeping.Load() && (ok || !wait) {
		return known, Progress{Done: s.counted.request(key), All: total}, nil
	}
	counted, err := s.count(ctx, key, nil)
	return counted, Progress{}, err
}

// noteAsked notes that a reader asks for a list.
func (c *lists) noteAsked(key countKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[key] = true
}

// hold keeps a new list in memory, unless it is large, stored in the folder, and nobody has asked for it: then it is read on demand.
func (c *lists) hold(list *List, kept bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !kept || c.asked[list.key] || list.Size() <= c.light {
		c.lists.Add(list.key, list)
		return
	}
	c.lists.Remove(list.key)
	c.sought[list.key] = false
}

// request asks for a list, and returns how many captures have been counted for it.
func (c *lists) request(key countKey) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted[key] = true
	if done := c.running[key]; done != nil {
		return done.Load()
	}
	return 0
}

// takeRequested returns the lists that were asked for since the last call.
func (c *lists) takeRequested() (out []countKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.wanted {
		out = append(out, key)
	}
	clear(c.wanted)
	return out
}

// begin registers that a list is being counted, until end is called.
func (c *lists) begin(key countKey) (done *atomic.Int64, end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done = new(atomic.Int64)
	c.running[key] = done
	return done, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, key)
	}
}

// count counts what has changed since the last list. Concurrent callers share the result.
func (s *Counts) count(ctx context.Context, key countKey, pace func(context.Context, time.Duration) error) (*List, error) {
	known := func() (*List, bool) {
		c, ok := s.known(key)
		return c, ok && s.archive.Access.Covers(c.mark) && c.Generation == s.archive.Index.Whole.Generation()
	}
	return inflight.Do(ctx, &s.counted.counting, key.String(), known, func() (*List, error) {
		before, _ := s.known(key)
		done, end := s.counted.begin(key)
		defer end()
		c := counter{archive: s.archive.ForCounts(), number: s.counted.last.Add(1), key: key, done: done, pace: pace}
		list, err := c.count(ctx, before)
		if err == nil {
			s.counted.hold(list, s.storeList(ctx, list))
		}
		return list, err
	})
}

type counter struct {
	archive *archive.Archive
	number  uint64 // of the new list
	key     countKey
	done    *atomic.Int64
	pace    func(context.Context, time.Duration) error // nil if somebody waits
}

func (c *counter) count(ctx context.Context, before *List) (*List, error) {
	out := &List{Generation: c.archive.Index.Whole.Generation(), Number: c.number, key: c.key, mark: c.archive.Access.Mark()}
	old, stop := pullEntries(before)
	defer stop()
	var b catalogue.Builder
	view := newSurvey()
	began, n, step := time.Now(), 0, 0
	for a, err := range addresses(ctx, c.archive, c.key.coll, "", "") {
		if err != nil {
			return nil, err
		}
		e, err := c.entry(ctx, a, old(a.Key))
		if err != nil {
			return nil, err
		}
		view.add(n, a, e)
		b.Add(e)
		c.done.Add(int64(a.Captures))
		n++
		if step += a.Captures; step >= countStep && c.pace != nil {
			if err := c.pace(ctx, time.Since(began)); err != nil {
				return nil, err
			}
			began, step = time.Now(), 0
		}
	}
	out.Catalogue, out.Overview = b.Done(), view.done()
	return out, nil
}

// pullEntries returns a function that returns the entry of a key, nil if there is none. Call it with increasing keys.
func pullEntries(of *List) (at func(key string) *catalogue.Entry, stop func()) {
	if of == nil {
		return func(string) *catalogue.Entry { return nil }, func() {}
	}
	next, stop := iter.Pull2(of.All())
	_, e, ok := next()
	return func(key string) *catalogue.Entry {
		for ok && e.Key < key {
			_, e, ok = next()
		}
		if !ok || e.Key != key {
			return nil
		}
		return e
	}, stop
}

// entry returns the entry of an address with its versions. It reuses those in old if the captures are the same.
func (c *counter) entry(ctx context.Context, a *Address, old *catalogue.Entry) (*catalogue.Entry, error) {
	e := &catalogue.Entry{
		Key: a.Key, URL: a.URL, Captures: a.Captures, First: a.First, Last: a.Last, Status: a.Status, MIME: a.MIME, Bytes: a.Bytes,
		Sum: a.sum, Versions: 1,
	}
	if old != nil && old.Sum == a.sum {
		e.Versions, e.Changed, e.Began = old.Versions, old.Changed, old.Began
		return e, nil
	}
	ranges, err := versionsOf(ctx, c.archive, c.key.coll, a, c.key.level)
	if err != nil {
		return nil, fmt.Errorf("counts: versions of %s: %w", a.URL, err)
	}
	if len(ranges) == 0 {
		e.Began = []int{a.First.Year()}
		return e, nil
	}
	for i := range ranges {
		e.Began = append(e.Began, ranges[i].First.Year())
	}
	if e.Versions = len(ranges); e.Versions > 1 {
		e.Changed = ranges[e.Versions-1].First
	}
	return e, nil
}

// Listed returns the present state of an address, nil if it has no capture.
func (s *Counts) Listed(ctx context.Context, coll, key string, level change.Level) (*ListedAddress, error) {
	for a, err := range s.Addresses(ctx, coll, key, key+"\x00") {
		if err != nil {
			return nil, err
		}
		l := &ListedAddress{Address: *a}
		l.Versions, l.Changed, err = s.Versions(ctx, coll, a, level)
		return l, err
	}
	return nil, nil
}

// Now returns the present state of address i in a list, nil if it has no capture any more. It reads the captures only if something has
// changed since, or if rules depend on the clock: then the mark of a list is more than their sum.
func (s *Counts) Now(ctx context.Context, c *List, i int) (*ListedAddress, error) {
	e := c.At(i)
	if c.Generation == s.archive.Index.Whole.Generation() && c.mark == s.archive.Access.Rules().Sum() {
		l := ListedOf(&e)
		return &l, nil
	}
	return s.Listed(ctx, c.key.coll, e.Key, c.key.level)
}

// ListedOf returns an entry as a Listed. Its MostVersions is the number of versions.
func ListedOf(e *catalogue.Entry) ListedAddress {
	l := ListedAddress{Versions: e.Versions, Changed: e.Changed, Address: Address{
		Key: e.Key, URL: e.URL, Captures: e.Captures, First: e.First, Last: e.Last, Status: e.Status, MIME: e.MIME, Bytes: e.Bytes,
	}}
	l.differs, l.differed = e.Versions-1, e.Changed
	return l
}

// Keep revalidates cached versions, counts the addresses of all collections, and repeats that after the index has changed, until ctx ends.
// Lists at other levels, and those of groups of readers, are counted when somebody has asked for them.
func (s *Counts) Keep(ctx context.Context) {
	s.keeping.Store(true)
	defer s.keeping.Store(false)
	s.removeOldLists()
	counted := uint64(0)
	settle.When(ctx, s.archive.Epoch, s.someWanted, func() {
		s.revalidate(ctx)
		if now := s.archive.Epoch(); counted != now {
			counted = now
			s.wantOutdated()
		}
		s.countWanted(ctx)
		for _, group := range s.groups.Range {
			group.(*Counts).countWanted(ctx)
		}
	})
}

func (s *Counts) revalidate(ctx context.Context) {
	if s.ReadOnly {
		return
	}
	if err := s.archive.Timelines.Revalidate(ctx, s.Pace); err != nil && ctx.Err() == nil {
		s.archive.Log.Warn("the versions of pages with very many captures were not all brought up to date; whoever asks for them may wait",
			"error", err)
	}
}

// wantOutdated asks for the lists of all collections whose stored lists are outdated.
func (s *Counts) wantOutdated() {
	for _, coll := range s.archive.Index.Collections() {
		if key := (countKey{coll, change.LevelContent}); !s.storedIsCurrent(key) {
			s.counted.request(key)
		}
	}
}

// isWanted reports whether a list of this group is waited for.
func (s *Counts) isWanted() bool {
	s.counted.mu.Lock()
	wanted := len(s.counted.wanted) > 0
	s.counted.mu.Unlock()
	return wanted
}

// someWanted reports whether a list of any group is waited for.
func (s *Counts) someWanted() bool {
	wanted := s.isWanted()
	for _, group := range s.groups.Range {
		wanted = wanted || group.(*Counts).isWanted()
	}
	return wanted
}

func (s *Counts) countWanted(ctx context.Context) {
	for _, key := range s.counted.takeRequested() {
		if _, err := s.count(ctx, key, s.Pace); err != nil && ctx.Err() == nil {
			s.archive.Log.Error("the addresses could not be counted; the next question starts another attempt", "collection", key.coll, "error", err)
		}
		if _, held := s.counted.lists.Get(key); !held {
			debug.FreeOSMemory() // counting takes several times the memory of the list, which can be returned now
		}
	}
}
