package searches

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/memento"
)

// A Config has the settings of searches. Archive is required.
type Config struct {
	Archive *archive.Archive // without the restrictions of a group
	// Dir is the folder of the searches, with a folder for each collection. Without Dir and Engine there is no search.
	Dir string
	// Engine is a search engine, instead of Dir: many servers query it, and many processes feed it. By names this process.
	Engine *opensearch.Cluster
	By     string
	// ReadOnly leaves the searches in Dir unchanged: they are neither built nor updated.
	ReadOnly bool
	// Settings returns how questions to a collection are answered, nil for the defaults. It is called for each question, and may be nil.
	Settings func(coll string) *answers.Settings
	// Fields returns the templates of a collection, nil for none. It may be nil.
	Fields func(coll string) *fields.Set
	// Pace is called after each small step of a build with the time that the step took, and returns when the next may begin. nil doesn't
	// pause.
	Pace func(ctx context.Context, took time.Duration) error
	// Staging has the texts of pages from when they were indexed; may be nil.
	Staging *Staging
}

// Searches are the searches of all collections of an archive, for one group of readers. They are opened when first needed.
type Searches struct {
	Config
	archive *archive.Archive // as the readers may see it
	dir     string           // "" if there is no search, or it isn't in a folder
	texts   *lru.Cache[archive.TextKey, *WordText]
	common  *common

	mu    sync.Mutex
	colls map[string]*Collection
}

// common is shared by the searches of all groups of readers.
type common struct {
	groups  sync.Map    // *Searches by name of the group
	keeping atomic.Bool // set while they are kept up to date
}

// A Collection is the search of one collection.
type Collection struct {
	*answers.Collection
	found  atomic.Pointer[finding] // last, nil at first
	index  *search.Index           // nil for a search engine
	rules  rulesMark
	engine *engineSearch // nil unless it is in a search engine
}

// New returns the searches of an archive.
func New(cfg Config) *Searches { return newSearches(cfg, cfg.Archive, &common{}) }

// newSearches returns the searches over an archive as a group of readers sees it. Each group has its own folders.
func newSearches(cfg Config, over *archive.Archive, of *common) *Searches {
	s := &Searches{Config: cfg, archive: over, dir: cfg.Dir, common: of, colls: map[string]*Collection{}}
	switch group := over.Index.Group; {
	case cfg.Engine != nil:
		s.dir = ""
	case cfg.Dir != "" && group != "":
		s.dir = filepath.Join(cfg.Dir+"-groups", folderOf(group))
	}
	s.texts, _ = lru.New[archive.TextKey, *WordText](cachedWordTexts) // fails only for a size of 0
	return s
}

// folderOf returns the name of a group's folder.
func folderOf(group string) string {
	if group == "." || group == ".." { // these would be other folders
		return strings.ReplaceAll(group, ".", "%2E")
	}
	return url.PathEscape(group)
}

// For returns the searches for a group of readers, or those for everybody if no access rule names the group. Call it on the searches for
// everybody.
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
func (s *Searches) Exist() bool { return s.dir != "" || s.Engine != nil }

// Of returns the search of a collection. The error wraps [ErrNoSearch] if the archive has none, and [ErrSearchBehind] if it was built under
// other access rules than the current ones, or too long ago for them. If searches are read-only, a [NoSearchError] says why there is none.
func (s *Searches) Of(coll string) (*Collection, error) {
	cs, err := s.get(coll)
	switch {
	case err != nil:
		return nil, err
	case cs == nil:
		return nil, ErrNoSearch
	case cs.engine != nil:
		return cs, s.answers(cs)
	case s.archive.Access == nil || s.archive.Access.Covers(cs.rules.current()): // it shows nothing that they exclude
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

// get returns the search of a collection, nil if the archive has none, and opens it if necessary.
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

// open opens the index or engine of a collection's search.
func (s *Searches) open(cs *Collection, coll string) (err error) {
	if s.Engine != nil {
		cs.engine = s.inEngine(coll)
		return nil
	}
	open := search.Open
	if s.ReadOnly {
		open = openAsItIs
	}
	if cs.index, err = open(filepath.Join(s.dir, coll)); err != nil {
		return err
	}
	cs.rules.read(filepath.Join(s.dir, coll+"@rules"))
	if why := cs.index.Emptied(); why != nil {
		s.archive.Log.Warn("the change-text search is built from nothing", "collection", coll, "because", why)
	}
	cs.index.Pace = s.Pace
	cs.index.SetFields(s.fields(coll))
	return nil
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

// Close closes the searches. No question may be running or follow.
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

// ReadWords reads the words of all searches in advance, so that the first question needn't wait.
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

// Size returns the size of a collection's search in bytes, 0 if unknown.
func (s *Searches) Size(coll string) int64 {
	if s.Engine != nil {
		return s.sizeInEngine(coll)
	}
	if s.dir == "" {
		return 0
	}
	return search.Size(filepath.Join(s.dir, coll))
}
