package forward

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"sync"
)

// A Tunnel is the inside of a CONNECT. The client believes that it talks to Host.
type Tunnel struct {
	net.Conn
	Host    string        // as the CONNECT names it, with its port
	Connect *http.Request // the request that opened the tunnel

	r *bufio.Reader // of the connection, with the bytes already peeked
}

// Read returns the peeked bytes first.
func (t *Tunnel) Read(b []byte) (int, error) { return t.r.Read(b) }

type tunnelKey struct{}

// withTunnel puts the tunnel of a connection into the context of its requests.
func withTunnel(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if t, ok := c.(*Tunnel); ok {
		return context.WithValue(ctx, tunnelKey{}, t)
	}
	return ctx
}

// TunnelOf returns the tunnel that r came through, nil if there is none.
func TunnelOf(r *http.Request) *Tunnel {
	t, _ := r.Context().Value(tunnelKey{}).(*Tunnel)
	return t
}

// URI returns what a request is for, byte for byte as requested, with its scheme, and its host in lower case and without port: the
// request target if that is a whole URI (RFC 9112 §3.2.2), else, inside a tunnel, the host and the target. It returns "" for
// a request to the proxy's own address. A user and a password before the host are left out (RFC 9110 §4.2.4).
func URI(r *http.Request) (uri, scheme, host string) {
	t := TunnelOf(r)
	host = r.Host
	switch {
	case r.URL.IsAbs():
		uri, scheme = withoutUser(r.RequestURI), strings.ToLower(r.URL.Scheme)
	case t == nil:
		return "", "", ""
	default:
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
		if host == "" {
			host = t.Host
		}
		uri = scheme + "://" + host + "/" + strings.TrimPrefix(r.RequestURI, "/")
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return uri, scheme, strings.ToLower(host)
}

func withoutUser(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return uri
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	return scheme + "://" + rest[strings.LastIndex(authority, "@")+1:]
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

func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.conns:
		return c, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

func (t *tunnels) Addr() net.Addr { return &net.TCPAddr{} }
