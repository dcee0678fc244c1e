package archive

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/fields"
	"github.com/varve-archive/varve/search/rank"
	"github.com/varve-archive/varve/warc"
)

// Records reads archived records. [warc.Store] is the usual implementation.
type Records interface {
	// Record opens the record at loc. The caller closes it. Errors name the base name of the file.
	Record(ctx context.Context, loc cdx.Location) (*warc.Record, error)
}

// A Config says what an [Archive] reads. Index and Records are required.
type Config struct {
	Index   *index.Index
	Records Records
	Log     *slog.Logger // nil logs nothing
	// SearchDir is the folder of the change-text search; each collection has a folder inside it. Without SearchDir
	// there is no search.
	SearchDir string
	// Ranking returns how results of a collection's full-text search are ranked, nil for the usual way. It may be nil.
	Ranking func(coll string) *rank.Ranking
	// Fields returns the templates by which values are read from a collection's pages, nil for none. It may be nil.
	Fields func(coll string) *fields.Set
	// Pace is called after each small step of building a search with the time that it took, and returns when the next
	// may begin; nil means at once.
	Pace func(ctx context.Context, took time.Duration) error
	// PDF reads the text of a PDF file. Without it PDF files have no text. PDF must return, whatever body it is
	// given.
	PDF func(ctx context.Context, body []byte) (text string, err error)
}

// An Archive answers questions about the captures of an index. It is safe for concurrent use.
type Archive struct {
	Config
	timelines *timelines
	sites     *sites
	searches  *searches
}

// New opens an archive over an index and the records it points to.
func New(cfg Config) (*Archive, error) {
	if cfg.Index == nil || cfg.Records == nil {
		return nil, errors.New("archive: Config.Index and Config.Records are needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Archive{Config: cfg, sites: newSites(cfg.Index), searches: newSearches(&cfg)}
	s.timelines = newTimelines(cfg.Index, s.sites)
	return s, nil
}

// Timeline returns all captures of an index key, oldest first. The timeline of a key that was never captured is
// empty.
func (s *Archive) Timeline(ctx context.Context, coll, key string) (*Timeline, error) {
	return s.timelines.get(ctx, coll, key)
}

// HasSearch reports whether the archive has a change-text search.
func (s *Archive) HasSearch() bool { return s.searches.dir != "" }

// Search returns the change-text search of a collection. The error wraps [ErrNoSearch] if the archive has none.
func (s *Archive) Search(coll string) (*CollectionSearch, error) {
	cs, err := s.searches.get(coll)
	if err == nil && cs == nil {
		err = ErrNoSearch
	}
	return cs, err
}

func (s *Archive) fields(coll string) *fields.Set {
	if s.Fields == nil {
		return nil
	}
	return s.Fields(coll)
}
