package proxy

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/elazarl/goproxy"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/crowd"
	"github.com/varve-archive/varve/replay/web"
)

// A SiteServer is the server with links for one address. It serves what the proxy shows besides archived bytes.
type SiteServer interface {
	// Answer answers a path about the archive: lists, diffs, landing pages, data.
	Answer(w http.ResponseWriter, r *http.Request, p web.Path) error
	// Static serves a static file.
	Static(w http.ResponseWriter, r *http.Request)
	// Fail answers with an error.
	Fail(w http.ResponseWriter, r *http.Request, p web.Path, err error)
	// Missing shows alternatives to a URI-R without usable captures. link returns the address of an alternative.
	Missing(w http.ResponseWriter, r *http.Request, p web.Path, ts cdx.Timestamp, link func(uriR string) string) error
	// Banner is a [web.BannerFunc].
	Banner(r *http.Request, ask *web.BannerRequest) (render func(drift time.Duration) []byte)
	// Site returns the address.
	Site() *web.Site
}

// A Config configures a [Proxy]. Collection, Datetime, Banner and Log are optional.
type Config struct {
	Archive *archive.Archive
	At      func(*web.Site) SiteServer      // returns the server with links for an address
	Observe func(http.Handler) http.Handler // logs and counts requests

	Dir        string        // folder of the CA's certificate and key; New creates them if there are none
	ReadOnly   bool          // nothing is written to Dir, so the CA has to be there
	ServerURL  string        // where clients reach the [replay.Server]; URI-Ms and URI-Ts begin with it
	Collection string        // for clients that chose none; if "" or unknown, the first collection
	Datetime   cdx.Timestamp // for clients that chose none; 0 means the newest capture
	// Banner says whether readers get the banner, landing pages at redirects, and what their players and scripts can use
	// of lists and answers; without it all bytes are as archived.
	Banner bool
	Log    *slog.Logger // nil logs nothing
}

// A Proxy shows the archived web at its original addresses. It is an HTTP proxy that answers from an archive and
// nothing else (RFC 7089 §4.1.2, pattern 1.2: URI-R = URI-G, answered with 200). Create one with [New].
//
// No part of it can dial. It answers plain requests in place. A CONNECT ends at a TLS server inside the proxy, with
// certificates signed by its CA, and the same code answers the requests inside.
type Proxy struct {
	Config
	sites   map[string]SiteServer // the server's pages at varve.proxy, by scheme; "" for the proxy's own address
	cache   *web.Cache            // pages with their banners
	ca      *authority
	connect http.Handler
	tunnels *tunnels
	clients *clients
	seen    *lru.Cache[string, cdx.Timestamp] // datetimes by page; see remember
	secret  []byte                            // key of the signatures in the banner's links
	handler http.Handler
}

// New returns a proxy. It reads the CA in cfg.Dir, or creates it.
func New(cfg Config) (*Proxy, error) {
	if cfg.Archive == nil || cfg.At == nil || cfg.Observe == nil || cfg.Dir == "" || cfg.ServerURL == "" {
		return nil, errors.New("proxy: Config needs Archive, At, Observe, Dir and ServerURL")
	}
	if cfg.Datetime != 0 && !cfg.Datetime.Valid() {
		return nil, fmt.Errorf("proxy: Config.Datetime: %d is no datetime", cfg.Datetime)
	}
	cfg.ServerURL = strings.TrimSuffix(cfg.ServerURL, "/")
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	ca, err := loadAuthority(cfg.Dir, cfg.ReadOnly)
	if err != nil {
		return nil, fmt.Errorf("proxy: the CA: %w", err)
	}
	p := &Proxy{Config: cfg, cache: web.NewCache(), ca: ca, tunnels: newTunnels(), clients: newClients(), secret: randomBytes(32)}
	p.seen, _ = lru.New[string, cdx.Timestamp](maxSeen)
	p.sites = map[string]SiteServer{
		"http": cfg.At(web.SiteAt("http://" + proxyHost)), "https": cfg.At(web.SiteAt("https://" + proxyHost)), "": cfg.At(web.SiteAt("")),
	}
	p.connect = p.connectHandler()
	p.handler = cfg.Observe(crowd.Guard(http.HandlerFunc(p.serve)))
	return p, nil
}

// connectHandler takes CONNECT requests and ends each one here, whatever host it names. goproxy's defaults would
// tunnel them, or use the proxies in the environment, so all other ways are closed explicitly.
func (p *Proxy) connectHandler() http.Handler {
	g := goproxy.NewProxyHttpServer()
	g.Logger = slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug)
	g.Tr = &http.Transport{DialContext: refuseToDial, DialTLSContext: refuseToDial}
	g.ConnectDial = nil
	g.ConnectDialWithReq = refuseToConnect
	g.CertStore = p.ca.leaves
	g.OnRequest().HandleConnectFunc(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return &goproxy.ConnectAction{Action: goproxy.ConnectHijack, Hijack: p.tunnel}, host
	})
	g.OnRequest().DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		return r, goproxy.NewResponse(r, "text/plain; charset=utf-8", http.StatusNotFound, notArchived)
	})
	return g
}

const notArchived = "this is not in the archive\n"

// ServeHTTP answers a request to the proxy's own address, a plain request for a URI, or one inside a tunnel.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect && tunnelOf(r) == nil {
		p.connect.ServeHTTP(early{w}, r) // takes over the connection, so no middleware may wrap it
		return
	}
	p.handler.ServeHTTP(w, r)
}

// serve answers any request other than CONNECT.
func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	req := p.newRequest(w, r)
	if err := p.route(req); err != nil {
		p.fail(req, err)
	}
}

func (p *Proxy) route(req *request) error {
	switch {
	case req.r.Method == http.MethodConnect:
		return &web.Failure{Status: http.StatusNotImplemented, Say: "this proxy does not open a tunnel inside a tunnel"}
	case req.uriR == "":
		return p.serveDirect(req)
	case req.host == proxyHost:
		return p.serveSite(req)
	case req.r.Header.Get("Upgrade") != "":
		return &web.Failure{Status: http.StatusNotImplemented, Say: "this proxy answers from an archive, which has no sockets to connect to"}
	case req.r.Header.Get("Service-Worker") == "script":
		say := "service workers are not replayed here: they would stay in the browser after the reader has left the archive"
		return &web.Failure{Status: http.StatusNotImplemented, Say: say}
	case req.r.Method == http.MethodOptions:
		p.preflight(req)
		return nil
	}
	return p.replay(req)
}
