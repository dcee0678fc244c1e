package archive

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/cdx"
)

// searches holds the change-text search of each collection. It opens them when they are first needed.
type searches struct {
	dir   string // "" if there is no search, or if it is in shards
	group string
	cfg   *Config
	pace  func(ctx context.Context, took time.Duration) error
	texts *lru.Cache[uint64, *WordText]

	mu    sync.Mutex
	colls map[string]*CollectionSearch
}

// A CollectionSearch is the change-text search of one collection, with the progress of its build.
type CollectionSearch struct {
	*search.Index
	Progress search.Progress
	terms    *termsCache
	words    vocabulary
	rules    rulesMark
	ranking  *rank.Ranking
	shards   *shardedSearch // nil if it is in one folder
}

// fits reports whether the search shows nothing now that the rules exclude.
func (cs *CollectionSearch) fits(p *access.Policy) bool {
	if cs.shards != nil {
		return cs.shards.fits(p)
	}
	return p.Fits(cs.rules.current())
}

// newSearches returns the searches for the readers of a group. Each group has folders of its own.
func newSearches(cfg *Config, group string) *searches {
	dir := cfg.SearchDir
	switch {
	case cfg.Shards != nil:
		dir = ""
	case dir != "" && group != "":
		dir = filepath.Join(dir+"-groups", url.PathEscape(group))
	}
	s := &searches{dir: dir, group: group, pace: cfg.Pace, cfg: cfg, colls: map[string]*CollectionSearch{}}
	s.texts, _ = lru.New[uint64, *WordText](cachedWordTexts)
	return s
}

// get returns the search of a collection, nil if the archive has none.
func (s *searches) get(coll string) (*CollectionSearch, error) {
	if s.dir == "" && s.cfg.Shards == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cs := s.colls[coll]; cs != nil {
		return cs, nil
	}
	cs := &CollectionSearch{terms: newTermsCache(), ranking: rank.Usual()}
	if err := s.open(cs, coll); err != nil {
		return nil, err
	}
	x := cs.Index
	x.Pace = s.pace
	if s.cfg.Fields != nil {
		x.SetFields(s.cfg.Fields(coll))
	}
	if s.cfg.Ranking != nil {
		if r := s.cfg.Ranking(coll); r != nil {
			cs.ranking = r
		}
	}
	s.colls[coll] = cs
	return cs, nil
}

// open opens what the search of a collection answers from.
func (s *searches) open(cs *CollectionSearch, coll string) (err error) {
	if s.cfg.Shards != nil {
		cs.Index, cs.shards, err = newShardedSearch(s.cfg.Shards, coll, s.group)
		return err
	}
	open := search.Open
	if s.cfg.ReadOnly {
		open = openAsItIs
	}
	if cs.Index, err = open(filepath.Join(s.dir, coll)); err == nil {
		cs.rules.read(filepath.Join(s.dir, coll+"@rules"))
	}
	return err
}

// CloseSearch closes the change-text searches. Call it after the last question.
func (s *Archive) CloseSearch() error {
	var err error
	for _, group := range s.groups.Range {
		err = errors.Join(err, group.(*Archive).CloseSearch())
	}
	s.searches.mu.Lock()
	defer s.searches.mu.Unlock()
	for coll, cs := range s.searches.colls {
		err = errors.Join(err, cs.Close())
		delete(s.searches.colls, coll)
	}
	return err
}

// BuildSearch brings the change-text search of a collection up to date with the index. If rebuild is set it starts
// from nothing. It calls progress once, unless nil, with a value that can be read while the build runs, and returns
// that value at the end.
func (s *Archive) BuildSearch(ctx context.Context, coll string, rebuild bool, progress func(*search.Progress)) (*search.Progress, error) {
	cs, err := s.searches.get(coll)
	if err != nil {
		return nil, err
	}
	if cs == nil {
		return nil, errors.New("archive: Config.SearchDir is needed")
	}
	if cs.shards != nil {
		return s.buildShared(ctx, cs, coll, rebuild, progress)
	}
	if rebuild {
		if err := cs.Clear(); err != nil {
			return nil, err
		}
	}
	if progress != nil {
		progress(&cs.Progress)
	}
	cs.SetFields(s.fields(coll))
	cs.terms.forget()
	defer cs.terms.forget()
	defer cs.words.forget()
	build := s.Searchable(coll)
	mark := build.s.Access.Mark()
	if !sameRules(cs.rules.current(), mark) {
		build.anew = true
		if err := cs.rules.put(unfit); err != nil {
			return nil, err
		}
	}
	if err := cs.Update(ctx, build, &cs.Progress, s.Log); err != nil {
		return &cs.Progress, err
	}
	return &cs.Progress, cs.rules.put(mark)
}

// unfit is the mark of a search that is being built under other rules than before. If that build does not end, the search has pages as
// these rules show them and as the rules before did: the next one looks at all of them.
const unfit = "building"

