package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/filebuffer"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Defaults of a [Config].
const (
	defaultBytes   = 1 << 30
	defaultTime    = 5 * time.Minute
	connecting     = 30 * time.Second
	idle           = 30 * time.Second
	maxHead        = 1 << 20 // what readers of WARC take as a head
	defaultMemory  = 256 << 10
	acceptEncoding = "gzip, deflate, br" // what archives can undo for clients that don't take it
)

// Config says how the web is asked.
type Config struct {
	UserAgent    string // with an address where who is asked can complain
	AllowPrivate bool   // ask addresses too that aren't on the public Internet
	// Public says which addresses those are, nil is [Public].
	Public   func(netip.Addr) bool
	MaxBytes int64         // of an answer, with its head; what comes after is cut off. 0 is 1 GiB
	MaxTime  time.Duration // of an exchange; what comes after is cut off. 0 is 5 minutes
	HeadTime time.Duration // until an answer begins; 0 is MaxTime
	Dir      string        // of temporary files for large answers, "" for the system's
	Memory   int           // bytes of an answer that stay in memory, 0 for 256 KiB
	TLS      *tls.Config   // may be nil
}

// A Client asks the live web. It is safe for concurrent use.
type Client struct {
	cfg       Config
	transport *http.Transport
	dialer    *net.Dialer
}

// New returns a client. Close it in the end.
func New(cfg Config) *Client {
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = defaultBytes
	}
	if cfg.MaxTime <= 0 {
		cfg.MaxTime = defaultTime
	}
	if cfg.Memory <= 0 {
		cfg.Memory = defaultMemory
	}
	if cfg.Public == nil {
		cfg.Public = Public
	}
	c := &Client{cfg: cfg, dialer: &net.Dialer{Timeout: connecting}}
	if !cfg.AllowPrivate {
		c.dialer.Control = only(cfg.Public)
	}
	// No proxy: behind one it isn't known which address is asked.
	c.transport = &http.Transport{
		DialContext: c.dial, DialTLSContext: c.dialTLS, DisableCompression: true, MaxResponseHeaderBytes: maxHead,
		IdleConnTimeout: idle, MaxIdleConnsPerHost: 2, ResponseHeaderTimeout: cfg.HeadTime,
	}
	return c
}

// Close closes connections that are kept open.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// connect refuses names of this machine before anybody is asked for their address: some resolvers pass them on.
func (c *Client) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if host, _, err := net.SplitHostPort(address); err == nil && !c.cfg.AllowPrivate && ownName(host) {
		return nil, fmt.Errorf("%s: %w", host, ErrPrivate)
	}
	return c.dialer.DialContext(ctx, network, address)
}

func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := c.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: raw}, nil
}

// dialTLS connects with TLS, and reads and writes what is inside of it. It offers no HTTP/2, whose messages have no form that a
// WARC file could hold.
func (c *Client) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := c.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	settings := c.cfg.TLS.Clone()
	if settings == nil {
		settings = &tls.Config{}
	}
	if host, _, err := net.SplitHostPort(address); err == nil && settings.ServerName == "" {
		settings.ServerName = host
	}
	settings.NextProtos = []string{"http/1.1"}
	secure := tls.Client(raw, settings)
	limited, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	if err := secure.HandshakeContext(limited); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return &conn{Conn: secure, version: secure.ConnectionState().Version}, nil
}

// ErrEnough, as the cause that a context ends with, says that what came until then is the answer, cut off: such as of a stream that never
// ends. Before the head has come it is an end like others.
const ErrEnough = sentinel.Error("enough has come")

// ErrLeft is as [ErrEnough] of an answer whose reader went away: it is cut off there.
const ErrLeft = sentinel.Error("the reader went away")

// Get asks for a URL. header has further fields, such as If-None-Match; it may be nil. The exchange has to be closed.
//
// An answer that is not whole is no error: [Exchange.Truncated] says why. It is an error if there was no answer, which wraps
// [ErrPrivate] if the address may not be asked, and that of ctx if it has ended.
func (c *Client) Get(ctx context.Context, url string, header http.Header) (*Exchange, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header = http.Header{"User-Agent": {c.cfg.UserAgent}, "Accept": {"*/*"}, "Accept-Encoding": {acceptEncoding}}
	for name, values := range header {
		req.Header[name] = values
	}
	e, err := c.Do(ctx, req, nil)
	if err == nil {
		e.URL = url // as it was asked for
	}
	return e, err
}

// Do makes any request, as it is. Unless show is nil it gets the answer once the head is there, and may read the body while it
// comes in: all of it, also what is longer than the exchange may keep. What show leaves is read after it. Otherwise Do is as
// [Client.Get].
func (c *Client) Do(ctx context.Context, req *http.Request, show func(*http.Response)) (*Exchange, error) {
	if s := req.URL.Scheme; s != "http" && s != "https" {
		return nil, fmt.Errorf("%q: only http and https can be asked", req.URL)
	}
	limited, cancel := context.WithTimeout(ctx, c.cfg.MaxTime)
	defer cancel()
	e := &Exchange{
		URL: req.URL.String(), passing: show != nil,
		request:  &filebuffer.Buffer{Dir: c.cfg.Dir, Memory: c.cfg.Memory},
		response: &filebuffer.Buffer{Dir: c.cfg.Dir, Memory: c.cfg.Memory},
	}
	var at *conn
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		at, _ = info.Conn.(*conn) // another one if a connection that was kept open turned out to be closed
		e.begin(at, c.cfg.MaxBytes)
	}}
	shown := func(resp *http.Response) {
		if show != nil {
			show(resp)
			at.watched(e)
		}
	}
	err := c.exchange(ctx, req.WithContext(httptrace.WithClientTrace(limited, trace)), e, shown)
	if at != nil {
		at.end(e)
	}
	if err == nil {
		err = e.withoutInterim()
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if e.long && e.Truncated == "" {
		e.Truncated = "length"
	}
	e.Took = time.Since(e.Time)
	return e, nil
}

// RoundTrip makes a request of which nothing is kept, such as one that turns the connection into another protocol's.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	return c.transport.RoundTrip(req)
}

// exchange asks and reads the answer to its end, or to where it is cut off. The messages are kept by the connection.
func (c *Client) exchange(ctx context.Context, req *http.Request, e *Exchange, show func(*http.Response)) error {
	e.Time = time.Now()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return because(ctx, err)
	}
	e.Status, e.Header = resp.StatusCode, resp.Header
	defer resp.Body.Close()
	show(resp)
	_, err = io.Copy(io.Discard, resp.Body)
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), ErrEnough) {
		e.Truncated = "time"
		return nil
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), ErrLeft) {
		e.Truncated = "disconnect"
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case err == nil:
	case errors.Is(err, errLong):
		e.Truncated = "length"
	case errors.Is(err, context.DeadlineExceeded):
		e.Truncated = "time"
	case errors.Is(err, errNotKept): // of the disk
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), isNetwork(err):
		e.Truncated = "disconnect"
	default: // what came can't be read as a body
		e.Truncated = "unspecified"
	}
	return nil
}

func isNetwork(err error) bool {
	var of net.Error
	return errors.As(err, &of)
}

// errLate is the error of an exchange that took too long, which is none of the context's.
const errLate = sentinel.Error("no answer in time")

// IsTimeout reports whether an exchange has failed because there was no answer in time.
func IsTimeout(err error) bool {
	var of net.Error
	return errors.Is(err, errLate) || errors.As(err, &of) && of.Timeout()
}

// because returns why there was no answer: if ctx ended, that.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errLate
	}
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") {
		return errors.New("the head of the answer is too long")
	}
	return err
}
