package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/filebuffer"
	"github.com/varve-archive/varve/internal/percent"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Defaults of a [Config].
const (
	defaultBytes   = 1 << 30
	defaultTime    = 5 * time.Minute
	connectTime    = 30 * time.Second
	idleTime       = 30 * time.Second
	maxHead        = 1 << 20 // limit of WARC readers for a head
	defaultMemory  = 256 << 10
	acceptEncoding = "gzip, deflate, br" // codings that archives can decode for their clients
)

// Config configures a [Client].
type Config struct {
	UserAgent    string // should contain a contact address
	AllowPrivate bool   // also request addresses that aren't on the public Internet
	// Public reports whether an address is on the public Internet; nil is [Public].
	Public   func(netip.Addr) bool
	MaxBytes int64         // of an answer with its head; the rest is cut off. 0 is 1 GiB
	MaxTime  time.Duration // of an exchange; the rest is cut off. 0 is 5 minutes
	HeadTime time.Duration // until an answer begins; 0 is MaxTime
	Dir      string        // of temporary files for large answers, "" for the system's
	Memory   int           // bytes of an answer that stay in memory, 0 for 256 KiB
	TLS      *tls.Config   // may be nil
	// InsecureTLS also asks servers with invalid certificates, versions of TLS back to 1.0 and ciphers that are not secure any more.
	InsecureTLS bool
}

// A Client makes requests to the live web. It is safe for concurrent use.
type Client struct {
	cfg       Config
	transport *http.Transport
	dialer    *net.Dialer
}

// New returns a client. The caller must close it.
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
	c := &Client{cfg: cfg, dialer: &net.Dialer{Timeout: connectTime}}
	if !cfg.AllowPrivate {
		c.dialer.Control = only(cfg.Public)
	}
	// Behind a proxy the requested address would be unknown.
	c.transport = &http.Transport{
		DialContext: c.dial, DialTLSContext: c.dialTLS, DisableCompression: true, MaxResponseHeaderBytes: maxHead,
		IdleConnTimeout: idleTime, MaxIdleConnsPerHost: 2, ResponseHeaderTimeout: cfg.HeadTime,
	}
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// connect refuses names of this machine before they are resolved, because some resolvers forward them.
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

// dialTLS connects with TLS, and keeps the decrypted messages. It doesn't offer HTTP/2, whose messages can't be stored in WARC
// files.
func (c *Client) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := c.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	settings := c.cfg.TLS.Clone()
	if settings == nil {
		settings = &tls.Config{}
	}
	if c.cfg.InsecureTLS {
		allowInsecure(settings)
	}
	if host, _, err := net.SplitHostPort(address); err == nil && settings.ServerName == "" {
		settings.ServerName = host
	}
	settings.NextProtos = []string{"http/1.1"}
	secure := tls.Client(raw, settings)
	limited, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	if err := secure.HandshakeContext(limited); err != nil {
		_ = raw.Close()
		return nil, c.insecure(err)
	}
	return &conn{Conn: secure, version: secure.ConnectionState().Version}, nil
}

// insecure returns the error of a handshake that failed. It names the setting that asks for less security if that can help: not against a
// server that has no TLS, or ends the connection.
func (c *Client) insecure(err error) error {
	if strings.HasSuffix(err.Error(), "tls: no application protocol") {
		return errHTTP2
	}
	var noTLS tls.RecordHeaderError
	failed, ok := errors.AsType[*net.OpError](err) // alerts of the server come as such, too
	lost := ok && failed.Op != "remote error" || errors.Is(err, io.EOF) || errors.Is(err, context.DeadlineExceeded)
	if c.cfg.InsecureTLS || lost || errors.As(err, &noTLS) {
		return fmt.Errorf("no secure connection: %w", err)
	}
	return fmt.Errorf("no secure connection (insecure_tls asks for less): %w", err)
}

// allowInsecure makes a connection possible that isn't secure.
func allowInsecure(settings *tls.Config) {
	settings.InsecureSkipVerify, settings.MinVersion = true, tls.VersionTLS10
	for _, suite := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		settings.CipherSuites = append(settings.CipherSuites, suite.ID)
	}
}

// ErrEnough, as the cause of a context's end, says that the answer so far is to be kept as truncated, as for an endless stream.
// Before the head has arrived, the exchange fails.
const ErrEnough = sentinel.Error("enough has come")

// ErrLeft is like [ErrEnough] for an answer whose reader disconnected.
const ErrLeft = sentinel.Error("the reader went away")

