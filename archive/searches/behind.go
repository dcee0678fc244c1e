package searches

import (
	"context"

	"github.com/varve-archive/varve/archive/search/answers"
)

// A finding says whether a search lacked captures in an epoch of the archive.
type finding struct {
	epoch uint64
	lacks bool
}

// behind reports whether a search lacks, or may lack, captures of the archive. While searches are kept up to date, the last build knows;
// otherwise the search is asked once in each epoch.
func (s *Searches) behind(ctx context.Context, cs *Collection, coll string) (bool, error) {
	epoch := s.epoch()
	last := cs.found.Load()
	known := last != nil && last.epoch == epoch
	switch {
	case known && !last.lacks:
		return false, nil
	case s.common.keeping.Load():
		return true, nil
	case cs.engine != nil: // others build it, so it is only behind while it was never built
		return cs.engine.unbuilt.Load(), nil
	case known:
		return true, nil
	}
	lacks, err := cs.index.Lacks(ctx, s.Source(coll))
	if err == nil {
		cs.found.CompareAndSwap(last, &finding{epoch, lacks}) // a build that ended meanwhile knows better
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
