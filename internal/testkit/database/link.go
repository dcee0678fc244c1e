package database

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Link is a network link between a program and its database: it is slow, counted, and can be cut by a test.
type Link struct {
	tb     testing.TB
	listen net.Listener
	server string
	delay  time.Duration // each way

	trips atomic.Int64
	dead  atomic.Bool // all bytes are lost

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// NewLink returns a link to the database of a URL that takes half of trip each way, and the URL of the database behind it.
func NewLink(tb testing.TB, to string, trip time.Duration) (l *Link, through string) {
	tb.Helper()
	u, err := url.Parse(to)
	if err != nil {
		tb.Fatal(err)
	}
	l = &Link{tb: tb, server: u.Host, delay: trip / 2, conns: map[net.Conn]bool{}}
	if l.listen, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.listen.Close(); l.Cut() })
	go l.accept()
	u.Host = l.listen.Addr().String()
	return l, u.String()
}

// Trips returns the number of round trips that were waited for, without those of watching connections and of rollbacks.
func (l *Link) Trips() int64 { return l.trips.Load() }

// Cut ends all connections.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
}

// Die makes the link lose all bytes without closing connections, or makes it work again. Connections from before stay dead.
func (l *Link) Die(dead bool) {
	if l.dead.Store(dead); !dead {
		l.Cut()
	}
}

func (l *Link) accept() {
	for {
		client, err := l.listen.Accept()
		if err != nil {
			return
		}
		go l.serve(client)
	}
}

func (l *Link) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", l.server)
	if err != nil {
		return
	}
	defer server.Close()
	l.mu.Lock()
	l.conns[client], l.conns[server] = true, true
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.conns, client)
		delete(l.conns, server)
	}()
	var asked atomic.Bool // the client has said something since the server's last word
	watches, first := false, true
	go l.carry(client, server, func() { asked.Store(false) })
	l.carrySaid(server, client, func(said []byte) {
		if first {
			watches, first = bytes.Contains(said, []byte("varve watch")), false
		}
		if !asked.Swap(true) && !watches && !bytes.Contains(said, []byte("ROLLBACK")) {
			l.trips.Add(1)
		}
	})
}

func (l *Link) carry(to, from net.Conn, each func()) { l.carrySaid(to, from, func([]byte) { each() }) }

// carrySaid carries bytes from one connection to another until one of them ends, and the other with it.
func (l *Link) carrySaid(to, from net.Conn, each func([]byte)) {
	defer to.Close()
	type piece struct {
		due  time.Time
		said []byte
	}
	under := make(chan piece, 1024)
	go func() {
		defer close(under)
		for buf := make([]byte, 64<<10); ; {
			n, err := from.Read(buf)
			if n > 0 && !l.dead.Load() {
				each(buf[:n])
				under <- piece{time.Now().Add(l.delay), bytes.Clone(buf[:n])}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range under {
		time.Sleep(time.Until(p.due))
		if l.dead.Load() {
			continue
		}
		if _, err := to.Write(p.said); err != nil && err != io.EOF {
			return
		}
	}
}