// sameRules reports whether two marks are of the same rules, whatever the day.
func sameRules(a, b string) bool {
	a, _, _ = strings.Cut(a, " ")
	b, _, _ = strings.Cut(b, " ")
	return a == b
}

// A rulesMark says under which access rules a search was built, and on which day if they depend on it ([Policy.mark]). It is
// kept in a file; without it the search was built without rules.
type rulesMark struct {
	path string
	mark atomic.Value // string
}

func (m *rulesMark) read(path string) {
	b, _ := os.ReadFile(path) // what can't be read is not what was built
	m.path = path
	m.mark.Store(string(b))
}

// current returns the mark.
func (m *rulesMark) current() string { return m.mark.Load().(string) }

func (m *rulesMark) put(mark string) error {
	if m.current() == mark {
		return nil
	}
	if err := os.WriteFile(m.path, []byte(mark), 0o644); err != nil {
		return err
	}
	m.mark.Store(mark)
	return nil
}

// SearchSize returns the size of a collection's change-text search on disk, in bytes.
func (s *Archive) SearchSize(coll string) int64 {
	if s.Shards != nil {
		cs, err := s.searches.get(coll)
		if err != nil {
			return 0
		}
		return cs.shards.size()
	}
	if s.searches.dir == "" {
		return 0
	}
	return search.Size(filepath.Join(s.searches.dir, coll))
}

// whenStill checks every stillLook whether something has changed, and does its work after stillLooks checks without a change, so
// that it does not start again with each of many new files. If changes never stop, it does its work once every stillLatest.
const (
	stillLook   = time.Second
	stillLooks  = 2
	stillLatest = time.Minute
)

// whenStill calls do at once, and then whenever the epoch has moved, or wanted says so, and nothing moves any more, until ctx
// ends.
func whenStill(ctx context.Context, epoch func() uint64, wanted func() bool, do func()) {
	tick := time.NewTicker(stillLook)
	defer tick.Stop()
	done, last, still, since := uint64(0), epoch(), stillLooks, time.Now()
	for first := true; ; first = false {
		if g := epoch(); g != last {
			last, still = g, 0
		} else {
			still++
		}
		if (first || last != done || wanted()) && (still >= stillLooks || time.Since(since) > stillLatest) {
			do()
			done, since = last, time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// KeepSearch keeps the change-text search of all collections up to date with the index until ctx ends, unless they are only
// read.
func (s *Archive) KeepSearch(ctx context.Context) {
	if !s.HasSearch() || s.ReadOnly {
		return
	}
	var again, swept time.Time // when to look after what others are building, zero for never; when the place was swept
	toSweep := func() bool { return s.Shards != nil && time.Since(swept) > betweenSweeps }
	whenStill(ctx, s.searchEpoch, func() bool {
		return !again.IsZero() && time.Now().After(again) || toSweep() || s.Shards != nil && (s.Shards.Lost() || s.unreadDue())
	}, func() {
		done := s.doneFiles()
		wait := time.Duration(0)
		for _, of := range s.withGroups() {
			wait = soonest(wait, of.buildAll(ctx))
		}
		again = time.Time{}
		if wait > 0 {
			again = time.Now().Add(wait)
		}
		if toSweep() {
			s.sweepShards(ctx)
			swept = time.Now()
		}
		if ctx.Err() == nil && wait == 0 { // what a build that failed lacks, for want of room perhaps, is read from the records
			s.Staging.drop(done)
		}
	})
}

// doneFiles returns the files whose captures are visible.
func (s *Archive) doneFiles() (out []cdx.FileID) {
	for _, f := range s.Index.Files() {
		if f.Done {
			out = append(out, f.ID)
		}
	}
	return out
}

// searchEpoch moves with whatever a search depends on: the index, the rules, the day if they depend on the clock, and the templates.
func (s *Archive) searchEpoch() uint64 {
	epoch := s.Index.Whole.Generation() + xxh3.HashString(s.Access.Rules().Sum()) + uint64(s.Access.Day())
	for _, coll := range s.Index.Collections() {
		epoch += s.fields(coll).Sum()
	}
	return epoch
}

// buildAll brings the searches of all collections up to date. It returns after how long to look again, 0 for not before
// something changes.
func (s *Archive) buildAll(ctx context.Context) (wait time.Duration) {
	for _, coll := range s.Index.Collections() {
		if s.Shards != nil {
			if wait = soonest(wait, s.shareInBuilding(ctx, coll)); ctx.Err() != nil {
				return wait
			}
			continue
		}
		began := time.Now()
		p, err := s.BuildSearch(ctx, coll, false, nil)
		switch {
		case ctx.Err() != nil:
			return wait
		case err != nil:
			s.Log.Error("the change-text search could not be updated; the next change of the archive starts another attempt",
				"collection", coll, "error", err)
		case p.Indexed.Load() > 0:
			s.Log.Info("change-text search", "collection", coll, "pages", p.Indexed.Load(), "changes", p.Changes.Load(),
				"seconds", int(time.Since(began).Seconds()))
		}
	}
	return wait
}
