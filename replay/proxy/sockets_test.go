package proxy_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	upgrade = "GET /chat HTTP/1.1\r\nHost: www.riverbend.example\r\nConnection: Upgrade\r\nUpgrade: %s\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
	maskedFrame = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58" // "Hello" (RFC 6455 §5.7)
	soon        = 20 * time.Second
	established = "HTTP/1.1 200 Connection established\r\n\r\n"
)

// dial opens a connection to the proxy, and sends the first bytes.
func (p *proxied) dial(first string) net.Conn {
	p.tb.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.tb.Fatal(err)
	}
	p.tb.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(soon))
	_, _ = io.WriteString(c, first)
	return c
}

// connect is a request for a tunnel to a port.
func connect(port int) string {
	return fmt.Sprintf("CONNECT www.riverbend.example:%d HTTP/1.1\r\nHost: www.riverbend.example:%[1]d\r\n\r\n", port)
}

func (p *proxied) readEstablished(c net.Conn) {
	p.tb.Helper()
	head := make([]byte, len(established))
	if _, err := io.ReadFull(c, head); err != nil || string(head) != established {
		p.tb.Fatalf("CONNECT: %q, %v", head, err)
	}
}

// secureTunnel opens a tunnel and speaks TLS in it.
func (p *proxied) secureTunnel(protocols ...string) *tls.Conn {
	p.tb.Helper()
	c := p.dial(connect(443))
	p.readEstablished(c)
	return tls.Client(c, &tls.Config{RootCAs: p.roots, ServerName: "www.riverbend.example", NextProtos: protocols})
}

// A socket is refused in words, wherever it is asked for. What its client sends afterwards ends the connection: nothing
// waits for a peer that doesn't exist.
func TestSocketsThroughTheProxyAreRefused(t *testing.T) {
	p := proxyOf(t, nil)
	absolute := strings.Replace(upgrade, "GET /", "GET http://www.riverbend.example/", 1)
	for name, tt := range map[string]struct {
		c   io.ReadWriter
		ask string
	}{
		"ws as a request":         {p.dial(""), fmt.Sprintf(absolute, "websocket")},
		"ws in a tunnel":          {p.dial(connect(80)), fmt.Sprintf(upgrade, "websocket")},
		"wss":                     {p.secureTunnel("http/1.1"), fmt.Sprintf(upgrade, "websocket")},
		"h2c in a tunnel":         {p.dial(connect(80)), fmt.Sprintf(upgrade, "h2c, websocket")},
		"ws to varve's own pages": {p.dial(""), strings.ReplaceAll(fmt.Sprintf(absolute, "websocket"), "www.riverbend.example", "varve.proxy")},
	} {
		t.Run(name, func(t *testing.T) {
			_, _ = io.WriteString(tt.c, tt.ask+maskedFrame+"\r\n\r\n")
			all, err := io.ReadAll(tt.c)
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("it stays open: %v", err)
			}
			said := strings.TrimPrefix(string(all), established)
			if name != "ws to varve's own pages" && !strings.HasPrefix(said, "HTTP/1.1 501 ") || strings.Contains(said, " 101 ") {
				t.Errorf("%.300q", said)
			}
		})
	}
}

// Other protocols are offers (RFC 9110 §7.8), as of curl --http2: the answer comes in the one that is spoken, and so does the next.
func TestOffersOfOtherProtocolsAreIgnored(t *testing.T) {
	p := proxyOf(t, nil)
	page := strings.Replace(upgrade, "GET /chat", "GET /", 1)
	absolute := strings.Replace(page, "GET /", "GET http://www.riverbend.example/", 1)
	for _, tt := range []struct{ connect, ask, protocol string }{
		{"", absolute, "h2c"},
		{connect(80), page, "h2c"},
		{"", absolute, "teleport/9"},
		{connect(80), page, "TLS/1.2"},
	} {
		ask := fmt.Sprintf(tt.ask, tt.protocol)
		last := strings.Replace(ask, "Connection: ", "Connection: close, ", 1)
		all, err := io.ReadAll(p.dial(tt.connect + ask + last))
		if err != nil || strings.Count(string(all), "HTTP/1.1 200 OK\r\n") != 2 {
			t.Errorf("%+v: %v %.300q", tt, err, all)
		}
	}
}

// A client needn't wait for the answer to its CONNECT before it speaks within the tunnel.
func TestEagerTunnels(t *testing.T) {
	p := proxyOf(t, nil)
	const request = "GET / HTTP/1.1\r\nHost: www.riverbend.example\r\nConnection: close\r\n\r\n"
	all, err := io.ReadAll(p.dial(connect(80) + request))
	if err != nil || !strings.HasPrefix(string(all), established+"HTTP/1.1 200 ") {
		t.Errorf("plain: %v %.100q", err, all)
	}
	c := tls.Client(&eager{Conn: p.dial(""), connect: connect(443)}, &tls.Config{RootCAs: p.roots, ServerName: "www.riverbend.example"})
	_, _ = io.WriteString(c, request)
	all, err = io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(all), "HTTP/1.1 200 ") {
		t.Errorf("TLS: %v %.100q", err, all)
	}
}

// An eager connection sends its CONNECT together with the first bytes for the tunnel.
type eager struct {
	net.Conn
	connect  string
	answered bool
}

func (e *eager) Write(b []byte) (int, error) {
	_, err := e.Conn.Write(append([]byte(e.connect), b...))
	e.connect = ""
	return len(b), err
}

func (e *eager) Read(b []byte) (int, error) {
	if !e.answered {
		e.answered = true
		if _, err := io.ReadFull(e.Conn, make([]byte, len(established))); err != nil {
			return 0, err
		}
	}
	return e.Conn.Read(b)
}

// RFC 8441: a client may ask for a socket over HTTP/2 only if the server says that it knows how.
func TestSocketsOverHTTP2AreRefused(t *testing.T) {
	p := proxyOf(t, nil)
	c := p.secureTunnel("h2")
	_, _ = io.WriteString(c, http2.ClientPreface)
	f := http2.NewFramer(c, c)
	var head bytes.Buffer
	enc := hpack.NewEncoder(&head)
	for _, field := range [][2]string{
		{":method", "CONNECT"},
		{":protocol", "websocket"},
		{":scheme", "https"},
		{":path", "/chat"},
		{":authority", "www.riverbend.example"},
		{"sec-websocket-version", "13"},
	} {
		_ = enc.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
	}
	err := errors.Join(f.WriteSettings(), f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: head.Bytes(), EndHeaders: true}))
	if err != nil {
		t.Fatal(err)
	}
	for refused := false; !refused; {
		frame, err := f.ReadFrame()
		if err != nil {
			t.Fatalf("no refusal: %v", err)
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if v, ok := frame.Value(http2.SettingEnableConnectProtocol); ok && v != 0 {
				t.Error("the proxy says that it knows sockets over HTTP/2")
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			refused = true
		case *http2.HeadersFrame:
			fields, err := hpack.NewDecoder(4096, nil).DecodeFull(frame.HeaderBlockFragment())
			if err != nil || len(fields) == 0 || fields[0].Value < "400" {
				t.Errorf("%v %v", fields, err)
			}
			refused = true
		}
	}
	if g := p.get("https://www.riverbend.example/"); g.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", g.StatusCode)
	}
}
