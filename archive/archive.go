package archive

import (
	"context"
	"errors"
	"log/slog"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/warc"
)

// Records reads archived records; [warc.Store] is one.
type Records interface {
	// Record opens the record at loc. Close it after reading. Errors name the file's base name.
	Record(ctx context.Context, loc cdx.Location) (*warc.Record, error)
}

// An ArchiveConfig is what an [Archive] works with. Index and Records are needed.
type Config struct {
	Index   *index.Index
	Records Records
	Log     *slog.Logger // nil is silent
	// SearchDir is the folder of the change-text search, with a folder for each collection; "" goes without.
	SearchDir string
	// PDF reads the text of a PDF file; nil shows none. It must end, whatever it is given.
	PDF func(ctx context.Context, body []byte) (text string, err error)
}

// An Archive answers questions about the captures of an index. It is safe for concurrent use.
type Archive struct {
	Config
	timelines *timelines
	sites     *sites
	searches  *searches
}

// New opens an archive over an index and the records that it points at.
func New(cfg Config) (*Archive, error) {
	if cfg.Index == nil || cfg.Records == nil {
		return nil, errors.New("archive: Config.Index and Config.Records are needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Archive{Config: cfg, sites: newSites(cfg.Index), searches: newSearches(cfg.SearchDir)}
	s.timelines = newTimelines(cfg.Index, s.sites)
	return s, nil
}

// Timeline returns all captures of a key, oldest first; there are none of a key that was never captured.
func (s *Archive) Timeline(ctx context.Context, coll, key string) (*Timeline, error) {
	return s.timelines.get(ctx, coll, key)
}

// HasSearch reports whether the archive keeps a search of changed text.
func (s *Archive) HasSearch() bool { return s.searches.dir != "" }

// Search returns the search of a collection; an error that wraps [ErrNoSearch] says that there is none.
func (s *Archive) Search(coll string) (*CollectionSearch, error) {
	of, err := s.searches.get(coll)
	if err == nil && of == nil {
		err = ErrNoSearch
	}
	return of, err
}
