package replay

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/internal/tracing"
	"github.com/varve-archive/varve/replay/engine"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/metrics"
	"github.com/varve-archive/varve/replay/pages/absent"
	"github.com/varve-archive/varve/replay/pages/addresses"
	"github.com/varve-archive/varve/replay/pages/banners"
	"github.com/varve-archive/varve/replay/pages/calendar"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/duplicates"
	"github.com/varve-archive/varve/replay/pages/feed"
	"github.com/varve-archive/varve/replay/pages/following"
	"github.com/varve-archive/varve/replay/pages/home"
	"github.com/varve-archive/varve/replay/pages/info"
	"github.com/varve-archive/varve/replay/pages/inspect"
	"github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/pictures"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/pages/settings"
	"github.com/varve-archive/varve/replay/pages/similar"
	"github.com/varve-archive/varve/replay/pages/termtable"
	"github.com/varve-archive/varve/replay/pages/uploads"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// A Config says what a [Server] answers from. Archive is required.
type Config struct {
	Archive   *archive.Archive
	Searches  *searches.Searches // nil for none
	Counts    *holdings.Counts   // nil counts while readers wait
	PublicURL string             // how clients reach the server, with or without a path; "" takes it from each request
	ReplayURL string             // a separate origin for archived pages; "" replays them on the server's origin
	Origins   []string           // origins that may read answers by CORS, "*" for all; if there are none, see Private
	Private   bool               // without Origins: no other origin may read replayed bytes; else any origin may read everything
	Loopback  bool               // listens on loopback: requests under names that anybody may have led there are refused
	Gate      *loadlimit.Gate    // behind which work steps back that nobody waits for; nil if there is none
	Ready     func() error       // what is missing for answering, in words for anybody; nil means that nothing ever is
	Log       *slog.Logger       // nil logs nothing
	// Foundation says what the server stands on, for its metrics.
	Foundation metrics.Foundation
	Tracer     *tracing.Tracer // nil traces nothing
	// Trust are the addresses of servers in front that may name a reader's group (X-Varve-Group).
	Trust []netip.Prefix
	// About says what people call a collection. It may be nil.
	About func(coll string) respond.About
	// Uploads says who takes files from readers; nil takes none.
	Uploads *uploads.Config
	// Crawls says which crawls are shown, and steered; nil shows none.
	Crawls *crawls.Config
	// Jobs says where crawls are ordered, on a server that shows crawls; nil takes no orders.
	Jobs *jobs.Config
	// Settings says where templates and rankings are saved; nil saves none.
	Settings *settings.Config
	Hub      string // the WebSub hub that feeds name, "" for none
	// Follows has what those who follow sources say of themselves, for a server that shows crawls; "" for none.
	Follows status.Folder
}

// A Server answers HTTP requests for all collections of an archive. Create one with [New].
type Server struct {
	cfg     Config
	key     guard.Key
	static  http.Handler
	metrics *metrics.Metrics
	whole   http.Handler // what Handler returns
	groups  *sync.Map    // servers for the readers of groups, by archive
	api     func() ([]byte, error)
	// inspecting bounds what the inspectors of all groups and of the proxy read at the same time.
	inspecting inspect.Slots

	handlers
}

// The handlers answer the readers of one group on one site.
type handlers struct {
	archive  *archive.Archive
	searches *searches.Searches
	site     *respond.Site
	answers  *engine.Handler
	home     *home.Handler
	search   *search.Handler
	calendar *calendar.Handler
	banners  *banners.Handler
	absent   *absent.Handler
	inside   map[respond.Kind]routeFunc // what answers a path inside a collection
	beside   []pages
}

// A routeFunc answers the requests of a kind of path.
type routeFunc func(w http.ResponseWriter, r *http.Request, p respond.Path) error

// The pages of a wing are outside of all collections, below the address of the server.
type pages struct {
	has   func(internal string) bool
	serve func(w http.ResponseWriter, r *http.Request, p respond.Path, shared layout.Page) error
}

