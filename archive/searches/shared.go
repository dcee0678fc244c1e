package searches

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/shards"
)

// Servers that share an index may also share its searches, in shards of which each server builds some ([shards.Room]). A server shows a
// shard as soon as it is published, whichever server built it.

// A shardedSearch is the search of a collection in shards.
type shardedSearch struct {
	*shards.Search
	number int // of shards

	building  sync.Mutex // held by the pass that builds
	following sync.Mutex // held while published states are fetched and shown
	mu        sync.Mutex
	shown     []*shards.State // by shard: the state that is shown; nil for none
	published []*shards.State // by shard: the state that is published, as last seen
	lost      []string        // IDs of states whose files are lost
	unread    []unread        // by shard
	tidied    bool            // remains of earlier processes were removed; guarded by following
	running   int             // the shard that is built here, -1 for none
	run       *search.Progress
	advanced  time.Time // when current states were last advanced; only the building pass uses it
}

func newShardedSearch(room *shards.Room, coll, group string) (*search.Index, *shardedSearch, error) {
	x, err := search.OpenShards(room.Shards)
	n := room.Shards
	return x, &shardedSearch{
		Search: room.Search(coll, group), number: n, running: -1,
		shown: make([]*shards.State, n), published: make([]*shards.State, n), lost: make([]string, n),
		unread: make([]unread, n),
	}, err
}

// An unread says when unreadable pages of a published state are to be tried again; zero for none.
type unread struct {
	id    string
	tries int
	due   time.Time
}

// plan schedules when unreadable pages of published states are tried again. The times are random, because servers see a state at the same
// time and shouldn't all try at once. mu must be held.
func (sh *shardedSearch) plan() {
	for i, s := range sh.published {
		if s == nil || s.Tried == "" || s.Format > search.Format { // a newer version of varve will try itself
			sh.unread[i] = unread{}
			continue
		}
		if u := sh.unread[i]; u.id == s.ID() && u.tries == s.Tries && !u.due.IsZero() {
			continue
		}
		after := sh.RetryAfter(s)
		sh.unread[i] = unread{s.ID(), s.Tries, time.Now().Add(after + rand.N(after/4+1))}
	}
}

// isDue reports whether unreadable pages of any shard are to be tried again now.
func (sh *shardedSearch) isDue() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return slices.ContainsFunc(sh.unread, func(u unread) bool { return !u.due.IsZero() && time.Now().After(u.due) })
}

// takeDue is isDue for one shard. If it can't be built now, its pages are tried later.
func (sh *shardedSearch) takeDue(number int) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	u := &sh.unread[number]
	if u.due.IsZero() || time.Now().Before(u.due) {
		return false
	}
	u.due = time.Now().Add(sh.RetryAfter(sh.published[number]))
	return true
}

// fits reports whether the shown shards contain nothing that the current rules exclude, and no shard is left out for that reason.
func (sh *shardedSearch) fits(p *access.Policy) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for i, s := range sh.shown {
		if s != nil && !p.Fits(s.Rules) || s == nil && sh.published[i] != nil && p != nil && !p.Fits(sh.published[i].Rules) {
			return false
		}
	}
	return true
}

// follow fetches published states and shows them. States built under other access rules than the current ones are not shown. Shards with an
// error stay as they were.
func (cs *Collection) follow(ctx context.Context, p *access.Policy) error {
	sh := cs.shards
	sh.following.Lock()
	defer sh.following.Unlock()
	published, err := sh.Published(ctx)
	if err != nil {
		return err
	}
	sh.mu.Lock()
	sh.published = published
	sh.plan()
	sh.mu.Unlock()
	cs.tell()
	if !sh.tidied { // only at the first call: later, folders may belong to builds that aren't published yet
		sh.tidied = true
		err = sh.Tidy(published)
	}
	for i, s := range published {
		if s == nil || s.Format != search.Format || p != nil && !p.Fits(s.Rules) {
			continue
		}
		err = errors.Join(err, cs.show(ctx, i, s, p))
	}
	cs.tell()
	return err
}

