package searches

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/memento"
)

// A Config says what searches are of. Archive is required.
type Config struct {
	Archive *archive.Archive // as everybody may see it
	// Dir is the folder of the searches; each collection has a folder inside it. Without Dir and Shards there is no search.
	Dir string
	// Shards are the searches that several servers share, instead of those in Dir.
	Shards *shards.Room
	// Engine has the searches, instead of Dir and Shards: many servers ask it, and many processes feed it. By names this one.
	Engine *opensearch.Cluster
	By     string
	// ReadOnly keeps the searches as they are in Dir: they are neither built nor brought up to date.
	ReadOnly bool
	// Settings returns how questions to a collection are answered, nil for the usual way. It is asked with each question, and may be nil.
	Settings func(coll string) *answers.Settings
	// Fields returns the templates by which values are read from a collection's pages, nil for none. It may be nil.
	Fields func(coll string) *fields.Set
	// Pace is called after each small step of a build with the time that it took, and returns when the next may begin; nil means at
	// once.
	Pace func(ctx context.Context, took time.Duration) error
	// Staging has what was kept of pages when they were indexed; nil has nothing.
	Staging *Staging
}

// Searches are the searches of all collections of an archive, for readers of one group. They are opened when they are first needed.
type Searches struct {
	Config
	archive *archive.Archive // as the readers may see it
	dir     string           // "" if there is no search, or if it is in shards
	texts   *lru.Cache[uint64, *WordText]
	common  *common

	mu    sync.Mutex
	colls map[string]*Collection
}

// What the searches of all groups of readers have in common.
type common struct {
	groups  sync.Map    // *Searches by the name of the group
	keeping atomic.Bool // they are kept up to date
}

// A Collection is the search of one collection.
type Collection struct {
	*answers.Collection
	upTo   upTo
	index  *search.Index // nil if it is in an engine
	rules  rulesMark
	shards *shardedSearch // nil if it is in one folder
	engine *engineSearch  // nil if it isn't there
}

// New returns the searches of an archive.
func New(cfg Config) *Searches { return newSearches(cfg, cfg.Archive, &common{}) }

// newSearches returns the searches over an archive as the readers of a group see it. Each group has folders of its own.
func newSearches(cfg Config, over *archive.Archive, of *common) *Searches {
	s := &Searches{Config: cfg, archive: over, dir: cfg.Dir, common: of, colls: map[string]*Collection{}}
	switch group := over.Index.Group; {
	case cfg.Shards != nil || cfg.Engine != nil:
		s.dir = ""
	case cfg.Dir != "" && group != "":
		s.dir = filepath.Join(cfg.Dir+"-groups", url.PathEscape(group))
	}
	s.texts, _ = lru.New[uint64, *WordText](cachedWordTexts) // fails only for a size of 0
	return s
}

// For returns the searches for the readers of a group, the ones for everybody if no access rule names the group. Ask those for everybody.
func (s *Searches) For(group string) *Searches {
	over := s.archive.For(group)
	if over == s.archive {
		return s
	}
	of, ok := s.common.groups.Load(group)
	if !ok {
		of, _ = s.common.groups.LoadOrStore(group, newSearches(s.Config, over, s.common))
	}
	return of.(*Searches)
}

// Exist reports whether the archive has searches.
func (s *Searches) Exist() bool { return s.dir != "" || s.Shards != nil || s.Engine != nil }

// Of returns the search of a collection. The error wraps [ErrNoSearch] if the archive has none, and [ErrSearchBehind] if it was built
// under other access rules than those in force, or too long ago for them. If searches are only read, a [NoSearchError] says why there
// is none.
func (s *Searches) Of(coll string) (*Collection, error) {
	cs, err := s.get(coll)
	switch {
	case err != nil:
		return nil, err
	case cs == nil:
		return nil, ErrNoSearch
	case cs.engine != nil:
		return cs, s.answers(cs)
	case s.archive.Access == nil || cs.fits(s.archive.Access):
		return cs, nil
	case s.ReadOnly:
		return nil, errOtherRules
	}
	return nil, ErrSearchBehind
}

