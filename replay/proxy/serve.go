package proxy

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
	"sync"
	"time"

	"github.com/elazarl/goproxy"

	"github.com/varve-archive/varve/internal/crowd"
)

const (
	proxyHeaderWait   = 10 * time.Second // for the headers of a request, the first byte in a tunnel, and a TLS handshake
	proxyIdleWait     = 2 * time.Minute  // between requests
	proxyShutdownWait = 10 * time.Second // for running requests to end
	maxProxyHeader    = 64 << 10
)

// Serve answers on l until ctx ends, then waits for running requests. It closes l.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: proxyHeaderWait, IdleTimeout: proxyIdleWait, MaxHeaderBytes: maxProxyHeader,
		ConnContext: withTunnel, ErrorLog: slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug),
	}
	over := make(chan error, 2)
	go func() { over <- server.Serve(crowd.Listen(l, crowd.Usual())) }()
	go func() { over <- server.Serve(p.tunnels) }()
	var err error
	select {
	case err = <-over:
	case <-ctx.Done():
	}
	fresh, cancel := context.WithTimeout(context.Background(), proxyShutdownWait)
	defer cancel()
	if down := server.Shutdown(fresh); errors.Is(down, context.DeadlineExceeded) {
		_ = server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// A tunnel is the inside of a CONNECT. The client believes that it talks to host.
type tunnel struct {
	net.Conn
	r      *bufio.Reader // of the connection, with the bytes already peeked
	host   string
	client identity // as identified outside the tunnel
}

// Read returns the peeked bytes first.
func (t *tunnel) Read(b []byte) (int, error) { return t.r.Read(b) }

// early gives whoever takes over the connection also what the client sent behind its CONNECT without waiting for the
// answer. The HTTP server may have read that already, and goproxy takes the connection alone.
type early struct{ http.ResponseWriter }

// Hijack implements [http.Hijacker].
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

type tunnelKey struct{}

// withTunnel puts the tunnel of a connection into the context of its requests.
func withTunnel(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if t, ok := c.(*tunnel); ok {
		return context.WithValue(ctx, tunnelKey{}, t)
	}
	return ctx
}

// tunnelOf returns the tunnel that r came through, nil if there is none.
func tunnelOf(r *http.Request) *tunnel {
	t, _ := r.Context().Value(tunnelKey{}).(*tunnel)
	return t
}

// tlsHandshake is the type of the first record of a TLS connection (RFC 8446 §5.1).
const tlsHandshake = 22

// tunnel answers a CONNECT and hands its inside to the server: as a TLS connection to the host it names, or as plain
// HTTP if the client starts so, as browsers do for ws://.
func (p *Proxy) tunnel(r *http.Request, c net.Conn, ctx *goproxy.ProxyCtx) {
	_ = c.SetDeadline(time.Now().Add(proxyHeaderWait))
	t := &tunnel{Conn: c, r: bufio.NewReader(c), host: r.Host, client: identify(r)}
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
		p.Log.Debug("no certificate", "host", r.URL.Host, "error", err)
		c.Close()
		return
	}
	p.tunnels.put(tls.Server(t, config))
}

// tunnels is a listener that accepts the insides of CONNECTs.
type tunnels struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newTunnels() *tunnels { return &tunnels{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (t *tunnels) put(c net.Conn) {
	select {
	case t.conns <- c:
	case <-t.closed:
		c.Close()
	}
}

// Accept implements [net.Listener].
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.conns:
		return c, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

// Addr implements [net.Listener].
func (t *tunnels) Addr() net.Addr { return &net.TCPAddr{} }

var errNoLiveWeb = errors.New("the proxy answers from the archive and never asks the live web")

func refuseToDial(context.Context, string, string) (net.Conn, error) { return nil, errNoLiveWeb }

func refuseToConnect(*http.Request, string, string) (net.Conn, error) { return nil, errNoLiveWeb }