// New returns a server. Its error names the field of cfg that is wrong.
func New(cfg Config) (*Server, error) {
	if cfg.Archive == nil {
		return nil, errors.New("replay: Config.Archive is needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	site, err := respond.NewSite(cfg.PublicURL, cfg.ReplayURL)
	if err != nil {
		return nil, fmt.Errorf("replay: Config.%w", err)
	}
	if err := checkOrigins(cfg.Origins); err != nil {
		return nil, fmt.Errorf("replay: Config.%w", err)
	}
	if u, err := url.Parse(cfg.Hub); cfg.Hub != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("replay: Config.Hub: %q is no address such as https://hub.example/", cfg.Hub)
	}
	site.About = cfg.About
	a := cfg.Archive
	if cfg.Searches == nil {
		cfg.Searches = searches.New(searches.Config{Archive: a})
	}
	if cfg.Counts == nil {
		cfg.Counts = holdings.New(holdings.Config{Archive: a, Searches: cfg.Searches})
	}
	s := &Server{
		cfg: cfg, key: guard.NewKey(), static: static.Handler(), metrics: metrics.New(), groups: &sync.Map{},
		api: sync.OnceValues(apiAsJSON), inspecting: inspect.NewSlots(),
	}
	s.handlers = s.answerFor(a.Index.Group, site)
	compressed, err := compress(http.HandlerFunc(s.serve))
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	s.whole = s.observe(s.named(s.cors(compressed)))
	if cfg.Gate != nil {
		s.whole = cfg.Gate.Handler(s.whole)
	}
	s.metrics.Index(a.Index.Whole)
	s.metrics.Foundation(cfg.Foundation)
	s.metrics.Searches(a, cfg.Searches, cfg.Gate)
	if cfg.Crawls != nil {
		s.metrics.Crawls(cfg.Crawls.Folder, func(r *runs.Run) bool { return crawls.Hidden(a, r) })
	}
	if cfg.Crawls != nil && cfg.Follows != "" {
		s.metrics.Follow(cfg.Follows, func(f *status.Status) bool { return following.Hidden(a, f) })
	}
	return s, nil
}

// answerFor returns the handlers that answer the readers of a group on a site.
func (s *Server) answerFor(group string, site *respond.Site) handlers {
	cfg, a, of, counts := &s.cfg, s.cfg.Archive.For(group), s.cfg.Searches.For(group), s.cfg.Counts.For(group)
	h := handlers{archive: a, searches: of, site: site, search: search.New(a, of, site)}
	shared := h.search.Shared
	h.calendar, h.banners = calendar.New(a, h.search, site), banners.New(a, h.search)
	h.answers = engine.New(a, site, engine.Hooks{Banner: h.banners.Banner, TimeMapPage: h.calendar.TimeMapPage})
	listed := addresses.New(a, counts, site, shared)
	taking := uploads.New(a, site, cfg.Uploads, s.key)
	saving := settings.New(a, site, cfg.Settings, s.key)
	var orders *jobs.Handler
	shown := crawls.New(a, site, cfg.Crawls, s.key, func(r *http.Request) string { return orders.Link(r) }, saving.Link)
	orders = jobs.New(a, site, shown, cfg.Jobs, s.key)
	var followed *following.Handler
	if cfg.Crawls != nil {
		followed = following.New(a, site, cfg.Follows, cfg.Crawls.Asked, cfg.Log, s.key)
	}
	h.home = &home.Handler{
		Archive: a, Counts: counts, Box: h.search, Addresses: listed, Calendar: h.calendar, Site: site,
		Drop: taking.Zone, Crawls: shown.Link, Follows: followed.Link,
	}
	h.beside = []pages{
		{uploads.Is, taking.Serve},
		{crawls.Is, shown.Serve},
		{jobs.Is, orders.Serve},
		{settings.Is, saving.Serve},
		{following.Is, followed.Serve},
	}
	on := ways.New(a, h.search, site)
	h.absent = absent.New(a, site, shared, on)
	compared := comparison.New(a, of, site, shared, h.answers.Play)
	pictured := pictures.New(a, site, shared)
	feeds := feed.New(a, of, counts, site, shared, cfg.Hub)
	h.inside = map[respond.Kind]routeFunc{
		respond.Collection:  h.home.Collection,
		respond.TimeGate:    h.answers.TimeGate,
		respond.Memento:     h.answers.Memento,
		respond.TimeMap:     h.answers.TimeMap,
		respond.CDX:         h.answers.CDX,
		respond.Still:       h.answers.Still,
		respond.Changes:     h.calendar.Changes,
		respond.Calendar:    h.calendar.Serve,
		respond.Diff:        compared.Diff,
		respond.SlidingDiff: compared.Sliding,
		respond.Animate:     compared.Animate,
		respond.PrefixList:  listed.Serve,
		respond.Landing:     h.absent.Landing,
		respond.Similar:     similar.New(a, site, shared, on).Serve,
		respond.Duplicates:  duplicates.New(a, site, shared).Serve,
		respond.Info:        info.New(a, site, shared, h.answers.Parts).Serve,
		respond.Inspect:     inspect.New(a, site, shared, s.inspecting, saving.Link).Page,
		respond.Search:      h.search.Search,
		respond.Terms:       h.search.Terms,
		respond.Suggest:     h.search.Suggest,
		respond.OpenSearch:  h.search.OpenSearch,
		respond.TermTable:   termtable.New(a, of, site, shared).Serve,
		respond.Feed:        feeds.Feed,
		respond.Monitor:     feeds.Monitor,
		respond.Thumb:       pictured.Thumbnail,
		respond.Visual:      pictured.Visual,
	}
	return h
}

// Archive returns the archive that the server answers from.
func (s *Server) Archive() *archive.Archive { return s.archive }

// Searches returns the searches that the server answers from.
func (s *Server) Searches() *searches.Searches { return s.searches }

// Handler returns the whole HTTP interface of the server.
func (s *Server) Handler() http.Handler { return s.whole }

// AsksForHealth reports whether a request asks whether the server is healthy, which a busy one is too.
func (s *Server) AsksForHealth(r *http.Request) bool {
	path, _, _ := strings.Cut(s.site.Within(r.RequestURI), "?")
	return path == "/-/healthz"
}

// serve parses the request target and answers the request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s = s.forReader(w, r)
	p := respond.ParsePath(s.site.Within(r.RequestURI))
	if rec, ok := r.Context().Value(recording{}).(*recorder); ok {
		rec.kind = p.Kind
	}
	if r.Method == http.MethodOptions {
		s.preflight(w, r, p.Kind)
		return
	}
	s.site.KeepApart(w.Header(), p.Kind, len(s.archive.Index.Collections()) > 1)
	err := respond.NoServiceWorker(r)
	done := err == nil && s.rescue(w, r, p) // leads into the page's own collection
	if !done && err == nil {
		err = s.site.CheckOrigin(r, p)
	}
	if !done && err == nil {
		done, err = s.site.Elsewhere(w, r, p)
	}
	if !done && err == nil {
		err = s.answer(w, r, p)
	}
	if err != nil {
		s.absent.Fail(w, r, p, err)
	}
}

