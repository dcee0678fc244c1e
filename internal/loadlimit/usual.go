package loadlimit

import (
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/varve-archive/varve/internal/descriptors"
)

// Default returns the limits of varve's servers, which take at most half of the descriptors of the process. A browser needs
// some thirty connections; a reverse proxy has one address for all clients.
func Default() Limits {
	conns := descriptors.Share(2, 1024)
	return Limits{Conns: conns, PerAddress: conns * 3 / 4, Write: 30 * time.Second}
}

// bodyWait is how long a body may take to arrive. varve only reads small ones.
const bodyWait = 20 * time.Second

// Guard puts a handler behind a queue, which the requests pass that passes reports (nil for none), and limits the time that bodies take.
func Guard(h http.Handler, passes func(*http.Request) bool) http.Handler {
	q := Queue{Running: 256, Waiting: 1024, Wait: 10 * time.Second, Passes: passes}
	return limitBodies(q.Handler(h), bodyWait)
}

const (
	headerTime = 10 * time.Second // so that slow clients don't hold connections
	idleTime   = 2 * time.Minute
)

// Server returns a server with a handler behind [Guard]. It has no timeout for a whole answer, because it takes time to send a large record
// to a slow client; a client that stops reading is cut off by [Listen].
func Server(h http.Handler, passes func(*http.Request) bool) *http.Server {
	return &http.Server{Handler: Guard(h, passes), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime}
}

// Local listens on an address. One without a host is that of this machine, so that a server given only a port does not answer strangers;
// 0.0.0.0 listens to everyone.
func Local(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil { // net.Listen would take any port of all addresses for ""
		return nil, err
	}
	if host == "" {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	return At(addr)
}

// At listens on an address. 0.0.0.0 is all addresses of IPv4 and no others, for which [net.Listen] would take IPv6 too.
func At(addr string) (net.Listener, error) {
	if host, err := netip.ParseAddrPort(addr); err == nil && host.Addr().Is4() {
		return net.Listen("tcp4", addr)
	}
	return net.Listen("tcp", addr)
}
