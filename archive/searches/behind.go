package searches

import (
	"context"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/search/answers"
)

// upTo is the epoch of the archive with which a search is up to date, and the last one that was seen with which it isn't; none at first.
type upTo struct{ done, lacking atomic.Pointer[uint64] }

func (u *upTo) set(epoch uint64) { u.done.Store(&epoch) }

func (u *upTo) forget() {
	u.done.Store(nil)
	u.lacking.Store(nil)
}

// behind reports whether a search lacks, or may lack, what the archive has. While searches are kept up to date, the last build tells;
// else the search is asked, once in each epoch.
func (s *Searches) behind(ctx context.Context, cs *Collection, coll string) (bool, error) {
	epoch := s.epoch()
	if done := cs.upTo.done.Load(); done != nil && *done == epoch {
		return false, nil
	}
	if s.common.keeping.Load() {
		return true, nil
	}
	if lacking := cs.upTo.lacking.Load(); lacking != nil && *lacking == epoch {
		return true, nil
	}
	lacks, err := s.lacks(ctx, cs, coll)
	switch {
	case err != nil:
	case lacks:
		cs.upTo.lacking.Store(&epoch)
	default:
		cs.upTo.set(epoch)
	}
	return lacks, err
}

// lacks asks a search for that. Of one that others build, only that is known which it doesn't show yet.
func (s *Searches) lacks(ctx context.Context, cs *Collection, coll string) (bool, error) {
	switch {
	case cs.engine != nil:
		return cs.engine.unbuilt.Load(), nil
	case cs.shards != nil:
		shown, all := cs.ShardsShown()
		return shown < all, nil
	}
	return cs.index.Lacks(ctx, s.Source(coll))
}

// knownPages puts into the progress how many pages a search has before anything is built.
func (cs *Collection) knownPages() {
	if cs.index == nil || cs.shards != nil {
		return
	}
	if _, pages, err := cs.index.Settled(); err == nil {
		cs.Progress.Pages.Store(pages)
		cs.Progress.Done.Store(pages)
	}
}

// State says how far all searches are.
func (s *Searches) State(ctx context.Context) (state answers.State, err error) {
	if !s.Exist() {
		return state, nil
	}
	for _, coll := range s.archive.Index.Collections() {
		cs, err := s.get(coll)
		if err != nil {
			return state, err
		}
		one, err := cs.State(ctx)
		if err != nil {
			return state, err
		}
		state.Add(one)
	}
	return state, nil
}
