package archive

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/cdx"
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
func (cs *CollectionSearch) follow(ctx context.Context, p *access.Policy) error {
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
func (cs *CollectionSearch) show(ctx context.Context, number int, s *shards.State, p *access.Policy) error {
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
		err = cs.Put(number, dir, func() { _ = sh.Drop(dir) }) // what stays is removed when a server starts
	}
	if errors.Is(err, shards.ErrLost) {
		sh.lost[number] = s.ID()
	}
	if err != nil {
		return err
	}
	sh.shown[number] = s
	cs.terms.forget()
	cs.words.forget()
	return nil
}

// tell says how far the search is, in its Progress. While some shards were never built, the number of pages is what it would be
// if those had as many as the others.
func (cs *CollectionSearch) tell() {
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
func (cs *CollectionSearch) ShardsShown() (shown, all int) {
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
func (s *Archive) shareInBuilding(ctx context.Context, coll string) (wait time.Duration) {
	cs, err := s.searches.get(coll)
	pending := false
	if err == nil {
		pending, err = s.buildOnce(ctx, cs, coll, false, nil)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.Log.Error("the change-text search could not be updated; another attempt follows", "collection", coll, "error", err)
		return tryAgain
	case pending:
		return lookAgain
	}
	return 0
}

// buildShared brings the search of a collection up to date, together with all others who do. It returns when it is, whoever
// built it, or if a shard can't be built.
func (s *Archive) buildShared(
	ctx context.Context, cs *CollectionSearch, coll string, rebuild bool, progress func(*search.Progress),
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
			return &cs.Progress, cs.follow(ctx, s.Access)
		}
		select {
		case <-ctx.Done():
			return &cs.Progress, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// buildOnce is one pass over the shards of a collection. pending says that others are building some.
func (s *Archive) buildOnce(ctx context.Context, cs *CollectionSearch, coll string, rebuild bool, done []bool) (pending bool, err error) {
	cs.shards.building.Lock()
	defer cs.shards.building.Unlock()
	cs.Progress.Running.Store(true)
	defer func() { cs.Progress.Running.Store(pending) }()
	cs.SetFields(s.fields(coll))
	return s.buildShards(ctx, cs, coll, rebuild, done)
}

// unreadDue reports whether pages of some search that is kept up to date could not be read and are to be tried again now.
func (s *Archive) unreadDue() bool {
	colls := s.Index.Collections()
	return slices.ContainsFunc(s.withGroups(), func(of *Archive) bool {
		return slices.ContainsFunc(colls, func(coll string) bool {
			cs, err := of.searches.get(coll)
			return err == nil && cs.shards.isDue()
		})
	})
}

// withGroups returns the archive for everybody, and for each group of which rules tell.
func (s *Archive) withGroups() []*Archive {
	all := []*Archive{s}
	for _, group := range s.Access.Rules().Groups() {
		all = append(all, s.For(group))
	}
	return all
}

// betweenSweeps is how often what nobody needs any more is looked for in the place of shared searches, at most.
const betweenSweeps = time.Hour

func (s *Archive) sweepShards(ctx context.Context) {
	removed, err := s.Shards.Sweep(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.Log.Warn("old files of the change-text search could not be removed", "error", err)
	case removed > 0:
		s.Log.Info("old files of the change-text search were removed", "files", removed)
	}
}

// FollowSearch shows what any server publishes of searches that are shared, until ctx ends.
func (s *Archive) FollowSearch(ctx context.Context) {
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
func (s *Archive) watchPublished(ctx context.Context, published chan<- struct{}) {
	for ctx.Err() == nil {
		err := s.Index.Whole.Parts().Follow(ctx, func() error {
			select {
			case published <- struct{}{}:
			default:
			}
			return nil
		})
		if ctx.Err() == nil {
			s.Log.Error("what other servers publish of the search does not show up for the moment", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(soon):
		}
	}
}

// followAll shows what is published of all collections, for all groups. It returns false if something could not be shown.
func (s *Archive) followAll(ctx context.Context) (ok bool) {
	ok = true
	of := s.withGroups()
	for _, coll := range s.Index.Collections() {
		for _, group := range of {
			if err := group.FetchSearch(ctx, coll); err != nil && ctx.Err() == nil {
				s.Log.Warn("not all that is published of the search can be shown; what was there goes on answering", "collection", coll,
					"error", err)
				ok = false
			}
		}
	}
	return ok
}

// FetchSearch brings the search of a collection to what is published of it, if it is shared.
func (s *Archive) FetchSearch(ctx context.Context, coll string) error {
	cs, err := s.searches.get(coll)
	if err != nil || cs == nil || cs.shards == nil {
		return err
	}
	err = cs.follow(ctx, s.Access)
	if errors.Is(err, shards.ErrLost) && ctx.Err() == nil { // of a state that was replaced while it was fetched, perhaps
		err = cs.follow(ctx, s.Access)
	}
	return err
}

// A shardsBuild is one pass over the shards of a collection.
type shardsBuild struct {
	*Archive
	cs      *CollectionSearch
	coll    string
	source  *CollectionBuild
	mark    string
	rebuild bool
	seen    map[string]search.Touched // by state, what was touched since
	done    []bool                    // shards that were built from nothing, if rebuild is set

	advanced bool // some shard was
}

// buildShards builds the shards that are not up to date and that nobody else is building. pending says that others were.
func (s *Archive) buildShards(ctx context.Context, cs *CollectionSearch, coll string, rebuild bool, done []bool) (pending bool, err error) {
	if err := cs.follow(ctx, s.Access); err != nil {
		s.Log.Warn("not all that is published of the search can be shown; the rest goes on", "collection", coll, "error", err)
	}
	b := &shardsBuild{
		Archive: s, cs: cs, coll: coll, source: s.Searchable(coll), rebuild: rebuild, done: done, seen: map[string]search.Touched{},
	}
	b.mark = b.source.s.Access.Mark()
	first := rand.IntN(cs.shards.number) // so that servers that begin at once are not in each other's way
	for i := range cs.shards.number {
		if s.Access.Mark() != b.mark { // of another day, perhaps: the next pass is of that
			return true, err
		}
		waits, failed := b.shard(ctx, (first+i)%cs.shards.number)
		if err = errors.Join(err, failed); ctx.Err() != nil {
			return pending, err
		}
		pending = pending || waits
	}
	if b.advanced {
		cs.shards.advanced = time.Now()
	}
	return pending, err
}

// current reports whether a state of a shard is up to date, and if so in which newer state of the archive it still is.
func (b *shardsBuild) current(ctx context.Context, number int, state *shards.State) (ok bool, now string, err error) {
	again := b.done != nil && !b.done[number] // whoever asks for a build wants that everything is tried once
	if b.rebuild && again {
		return false, "", nil
	}
	sh := b.cs.shards
	sh.mu.Lock()
	lost := sh.lost[number]
	sh.mu.Unlock()
	switch {
	case state == nil:
		return false, "", nil
	case state.Format > search.Format: // of a newer version, which takes over
		return true, "", nil
	case state.Format < search.Format, state.Rules != b.mark, lost != "" && lost == state.ID(), again && state.Tried != "":
		return false, "", nil
	case b.rebuild:
		return true, "", nil
	}
	touched, err := b.touched(ctx, state.Seen())
	if err != nil || touched.All {
		return false, "", err
	}
	return len(b.of(number, touched).Keys) == 0, touched.State, nil
}

// touched returns what was touched since a state of the archive. Many shards have the same.
func (b *shardsBuild) touched(ctx context.Context, state string) (search.Touched, error) {
	if t, ok := b.seen[state]; ok {
		return t, nil
	}
	t, err := b.source.Touched(ctx, state)
	if err == nil {
		b.seen[state] = t
	}
	return t, err
}

// of returns what is of a shard.
func (b *shardsBuild) of(number int, t search.Touched) search.Touched {
	var keys []string
	for _, key := range t.Keys {
		if search.ShardOf(key, b.cs.shards.number) == number {
			keys = append(keys, key)
		}
	}
	t.Keys = keys
	return t
}

// betweenAdvances is how often it is noted, at most, that shards are up to date with an archive that changed elsewhere. Without
// that it would take longer and longer to find out.
const betweenAdvances = time.Minute

// shard builds a shard unless it is up to date. waits says that another process has it.
func (b *shardsBuild) shard(ctx context.Context, number int) (waits bool, err error) {
	sh := b.cs.shards
	sh.mu.Lock()
	published := sh.published[number]
	sh.mu.Unlock()
	retry := sh.takeDue(number)
	ok, now, err := b.current(ctx, number, published)
	if err != nil {
		return false, err
	}
	advance := ok && now != "" && now != published.Seen() && time.Since(sh.advanced) > betweenAdvances
	if ok && !advance && !retry {
		return false, nil
	}
	claim, err := sh.Claim(ctx, number)
	if errors.Is(err, index.ErrClaimed) {
		return !ok || retry, nil
	}
	if err != nil {
		return false, err
	}
	defer claim.Release()
	if ok, now, err = b.current(ctx, number, claim.Current); err != nil { // somebody may have built it meanwhile
		return false, err
	}
	switch {
	case retry && claim.Current.ID() == published.ID() && claim.Current.Tries == published.Tries: // nobody else has tried
	case ok && now != "" && now != claim.Current.Seen():
		b.advanced = true
		return false, claim.Advance(ctx, now)
	case ok:
		return false, nil
	}
	return false, b.build(ctx, number, claim)
}

// build brings a shard up to date and publishes it.
func (b *shardsBuild) build(ctx context.Context, number int, claim *shards.Claim) error {
	began := time.Now()
	base, baseDir, err := b.base(ctx, number, claim.Current)
	if err != nil {
		return err
	}
	dir, err := claim.Work(base, b.source.conditions(), b.rebuild)
	if err != nil {
		return err
	}
	since := ""
	if base != nil {
		since = base.Archive
	}
	touched, err := b.touched(ctx, since)
	if err != nil {
		return err
	}
	next, run, err := b.update(ctx, number, claim, dir, b.of(number, touched))
	if err != nil {
		return err
	}
	if run.Failed.Load() > 0 { // the next build tries them again
		next.Tries = 1
		if base != nil {
			next.Tries += base.Tries
		}
		if next.Archive = since; touched.Doubtful { // under these rules nothing was up to date
			next.Archive = ""
		}
		next.Tried = touched.State
	}
	if err := claim.Publish(ctx, next, base); err != nil {
		return err
	}
	claim.Release()
	if b.done != nil {
		b.done[number] = true
	}
	if base.ID() != next.ID() {
		b.leave(number, base, baseDir)
	}
	b.Log.Info("change-text search", "collection", b.coll, "shard", number, "of", b.cs.shards.number, "pages", run.Indexed.Load(),
		"changes", run.Changes.Load(), "seconds", int(time.Since(began).Seconds()))
	return b.cs.follow(ctx, b.Access)
}

// leave removes the folder of a state that was only built on, and never shown.
func (b *shardsBuild) leave(number int, base *shards.State, dir string) {
	sh := b.cs.shards
	sh.following.Lock()
	defer sh.following.Unlock()
	if base != nil && sh.shown[number].ID() != base.ID() {
		_ = sh.Drop(dir) // what stays is removed when a server starts
	}
}

// base returns the state from which a shard is built further, and its folder, which is here then; nil if the shard is built from
// nothing.
func (b *shardsBuild) base(ctx context.Context, number int, current *shards.State) (base *shards.State, dir string, err error) {
	if current == nil || current.Format != search.Format || b.rebuild {
		return nil, "", nil
	}
	sh := b.cs.shards
	sh.following.Lock()
	defer sh.following.Unlock()
	sh.mu.Lock()
	lost := sh.lost[number] == current.ID()
	sh.mu.Unlock()
	if !lost {
		dir, err := sh.Fetch(ctx, number, current, sh.shown[number])
		if err == nil || !errors.Is(err, shards.ErrLost) {
			return current, dir, err
		}
	}
	b.Log.Warn("files of the search are lost or damaged, this shard is built from nothing", "collection", b.coll, "shard", number)
	return nil, "", nil
}

// update brings the shard in a folder up to date.
func (b *shardsBuild) update(ctx context.Context, number int, claim *shards.Claim, dir string, touched search.Touched) (
	next *shards.State, run *search.Progress, err error,
) {
	x, err := search.Open(dir)
	if err != nil {
		return nil, nil, errors.Join(err, claim.Spoilt())
	}
	x.Pace = b.searches.pace
	x.SetFields(b.fields(b.coll))
	run = &search.Progress{}
	told := b.telling(number, run)
	err = x.Update(ctx, &shardSource{b.source, number, b.cs.shards.number, touched}, run, b.Log)
	told()
	next = &shards.State{Rules: b.mark}
	if err == nil {
		next.Archive, next.Pages, err = x.Settled()
	}
	return next, run, errors.Join(err, x.Close())
}

// howOften a running build is told in the Progress of the search.
const howOften = 200 * time.Millisecond

// telling tells how far the build of a shard is, until what it returns is called.
func (b *shardsBuild) telling(number int, run *search.Progress) (end func()) {
	sh := b.cs.shards
	set := func(number int, run *search.Progress) {
		sh.mu.Lock()
		sh.running, sh.run = number, run
		sh.mu.Unlock()
		b.cs.tell()
	}
	set(number, run)
	stop := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(howOften)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				b.cs.tell()
			}
		}
	})
	return func() {
		close(stop)
		ended.Wait()
		all := &b.cs.Progress
		all.Indexed.Add(run.Indexed.Load())
		all.Changes.Add(run.Changes.Load())
		all.Failed.Add(run.Failed.Load())
		set(-1, nil)
	}
}

// A shardSource is a collection as the builder of one shard reads it.
type shardSource struct {
	*CollectionBuild
	number, of int
	touched    search.Touched
}

var _ search.Archive = (*shardSource)(nil)

// Touched implements [search.Archive]. The state of the shard is the published one, which may be newer than what the shard says.
func (b *shardSource) Touched(context.Context, string) (search.Touched, error) { return b.touched, nil }

// Pages implements [search.Archive].
func (b *shardSource) Pages(ctx context.Context) iter.Seq2[search.Page, error] {
	return b.pagesAmong(b.captures(ctx))
}

// passed is how many captures of a host of other shards are walked over before the walk begins anew behind the host: to look for
// that costs as much as some hundred captures.
const passed = 500

// captures yields those of the shard, in order.
func (b *shardSource) captures(ctx context.Context) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		for from, more := "", true; more; {
			from, more = b.walk(ctx, from, yield)
		}
	}
}

// walk yields captures of the shard from a key on. It ends before the captures of a host that has many and is of another shard,
// and returns the key behind that host.
func (b *shardSource) walk(ctx context.Context, from string, yield func(*cdx.Capture, error) bool) (next string, more bool) {
	host, others := "", 0
	for c, err := range b.s.Index.Captures(ctx, cdx.Span{Coll: b.coll, From: from}) {
		if err != nil || search.ShardOf(c.Key, b.of) == b.number {
			if !yield(c, err) || err != nil {
				return "", false
			}
			continue
		}
		of, _, whole := strings.Cut(c.Key, ")")
		if of != host || !whole {
			host, others = of, 0
		}
		if others++; others > passed {
			return host + "*", true // the sign behind ")"
		}
	}
	return "", false
}
