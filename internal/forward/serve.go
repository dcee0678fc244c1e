package forward

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/elazarl/goproxy"

	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	headerWait   = 10 * time.Second // for the headers of a request, the first byte in a tunnel, and a TLS handshake
	idleWait     = 2 * time.Minute  // between requests
	shutdownWait = 10 * time.Second // for running requests to end
	maxHeader    = 64 << 10
)

// A Proxy is a forward proxy whose requests a handler answers. Create one with [New].
type Proxy struct {
	handler http.Handler
	ca      *Authority
	log     *slog.Logger
	connect http.Handler
	tunnels *tunnels
}

// New returns a proxy whose requests handler answers, those in tunnels too. No part of the proxy can dial.
func New(ca *Authority, handler http.Handler, log *slog.Logger) *Proxy {
	p := &Proxy{handler: handler, ca: ca, log: log, tunnels: newTunnels()}
	p.connect = p.connectHandler()
	return p
}

// connectHandler takes CONNECT requests and ends each one here, whatever host it names. goproxy's defaults would
// tunnel them, or use the proxies in the environment, so all other ways are closed explicitly.
func (p *Proxy) connectHandler() http.Handler {
	g := goproxy.NewProxyHttpServer()
	g.Logger = slog.NewLogLogger(p.log.Handler(), slog.LevelDebug)
	g.Tr = &http.Transport{DialContext: refuseToDial, DialTLSContext: refuseToDial}
	g.ConnectDial = nil
	g.ConnectDialWithReq = refuseToConnect
	g.CertStore = p.ca.leaves
	g.OnRequest().HandleConnectFunc(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return &goproxy.ConnectAction{Action: goproxy.ConnectHijack, Hijack: p.tunnel}, host
	})
	g.OnRequest().DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		return r, goproxy.NewResponse(r, "text/plain; charset=utf-8", http.StatusNotFound, errNoDialing.Error()+"\n")
	})
	return g
}

const errNoDialing = sentinel.Error("this proxy answers itself and connects to nothing")

func refuseToDial(context.Context, string, string) (net.Conn, error) { return nil, errNoDialing }

func refuseToConnect(*http.Request, string, string) (net.Conn, error) { return nil, errNoDialing }

// ServeHTTP answers a request to the proxy's own address, a plain request for a URI, or one inside a tunnel.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect && TunnelOf(r) == nil {
		p.connect.ServeHTTP(early{w}, r) // takes over the connection, so no middleware may wrap it
		return
	}
	p.handler.ServeHTTP(w, r)
}

// Serve answers on l until ctx ends, then waits for running requests. It closes l.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: headerWait, IdleTimeout: idleWait, MaxHeaderBytes: maxHeader,
		ConnContext: withTunnel, ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	over := make(chan error, 2)
	go func() { over <- server.Serve(loadlimit.Listen(l, loadlimit.Default())) }()
	go func() { over <- server.Serve(p.tunnels) }()
	var err error
	select {
	case err = <-over:
	case <-ctx.Done():
	}
	fresh, cancel := context.WithTimeout(context.Background(), shutdownWait)
	defer cancel()
	if down := server.Shutdown(fresh); errors.Is(down, context.DeadlineExceeded) {
		_ = server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// early passes the bytes that the client sent after its CONNECT, without waiting for the response, to whoever hijacks the connection. The
// HTTP server may have buffered them already, and goproxy only takes the connection.
type early struct{ http.ResponseWriter }

func (e early) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(e.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	sent, err := rw.Reader.Peek(rw.Reader.Buffered())
	return &begun{Conn: c, r: io.MultiReader(bytes.NewReader(sent), c)}, rw, err
}

// A begun connection is one whose first bytes have been read.
type begun struct {
	net.Conn
	r io.Reader // of the whole
}

func (b *begun) Read(p []byte) (int, error) { return b.r.Read(p) }

// tlsHandshake is the type of the first record of a TLS connection (RFC 8446 §5.1).
const tlsHandshake = 22

// tunnel answers a CONNECT and passes its inside to the server: as a TLS connection to the named host, or as plain HTTP if the client
// begins so, as browsers do for ws://.
func (p *Proxy) tunnel(r *http.Request, c net.Conn, ctx *goproxy.ProxyCtx) {
	_ = c.SetDeadline(time.Now().Add(headerWait))
	t := &Tunnel{Conn: c, r: bufio.NewReader(c), Host: r.Host, Connect: r}
	_, err := io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
	var first []byte
	if err == nil {
		first, err = t.r.Peek(1)
	}
	if err != nil {
		c.Close()
		return
	}
	_ = c.SetDeadline(time.Time{})
	if first[0] != tlsHandshake {
		p.tunnels.put(t)
		return
	}
	config, err := p.ca.configure(r.URL.Host, ctx)
	if err != nil {
		p.log.Debug("no certificate", "host", r.URL.Host, "error", err)
		c.Close()
		return
	}
	p.tunnels.put(tls.Server(t, config))
}
