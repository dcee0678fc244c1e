package replay

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
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
	archive    *archive.Archive
	searches   *searches.Searches
	counts     *holdings.Counts
	site       *respond.Site
	answers    *engine.Handler
	home       *home.Handler
	search     *search.Handler
	addresses  *addresses.Handler
	calendar   *calendar.Handler
	banners    *banners.Handler
	comparison *comparison.Handler
	uploads    *uploads.Handler // nil takes nothing
	crawls     *crawls.Handler  // nil shows nothing
	jobs       *jobs.Handler    // nil takes nothing
	settings   *settings.Handler
	following  *following.Handler
	info       *info.Handler
	tables     *termtable.Handler
	inspector  *inspect.Handler
	feeds      *feed.Handler
	pictures   *pictures.Handler
	duplicates *duplicates.Handler
	similar    *similar.Handler
	absent     *absent.Handler
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
	cfg, a := &s.cfg, s.cfg.Archive.For(group)
	h := handlers{archive: a, searches: cfg.Searches.For(group), counts: cfg.Counts.For(group), site: site}
	h.search = search.New(a, h.searches, site)
	shared := h.search.Shared
	h.addresses = addresses.New(a, h.counts, site, shared)
	h.calendar = calendar.New(a, h.search, site)
	h.comparison = comparison.New(a, h.searches, site, shared)
	h.banners = banners.New(a, h.search)
	h.answers = engine.New(a, site, engine.Hooks{Banner: h.banners.Banner, TimeMapPage: h.calendar.TimeMapPage})
	h.uploads, h.settings = uploads.New(a, site, cfg.Uploads, s.key), settings.New(a, site, cfg.Settings, s.key)
	h.crawls = crawls.New(a, site, cfg.Crawls, s.key)
	h.jobs = jobs.New(a, site, h.crawls, cfg.Jobs, s.key)
	if cfg.Crawls != nil {
		h.following = following.New(a, site, cfg.Follows, cfg.Crawls.Asked, cfg.Log, s.key)
		h.crawls.Order, h.crawls.Edit = h.jobs.Link, h.settings.Link
	}
	h.info, h.pictures = info.New(a, site, shared, h.answers.Parts), pictures.New(a, site, shared)
	h.inspector, h.feeds = inspect.New(a, site, shared, s.inspecting), feed.New(a, h.searches, h.counts, site, shared, cfg.Hub)
	h.tables, h.duplicates = termtable.New(a, h.searches, site, shared), duplicates.New(a, site, shared)
	on := ways.New(a, h.search, site)
	h.similar, h.absent = similar.New(a, site, shared, on), absent.New(a, site, shared, on)
	h.comparison.Play, h.inspector.Save = h.answers.Play, h.settings.Link
	h.home = &home.Handler{
		Archive: a, Counts: h.counts, Box: h.search, Addresses: h.addresses, Calendar: h.calendar, Site: site,
		Drop: h.uploads.Zone, Crawls: h.crawls.Link, Follows: h.following.Link,
	}
	return h
}

// Archive returns the archive that the server answers from.
func (s *Server) Archive() *archive.Archive { return s.archive }

// Searches returns the searches that the server answers from.
func (s *Server) Searches() *searches.Searches { return s.searches }

// Handler returns the whole HTTP interface of the server.
func (s *Server) Handler() http.Handler { return s.whole }

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
	if p.Kind == respond.Internal && uploads.Is(p.Internal) {
		return s.uploads.Serve(w, r, p, s.search.Shared(r, p))
	}
	if p.Kind == respond.Internal && crawls.Is(p.Internal) {
		return s.crawls.Serve(w, r, p, s.search.Shared(r, p))
	}
	if p.Kind == respond.Internal && jobs.Is(p.Internal) {
		return s.jobs.Serve(w, r, p, s.search.Shared(r, p))
	}
	if p.Kind == respond.Internal && settings.Is(p.Internal) {
		return s.settings.Serve(w, r, p, s.search.Shared(r, p))
	}
	if p.Kind == respond.Internal && following.Is(p.Internal) {
		return s.following.Serve(w, r, p, s.search.Shared(r, p))
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
	if p.Kind == respond.CDX {
		return s.answers.CDX(w, r, p)
	}
	handle := s.handler(p.Kind)
	if handle == nil {
		return respond.NotFound("this server does not answer that yet")
	}
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

// handler returns the handler for a kind of path inside a collection, nil if there is none.
func (s *Server) handler(k respond.Kind) func(http.ResponseWriter, *http.Request, respond.Path) error {
	switch k {
	case respond.Collection:
		return s.home.Collection
	case respond.TimeGate:
		return s.answers.TimeGate
	case respond.Memento:
		return s.answers.Memento
	case respond.TimeMap:
		return s.answers.TimeMap
	case respond.Changes:
		return s.calendar.Changes
	case respond.Diff:
		return s.comparison.Diff
	case respond.SlidingDiff:
		return s.comparison.Sliding
	case respond.Animate:
		return s.comparison.Animate
	case respond.Calendar:
		return s.calendar.Serve
	case respond.PrefixList:
		return s.addresses.Serve
	case respond.Landing:
		return s.absent.Landing
	case respond.Similar:
		return s.similar.Serve
	case respond.Duplicates:
		return s.duplicates.Serve
	case respond.Info:
		return s.info.Serve
	case respond.Inspect:
		return s.inspector.Page
	case respond.Still:
		return s.answers.Still
	case respond.Search:
		return s.search.Search
	case respond.Terms:
		return s.search.Terms
	case respond.TermTable:
		return s.tables.Serve
	case respond.Suggest:
		return s.search.Suggest
	case respond.OpenSearch:
		return s.search.OpenSearch
	case respond.Feed:
		return s.feeds.Feed
	case respond.Monitor:
		return s.feeds.Monitor
	case respond.Thumb:
		return s.pictures.Thumbnail
	case respond.Visual:
		return s.pictures.Visual
	}
	return nil
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
