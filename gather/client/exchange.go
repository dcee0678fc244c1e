package client

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/filebuffer"
	"github.com/varve-archive/varve/internal/sentinel"
)

// An Exchange is a request and its answer, as they were on the wire.
type Exchange struct {
	URL       string
	Time      time.Time     // when the request began
	Took      time.Duration // until the answer ended
	IP        netip.Addr    // of the server
	Protocols []string      // "http/1.1" and, under it, "tls/1.3"
	Status    int
	Header    http.Header
	// Truncated is the reason why the answer is incomplete: "length", "time", "disconnect" or "unspecified" (ISO 28500 §5.13); ""
	// if it is complete.
	Truncated string

	method            string // of the request
	request, response *filebuffer.Buffer
	interim           int64 // bytes of interim responses before the answer
	passing           bool  // show reads the answer, so it isn't cut off where keeping ends
	long              bool  // more arrived than was kept
}

// begin makes a connection keep its messages for e, and drops what another connection kept.
func (e *Exchange) begin(c *conn, most int64) {
	_ = e.request.Close()
	_ = e.response.Close()
	e.Protocols = []string{"http/1.1"}
	if c.version != 0 {
		e.Protocols = append(e.Protocols, strings.ToLower(strings.Replace(tls.VersionName(c.version), " ", "/", 1)))
	}
	if to, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		e.IP = to.Addr().Unmap()
	}
	c.keep(e, most)
}

// withoutInterim finds the start of the final answer. Interim responses before it (RFC 9110 §15.2) aren't recorded.
func (e *Exchange) withoutInterim() error {
	m, err := warc.ParseHead(bufio.NewReader(io.NewSectionReader(e.response, 0, e.response.Size())))
	e.interim = int64(m.Interim)
	return err
}

// Request returns the request. It can be read until the exchange is closed.
func (e *Exchange) Request() *io.SectionReader { return e.request.Reader() }

// Response returns the answer from its status line on, in its transfer and content codings.
func (e *Exchange) Response() *io.SectionReader {
	return io.NewSectionReader(e.response, e.interim, e.response.Size()-e.interim)
}

// Record returns the exchange as it is written to a WARC file. via is the address of the document that named it, "" for none.
func (e *Exchange) Record(via string) write.Exchange {
	x := write.Exchange{
		URI: e.URL, Time: e.Time, Protocols: e.Protocols, Truncated: e.Truncated, Response: e.Response(), Request: e.Request(),
	}
	if e.IP.IsValid() {
		x.IP = e.IP.String()
	}
	if via != "" {
		x.Metadata = warc.Fields{{Name: "via", Value: via}}
	}
	x.Metadata = append(x.Metadata, warc.Field{Name: "fetchTimeMs", Value: strconv.FormatInt(e.Took.Milliseconds(), 10)})
	return x
}

// Body returns at most limit bytes of the decoded body of the answer.
func (e *Exchange) Body(limit int64) ([]byte, error) {
	r := bufio.NewReader(e.Response())
	m, err := warc.ParseHead(r)
	if err != nil {
		return nil, err
	}
	plain, err := warc.Decode(strings.Join(m.Header.All("Content-Encoding"), ","), warc.Body(m, r))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(plain, limit))
	if errors.Is(err, io.ErrUnexpectedEOF) { // what could be read counts
		err = nil
	}
	return body, err
}

// ContentType returns the media type that a browser takes from the head, as [warc.ContentType] does; "" if it looks at the body.
func (e *Exchange) ContentType() string {
	var fields warc.Fields
	for _, name := range []string{"Content-Type", "X-Content-Type-Options"} {
		for _, value := range e.Header.Values(name) {
			fields = append(fields, warc.Field{Name: name, Value: value})
		}
	}
	return warc.ContentType(fields)
}

// Close frees what the exchange keeps.
func (e *Exchange) Close() error { return errors.Join(e.request.Close(), e.response.Close()) }

// A conn keeps the messages that pass through it.
type conn struct {
	net.Conn
	version uint16 // of TLS, 0 without it

	mu       sync.Mutex // net/http reads and writes at the same time
	of       *Exchange  // nil to keep nothing
	received bounded
	head     lenient
	seen     []byte      // what was read and net/http has not seen yet
	over     atomic.Bool // the server sent more than an answer, so the connection isn't used for another one
}

// keep starts keeping messages for an exchange, with at most most bytes of the answer.
func (c *conn) keep(of *Exchange, most int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of, c.received, c.head = of, bounded{w: of.response, left: most}, newLenient(of.method)
}

// end stops keeping messages for an exchange. Another exchange may already use the connection.
func (c *conn) end(of *Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == of {
		c.of = nil
	}
}

// watched says that show has returned: the answer is cut off where keeping ends.
func (c *conn) watched(of *Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of.passing = false
}

// Read implements [net.Conn]. Only one goroutine of net/http reads.
func (c *conn) Read(p []byte) (int, error) {
	var err error
	for len(c.seen) == 0 && err == nil {
		if c.over.Load() {
			return 0, io.EOF
		}
		var n int
		n, err = c.Conn.Read(p)
		c.mu.Lock()
		read, verbatim := p[:n], c.of == nil || c.head.past
		switch {
		case !verbatim:
			c.seen = c.head.appendTo(c.seen, read)
			if c.head.frames() {
				c.head.line, err = nil, errHTTP2
			}
		case c.of != nil:
			n = len(c.head.body(read))
		}
		if kept := c.keepReceived(read[:len(read)-c.head.over]); kept != nil {
			err = kept
		}
		if !verbatim && err != nil {
			c.seen = c.head.rest(c.seen)
		}
		c.over.Store(c.head.over > 0)
		c.mu.Unlock()
		if verbatim && (n > 0 || err != nil) {
			return n, err
		}
	}
	n := copy(p, c.seen)
	c.seen = c.seen[n:]
	if len(c.seen) > 0 {
		err = nil
	}
	return n, err
}

func (c *conn) keepReceived(p []byte) error {
	if c.of == nil || len(p) == 0 {
		return nil
	}
	_, err := c.received.Write(p)
	if errors.Is(err, errLong) && c.of.passing {
		c.of.long, err = true, nil
	}
	return err
}

func (c *conn) Write(p []byte) (int, error) {
	if c.over.Load() { // net/http takes another connection
		return 0, net.ErrClosed
	}
	if err := c.keepSent(p); err != nil {
		return 0, fmt.Errorf("%w: %w", errNotKept, err)
	}
	return c.Conn.Write(p)
}

func (c *conn) keepSent(p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		return nil
	}
	_, err := c.of.request.Write(p)
	return err
}

const (
	errLong    = sentinel.Error("the answer is longer than may be kept")
	errNotKept = sentinel.Error("what passed can't be kept")
)

// bounded is a writer that accepts a limited number of bytes.
type bounded struct {
	w    io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	n, err := b.w.Write(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	switch {
	case err != nil:
		return n, fmt.Errorf("%w: %w", errNotKept, err)
	case n < len(p):
		return n, errLong
	}
	return n, nil
}
