package searches

import (
	"context"
	"sync/atomic"

	"github.com/varve-archive/varve/archive/search/answers"
)

// upTo has two epochs of the archive: the last with which a search was up to date, and the last with which it was found not to be. Both are
// nil at first.
type upTo struct{ done, lacking atomic.Pointer[uint64] }

func (u *upTo) set(epoch uint64) { u.done.Store(&epoch) }

func (u *upTo) forget() {
	u.done.Store(nil)
	u.lacking.Store(nil)
}

// behind reports whether a search lacks, or may lack, captures of the archive. While searches are kept up to date, the last build knows;
// otherwise the search is asked once in each epoch.
func (s *Searches) behind(ctx context.Context, cs *Collection, coll string) (bool, error) {
	epoch := s.epoch()
	if done := cs.upTo.done.Load(); done != nil && *done == epoch {
		return false, nil
	}
	if s.common.keeping.Load() {
		return true, nil
	}
	if cs.engine != nil { // others build it, so it is only behind while it was never built
		return cs.engine.unbuilt.Load(), nil
	}
	if lacking := cs.upTo.lacking.Load(); lacking != nil && *lacking == epoch {
		return true, nil
	}
	lacks, err := cs.index.Lacks(ctx, s.Source(coll))
	switch {
	case err != nil:
	case lacks:
		cs.upTo.lacking.Store(&epoch)
	default:
		cs.upTo.set(epoch)
	}
	return lacks, err
}

// knownPages sets the number of pages of a search in its progress, before any build.
func (cs *Collection) knownPages() {
	if cs.index == nil {
		return
	}
	if _, pages, err := cs.index.Settled(); err == nil {
		cs.Progress.Pages.Store(pages)
		cs.Progress.Done.Store(pages)
	}
}

// State returns the state of all searches together.
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
