package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// turning is a resolver whose names lead to the first address once, and to the second one from then on.
func turning(t *testing.T, first, then netip.Addr) *net.Resolver {
	t.Helper()
	at, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { at.Close() })
	var asked atomic.Int64
	go func() {
		question := make([]byte, 1500)
		for {
			n, from, err := at.ReadFrom(question)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(question[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				leads := then
				if asked.Add(1) == 1 {
					leads = first
				}
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: &dnsmessage.AResource{A: leads.As4()},
				}}
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = at.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", at.LocalAddr().String())
	}}
}

// It is the address connected to that counts, not one that a name had before: a name may turn to this machine between two requests, or
// lead there by a redirect.
func TestNamesThatTurnToThisMachine(t *testing.T) {
	t.Parallel()
	var secrets atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/leads" {
			http.Redirect(w, r, "http://turned.example"+r.Host[strings.LastIndex(r.Host, ":"):]+"/secret", http.StatusFound)
			return
		}
		secrets.Add(1)
	}))
	defer s.Close()
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	outside := netip.MustParseAddr("127.0.0.2") // stands in for an address of the Internet
	c := New(Config{UserAgent: "varve/test", Public: func(a netip.Addr) bool { return a == outside }})
	defer c.Close()
	l, err := net.Listen("tcp", outside.String()+port)
	if err != nil {
		t.Skipf("this machine has no second address of its own: %v", err)
	}
	go func() { _ = http.Serve(l, s.Config.Handler) }()
	defer l.Close()
	c.dialer.Resolver = turning(t, outside, netip.MustParseAddr("127.0.0.1"))
	c.transport.DisableKeepAlives = true
	e, err := c.Get(t.Context(), "http://turned.example"+port+"/leads", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = e.Close()
	if e, err = c.Get(t.Context(), e.Header.Get("Location"), nil); !errors.Is(err, ErrPrivate) {
		t.Errorf("the second request: %+v, %v", e, err)
	}
	if n := secrets.Load(); n != 0 {
		t.Errorf("this machine was asked %d times", n)
	}
}
