package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/static"
	"github.com/varve-archive/varve/warc"
)

// Records reads archived records; [warc.Store] is one.
type Records interface {
	// Record opens the record at loc. Close it after reading. Errors name the file's base name.
	Record(ctx context.Context, loc cdx.Location) (*warc.Record, error)
}

// A Config is what a [Server] works with. Index and Records are needed.
type Config struct {
	Index     *index.Index
	Records   Records
	PublicURL string       // how clients reach the server, may have a path; "" takes it from each request
	ReplayURL string       // an origin of its own for archived pages; "" replays on the server's own
	Ready     func() bool  // whether the first pass over the files is done; nil means yes
	Log       *slog.Logger // nil is silent
	// SearchDir is the folder of the change-text search, with a folder for each collection; "" goes without.
	SearchDir string
	// PDF reads the text of a PDF file for diffs; nil shows none. It must end, whatever it is given.
	PDF     func(ctx context.Context, body []byte) (text string, err error)
	Version string
}

// A Server answers for all collections of an index. Make one with [New].
type Server struct {
	Config
	api       *cdx.API
	timelines *timelines
	sites     *sites
	pages     *pageCache
	searches  *searches
	counts    *termCounts

	prefix       string // path of PublicURL
	timeMapPages *lru.Cache[string, keptRanges]
	static       http.Handler
	metrics      *metrics
	links        string // what stands before the server's own paths in pages; "" takes it from PublicURL
}

// New checks the configuration, naming the field that is wrong.
func New(cfg Config) (*Server, error) {
	if cfg.Index == nil || cfg.Records == nil {
		return nil, errors.New("replay: Config.Index and Config.Records are needed")
	}
	for name, s := range map[string]string{"PublicURL": cfg.PublicURL, "ReplayURL": cfg.ReplayURL} {
		if err := checkOrigin(s); err != nil {
			return nil, fmt.Errorf("replay: Config.%s: %w", name, err)
		}
	}
	cfg.PublicURL, cfg.ReplayURL = strings.TrimSuffix(cfg.PublicURL, "/"), strings.TrimSuffix(cfg.ReplayURL, "/")
	if err := checkOrigins(cfg.PublicURL, cfg.ReplayURL); err != nil {
		return nil, fmt.Errorf("replay: Config.ReplayURL: %w", err)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("replay: Config.PublicURL: %w", err)
	}
	s := &Server{Config: cfg, prefix: public.Path, static: static.Handler(), metrics: newMetrics(), pages: newPageCache(), counts: newTermCounts()}
	s.timeMapPages, _ = lru.New[string, keptRanges](cachedPageRanges)
	s.sites = newSites(cfg.Index)
	s.timelines = newTimelines(cfg.Index, s.sites)
	s.searches = newSearches(cfg.SearchDir)
	s.api = cdx.NewAPI(cfg.Index, s.annotate)
	return s, nil
}

func checkOrigin(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is not of the form https://host or https://host/path", s)
	}
	return nil
}

// base returns the server's public address as the client of r sees it, without a slash at its end.
func (s *Server) base(r *http.Request) string {
	if s.onReplay(r) {
		return s.ReplayURL
	}
	if s.PublicURL != "" {
		return s.PublicURL
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// path returns what stands in front of the server's own paths: nothing unless PublicURL has a path, or pages of
// the server's own are shown at other addresses.
func (s *Server) path() string {
	if s.links != "" {
		return s.links
	}
	return s.prefix
}

// absolute gives the URIs of a collection with scheme and host, for headers and data.
func (s *Server) absolute(r *http.Request, coll string) memento.URIs {
	return memento.URIs{Base: s.base(r), Coll: coll}
}

// local gives the URIs of a collection as paths, for links in pages.
func (s *Server) local(coll string) memento.URIs {
	return memento.URIs{Base: s.path(), Coll: coll}
}

// Handler returns the server's whole HTTP interface.
func (s *Server) Handler() http.Handler {
	return s.observe(http.HandlerFunc(s.serve))
}

// serve takes the request target apart and hands it to who answers for its kind.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	p := ParsePath(strings.TrimPrefix(r.RequestURI, s.path()))
	if r.Method == http.MethodOptions {
		preflight(w)
		return
	}
	done, err := s.elsewhere(w, r, p)
	if !done && err == nil {
		err = s.route(w, r, p)
	}
	if err != nil {
		s.fail(w, r, p, err)
	}
}

func (s *Server) route(w http.ResponseWriter, r *http.Request, p Path) error {
	switch p.Kind {
	case Home:
		return s.home(w, r, p)
	case Own:
		return s.own(w, r, p)
	case NoPath:
		return notFound("no such page")
	}
	if !s.Index.Has(p.Coll) {
		return notFound(fmt.Sprintf("there is no collection %q here", p.Coll))
	}
	if p.Kind == CDX {
		return s.cdx(w, r, p)
	}
	handle := s.handler(p.Kind)
	if handle == nil {
		return notFound("this server does not answer that yet")
	}
	if p.URIR == "" && p.Kind != Collection && p.Kind != Search && p.Kind != Terms {
		return badURIR()
	}
	return handle(w, r, p)
}

// handler returns who answers for a kind of path inside a collection, nil for nobody.
func (s *Server) handler(k Kind) func(http.ResponseWriter, *http.Request, Path) error {
	switch k {
	case Collection:
		return s.collection
	case TimeGate:
		return s.timeGate
	case Memento:
		return s.memento
	case TimeMap:
		return s.timeMap
	case Changes:
		return s.changes
	case Diff:
		return s.diff
	case SlidingDiff:
		return s.sliding
	case Animate:
		return s.animate
	case Calendar:
		return s.calendar
	case PrefixList:
		return s.prefixList
	case Landing:
		return s.landing
	case Similar:
		return s.similar
	case Search:
		return s.search
	case Terms:
		return s.terms
	}
	return nil
}
