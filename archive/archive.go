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

// A Stater is a [Records] that can describe files. A record that could be opened before need not be opened again if its file hasn't
// changed.
type Stater interface {
	Stat(ctx context.Context, id cdx.FileID) (warc.Entry, error)
}

// A Config has the settings of an [Archive]. Index and Records are required.
type Config struct {
	Index   *index.Index
	Records Records
	Log     *slog.Logger // nil logs nothing
	// Software is the program's version: another one may compute other versions.
	Software string
	// PDF returns the text of a PDF file. Without it PDF files have no text. It must return for any body.
	PDF func(ctx context.Context, body []byte) (text string, err error)
	// Pictures has pictures of pages; may be nil.
	Pictures *visual.Store
	// Access has the access rules. nil means that everybody may see everything.
	Access *access.Policy
}

// An Archive answers questions about the captures of an index, for readers of one group. It is safe for concurrent use.
type Archive struct {
	Config
	Index     *view.View          // restricted to what the readers may see
	Timelines *timeline.Timelines // of the URI-Rs in the view
	Gallery   *gallery.Gallery    // pictures that the readers may see; nil if there are none
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

// restrictedTo returns the archive restricted to a view, with its own caches.
func (s *Archive) restrictedTo(seen *view.View, cacheSites bool) *Archive {
	v := *s
	v.Access, v.Index, v.Gallery = seen.Policy, seen, nil
	if v.Pictures != nil {
		v.Gallery = gallery.New(v.Pictures, seen)
	}
	cfg := timeline.Config{View: seen, Software: v.Software, Log: v.Log, IsLost: v.isLost, CacheSites: cacheSites}
	if v.Gallery != nil {
		cfg.Comparer = v.Gallery
	}
	v.Timelines = timeline.New(cfg)
	return &v
}

// ForSearch returns the archive for building a search, restricted to what its readers may read under the current rules.
func (s *Archive) ForSearch() *Archive {
	return s.restrictedTo(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Strict: true, Ahead: true}, false)
}

// ForCounts returns the archive for counts that are kept for up to a day. Blocked captures are counted.
func (s *Archive) ForCounts() *Archive {
	return s.restrictedTo(&view.View{Whole: s.Index.Whole, Policy: s.Access.Frozen(), Group: s.Index.Group, Ahead: true}, false)
}

func (s *Archive) view(group string) *Archive {
	v := s.restrictedTo(&view.View{Whole: s.Config.Index, Policy: s.Access, Group: group}, true)
	v.groups = &sync.Map{}
	return v
}

// For returns the archive for a group of readers, or the one for everybody if no access rule names the group.
func (s *Archive) For(group string) *Archive {
	if group == s.Index.Group || !s.Access.Rules().HasGroup(group) {
		return s
	}
	v, ok := s.groups.Load(group)
	if !ok {
		v, _ = s.groups.LoadOrStore(group, s.view(group))
	}
	return v.(*Archive)
}

// Epoch changes with everything that answers depend on: the index, the rules, and the day if they depend on the clock.
func (s *Archive) Epoch() uint64 {
	return s.Index.Whole.Generation() + xxh3.HashString(s.Access.Rules().Sum()) + uint64(s.Access.Day())
}
