package proxy_test

import (
	"compress/gzip"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestProxySendsArchivedHeadersExceptHarmfulOnes(t *testing.T) {
	const uriR = "https://a.example/page"
	head := "Content-Type: text/html; charset=utf-8\r\n" +
		"Set-Cookie: a=b; Domain=a.example; Secure\r\nSet-Cookie: c=d\r\n" +
		"Set-Cookie: e=1; Path=/, f=2; Expires=Thu, 01 Feb 2018 00:00:00 GMT; HttpOnly, g=3; expires=Mon, 01 Jan 2017 00:00:00 GMT\r\n" +
		"Set-Cookie: h=; Max-Age=0\r\nX-Frame-Options: DENY\r\n" +
		"Last-Modified: Sun, 31 Dec 2017 00:00:00 GMT\r\n" +
		"Refresh: 5; url=/next\r\nReferrer-Policy: origin\r\nX-Powered-By: PHP\r\nContent-Language: fr\r\n" +
		"Strict-Transport-Security: max-age=1\r\nPublic-Key-Pins: x\r\nAlt-Svc: h3=\":443\"\r\nClear-Site-Data: \"*\"\r\n" +
		"NEL: {}\r\nReport-To: {}\r\nExpect-CT: x\r\n" +
		"Service-Worker-Allowed: /\r\nContent-Security-Policy: default-src 'none'\r\n" +
		"ETag: \"e\"\r\nVary: Cookie\r\nCache-Control: max-age=99\r\nExpires: never\r\n" +
		"Date: Mon, 01 Jan 2018 00:00:00 GMT\r\nContent-Location: /other\r\n" +
		"Access-Control-Allow-Origin: https://b.example\r\nMemento-Datetime: x\r\nLink: </a>; rel=original, </s.css>; rel=preload; as=style\r\n" +
		"Connection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTransfer-Encoding: identity\r\n"
	p := proxyOf(t, nil, replaytest.Message(t, uriR, head, "<!doctype html><title>A</title><p>text"))
	g := p.get(uriR, "Sec-Fetch-Dest", "empty", "Origin", "https://c.example")
	for name, want := range map[string]string{
		"X-Frame-Options": "DENY", "Last-Modified": "Sun, 31 Dec 2017 00:00:00 GMT", "Refresh": "5; url=/next", "Referrer-Policy": "origin",
		"X-Powered-By": "PHP", "Content-Language": "fr", "Content-Security-Policy": "default-src 'none'",
		"Cache-Control": "no-cache", "Memento-Datetime": "Mon, 01 Jan 2018 00:00:00 GMT", "Access-Control-Allow-Origin": "https://c.example",
		"Content-Location": "http://archive.test/web/20180101000000/https://a.example/page",
		"X-Hop":            "", "Keep-Alive": "", "X-Archive-Orig-X-Frame-Options": "", "Expires": "",
		"X-Archive-Orig-Etag": `"e"`, "X-Archive-Orig-Vary": "Cookie", "X-Archive-Orig-Cache-Control": "max-age=99",
		"X-Archive-Orig-Expires":          "never",
		"X-Archive-Orig-Content-Location": "/other", "X-Archive-Orig-Access-Control-Allow-Origin": "https://b.example",
		"X-Archive-Orig-Memento-Datetime": "x",
	} {
		if got := g.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(g.Header.Values("Set-Cookie"), "|"); got != "a=b; Domain=a.example; Secure|c=d|e=1; Path=/|f=2; HttpOnly|"+
		"g=3; Max-Age=0|h=; Max-Age=0" {
		t.Errorf("Set-Cookie: %q", got)
	}
	for _, name := range []string{
		"Strict-Transport-Security", "Public-Key-Pins", "Alt-Svc", "Clear-Site-Data", "Nel", "Report-To",
		"Expect-Ct", "Service-Worker-Allowed",
	} {
		if g.Header.Get(name) != "" || g.Header.Get("X-Archive-Orig-"+name) == "" {
			t.Errorf("%s: %q, shown as %q", name, g.Header.Get(name), g.Header.Get("X-Archive-Orig-"+name))
		}
	}
	if link := g.Header.Get("Link"); strings.Count(link, "original") != 1 || !strings.Contains(link, "s.css>; rel=preload") {
		t.Errorf("Link: %s", link)
	}
	g = p.get(uriR, navigationFrom("none")...)
	if g.Header.Get("Content-Security-Policy") != "" || g.Header.Get("X-Archive-Orig-Content-Security-Policy") == "" {
		t.Error("the page's policy keeps the banner from showing")
	}
}

func TestProxyKeepsAcceptedContentCoding(t *testing.T) {
	const uriR, text = "http://a.example/style.css", "p { color: green } p { color: green } p { color: green }"
	var coded strings.Builder
	z := gzip.NewWriter(&coded)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	p := proxyOf(t, nil, replaytest.Message(t, uriR, "Content-Type: text/css\r\nContent-Encoding: gzip\r\n", coded.String()))
	bare := proxyOver(t, p.server, func(c *proxy.Config) { c.Banner = false })
	for _, c := range []struct {
		name, accept string
		from         *proxied
		want         string
	}{
		{"takes gzip", "br, gzip;q=0.8", p, coded.String()},
		{"takes anything", "*", p, coded.String()},
		{"takes none", "identity", p, text},
		{"refuses gzip", "gzip;q=0, br", p, text},
		{"takes another", "br", p, text},
		{"without banner all bytes are as archived", "identity", bare, coded.String()},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := c.from.get(uriR, "Accept-Encoding", c.accept)
			if g.body != c.want || (g.Header.Get("Content-Encoding") == "gzip") != (c.want != text) {
				t.Errorf("%d bytes, Content-Encoding %q", len(g.body), g.Header.Get("Content-Encoding"))
			}
			part := c.from.get(uriR, "Accept-Encoding", c.accept, "Range", "bytes=3-8")
			if part.StatusCode != 206 || part.body != c.want[3:9] {
				t.Errorf("a part: %d %q, want %q", part.StatusCode, part.body, c.want[3:9])
			}
		})
	}
}

// An answer whose status allows no body has none, whatever the record holds.
func TestAnswersWithoutBodies(t *testing.T) {
	const uriR = "http://a.example/"
	p := proxyOf(t, nil, replaytest.Write(t, []replaytest.Record{{
		Date: "20160101000000", URI: uriR, Status: 204, Body: "<!doctype html><p>a",
	}}))
	if g := p.get(uriR, navigationFrom("none")...); g.StatusCode != 204 || g.body != "" || g.Header.Get("Content-Length") != "" {
		t.Errorf("%d %q, %v", g.StatusCode, g.body, g.Header)
	}
}
