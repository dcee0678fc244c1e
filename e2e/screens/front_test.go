package screens

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A front is the proxy that the browser's requests go through. Where they may go depends on what is compared; all others
// are leaks, and get no answer.
type front struct {
	*httptest.Server

	mu     sync.Mutex
	tunnel func(authority string) (net.Conn, error) // answers CONNECT; nil refuses
	varve  *httputil.ReverseProxy                   // answers other requests; nil refuses
	host   string                                   // of varve
	leaks  []string
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// lead says where requests go from now on.
func (f *front) lead(tunnel func(string) (net.Conn, error), varve string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tunnel, f.varve = tunnel, nil
	if to, err := url.Parse(varve); err == nil && varve != "" {
		f.host = to.Host
		f.varve = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL = &url.URL{Scheme: to.Scheme, Host: to.Host, Opaque: strings.TrimPrefix(r.In.RequestURI, varve)}
			r.Out.Host = r.In.Host
		}}
	}
}

// left returns the requests that tried to leave, and forgets them.
func (f *front) left() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	leaks := f.leaks
	f.leaks = nil
	return leaks
}

// browserHosts are the ends of the names of hosts that a browser asks by itself, whatever page it shows.
var browserHosts = []string{".googleapis.com", ".google.com", ".gstatic.com", ".gvt1.com"}

// ServeHTTP implements [http.Handler].
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	tunnel, varve, host := f.tunnel, f.varve, f.host
	f.mu.Unlock()
	switch {
	case r.Method == http.MethodConnect && tunnel != nil:
		if to, err := tunnel(r.Host); err == nil {
			join(w, to)
			return
		}
	case r.Method != http.MethodConnect && varve != nil && r.Host == host:
		varve.ServeHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusBadGateway)
	if slices.ContainsFunc(browserHosts, func(h string) bool { return strings.HasSuffix(r.URL.Hostname(), h) }) {
		return
	}
	f.mu.Lock()
	f.leaks = append(f.leaks, r.Method+" "+r.RequestURI)
	f.mu.Unlock()
}

// join connects a client's connection with another one until both have ended.
func join(w http.ResponseWriter, to net.Conn) {
	defer to.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(to, buffered)
		to.Close()
	}()
	_, _ = io.Copy(client, to)
}
