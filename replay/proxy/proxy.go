package proxy

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/net/http/httpguts"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/replay/respond"
)

// A SiteServer is the server with links for one address. It serves what the proxy shows besides archived bytes.
type SiteServer interface {
	// Answer answers a path about the archive: lists, diffs, landing pages, data.
	Answer(w http.ResponseWriter, r *http.Request, p respond.Path) error
	// Static serves a static file.
	Static(w http.ResponseWriter, r *http.Request)
	// Fail answers with an error.
	Fail(w http.ResponseWriter, r *http.Request, p respond.Path, err error)
	// Missing shows alternatives to a URI-R without usable captures. link returns the address of an alternative.
	Missing(w http.ResponseWriter, r *http.Request, p respond.Path, ts cdx.Timestamp, link func(uriR string) string) error
	// Banner is a [respond.BannerFunc].
	Banner(r *http.Request, ask *respond.BannerRequest) (render func(banner.Embeds) []byte)
	// Site returns the address.
	Site() *respond.Site
}

// A Config configures a [Proxy]. Collection, Datetime, Banner and Log are optional.
type Config struct {
	Archive *archive.Archive
	At      func(*respond.Site) SiteServer  // returns the server with links for an address
	Observe func(http.Handler) http.Handler // logs and counts requests

	Dir        string        // folder of the CA's certificate and key; New creates them if there are none
	ReadOnly   bool          // nothing is written to Dir, so the CA has to be there
	ServerURL  string        // where clients reach the [replay.Server]; URI-Ms and URI-Ts begin with it
	Collection string        // for clients that chose none; if "" or unknown, the first collection
	Datetime   cdx.Timestamp // for clients that chose none; 0 means the newest capture
	// Banner says whether readers get the banner, landing pages at redirects, and lists and answers adapted to their players and scripts;
	// otherwise all bytes are as archived.
	Banner bool
	Log    *slog.Logger // nil logs nothing
}

// A Proxy shows the archived web at its original addresses. It is an HTTP proxy that answers from an archive and
// nothing else (RFC 7089 §4.1.2, pattern 1.2: URI-R = URI-G, answered with 200). Create one with [New].
//
// No part of it can dial: see [forward.Proxy].
type Proxy struct {
	Config
	sites   map[string]SiteServer // the server's pages at varve.proxy, by scheme; "" for the proxy's own address
	cache   *respond.Cache        // pages with their banners
	ca      *forward.Authority
	forward *forward.Proxy
	clients *clients
	seen    *lru.Cache[string, cdx.Timestamp] // datetimes by page; see remember
	secret  []byte                            // key of the signatures in the banner's links
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
	ca, err := forward.LoadAuthority(cfg.Dir, cfg.ReadOnly)
	if err != nil {
		return nil, fmt.Errorf("proxy: the CA: %w", err)
	}
	p := &Proxy{Config: cfg, cache: respond.NewCache(), ca: ca, clients: newClients(), secret: make([]byte, 32)}
	_, _ = rand.Read(p.secret) // can't fail: it ends the program instead
	p.seen, _ = lru.New[string, cdx.Timestamp](maxSeen)
	p.sites = map[string]SiteServer{
		"http": cfg.At(respond.SiteAt("http://" + proxyHost)), "https": cfg.At(respond.SiteAt("https://" + proxyHost)),
		"": cfg.At(respond.SiteAt("")),
	}
	p.forward = forward.New(ca, cfg.Observe(loadlimit.Guard(http.HandlerFunc(p.serve), nil)), cfg.Log)
	return p, nil
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
		return &respond.Failure{Status: http.StatusNotImplemented, Say: "this proxy does not open a tunnel inside a tunnel"}
	case req.uriR == "":
		return p.serveDirect(req)
	case req.host == proxyHost:
		return p.serveSite(req)
	case httpguts.HeaderValuesContainsToken(req.r.Header["Upgrade"], "websocket"):
		return &respond.Failure{Status: http.StatusNotImplemented, Say: "this proxy answers from an archive, which has no sockets to connect to"}
	case req.r.Header.Get("Service-Worker") == "script":
		say := "service workers are not replayed here: they would stay in the browser after the reader has left the archive"
		return &respond.Failure{Status: http.StatusNotImplemented, Say: say}
	case req.r.Method == http.MethodOptions:
		p.preflight(req)
		return nil
	}
	if p.sites[req.scheme] == nil {
		req.scheme = "http" // by which a page of an FTP server reaches varve.proxy
	}
	return p.replay(req)
}
