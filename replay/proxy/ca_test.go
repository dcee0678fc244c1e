package proxy_test

import (
	"crypto/tls"
	"strings"
	"testing"
)

func TestCASignsForTheHostOfTheTunnel(t *testing.T) {
	p := proxyOf(t, nil)
	for _, host := range []string{"www.riverbend.example", "xn--bcher-kva.example", "192.0.2.1", "[2001:db8::1]", "varve.proxy"} {
		c := p.dial("CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + ":443\r\n\r\n")
		p.readEstablished(c)
		s := tls.Client(c, &tls.Config{RootCAs: p.roots, ServerName: strings.Trim(host, "[]")})
		if err := s.Handshake(); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestTunnelEndsForAHostThatCannotBeSigned(t *testing.T) {
	p := proxyOf(t, nil)
	for _, host := range []string{"", ":443", strings.Repeat("a", 5000), "a b", "\x7f", "..", "*"} {
		p.raw("CONNECT "+host+":443 HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x00\x05hello")
	}
	if g := p.get(town); g.StatusCode != 200 {
		t.Error("the proxy is gone")
	}
}
