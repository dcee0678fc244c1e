package searches

import (
	"context"
	"errors"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/settle"
)

// Build brings the search of a collection up to date with the index, from nothing if rebuild is set. It calls progress, unless nil, once
// with a value that can be read during the build, and finally returns that value.
func (s *Searches) Build(ctx context.Context, coll string, rebuild bool, progress func(*search.Progress)) (*search.Progress, error) {
	cs, err := s.get(coll)
	if err != nil {
		return nil, err
	}
	if cs == nil {
		return nil, errors.New("searches: Config.Dir is needed")
	}
	epoch := s.epoch()
	if rebuild {
		cs.found.Store(nil)
	}
	p, err := s.build(ctx, cs, coll, rebuild, progress)
	if err == nil {
		cs.found.Store(&finding{epoch: epoch})
	}
	return p, err
}

func (s *Searches) build(
	ctx context.Context, cs *Collection, coll string, rebuild bool, progress func(*search.Progress),
) (*search.Progress, error) {
	if progress != nil {
		progress(&cs.Progress)
	}
	cs.ForgetTerms()
	defer cs.Forget()
	if cs.engine != nil {
		return &cs.Progress, s.buildInEngine(ctx, cs, coll, rebuild)
	}
	return &cs.Progress, s.buildInFolder(ctx, cs, coll, rebuild)
}

func (s *Searches) buildInFolder(ctx context.Context, cs *Collection, coll string, rebuild bool) error {
	if rebuild {
		if err := cs.index.Clear(); err != nil {
			return err
		}
	}
	cs.index.SetFields(s.fields(coll))
	build := s.Source(coll)
	mark := build.archive.Access.Mark()
	if !sameRules(cs.rules.current(), mark) {
		build.anew = true
		if err := cs.rules.put(unfitMark); err != nil {
			return err
		}
	}
	if err := cs.index.Update(ctx, build, &cs.Progress, s.archive.Log); err != nil {
		return err
	}
	return cs.rules.put(mark)
}

// Keep keeps the searches of all collections up to date with the index until ctx ends, unless they are read-only.
func (s *Searches) Keep(ctx context.Context) {
	if !s.Exist() || s.ReadOnly {
		return
	}
	s.common.keeping.Store(true)
	defer s.common.keeping.Store(false)
	var again time.Time // when to check builds of other processes, zero for never
	settle.When(ctx, s.epoch, func() bool { return !again.IsZero() && time.Now().After(again) }, func() {
		done := s.doneFiles()
		wait := time.Duration(0)
		for _, of := range s.withGroups() {
			wait = soonest(wait, of.buildAll(ctx))
		}
		again = time.Time{}
		if wait > 0 {
			again = time.Now().Add(wait)
		}
		if ctx.Err() == nil && wait == 0 { // a failed build later reads from the records, not from the staging area
			s.Staging.drop(done)
		}
	})
}

// doneFiles returns the files whose captures are visible.
func (s *Searches) doneFiles() (out []cdx.FileID) {
	for _, f := range s.archive.Index.Files() {
		if f.Done {
			out = append(out, f.ID)
		}
	}
	return out
}

// epoch changes with everything that a search depends on: the index, the rules, the day if they depend on the clock, and the templates.
func (s *Searches) epoch() uint64 {
	epoch := s.archive.Index.Whole.Generation() + xxh3.HashString(s.archive.Access.Rules().Sum()) + uint64(s.archive.Access.Day())
	for _, coll := range s.archive.Index.Collections() {
		epoch += s.fields(coll).Sum()
	}
	return epoch
}

// buildAll brings the searches of all collections up to date. It returns when to look again, 0 for not before something changes.
func (s *Searches) buildAll(ctx context.Context) (wait time.Duration) {
	for _, coll := range s.archive.Index.Collections() {
		began := time.Now()
		p, err := s.Build(ctx, coll, false, nil)
		switch {
		case ctx.Err() != nil:
			return wait
		case errors.Is(err, opensearch.ErrLeased):
			wait = soonest(wait, checkInterval)
		case errors.Is(err, opensearch.ErrAway):
			s.archive.Log.Warn("the change-text search could not be updated; another attempt follows", "collection", coll, "error", err)
			wait = soonest(wait, retryInterval)
		case err != nil:
			s.archive.Log.Error("the change-text search could not be updated; the next change of the archive starts another attempt",
				"collection", coll, "error", err)
		case p.Indexed.Load() > 0 || p.Failed.Load() > 0:
			s.archive.Log.Info("change-text search", "collection", coll, "pages", p.Indexed.Load(), "changes", p.Changes.Load(),
				"unreadable", p.Failed.Load(), "seconds", int(time.Since(began).Seconds()))
		}
	}
	return wait
}

const (
	// checkInterval is the time after which a server checks whether others have finished their builds in a search engine, or died.
	checkInterval = 2 * time.Second
	// retryInterval is the time after which it repeats what failed.
	retryInterval = time.Minute
)

// soonest returns the shorter of two waiting times, of which 0 means forever.
func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// withGroups returns the searches for everybody, and for each group that access rules name.
func (s *Searches) withGroups() []*Searches {
	all := []*Searches{s}
	for _, group := range s.archive.Access.Rules().Groups() {
		all = append(all, s.For(group))
	}
	return all
}