// answer routes a request. It breaks off an answer that has begun and can't be finished; before that, it returns the error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	out := &beginning{ResponseWriter: w}
	err := s.route(out, r, p)
	if err != nil && out.begun {
		return respond.BreakOff(s.archive.Log, r, err)
	}
	return err
}

// A beginning notes whether something of an answer was written.
type beginning struct {
	http.ResponseWriter
	begun bool
}

func (b *beginning) WriteHeader(status int) {
	b.begun = b.begun || status >= 200
	b.ResponseWriter.WriteHeader(status)
}

func (b *beginning) Write(p []byte) (int, error) {
	b.begun = true
	return b.ResponseWriter.Write(p)
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (b *beginning) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// route hands a request to the handler of its path.
func (s *Server) route(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	for _, of := range s.beside {
		if p.Kind == respond.Internal && of.has(p.Internal) {
			return of.serve(w, r, p, s.search.Shared(r, p))
		}
	}
	if !respond.Reads(r) && !posted(r, p.Kind) {
		return respond.NoMethod(r, p.Kind)
	}
	switch p.Kind {
	case respond.Home:
		return s.home.Serve(w, r, p)
	case respond.Internal:
		return s.serveInternal(w, r, p)
	case respond.NoPath:
		return respond.NotFound("no such page")
	}
	if !s.archive.Index.Has(p.Coll) {
		if done := s.wellKnown(w, p); done {
			return nil
		}
		return respond.NotFound(fmt.Sprintf("there is no collection %q here", p.Coll))
	}
	handle := s.inside[p.Kind]
	if p.URIR == "" && !p.Kind.OfCollection() {
		return respond.BadURIR()
	}
	return handle(w, r, p)
}

// posted reports whether a request that does more than read is one that a kind of path answers.
func posted(r *http.Request, k respond.Kind) bool {
	switch k {
	case respond.TimeGate, respond.Memento, respond.CDX:
		return true
	case respond.TermTable:
		return r.Method == http.MethodPost
	}
	return false
}

// at returns the same server with links for another address.
func (s *Server) at(site *respond.Site) *Server {
	moved := *s
	moved.handlers = s.answerFor(s.archive.Index.Group, site)
	return &moved
}

// NewProxy returns a proxy that answers from the server's archive. It fills in cfg.Archive, cfg.Observe and cfg.At;
// the caller sets Dir and ServerURL.
func (s *Server) NewProxy(cfg proxy.Config) (*proxy.Proxy, error) {
	cfg.Archive, cfg.Observe = s.archive, s.observe
	cfg.At = func(site *respond.Site) proxy.SiteServer { at := s.at(site); return proxied{at, at.absent} }
	return proxy.New(cfg)
}

// proxied adapts a server to [proxy.SiteServer].
type proxied struct {
	s *Server
	*absent.Handler
}

func (p proxied) Answer(w http.ResponseWriter, r *http.Request, at respond.Path) error {
	return p.s.answer(w, r, at)
}
func (p proxied) Static(w http.ResponseWriter, r *http.Request) { p.s.static.ServeHTTP(w, r) }
func (p proxied) Site() *respond.Site                           { return p.s.site }

func (p proxied) Banner(r *http.Request, request *respond.BannerRequest) (render func(banner.Embeds) []byte) {
	return p.s.banners.Banner(r, request)
}
