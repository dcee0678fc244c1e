package archive

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// Records reads archived records. [warc.Store] is the usual implementation.
type Records interface {
	// Record opens the record at loc. The caller closes it. Errors name the base name of the file.
	Record(ctx context.Context, loc cdx.Location) (*warc.Record, error)
}

// A Stater is [Records] that can tell whether a file has changed. A record that could be opened once needs not be opened again to
// know that it can.
type Stater interface {
	Stat(ctx context.Context, id cdx.FileID) (warc.Entry, error)
}

// A Config says what an [Archive] reads. Index and Records are required.
type Config struct {
	Index   *index.Index
	Records Records
	Log     *slog.Logger // nil logs nothing
	// SearchDir is the folder of the change-text search; each collection has a folder inside it. Without SearchDir
	// there is no search.
	SearchDir string
	// Shards are the searches that several servers share, instead of those in SearchDir.
	Shards *shards.Room
	// ReadOnly keeps the searches as they are in SearchDir: they are neither built nor brought up to date.
	ReadOnly bool
	// CountsDir is the folder in which what was counted stays when the program ends; each collection has a folder inside it.
	// Without it everything is counted anew at each start.
	CountsDir string
	// Software names the program's version: another one may count differently.
	Software string
	// Ranking returns how results of a collection's full-text search are ranked, nil for the usual way. It may be nil.
	Ranking func(coll string) *rank.Ranking
	// Fields returns the templates by which values are read from a collection's pages, nil for none. It may be nil.
	Fields func(coll string) *fields.Set
	// Pace is called after each small step of building a search with the time that it took, and returns when the next
	// may begin; nil means at once.
	Pace func(ctx context.Context, took time.Duration) error
	// Staging has what was kept of pages when they were indexed; nil has nothing.
	Staging *Staging
	// PDF reads the text of a PDF file. Without it PDF files have no text. PDF must return, whatever body it is
	// given.
	PDF func(ctx context.Context, body []byte) (text string, err error)
	// Pictures are those that were made of pages; nil has none.
	Pictures *visual.Store
	// Eye is the model that says how far pictures are from each other; nil compares their blocks.
	Eye visual.Model
	// Access says who may see what. Nil means everybody may see everything.
	Access *access.Policy
}

// An Archive answers questions about the captures of an index, for readers of one group. It is safe for concurrent use.
type Archive struct {
	Config
	Index     *view.View          // what the readers may see; it hides Config.Index, which has everything
	Timelines *timeline.Timelines // of the URI-Rs that they may see
	Gallery   *gallery.Gallery    // pictures that they may see; nil if none are made
	searches  *searches
	counted   *counted
	keeping   *atomic.Bool // KeepCounted runs
	opened    *opened
	groups    *sync.Map // the archives of groups of readers, by name
}

// New opens an archive over an index and the records it points to.
func New(cfg Config) (*Archive, error) {
	if cfg.Index == nil || cfg.Records == nil {
		return nil, errors.New("archive: Config.Index and Config.Records are needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return (&Archive{Config: cfg, keeping: new(atomic.Bool), opened: newOpened(cfg.Records)}).view(""), nil
}

// through returns the archive as it is seen through a view. It shares what is the same for all, and caches nothing with
// others.
func (s *Archive) through(seen *view.View, cacheSites bool) *Archive {
	v := *s
	v.Access, v.Index, v.Gallery = seen.Policy, seen, nil
	if v.Pictures != nil {
		v.Gallery = gallery.New(v.Pictures, v.Eye, seen)
	}
	cfg := timeline.Config{View: seen, Software: v.Software, Log: v.Log, IsLost: v.isLost, CacheSites: cacheSites}
	if v.Gallery != nil {
		cfg.Looker = v.Gallery
	}
	v.Timelines = timeline.New(cfg)
	return &v
}

// forSearch returns the archive as the search of its readers may show it, under the rules of now: a search that is built
// from this can't give away what it never had.
func (s *Archive) forSearch() *Archive {
	return s.through(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Strict: true, Ahead: true}, false)
}

// forCounts returns the archive as counts may tell of it that stay for up to a day. What is blocked is listed, and counts.
func (s *Archive) forCounts() *Archive {
	return s.through(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Ahead: true}, false)
}

// view returns the archive as readers of a group see it.
func (s *Archive) view(group string) *Archive {
	v := s.through(&view.View{Whole: s.Config.Index, Policy: s.Access, Group: group}, true)
	v.searches, v.counted, v.groups = newSearches(&s.Config, group), newCounted(), &sync.Map{}
	return v
}

// For returns the archive as the readers of a group see it, the one for everybody if no access rule names the group.
func (s *Archive) For(group string) *Archive {
	if group == s.Index.Group || !s.Access.Rules().Names(group) {
		return s
	}
	v, ok := s.groups.Load(group)
	if !ok {
		v, _ = s.groups.LoadOrStore(group, s.view(group))
	}
	return v.(*Archive)
}

// HasSearch reports whether the archive has a change-text search.
func (s *Archive) HasSearch() bool { return s.searches.dir != "" || s.Shards != nil }

// Search returns the change-text search of a collection. The error wraps [ErrNoSearch] if the archive has none, and
// [ErrSearchBehind] if it was built under other access rules than those in force, or too long ago for them. If searches are
// only read, a [NoSearchError] says why there is none.
func (s *Archive) Search(coll string) (*CollectionSearch, error) {
	cs, err := s.searches.get(coll)
	switch {
	case err != nil:
		return nil, err
	case cs == nil:
		return nil, ErrNoSearch
	case s.Access == nil || cs.fits(s.Access):
		return cs, nil
	case s.ReadOnly:
		return nil, errOtherRules
	}
	return nil, ErrSearchBehind
}

func (s *Archive) fields(coll string) *fields.Set {
	if s.Fields == nil {
		return nil
	}
	return s.Fields(coll)
}
