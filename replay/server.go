package replay

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/static"
)

// A Config is what a [Server] works with. Archive is needed.
type Config struct {
	Archive   *Archive
	PublicURL string       // how clients reach the server, may have a path; "" takes it from each request
	ReplayURL string       // an origin of its own for archived pages; "" replays on the server's own
	Ready     func() bool  // whether the first pass over the files is done; nil means yes
	Log       *slog.Logger // nil is silent
}

// A Server answers for all collections of an archive. Make one with [New].
type Server struct {
	archive *Archive
	log     *slog.Logger
	ready   func() bool
	site    *Site
	answers *answers
	pages   *pages
	static  http.Handler
	metrics *metrics
}

// New checks the configuration, naming the field that is wrong.
func New(cfg Config) (*Server, error) {
	if cfg.Archive == nil {
		return nil, errors.New("replay: Config.Archive is needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	site, err := NewSite(cfg.PublicURL, cfg.ReplayURL)
	if err != nil {
		return nil, fmt.Errorf("replay: Config.%w", err)
	}
	a := cfg.Archive
	s := &Server{archive: a, log: cfg.Log, ready: cfg.Ready, site: site, static: static.Handler(), metrics: newMetrics()}
	s.pages = newPages(a, site)
	s.answers = newAnswers(a, site, answerHooks{Banner: s.pages.Banner, TimeMapPage: s.pages.timeMapPage})
	s.pages.Play = s.answers.play
	return s, nil
}

// Archive returns what the server answers from.
func (s *Server) Archive() *Archive { return s.archive }

// Handler returns the server's whole HTTP interface.
func (s *Server) Handler() http.Handler {
	return s.observe(http.HandlerFunc(s.serve))
}

// serve takes the request target apart and hands it to who answers for its kind.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	p := ParsePath(strings.TrimPrefix(r.RequestURI, s.site.path()))
	if r.Method == http.MethodOptions {
		preflight(w)
		return
	}
	done, err := s.site.elsewhere(w, r, p)
	if !done && err == nil {
		err = s.route(w, r, p)
	}
	if err != nil {
		s.pages.fail(w, r, p, err)
	}
}

func (s *Server) route(w http.ResponseWriter, r *http.Request, p Path) error {
	switch p.Kind {
	case Home:
		return s.pages.home(w, r, p)
	case Own:
		return s.own(w, r, p)
	case NoPath:
		return notFound("no such page")
	}
	if !s.archive.Index.Has(p.Coll) {
		return notFound(fmt.Sprintf("there is no collection %q here", p.Coll))
	}
	if p.Kind == CDX {
		return s.answers.cdx(w, r, p)
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
		return s.pages.collection
	case TimeGate:
		return s.answers.timeGate
	case Memento:
		return s.answers.memento
	case TimeMap:
		return s.answers.timeMap
	case Changes:
		return s.pages.changes
	case Diff:
		return s.pages.diff
	case SlidingDiff:
		return s.pages.sliding
	case Animate:
		return s.pages.animate
	case Calendar:
		return s.pages.calendar
	case PrefixList:
		return s.pages.prefixList
	case Landing:
		return s.pages.landing
	case Similar:
		return s.pages.similar
	case Search:
		return s.pages.search
	case Terms:
		return s.pages.terms
	}
	return nil
}

// at returns the server as it is reached under another address.
func (s *Server) at(site *Site) *Server {
	moved := *s
	moved.site = site
	moved.pages, moved.answers = s.pages.at(site), s.answers.at(site)
	return &moved
}

// NewProxy makes a proxy that answers from the server's archive; cfg needs Dir and ServerURL.
func (s *Server) NewProxy(cfg ProxyConfig) (*Proxy, error) {
	cfg.Archive, cfg.Observe = s.archive, s.observe
	cfg.At = func(site *Site) SiteServer { return proxied{s.at(site)} }
	return NewProxy(cfg)
}

// proxied is a server as a proxy shows it.
type proxied struct{ s *Server }

func (p proxied) Answer(w http.ResponseWriter, r *http.Request, at Path) error {
	return p.s.route(w, r, at)
}
func (p proxied) Static(w http.ResponseWriter, r *http.Request) { p.s.static.ServeHTTP(w, r) }
func (p proxied) Site() *Site                                   { return p.s.site }

func (p proxied) Fail(w http.ResponseWriter, r *http.Request, at Path, err error) {
	p.s.pages.fail(w, r, at, err)
}

func (p proxied) Missing(w http.ResponseWriter, r *http.Request, at Path, ts cdx.Timestamp, link func(uriR string) string) error {
	return p.s.pages.Missing(w, r, at, ts, link)
}

func (p proxied) Banner(r *http.Request, ask *BannerAsk) (render func(drift time.Duration) []byte) {
	return p.s.pages.Banner(r, ask)
}