func (s *Searches) fields(coll string) *fields.Set {
	if s.Fields == nil {
		return nil
	}
	return s.Fields(coll)
}

// CountTerms counts the terms deleted or added in a collection, with links built by uris.
func (s *Searches) CountTerms(ctx context.Context, uris memento.URIs, q answers.TermsQuery) (*answers.TermList, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	of, err := s.Of(uris.Coll)
	if err != nil {
		return nil, err
	}
	return of.CountTerms(ctx, uris, q)
}

// fits reports whether the search shows nothing now that the rules exclude.
func (cs *Collection) fits(p *access.Policy) bool {
	if cs.shards != nil {
		return cs.shards.fits(p)
	}
	return p.Fits(cs.rules.current())
}

// get returns the search of a collection, nil if the archive has none.
func (s *Searches) get(coll string) (*Collection, error) {
	if !s.Exist() {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cs := s.colls[coll]; cs != nil {
		return cs, nil
	}
	cs := &Collection{}
	if err := s.open(cs, coll); err != nil {
		return nil, err
	}
	var settings func() *answers.Settings
	if s.Settings != nil {
		settings = func() *answers.Settings { return s.Settings(coll) }
	}
	cs.Collection = answers.New(cs.answersFrom(), settings)
	cs.Behind = func(ctx context.Context) (bool, error) { return s.behind(ctx, cs, coll) }
	cs.knownPages()
	s.colls[coll] = cs
	return cs, nil
}

// open opens what the search of a collection answers from.
func (s *Searches) open(cs *Collection, coll string) (err error) {
	if s.Engine != nil {
		cs.engine = s.inEngine(coll)
		return nil
	}
	if s.Shards != nil {
		cs.index, cs.shards, err = newShardedSearch(s.Shards, coll, s.archive.Index.Group)
	} else {
		open := search.Open
		if s.ReadOnly {
			open = openAsItIs
		}
		cs.index, err = open(filepath.Join(s.dir, coll))
		cs.rules.read(filepath.Join(s.dir, coll+"@rules"))
	}
	if err == nil {
		if why := cs.index.Emptied(); why != nil {
			s.archive.Log.Warn("the change-text search is built from nothing", "collection", coll, "because", why)
		}
		cs.index.Pace = s.Pace
		cs.index.SetFields(s.fields(coll))
	}
	return err
}

func (cs *Collection) answersFrom() answers.Engine {
	if cs.engine != nil {
		return cs.engine.Index
	}
	return cs.index
}

func (cs *Collection) close() error {
	if cs.index == nil {
		return nil
	}
	return cs.index.Close()
}

// Close closes the searches. Call it after the last question.
func (s *Searches) Close() error {
	var err error
	if s.archive == s.Config.Archive {
		for _, group := range s.common.groups.Range {
			err = errors.Join(err, group.(*Searches).Close())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for coll, cs := range s.colls {
		err = errors.Join(err, cs.close())
		delete(s.colls, coll)
	}
	return err
}

// ReadWords reads the words of all searches, so that the first question needn't wait for that.
func (s *Searches) ReadWords(ctx context.Context) {
	for _, coll := range s.archive.Index.Collections() {
		cs, err := s.Of(coll)
		if err == nil {
			err = cs.ReadWords(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.archive.Log.Debug("the words of a search were not read ahead", "collection", coll, "error", err)
		}
	}
}

// Size returns the size of a collection's search on disk, in bytes, 0 if that isn't known.
func (s *Searches) Size(coll string) int64 {
	if s.Engine != nil {
		return s.sizeInEngine(coll)
	}
	if s.Shards != nil {
		cs, err := s.get(coll)
		if err != nil {
			return 0
		}
		return cs.shards.size()
	}
	if s.dir == "" {
		return 0
	}
	return search.Size(filepath.Join(s.dir, coll))
}
