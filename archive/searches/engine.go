package searches

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/internal/sleep"
)

// An engineSearch is the search of a collection in a search engine on other machines.
type engineSearch struct {
	*opensearch.Index

	unbuilt atomic.Bool  // it had never been built when last asked
	seen    atomic.Value // string: the mark of its state when last asked
}

// inEngine returns the search of a collection in the search engine.
func (s *Searches) inEngine(coll string) *engineSearch {
	e := &engineSearch{Index: s.Engine.Index(s.archive.Index.Whole.Identity(), coll, s.archive.Index.Group, s.By)}
	e.Pace = s.Pace
	e.SetFields(s.fields(coll))
	return e
}

// answerTime bounds the time for requests to the engine that no reader waits for.
const answerTime = 10 * time.Second

// current returns the state of the search, and whether it has changed since the last call. It is called for each question, because another
// process may have begun to build the search under other rules.
func (e *engineSearch) current(ctx context.Context) (state opensearch.State, moved bool, err error) {
	if state, err = e.State(ctx); err != nil {
		return state, false, err
	}
	before := e.seen.Swap(state.Mark())
	return state, before != state.Mark(), nil
}

// answers returns an error unless a search in the engine was built under the current access rules. A search that was never built is empty,
// like one in a folder.
func (s *Searches) answers(cs *Collection) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	state, moved, err := cs.engine.current(ctx)
	switch {
	case err != nil && !errors.Is(err, opensearch.ErrAway):
		return errors.Join(opensearch.ErrAway, err)
	case err != nil:
		return err
	}
	cs.engine.unbuilt.Store(state.Mark() == "")
	if moved {
		cs.Forget()
	}
	if !cs.Progress.Running.Load() {
		cs.Progress.Pages.Store(state.Pages)
		cs.Progress.Done.Store(state.Pages)
	}
	switch {
	case s.archive.Access == nil, state.Mark() == "", s.archive.Access.Covers(state.Rules):
		return nil
	case s.ReadOnly:
		return errOtherRules
	}
	return ErrSearchBehind
}

// buildInEngine brings a search in the engine up to date. If another process is doing that, it waits for it and then does the rest.
func (s *Searches) buildInEngine(ctx context.Context, cs *Collection, coll string, rebuild bool) error {
	cs.engine.SetFields(s.fields(coll))
	for {
		source := s.Source(coll)
		mark := source.archive.Access.Mark()
		err := cs.engine.Update(ctx, source, opensearch.Build{
			Anew: rebuild, Rules: mark, Unfit: unfitMark, Same: func(other string) bool { return sameRules(other, mark) },
		}, &cs.Progress, s.archive.Log)
		if !errors.Is(err, opensearch.ErrLeased) || !s.waits() {
			return err
		}
		if err := sleep.For(ctx, checkInterval); err != nil {
			return err
		}
	}
}

// waits reports whether a build waits for another process. A server, which has Pace, doesn't: it looks again later.
func (s *Searches) waits() bool { return s.Pace == nil }

// sizeInEngine returns the size of a search in the engine in bytes, 0 if unknown.
func (s *Searches) sizeInEngine(coll string) int64 {
	cs, err := s.get(coll)
	if err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	n, err := cs.engine.Size(ctx)
	if err != nil {
		return 0
	}
	return n
}

// Away returns why the search engine can't be reached, nil if it can or there is none.
func (s *Searches) Away(ctx context.Context) error {
	if s.Engine == nil {
		return nil
	}
	return s.Engine.Ping(ctx)
}
