package proxy_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Only a page's own navigation within its site gets a document for the service worker of that site to fill.
func TestShellsAreForPagesOfTheSite(t *testing.T) {
	const uriR, missing = "https://a.example/page", "https://a.example/missing"
	page := replaytest.Message(t, uriR, "Content-Type: text/html\r\n", "<title>A</title><p>text")
	p, bare := proxyOf(t, nil, page), proxyOf(t, func(c *proxy.Config) { c.Banner = false }, page)
	for _, tt := range []struct {
		name, method, uri, referer, dest, mode string
		shell                                  bool
	}{
		{"a page of the site", "GET", missing, uriR, "document", "navigate", true},
		{"its port named", "GET", missing, "https://a.example:443/", "document", "navigate", true},
		{"a frame", "GET", missing, uriR, "iframe", "navigate", true},
		{"a frame of a frameset", "GET", missing, uriR, "frame", "navigate", true},
		{"a page that is archived", "GET", uriR, uriR, "document", "navigate", false},
		{"the reader", "GET", missing, "", "document", "navigate", false},
		{"another host", "GET", missing, "https://b.a.example/", "document", "navigate", false},
		{"another scheme", "GET", missing, "http://a.example/", "document", "navigate", false},
		{"another port", "GET", missing, "https://a.example:444/", "document", "navigate", false},
		{"a name in the address", "GET", missing, "https://a.example@b.example/", "document", "navigate", false},
		{"no address", "GET", missing, "//a.example/", "document", "navigate", false},
		{"a script", "GET", missing, uriR, "empty", "cors", false},
		{"a picture", "GET", missing, uriR, "image", "no-cors", false},
		{"a form", "POST", missing, uriR, "document", "navigate", false},
		{"varve's own site", "GET", "https://varve.proxy/missing", "https://varve.proxy/", "document", "navigate", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := []string{"Accept", "text/html", "Sec-Fetch-Dest", tt.dest, "Sec-Fetch-Mode", tt.mode, "Referer", tt.referer}
			got := p.send(p.client(""), tt.method, tt.uri, "", header...)
			if shell := strings.Contains(got.body, "_varveShell()"); shell != tt.shell {
				t.Fatalf("a document to fill: %t, want %t\n%s", shell, tt.shell, got.body)
			}
			if strings.Contains(bare.send(bare.client(""), tt.method, tt.uri, "", header...).body, "_varveShell") {
				t.Error("a proxy without banners sends one")
			}
			if !tt.shell {
				return
			}
			if got.StatusCode != 404 || !strings.Contains(got.body, "packets.js") || got.Header.Get("Memento-Datetime") != "" {
				t.Errorf("%d %v\n%s", got.StatusCode, got.Header, got.body)
			}
			if list := got.Header.Get("Connection-Allowlist"); !strings.Contains(list, "webrtc=block") {
				t.Errorf("it may connect to %q", list)
			}
		})
	}
}
