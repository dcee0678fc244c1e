package replay

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/elazarl/goproxy"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/cdx"
)

// A ProxyConfig is what a [Proxy] works with. Dir and ServerURL are needed.
type ProxyConfig struct {
	Dir        string        // folder of the CA's certificate and key, made where there are none
	ServerURL  string        // where clients reach the [Server], without a slash at its end: what URI-Ms and URI-Ts begin with
	Collection string        // for clients that chose none; "" or an unknown one is the first there is
	Datetime   cdx.Timestamp // for clients that chose none; 0 is the newest capture
	Banner     bool          // whether readers get the banner, and landing pages at redirects; without, all bytes are as archived
	Log        *slog.Logger  // nil is silent
}

// A Proxy shows the archived web under its own addresses: an HTTP proxy that answers from a [Server]'s archive and from
// nowhere else (RFC 7089 §4.1.2, pattern 1.2: URI-R = URI-G, answered by 200). Make one with [NewProxy].
//
// Nothing in it can dial. What is asked in clear is answered in place; a CONNECT ends at a TLS server of varve's own,
// whose certificates its CA signs, and what is asked there is answered by the same code.
type Proxy struct {
	ProxyConfig
	server  *Server
	sites   map[string]*Server // the server's own pages at varve.proxy, by scheme; "" at the proxy's own address
	ca      *authority
	connect http.Handler
	tunnels *tunnels
	clients *clients
	seen    *lru.Cache[string, cdx.Timestamp] // see remember
	secret  []byte                            // signs the banner's links
	handler http.Handler
}

// NewProxy makes a proxy over a server. It reads the CA in cfg.Dir, or makes it there.
func NewProxy(server *Server, cfg ProxyConfig) (*Proxy, error) {
	if server == nil || cfg.Dir == "" || cfg.ServerURL == "" {
		return nil, errors.New("replay: a server, ProxyConfig.Dir and ProxyConfig.ServerURL are needed")
	}
	if cfg.Datetime != 0 && !cfg.Datetime.Valid() {
		return nil, fmt.Errorf("replay: ProxyConfig.Datetime: %d is no datetime", cfg.Datetime)
	}
	cfg.ServerURL = strings.TrimSuffix(cfg.ServerURL, "/")
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	ca, err := loadAuthority(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("replay: the proxy's CA: %w", err)
	}
	p := &Proxy{ProxyConfig: cfg, server: server, ca: ca, tunnels: newTunnels(), clients: newClients(), secret: randomBytes(32)}
	p.seen, _ = lru.New[string, cdx.Timestamp](maxSeen)
	p.sites = map[string]*Server{
		"http": server.at("http://" + proxyHost), "https": server.at("https://" + proxyHost), "": server.at(""),
	}
	p.connect = p.connectHandler()
	p.handler = server.observe(http.HandlerFunc(p.serve))
	return p, nil
}

// at returns the server as it is reached under another address, which has no origin apart for archived pages.
func (s *Server) at(url string) *Server {
	moved := *s
	moved.PublicURL, moved.ReplayURL, moved.links = url, "", url
	return &moved
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
		return &failure{status: http.StatusNotImplemented, say: "a tunnel within a tunnel leads nowhere here"}
	case a.uriR == "":
		return p.direct(a)
	case a.host == proxyHost:
		return p.site(a)
	case a.r.Header.Get("Upgrade") != "":
		return &failure{status: http.StatusNotImplemented, say: "this proxy answers from an archive, which has no sockets to connect to"}
	case a.r.Header.Get("Service-Worker") == "script":
		return &failure{status: http.StatusNotImplemented, say: "service workers are not replayed here: they would stay in the browser when the archive is left"}
	case a.r.Method == http.MethodOptions:
		p.preflight(a)
		return nil
	}
	return p.replay(a)
}
