package proxy

import (
	"context"
	"net"
	"net/http"
)

// Serve answers on l until ctx ends, then waits for running requests. It closes l.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error { return p.forward.Serve(ctx, l) }

// ServeHTTP answers a request to the proxy's own address, a plain request for a URI, or one inside a tunnel.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.forward.ServeHTTP(w, r) }
