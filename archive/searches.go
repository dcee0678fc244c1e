package archive

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/search"
)

// searches holds the change-text search of each collection, opened when first asked for.
type searches struct {
	dir   string
	texts *lru.Cache[uint64, *WordText]

	mu    sync.Mutex
	colls map[string]*CollectionSearch
}

// A CollectionSearch is the search of one collection, and how far it is built.
type CollectionSearch struct {
	*search.Index
	Progress search.Progress
	terms    *keptTerms
}

func newSearches(dir string) *searches {
	s := &searches{dir: dir, colls: map[string]*CollectionSearch{}}
	s.texts, _ = lru.New[uint64, *WordText](keptTexts)
	return s
}

// get returns the search of a collection, nil where the server has none.
func (s *searches) get(coll string) (*CollectionSearch, error) {
	if s.dir == "" {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if of := s.colls[coll]; of != nil {
		return of, nil
	}
	x, err := search.Open(filepath.Join(s.dir, coll))
	if err != nil {
		return nil, err
	}
	of := &CollectionSearch{Index: x, terms: newKeptTerms()}
	s.colls[coll] = of
	return of, nil
}

// CloseSearch gives the folders of the change-text search free. Call it when nothing is answered any more.
func (s *Archive) CloseSearch() error {
	s.searches.mu.Lock()
	defer s.searches.mu.Unlock()
	var err error
	for coll, of := range s.searches.colls {
		err = errors.Join(err, of.Close())
		delete(s.searches.colls, coll)
	}
	return err
}

// BuildSearch brings the change-text search of a collection in step with the index; rebuild makes it from the beginning.
// progress is called once with what can be read while it runs, and may be nil. The answer is that progress at the end.
func (s *Archive) BuildSearch(ctx context.Context, coll string, rebuild bool, progress func(*search.Progress)) (*search.Progress, error) {
	of, err := s.searches.get(coll)
	if err != nil {
		return nil, err
	}
	if of == nil {
		return nil, errors.New("replay: Config.SearchDir is needed")
	}
	if rebuild {
		if err := of.Clear(); err != nil {
			return nil, err
		}
	}
	if progress != nil {
		progress(&of.Progress)
	}
	of.terms.forget()
	defer of.terms.forget()
	return &of.Progress, of.Update(ctx, s.Searchable(coll), &of.Progress, s.Log)
}

// SearchSize returns how many bytes the change-text search of a collection takes on disk.
func (s *Archive) SearchSize(coll string) int64 {
	of, err := s.searches.get(coll)
	if err != nil || of == nil {
		return 0
	}
	return of.Size()
}

// How often the index is looked at for something new, and for how many looks it must have been still before the search
// follows: while many files are indexed it would begin anew with each of them. Where it is never still the search follows
// all the same, now and then.
const (
	searchLook   = time.Second
	searchStill  = 2
	searchLatest = time.Minute
)

// KeepSearch keeps the change-text search of all collections in step with the index until ctx ends.
func (s *Archive) KeepSearch(ctx context.Context) {
	if s.searches.dir == "" {
		return
	}
	tick := time.NewTicker(searchLook)
	defer tick.Stop()
	built, last, still, since := uint64(0), s.Index.Generation(), searchStill, time.Now()
	for first := true; ; first = false {
		if g := s.Index.Generation(); g != last {
			last, still = g, 0
		} else {
			still++
		}
		if (first || last != built) && (still >= searchStill || time.Since(since) > searchLatest) {
			s.buildAll(ctx)
			built, since = last, time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Archive) buildAll(ctx context.Context) {
	for _, coll := range s.Index.Collections() {
		began := time.Now()
		p, err := s.BuildSearch(ctx, coll, false, nil)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.Log.Error("the change-text search could not be brought in step; it is tried again when the archive changes", "collection", coll, "error", err)
		case p.Indexed.Load() > 0:
			s.Log.Info("change-text search", "collection", coll, "pages", p.Indexed.Load(), "changes", p.Changes.Load(), "seconds", int(time.Since(began).Seconds()))
		}
	}
}

// A CollectionTexts is a collection as the search sees it.
type CollectionTexts struct {
	s    *Archive
	Coll string
}

var _ search.Texts = (*CollectionTexts)(nil)

// Texts returns a collection as the search sees it.
func (s *Archive) Texts(coll string) *CollectionTexts { return &CollectionTexts{s, coll} }
