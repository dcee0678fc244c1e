// Package loadlimit keeps a server answering when there are more requests than it can answer, or when clients are slow on
// purpose. It bounds connections, the time that bodies take, and the requests that are answered at once.
package loadlimit

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound the connections of a listener.
type Limits struct {
	Conns      int           // at a time
	PerAddress int           // from one address
	Write      time.Duration // in which a client must read [writeSize] bytes
}

// writeSize is how much a client must read within Limits.Write; larger writes are divided into pieces of this size.
const writeSize = 64 << 10

// Listen returns l with limits. It always accepts new connections. If there are too many, it closes one of the address
// that has the most: the one on which nothing has moved for the longest time.
func Listen(l net.Listener, limits Limits) net.Listener {
	return &listener{Listener: l, limits: limits, conns: map[*conn]struct{}{}, of: map[string]int{}}
}

type listener struct {
	net.Listener
	limits Limits

	mu    sync.Mutex
	conns map[*conn]struct{}
	of    map[string]int // number of connections by address
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	address := c.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	mine := &conn{Conn: c, from: l, address: address}
	mine.moves()
	if victim := l.admit(mine); victim != nil {
		_ = victim.Close()
	}
	return mine, nil
}

// admit adds a connection and returns the one to close instead, if any.
func (l *listener) admit(c *conn) (victim *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.of[c.address] >= l.limits.PerAddress:
		victim = l.longestIdle(c.address)
	case len(l.conns) >= l.limits.Conns:
		victim = l.longestIdle(l.busiestAddress())
	}
	l.conns[c] = struct{}{}
	l.of[c.address]++
	return victim
}

// busiestAddress returns the address with the most connections.
func (l *listener) busiestAddress() (address string) {
	most := 0
	for a, n := range l.of {
		if n > most {
			address, most = a, n
		}
	}
	return address
}

// longestIdle returns the connection of an address on which nothing has moved for the longest time.
func (l *listener) longestIdle(address string) (c *conn) {
	for other := range l.conns {
		if other.address == address && (c == nil || other.moved.Load() < c.moved.Load()) {
			c = other
		}
	}
	return c
}

func (l *listener) gone(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	if l.of[c.address]--; l.of[c.address] == 0 {
		delete(l.of, c.address)
	}
}

// A conn records when data last moved on it.
type conn struct {
	net.Conn
	from    *listener
	address string
	moved   atomic.Int64 // Unix time in nanoseconds
	ended   atomic.Bool  // by a deadline in the past
	once    sync.Once
}

func (c *conn) moves() { c.moved.Store(time.Now().UnixNano()) }

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.moves()
	}
	return n, err
}

// SetWriteDeadline implements [net.Conn]. A deadline in the past ends all writing, so that a client sees that its answer is truncated.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.ended.Store(!t.IsZero() && t.Before(time.Now()))
	return c.Conn.SetWriteDeadline(t)
}

// Write implements [net.Conn]. It fails if the client stops reading.
func (c *conn) Write(b []byte) (n int, err error) {
	for first := true; first || len(b) > 0; first = false {
		piece := b[:min(len(b), writeSize)]
		if c.from.limits.Write > 0 && !c.ended.Load() {
			_ = c.Conn.SetWriteDeadline(time.Now().Add(c.from.limits.Write))
		}
		wrote, err := c.Conn.Write(piece)
		if n += wrote; err != nil {
			return n, err
		}
		c.moves()
		b = b[wrote:]
	}
	return n, nil
}

func (c *conn) Close() error {
	c.once.Do(func() { c.from.gone(c) })
	return c.Conn.Close()
}