// AcceptPage is the Accept field of a request for a page, as browsers send it: some servers have data there for those who accept anything.
const AcceptPage = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// Get requests a URL. header has additional fields, such as If-None-Match; it may be nil. The caller must close the exchange.
//
// A truncated answer is no error: [Exchange.Truncated] says why. Without an answer there is an error, which wraps [ErrPrivate] if
// the address must not be requested, and that of ctx if it has ended.
func (c *Client) Get(ctx context.Context, url string, header http.Header) (*Exchange, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header = http.Header{"User-Agent": {c.cfg.UserAgent}, "Accept": {"*/*"}, "Accept-Encoding": {acceptEncoding}}
	maps.Copy(req.Header, header)
	e, err := c.Do(ctx, req, nil)
	if err == nil && req.URL.User == nil {
		e.URL = url // as requested
	}
	return e, err
}

// Do makes any request unchanged. Unless show is nil, it is called once the head has arrived, and may read the whole body while it
// arrives, even beyond what the exchange keeps. Do reads what show leaves. Otherwise Do works as [Client.Get].
func (c *Client) Do(ctx context.Context, req *http.Request, show func(*http.Response)) (*Exchange, error) {
	if s := req.URL.Scheme; s != "http" && s != "https" {
		return nil, fmt.Errorf("%q: only http and https can be asked", req.URL)
	}
	limited, cancel := context.WithTimeout(ctx, c.cfg.MaxTime)
	defer cancel()
	sent, address := asWritten(*req.URL)
	e := &Exchange{
		URL: address, method: req.Method, passing: show != nil,
		request:  &filebuffer.Buffer{Dir: c.cfg.Dir, Memory: c.cfg.Memory},
		response: &filebuffer.Buffer{Dir: c.cfg.Dir, Memory: c.cfg.Memory},
	}
	var at *conn
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		at = info.Conn.(*conn) // another one if an idle connection turned out to be closed
		e.begin(at, c.cfg.MaxBytes)
	}}
	shown := func(resp *http.Response) {
		if show != nil {
			show(resp)
			at.watched(e)
		}
	}
	req = req.WithContext(httptrace.WithClientTrace(limited, trace))
	req.URL = &sent
	err := c.exchange(ctx, req, e, shown)
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

// asWritten returns a URL that net/http sends as it was written, and the address that is recorded. By itself it would escape a "|" in the
// path, and then unescape everything else there: of /a|b%2Fc it makes /a%7Cb/c, which is another resource.
func asWritten(u url.URL) (sent url.URL, address string) {
	sent = u
	u.User = nil // a name and a password are no part of an address (RFC 9110 §4.2.4)
	if u.RawPath == "" || u.RawPath == u.EscapedPath() {
		return sent, u.String()
	}
	sent.Opaque = percent.Encode(u.RawPath, func(c byte) bool { return c <= ' ' || c >= 0x7f })
	u.Opaque = "//" + u.Host + sent.Opaque
	if strings.HasPrefix(sent.Opaque, "//") { // net/url takes it for a host
		sent.Opaque = u.Opaque
	}
	return sent, u.String()
}

// RoundTrip makes a request that isn't kept, such as one that switches the protocol of the connection.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	return c.transport.RoundTrip(req)
}

// exchange makes a request and reads the answer until it ends or is cut off. The connection keeps the messages.
func (c *Client) exchange(ctx context.Context, req *http.Request, e *Exchange, show func(*http.Response)) error {
	e.Time = time.Now()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return because(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // what follows is no answer, and no context ends it
		return errSwitched
	}
	e.Status, e.Header = resp.StatusCode, resp.Header
	show(resp)
	if _, err = io.Copy(io.Discard, resp.Body); err == nil {
		return nil // nothing lacks, even if ctx has ended meanwhile
	}
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
	case errors.Is(err, errLong):
		e.Truncated = "length"
	case errors.Is(err, context.DeadlineExceeded):
		e.Truncated = "time"
	case errors.Is(err, errNotKept): // a disk error
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), isNetwork(err):
		e.Truncated = "disconnect"
	default: // the body is malformed
		e.Truncated = "unspecified"
	}
	return nil
}

func isNetwork(err error) bool {
	var of net.Error
	return errors.As(err, &of)
}

// errSwitched says that a server switched to a protocol that was not offered to it (RFC 9110 §15.2.2).
const errSwitched = sentinel.Error("the server switched to another protocol unasked")

// errLate says that an exchange took too long, although the context hasn't ended.
const errLate = sentinel.Error("no answer in time")

// IsTimeout reports whether an exchange failed because there was no answer in time.
func IsTimeout(err error) bool {
	var of net.Error
	return errors.Is(err, errLate) || errors.As(err, &of) && of.Timeout()
}

// errHTTP2 says that a server speaks no other protocol.
const errHTTP2 = sentinel.Error("WARC files can store messages of HTTP/1.1, and the server speaks HTTP/2 alone")

// because returns the reason why there was no answer: the context's error if it has ended.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errLate
	}
	if errors.Is(err, errHTTP2) {
		return errHTTP2
	}
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") {
		return errors.New("the head of the answer is too long")
	}
	return err
}
