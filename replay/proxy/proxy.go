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
	"github.com/varve-archive/varve/replay/web"
)

// A SiteServer is the server as it is reached at one address: what the proxy shows beside archived bytes.
type SiteServer interface {
	// Answer answers a path about the archive: lists, diffs, landing pages, data.
	Answer(w http.ResponseWriter, r *http.Request, p web.Path) error
	// Static answers with a static file.
	Static(w http.ResponseWriter, r *http.Request)
	// Fail answers with an error.
	Fail(w http.ResponseWriter, r *http.Request, p web.Path, err error)
	// Missing shows what there is in place of a URI-R without usable captures, with alternatives that lead where link says.
	Missing(w http.ResponseWriter, r *http.Request, p web.Path, ts cdx.Timestamp, link func(uriR string) string) error
	// Banner is a [web.BannerFunc].
	Banner(r *http.Request, ask *web.BannerAsk) (render func(drift time.Duration) []byte)
	// Site knows the address.
	Site() *web.Site
}

// A ProxyConfig is what a [Proxy] works with. All but Collection, Datetime, Banner and Log are needed.
type Config struct {
	Archive *archive.Archive
	At      func(*web.Site) SiteServer      // the server as it is reached at another address
	Observe func(http.Handler) http.Handler // logs and counts requests

	Dir        string        // folder of the CA's certificate and key, made where there are none
	ServerURL  string        // where clients reach the [replay.Server], without a slash at its end: what URI-Ms and URI-Ts begin with
	Collection string        // for clients that chose none; "" or an unknown one is the first there is
	Datetime   cdx.Timestamp // for clients that chose none; 0 is the newest capture
	Banner     bool          // whether readers get the banner, and landing pages at redirects; without, all bytes are as archived
	Log        *slog.Logger  // nil is silent
}

// A Proxy shows the archived web under its own addresses: an HTTP proxy that answers from a [replay.Server]'s archive and from
// nowhere else (RFC 7089 §4.1.2, pattern 1.2: URI-R = URI-G, answered by 200). Make one with [New].
//
// Nothing in it can dial. What is asked in clear is answered in place; a CONNECT ends at a TLS server of varve's own,
// whose certificates its CA signs, and what is asked there is answered by the same code.
type Proxy struct {
	Config
	sites   map[string]SiteServer // the server's own pages at varve.proxy, by scheme; "" at the proxy's own address
	cache   *web.Cache            // pages with their banner
	ca      *authority
	connect http.Handler
	tunnels *tunnels
	clients *clients
	seen    *lru.Cache[string, cdx.Timestamp] // see remember
	secret  []byte                            // signs the banner's links
	handler http.Handler
}

// New makes a proxy. It reads the CA in cfg.Dir, or makes it there.
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
	ca, err := loadAuthority(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("proxy: the CA: %w", err)
	}
	p := &Proxy{Config: cfg, cache: web.NewCache(), ca: ca, tunnels: newTunnels(), clients: newClients(), secret: randomBytes(32)}
	p.seen, _ = lru.New[string, cdx.Timestamp](maxSeen)
	p.sites = map[string]SiteServer{
		"http": cfg.At(web.SiteAt("http://" + proxyHost)), "https": cfg.At(web.SiteAt("https://" + proxyHost)), "": cfg.At(web.SiteAt("")),
	}
	p.connect = p.connectHandler()
	p.handler = cfg.Observe(http.HandlerFunc(p.serve))
	return p, nil
}

// connectHandler takes CONNECT requests, each of which ends here whatever it names. That no other way is left open
// is said to goproxy too, whose defaults are to tunnel, and to use the proxies that the environment names.
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

// ServeHTTP answers one request, whichever way it came: in clear, within a tunnel, or for the proxy itself.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect && tunnelOf(r) == nil {
		p.connect.ServeHTTP(w, r) // takes the connection over, so nothing may stand between
		return
	}
	p.handler.ServeHTTP(w, r)
}

// serve answers a request that is no CONNECT.
func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	a := p.ask(w, r)
	if err := p.route(a); err != nil {
		p.fail(a, err)
	}
}

func (p *Proxy) route(a *ask) error {
	switch {
	case a.r.Method == http.MethodConnect:
		return &web.Failure{Status: http.StatusNotImplemented, Say: "a tunnel within a tunnel leads nowhere here"}
	case a.uriR == "":
		return p.direct(a)
	case a.host == proxyHost:
		return p.site(a)
	case a.r.Header.Get("Upgrade") != "":
		return &web.Failure{Status: http.StatusNotImplemented, Say: "this proxy answers from an archive, which has no sockets to connect to"}
	case a.r.Header.Get("Service-Worker") == "script":
		return &web.Failure{Status: http.StatusNotImplemented, Say: "service workers are not replayed here: they would stay in the browser when the archive is left"}
	case a.r.Method == http.MethodOptions:
		p.preflight(a)
		return nil
	}
	return p.replay(a)
}