// show shows a state of a shard, unless access rules that changed while it was fetched forbid that.
func (cs *Collection) show(ctx context.Context, number int, s *shards.State, p *access.Policy) error {
	sh := cs.shards
	before := sh.shown[number] // written only here, with following held
	if before.ID() == s.ID() {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.shown[number] = s
		return nil
	}
	dir, err := sh.Fetch(ctx, number, s, before)
	sh.mu.Lock() // so that fits always sees the state that is really shown
	defer sh.mu.Unlock()
	if err == nil && p != nil && !p.Fits(s.Rules) {
		return sh.Drop(dir)
	}
	if err == nil {
		err = cs.index.Put(number, dir, func() { _ = sh.Drop(dir) }) // files that can't be removed are removed at the next start
	}
	if errors.Is(err, shards.ErrLost) {
		sh.lost[number] = s.ID()
	}
	if err != nil {
		return err
	}
	sh.shown[number] = s
	cs.Forget()
	return nil
}

// tell updates the Progress of the search. While some shards were never built, the number of pages is extrapolated from the others.
func (cs *Collection) tell() {
	sh := cs.shards
	sh.mu.Lock()
	defer sh.mu.Unlock()
	var pages, done, known int64
	for i, s := range sh.published {
		switch {
		case i == sh.running:
			pages, done = pages+sh.run.Pages.Load(), done+sh.run.Done.Load()
		case s != nil:
			pages += s.Pages
			if sh.shown[i] != nil {
				done += s.Pages
			}
		default:
			continue
		}
		known++
	}
	if known > 0 {
		pages = pages * int64(sh.number) / known
	}
	cs.Progress.Pages.Store(pages)
	cs.Progress.Done.Store(done)
}

// ShardsShown returns the number of shards that are shown, and of all shards; 0 and 0 if the search has no shards.
func (cs *Collection) ShardsShown() (shown, all int) {
	if cs.shards == nil {
		return 0, 0
	}
	cs.shards.mu.Lock()
	defer cs.shards.mu.Unlock()
	for _, s := range cs.shards.shown {
		if s != nil {
			shown++
		}
	}
	return shown, cs.shards.number
}

// size returns the size of the shown shards in bytes.
func (sh *shardedSearch) size() (n int64) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, s := range sh.shown {
		if s != nil {
			n += s.Size()
		}
	}
	return n
}

const (
	// lookAgain is the time after which a server checks whether other servers have finished their claimed shards, or died.
	lookAgain = 2 * time.Second
	// tryAgain is the time after which it repeats what failed.
	tryAgain = time.Minute
)

// soonest returns the shorter of two waiting times, of which 0 means forever.
func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// shareInBuilding builds shards of a collection's search that no other server builds. It returns when to look again, 0 if all shards are up
// to date.
func (s *Searches) shareInBuilding(ctx context.Context, coll string) (wait time.Duration) {
	epoch := s.epoch()
	cs, err := s.get(coll)
	pending := false
	if err == nil {
		pending, err = s.buildOnce(ctx, cs, coll, false, nil)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.archive.Log.Error("the change-text search could not be updated; another attempt follows", "collection", coll, "error", err)
		return tryAgain
	case pending:
		return lookAgain
	default:
		cs.upTo.set(epoch)
	}
	return 0
}

