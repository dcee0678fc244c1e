package searches

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/cdx"
)

// A shardsBuild is one pass over the shards of a collection.
type shardsBuild struct {
	*Searches
	cs      *Collection
	coll    string
	source  *Source
	mark    string
	rebuild bool
	seen    map[string]search.Touched // by state of the archive: what was touched since
	done    []bool                    // shards that were rebuilt, if rebuild is set

	advanced bool // some state was advanced
}

// buildShards builds the shards that are not up to date and that no other process is building. pending says that others are building some.
func (s *Searches) buildShards(ctx context.Context, cs *Collection, coll string, rebuild bool, done []bool) (pending bool, err error) {
	if err := cs.follow(ctx, s.archive.Access); err != nil {
		s.archive.Log.Warn("not all that is published of the search can be shown; the rest goes on", "collection", coll, "error", err)
	}
	b := &shardsBuild{
		Searches: s, cs: cs, coll: coll, source: s.Source(coll), rebuild: rebuild, done: done, seen: map[string]search.Touched{},
	}
	b.mark = b.source.archive.Access.Mark()
	first := rand.IntN(cs.shards.number) // random, so that servers that begin at once don't meet
	for i := range cs.shards.number {
		if s.archive.Access.Mark() != b.mark { // perhaps the day has changed; the next pass handles that
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

// current reports whether a state of a shard is up to date. now is the newest state of the archive for which it is.
func (b *shardsBuild) current(ctx context.Context, number int, state *shards.State) (ok bool, now string, err error) {
	again := b.done != nil && !b.done[number] // an explicit build tries everything once
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
	case state.Format > search.Format: // a newer version of varve takes over
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

// touched returns what was touched since a state of the archive. It is cached, because many shards have the same state.
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

// of returns the part of t that belongs to a shard.
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

// betweenAdvances is the least time between two notes that shards are still up to date although the archive changed elsewhere. Without such
// notes, finding that out would take longer and longer.
const betweenAdvances = time.Minute

// shard builds a shard unless it is up to date. waits says that another process is building it.
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
	if ok, now, err = b.current(ctx, number, claim.Current); err != nil { // another process may have built it meanwhile
		return false, err
	}
	switch {
	case retry && claim.Current.ID() == published.ID() && claim.Current.Tries == published.Tries: // no other process has tried
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
		if next.Archive = since; touched.Exposed { // under these rules nothing was up to date
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
	b.archive.Log.Info("change-text search", "collection", b.coll, "shard", number, "of", b.cs.shards.number, "pages", run.Indexed.Load(),
		"changes", run.Changes.Load(), "seconds", int(time.Since(began).Seconds()))
	return b.cs.follow(ctx, b.archive.Access)
}

// leave removes the folder of a base state that was never shown.
func (b *shardsBuild) leave(number int, base *shards.State, dir string) {
	sh := b.cs.shards
	sh.following.Lock()
	defer sh.following.Unlock()
	if base != nil && sh.shown[number].ID() != base.ID() {
		_ = sh.Drop(dir) // files that can't be removed are removed at the next start
	}
}

// base returns the state to continue from and its local folder. It is nil if the shard is built from nothing.
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
	b.archive.Log.Warn("files of the search are lost or damaged, this shard is built from nothing", "collection", b.coll, "shard", number)
	return nil, "", nil
}

// update updates the shard in a folder.
func (b *shardsBuild) update(ctx context.Context, number int, claim *shards.Claim, dir string, touched search.Touched) (
	next *shards.State, run *search.Progress, err error,
) {
	x, err := search.Open(dir)
	if err != nil {
		return nil, nil, errors.Join(err, claim.Spoilt())
	}
	x.Pace = b.Pace
	x.SetFields(b.fields(b.coll))
	run = &search.Progress{}
	told := b.telling(number, run)
	err = x.Update(ctx, &shardSource{b.source, number, b.cs.shards.number, touched}, run, b.archive.Log)
	told()
	next = &shards.State{Rules: b.mark}
	if err == nil {
		next.Archive, next.Pages, err = x.Settled()
	}
	return next, run, errors.Join(err, x.Close())
}

// howOften is the interval at which the progress of a build is updated.
const howOften = 200 * time.Millisecond

// telling updates the search's Progress from the build of a shard, until end is called.
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

// A shardSource is the source for building one shard.
type shardSource struct {
	*Source
	number, of int
	touched    search.Touched
}

// Touched implements [search.Archive]. The state of the shard is the published one, which may be newer than what the shard says.
func (b *shardSource) Touched(context.Context, string) (search.Touched, error) { return b.touched, nil }

// Pages implements [search.Archive].
func (b *shardSource) Pages(ctx context.Context) iter.Seq2[search.Page, error] {
	return b.pagesAmong(b.captures(ctx))
}

// passed is the number of captures of another shard's host that are skipped one by one. After that the walk seeks to the next host, which
// costs as much as some hundred captures.
const passed = 500

// captures yields the captures of the shard, in order.
func (b *shardSource) captures(ctx context.Context) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		for from, more := "", true; more; {
			from, more = b.walk(ctx, from, yield)
		}
	}
}

// walk yields captures of the shard from a key on. When it meets a host of another shard with many captures, it ends and returns the key
// after that host.
func (b *shardSource) walk(ctx context.Context, from string, yield func(*cdx.Capture, error) bool) (next string, more bool) {
	host, others := "", 0
	for c, err := range b.archive.Index.Captures(ctx, cdx.Span{Coll: b.coll, From: from}) {
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
			return host + "*", true // "*" sorts after ")"
		}
	}
	return "", false
}
