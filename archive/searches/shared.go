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

// Where several servers share an index they may share its searches too, in shards that each of them builds some of
// ([shards.Room]). A server shows a shard as it is published, wherever that was built.

// A shardedSearch is the search of a collection in shards.
type shardedSearch struct {
	*shards.Search
	number int // of shards

	building  sync.Mutex // held by the pass that builds
	following sync.Mutex // held while what is shown is brought to what is published
	mu        sync.Mutex
	shown     []*shards.State // what the index answers from, by shard; nil for nothing
	published []*shards.State // as last seen
	lost      []string        // IDs of states of which files are lost
	unread    []unread        // by shard
	tidied    bool            // what an earlier process left was removed; guarded by following
	running   int             // the shard that is built here, -1 for none
	run       *search.Progress
	advanced  time.Time // when that was done last; only the pass that builds asks
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

// An unread says when pages of a published state that could not be read are to be tried again; the zero value is that there are none.
type unread struct {
	id    string
	tries int
	due   time.Time
}

// plan notes when pages of what is published are to be tried again that could not be read. Servers see a state at the same time, and are
// not to try all at once. The caller holds mu.
func (sh *shardedSearch) plan() {
	for i, s := range sh.published {
		if s == nil || s.Tried == "" || s.Format > search.Format { // of a newer version, which tries itself
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

// isDue reports whether some pages that could not be read are to be tried again now.
func (sh *shardedSearch) isDue() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return slices.ContainsFunc(sh.unread, func(u unread) bool { return !u.due.IsZero() && time.Now().After(u.due) })
}

// takeDue is isDue for a shard. If that can't be built now, its pages are left alone for a while.
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

// fits reports whether nothing that the search answers from shows what rules exclude now, and no shard is left out for that.
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

// follow fetches what is published and shows it. What was built under other access rules than those in force is not shown. An
// error leaves the shards that it is about as they were.
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
	if !sh.tidied { // later a build may have made what was not published yet when that was asked
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

// show makes a state of a shard the one that answers, unless rules that came into force while it was fetched forbid that.
func (cs *Collection) show(ctx context.Context, number int, s *shards.State, p *access.Policy) error {
	sh := cs.shards
	before := sh.shown[number] // only written here, while following is held
	if before.ID() == s.ID() {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.shown[number] = s
		return nil
	}
	dir, err := sh.Fetch(ctx, number, s, before)
	sh.mu.Lock() // so that whoever asks whether it fits is never told of another state than the one that answers
	defer sh.mu.Unlock()
	if err == nil && p != nil && !p.Fits(s.Rules) {
		return sh.Drop(dir)
	}
	if err == nil {
		err = cs.index.Put(number, dir, func() { _ = sh.Drop(dir) }) // what stays is removed when a server starts
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

// tell says how far the search is, in its Progress. While some shards were never built, the number of pages is what it would be
// if those had as many as the others.
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

// ShardsShown returns how many shards the search answers from, and how many it has; 0 of 0 if it isn't divided.
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

// size returns how many bytes the shards have that the search answers from.
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
	// lookAgain is after how long a server looks whether others have built what they had claimed, or died.
	lookAgain = 2 * time.Second
	// tryAgain is after how long it tries again what failed: the place may be back.
	tryAgain = time.Minute
)

// soonest returns the shorter of two times to wait, of which 0 is for ever.
func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// shareInBuilding builds what nobody else builds of a collection's search. It returns after how long to look again, 0 if all is
// up to date.
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

// buildShared brings the search of a collection up to date, together with all others who do. It returns when it is, whoever
// built it, or if a shard can't be built.
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

// buildOnce is one pass over the shards of a collection. pending says that others are building some.
func (s *Searches) buildOnce(ctx context.Context, cs *Collection, coll string, rebuild bool, done []bool) (pending bool, err error) {
	cs.shards.building.Lock()
	defer cs.shards.building.Unlock()
	cs.Progress.Running.Store(true)
	defer func() { cs.Progress.Running.Store(pending) }()
	cs.index.SetFields(s.fields(coll))
	return s.buildShards(ctx, cs, coll, rebuild, done)
}

// unreadDue reports whether pages of some search that is kept up to date could not be read and are to be tried again now.
func (s *Searches) unreadDue() bool {
	colls := s.archive.Index.Collections()
	return slices.ContainsFunc(s.withGroups(), func(of *Searches) bool {
		return slices.ContainsFunc(colls, func(coll string) bool {
			cs, err := of.get(coll)
			return err == nil && cs.shards.isDue()
		})
	})
}

// withGroups returns the archive for everybody, and for each group of which rules tell.
func (s *Searches) withGroups() []*Searches {
	all := []*Searches{s}
	for _, group := range s.archive.Access.Rules().Groups() {
		all = append(all, s.For(group))
	}
	return all
}

// betweenSweeps is how often what nobody needs any more is looked for in the place of shared searches, at most.
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

// Follow shows what any server publishes of searches that are shared, until ctx ends.
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
	soon   = 5 * time.Second // after something could not be fetched
	seldom = time.Minute     // although nothing was published: the rules may be others
)

// watchPublished tells when something was published.
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

// followAll shows what is published of all collections, for all groups. It returns false if something could not be shown.
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

// Fetch brings the search of a collection to what is published of it, if it is shared.
func (s *Searches) Fetch(ctx context.Context, coll string) error {
	cs, err := s.get(coll)
	if err != nil || cs == nil || cs.shards == nil {
		return err
	}
	err = cs.follow(ctx, s.archive.Access)
	if errors.Is(err, shards.ErrLost) && ctx.Err() == nil { // of a state that was replaced while it was fetched, perhaps
		err = cs.follow(ctx, s.archive.Access)
	}
	return err
}
