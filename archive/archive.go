package archive

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/index"
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
	// Software names the program's version: another one may count differently.
	Software string
	// PDF reads the text of a PDF file. Without it PDF files have no text. PDF must return, whatever body it is
	// given.
	PDF func(ctx context.Context, body []byte) (text string, err error)
	// Pictures are those that were made of pages; nil has none.
	Pictures *visual.Store
	// Access says who may see what. Nil means everybody may see everything.
	Access *access.Policy
}

// An Archive answers questions about the captures of an index, for readers of one group. It is safe for concurrent use.
type Archive struct {
	Config
	Index     *view.View          // what the readers may see; it hides Config.Index, which has everything
	Timelines *timeline.Timelines // of the URI-Rs that they may see
	Gallery   *gallery.Gallery    // pictures that they may see; nil if none are made
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
	return (&Archive{Config: cfg, opened: newOpened(cfg.Records)}).view(""), nil
}

// through returns the archive as it is seen through a view. It shares what is the same for all, and caches nothing with
// others.
func (s *Archive) through(seen *view.View, cacheSites bool) *Archive {
	v := *s
	v.Access, v.Index, v.Gallery = seen.Policy, seen, nil
	if v.Pictures != nil {
		v.Gallery = gallery.New(v.Pictures, seen)
	}
	cfg := timeline.Config{View: seen, Software: v.Software, Log: v.Log, IsLost: v.isLost, CacheSites: cacheSites}
	if v.Gallery != nil {
		cfg.Looker = v.Gallery
	}
	v.Timelines = timeline.New(cfg)
	return &v
}

// ForSearch returns the archive as the search of its readers may show it, under the rules of now: a search that is built
// from this can't give away what it never had.
func (s *Archive) ForSearch() *Archive {
	return s.through(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Strict: true, Ahead: true}, false)
}

// ForCounts returns the archive as counts may tell of it that stay for up to a day. What is blocked is listed, and counts.
func (s *Archive) ForCounts() *Archive {
	return s.through(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Ahead: true}, false)
}

// view returns the archive as readers of a group see it.
func (s *Archive) view(group string) *Archive {
	v := s.through(&view.View{Whole: s.Config.Index, Policy: s.Access, Group: group}, true)
	v.groups = &sync.Map{}
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

// Epoch moves with whatever answers depend on: the index, the rules, and the day if they depend on the clock.
func (s *Archive) Epoch() uint64 {
	return s.Index.Whole.Generation() + xxh3.HashString(s.Access.Rules().Sum()) + uint64(s.Access.Day())
}