// buildShared brings the search of a collection up to date, together with other processes. It returns when all shards are, whoever built
// them, or if one can't be built.
func (s *Searches) buildShared(
	ctx context.Context, cs *Collection, coll string, rebuild bool, progress func(*search.Progress),
) (*search.Progress, error) {
	if progress != nil {
		progress(&cs.Progress)
	}
	for _, n := range []*atomic.Int64{&cs.Progress.Indexed, &cs.Progress.Changes, &cs.Progress.Failed} {
		n.Store(0)
	}
	done := make([]bool, cs.shards.number)
	for {
		pending, err := s.buildOnce(ctx, cs, coll, rebuild, done)
		if err != nil {
			return &cs.Progress, err
		}
		if !pending {
			return &cs.Progress, cs.follow(ctx, s.archive.Access)
		}
		select {
		case <-ctx.Done():
			return &cs.Progress, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// buildOnce is one pass over the shards of a collection. pending says that other processes are building some.
func (s *Searches) buildOnce(ctx context.Context, cs *Collection, coll string, rebuild bool, done []bool) (pending bool, err error) {
	cs.shards.building.Lock()
	defer cs.shards.building.Unlock()
	cs.Progress.Running.Store(true)
	defer func() { cs.Progress.Running.Store(pending) }()
	cs.index.SetFields(s.fields(coll))
	return s.buildShards(ctx, cs, coll, rebuild, done)
}

// unreadDue reports whether unreadable pages of any search that is kept up to date are to be tried again now.
func (s *Searches) unreadDue() bool {
	colls := s.archive.Index.Collections()
	return slices.ContainsFunc(s.withGroups(), func(of *Searches) bool {
		return slices.ContainsFunc(colls, func(coll string) bool {
			cs, err := of.get(coll)
			return err == nil && cs.shards.isDue()
		})
	})
}

// withGroups returns the searches for everybody, and for each group that access rules name.
func (s *Searches) withGroups() []*Searches {
	all := []*Searches{s}
	for _, group := range s.archive.Access.Rules().Groups() {
		all = append(all, s.For(group))
	}
	return all
}

// betweenSweeps is the least time between two removals of files of shared searches that are no longer needed.
const betweenSweeps = time.Hour

func (s *Searches) sweepShards(ctx context.Context) {
	removed, err := s.Shards.Sweep(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.archive.Log.Warn("old files of the change-text search could not be removed", "error", err)
	case removed > 0:
		s.archive.Log.Info("old files of the change-text search were removed", "files", removed)
	}
}

// Follow shows published states of shared searches until ctx ends.
func (s *Searches) Follow(ctx context.Context) {
	if s.Shards == nil {
		return
	}
	published := make(chan struct{}, 1)
	var watching sync.WaitGroup
	watching.Go(func() { s.watchPublished(ctx, published) })
	defer watching.Wait()
	for {
		wait := seldom
		if !s.followAll(ctx) {
			wait = soon
		}
		select {
		case <-ctx.Done():
			return
		case <-published:
		case <-time.After(wait):
		}
	}
}

const (
	soon   = 5 * time.Second // after a failed fetch
	seldom = time.Minute     // without publications, since the rules may have changed
)

// watchPublished sends to published after each publication.
func (s *Searches) watchPublished(ctx context.Context, published chan<- struct{}) {
	for ctx.Err() == nil {
		err := s.archive.Index.Whole.Parts().Follow(ctx, func() error {
			select {
			case published <- struct{}{}:
			default:
			}
			return nil
		})
		if ctx.Err() == nil {
			s.archive.Log.Error("what other servers publish of the search does not show up for the moment", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(soon):
		}
	}
}

// followAll shows published states of all collections, for all groups. It returns false if some could not be shown.
func (s *Searches) followAll(ctx context.Context) (ok bool) {
	ok = true
	of := s.withGroups()
	for _, coll := range s.archive.Index.Collections() {
		for _, group := range of {
			if err := group.Fetch(ctx, coll); err != nil && ctx.Err() == nil {
				s.archive.Log.Warn("not all that is published of the search can be shown; what was there goes on answering", "collection", coll,
					"error", err)
				ok = false
			}
		}
	}
	return ok
}

// Fetch fetches and shows the published states of a collection, if its search is shared.
func (s *Searches) Fetch(ctx context.Context, coll string) error {
	cs, err := s.get(coll)
	if err != nil || cs == nil || cs.shards == nil {
		return err
	}
	err = cs.follow(ctx, s.archive.Access)
	if errors.Is(err, shards.ErrLost) && ctx.Err() == nil { // perhaps the state was replaced while it was fetched
		err = cs.follow(ctx, s.archive.Access)
	}
	return err
}
