package proxy_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

const (
	town      = "http://www.riverbend.example/"
	history   = town + "history.html"
	proxySite = "http://varve.proxy"
)

// A proxied is a running proxy over an archive, with what its clients need.
type proxied struct {
	tb     testing.TB
	server *replay.Server
	url    string
	stop   func() error
	roots  *x509.CertPool
}

// proxyOf runs a proxy over files, by default the sample archive's.
func proxyOf(tb testing.TB, change func(*proxy.Config), files ...string) *proxied {
	tb.Helper()
	server, _ := replaytest.Serve(tb, files...)
	return proxyOver(tb, server, change)
}

func proxyOver(tb testing.TB, server *replay.Server, change func(*proxy.Config)) *proxied {
	tb.Helper()
	cfg := proxy.Config{Dir: filepath.Join(tb.TempDir(), "proxy"), ServerURL: "http://archive.test/", Collection: "web", Banner: true}
	if change != nil {
		change(&cfg)
	}
	p, err := server.NewProxy(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- p.Serve(ctx, l); close(over) }()
	p2 := &proxied{tb: tb, server: server, url: "http://" + l.Addr().String(), stop: func() error { cancel(); return <-over }}
	tb.Cleanup(func() {
		if err := p2.stop(); err != nil {
			tb.Error(err)
		}
	})
	p2.roots = x509.NewCertPool()
	if pem, err := os.ReadFile(filepath.Join(cfg.Dir, "ca.pem")); err != nil || !p2.roots.AppendCertsFromPEM(pem) {
		tb.Fatal("no certificate: ", err)
	}
	return p2
}

// client returns a client that uses the proxy. user is the user name of its proxy credentials, "" for none.
func (p *proxied) client(user string, protocols ...string) *http.Client {
	u, err := url.Parse(p.url)
	if err != nil {
		p.tb.Fatal(err)
	}
	if user != "" {
		name, word, _ := strings.Cut(user, ":")
		u.User = url.UserPassword(name, word)
	}
	t := &http.Transport{
		Proxy: http.ProxyURL(u), DisableCompression: true, ForceAttemptHTTP2: len(protocols) == 0,
		TLSClientConfig: &tls.Config{RootCAs: p.roots, NextProtos: protocols},
	}
	p.tb.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// A got is an answer.
type got struct {
	*http.Response
	body string
}

// send sends a request through the proxy. header holds names and values in turn.
func (p *proxied) send(c *http.Client, method, uri, body string, header ...string) got {
	p.tb.Helper()
	r, err := http.NewRequest(method, uri, strings.NewReader(body))
	if err != nil {
		p.tb.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(r)
	if err != nil {
		p.tb.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.tb.Fatal(err)
	}
	return got{resp, string(b)}
}

func (p *proxied) get(uri string, header ...string) got {
	p.tb.Helper()
	return p.send(p.client(""), "GET", uri, "", header...)
}

// captured returns the archived body of a capture without content coding.
func (p *proxied) captured(ts, uriR string) string {
	w := replaytest.Get(p.tb, p.server.Handler(), "/web/"+ts+"id_/"+uriR)
	body, err := warc.Decode(w.Header().Get("Content-Encoding"), w.Body)
	if err != nil {
		p.tb.Fatal(err)
	}
	b, err := io.ReadAll(body)
	if err != nil || w.Code != 200 {
		p.tb.Fatal(w.Code, err)
	}
	return string(b)
}

// acceptDatetime returns an Accept-Datetime.
func acceptDatetime(ts string) string {
	t, err := cdx.ParseTimestamp(ts)
	if err != nil {
		panic(err)
	}
	return memento.FormatDatetime(t)
}

// clearNavigation are the headers of a navigation on plain HTTP, in a window or a frame.
var clearNavigation = []string{"Accept", "text/html,*/*;q=0.8", "Upgrade-Insecure-Requests", "1"}

// RFC 7089 §4.1.2: the URI-R must answer for itself, with the headers of a memento and of a TimeGate.
func TestProxyAnswersUnderTheURIR(t *testing.T) {
	p := proxyOf(t, nil)
	const ts = "20160901092136"
	want := p.captured(ts, history)
	for _, c := range []struct {
		name, scheme, protocol string
		client                 *http.Client
	}{
		{"http", "http", "HTTP/1.1", p.client("")},
		{"https in HTTP/1.1", "https", "HTTP/1.1", p.client("", "http/1.1")},
		{"https in HTTP/2", "https", "HTTP/2.0", p.client("")},
	} {
		t.Run(c.name, func(t *testing.T) {
			uriR := c.scheme + strings.TrimPrefix(history, "http")
			for range 2 { // the second time over the same connection
				g := p.send(c.client, "GET", uriR, "", "Accept-Datetime", acceptDatetime(ts), "Sec-Fetch-Dest", "empty")
				if g.StatusCode != 200 || g.body != want || g.Proto != c.protocol {
					t.Errorf("%s %d, %d bytes; want %s 200, %d bytes", g.Proto, g.StatusCode, len(g.body), c.protocol, len(want))
				}
				for name, want := range map[string]string{
					"Memento-Datetime": acceptDatetime(ts), "Content-Location": "http://archive.test/web/" + ts + "/" + history,
					"X-Robots-Tag": "noindex", "Cache-Control": "no-cache",
				} {
					if got := g.Header.Get(name); got != want {
						t.Errorf("%s: %q, want %q", name, got, want)
					}
				}
				link := g.Header.Get("Link")
				for _, want := range []string{
					"<" + uriR + `>; rel="original timegate"`,
					"<http://archive.test/web/timemap/link/" + uriR + `>; rel="timemap"; type="application/link-format"`,
					`rel="first memento"`, `rel="last memento"`, `rel="prev predecessor-version memento"`,
				} {
					if !strings.Contains(link, want) {
						t.Errorf("Link lacks %s: %s", want, link)
					}
				}
				if !strings.Contains(g.Header.Get("Vary"), "accept-datetime") {
					t.Errorf("Vary: %s", g.Header.Get("Vary"))
				}
			}
		})
	}
}

// A browser asks a proxy for the punycode of a host, however the link and the capture spell it.
func TestProxyFindsHostsRecordedInLetters(t *testing.T) {
	p := proxyOf(t, nil, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: "http://straße.example/p", Status: 200, Body: "in letters"},
		{Date: "20150101000000", URI: "http://strasse.example/p", Status: 200, Body: "somebody else"},
	}))
	if got := p.get("http://xn--strae-oqa.example/p"); got.StatusCode != 200 || !strings.Contains(got.body, "in letters") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

func TestProxyChoosesADatetime(t *testing.T) {
	p := proxyOf(t, func(c *proxy.Config) { c.Datetime = 20120101000000 })
	dated := func(client *http.Client, header ...string) string {
		return p.send(client, "GET", town, "", header...).Header.Get("Memento-Datetime")
	}
	c := p.client("web:reader")
	if got, want := dated(c), "2012"; !strings.Contains(got, want) {
		t.Errorf("without a choice: %s, want the configured %s", got, want)
	}
	p.choose(c, "2016-09-01T09:21:36", "")
	if got := dated(c); !strings.Contains(got, "Sep 2016") {
		t.Errorf("after choosing: %s", got)
	}
	if got := dated(c, "Accept-Datetime", acceptDatetime("20100901")); !strings.Contains(got, "Sep 2010") {
		t.Errorf("Accept-Datetime goes first: %s", got)
	}
	if got := dated(p.client("")); !strings.Contains(got, "2012") {
		t.Errorf("another client has no part in the choice: %s", got)
	}
	if g := p.send(c, "GET", town, "", "Accept-Datetime", "soon"); g.StatusCode != 400 {
		t.Errorf("a malformed Accept-Datetime: %d", g.StatusCode)
	}
	p.choose(c, "", "")
	if got := dated(c); !strings.Contains(got, "2012") {
		t.Errorf("after taking the choice back: %s", got)
	}
	if got := proxyOver(t, p.server, nil).get(town).Header.Get("Memento-Datetime"); !strings.Contains(got, "2024") {
		t.Errorf("with nothing configured: %s, want the newest", got)
	}
}

// choose submits the form at varve.proxy as a reader does.
func (p *proxied) choose(c *http.Client, datetime, coll string) {
	p.tb.Helper()
	g := p.send(c, "POST", proxySite+"/-/choose", url.Values{"token": {p.token(c)}, "datetime": {datetime}, "collection": {coll}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded")
	if g.StatusCode != http.StatusSeeOther {
		p.tb.Fatalf("choosing: %d %s", g.StatusCode, g.body)
	}
}

// token reads the token from the form.
func (p *proxied) token(c *http.Client) string {
	p.tb.Helper()
	_, rest, ok := strings.Cut(p.send(c, "GET", proxySite+"/", "").body, `name="token" value="`)
	if !ok {
		p.tb.Fatal("the page at varve.proxy has no form")
	}
	token, _, _ := strings.Cut(rest, `"`)
	return token
}

func TestProxyUsesThePagesDatetimeForSubresources(t *testing.T) {
	p := proxyOf(t, nil)
	c := p.client("web:reader")
	p.choose(c, "2011-06-01", "")
	page := p.send(c, "GET", town, "", clearNavigation...)
	at := page.Header.Get("Memento-Datetime")
	if !strings.Contains(at, "2011") {
		t.Fatalf("the page is of %s", at)
	}
	p.choose(c, "2020-01-01", "") // in another tab
	for _, referer := range []string{town, "http://www.riverbend.example/#pushed", "http://www.riverbend.example/state/that/a/script/pushed"} {
		g := p.send(c, "GET", history, "", "Referer", referer, "Accept", "*/*")
		if got := g.Header.Get("Memento-Datetime"); !strings.Contains(got, "2011") {
			t.Errorf("loaded by %s: %s, want 2011", referer, got)
		}
	}
	follow := append([]string{"Referer", town}, clearNavigation...)
	if got := p.send(c, "GET", history, "", follow...).Header.Get("Memento-Datetime"); !strings.Contains(got, "2019") &&
		!strings.Contains(got, "2020") {
		t.Errorf("a link followed: %s, want what is chosen now", got)
	}
}

func TestProxyUsesTheDatetimeOfPagesWithoutAType(t *testing.T) {
	const page, part = "http://a.example/", "http://a.example/part"
	p := proxyOf(t, nil, replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20110101000000", URI: page, Body: "<title>A</title><img src=part>"},
		{Date: "20110101000000", URI: part, Kind: "image/png"},
		{Date: "20200101000000", URI: part, Kind: "image/png"},
	}))
	p.get(page, clearNavigation...)
	if got := p.get(part, "Referer", page).Header.Get("Memento-Datetime"); !strings.Contains(got, "2011") {
		t.Errorf("the picture is of %s", got)
	}
}

// liveWeb provides what must never be contacted: a listener, which the environment also names as the proxy to use,
// and the resolver. It returns the address of the listener.
func liveWeb(t *testing.T) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Error("the live web was reached")
			c.Close()
		}
	}()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+l.Addr().String())
	}
	resolver := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = resolver })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("a name was looked up at %s", address)
		return nil, net.ErrClosed
	}}
	return l.Addr().String()
}

func TestProxyNeverAsksTheLiveWeb(t *testing.T) {
	live := liveWeb(t)
	p := proxyOf(t, nil)
	plain, secure := p.client(""), p.client("", "http/1.1")
	for _, c := range []struct {
		name, method, uri string
		client            *http.Client
	}{
		{"a service on this machine", "GET", "http://" + live + "/", plain},
		{"the same over TLS", "GET", "https://" + live + "/", secure},
		{"the same in HTTP/2", "GET", "https://" + live + "/", plain},
		{"a form", "POST", "http://" + live + "/", plain},
		{"a form over TLS", "POST", "https://" + live + "/", secure},
		{"a head", "HEAD", "http://" + live + "/", plain},
		{"something to delete", "DELETE", "http://" + live + "/", plain},
		{"a name that is nowhere", "GET", "http://never-archived.example.invalid/", plain},
		{"the same over TLS", "GET", "https://never-archived.example.invalid/", secure},
		{"the archive's own server", "GET", "http://archive.test/web/" + town, plain},
		{"a literal address", "GET", "https://[::1]:1/", secure},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := p.send(c.client, c.method, c.uri, "a=b")
			if g.StatusCode != 404 || c.method != "HEAD" && !strings.Contains(g.body, "no capture of "+c.uri) {
				t.Errorf("%d %q, want 404 in varve's words", g.StatusCode, g.body)
			}
		})
	}
	t.Run("bytes in a tunnel", func(t *testing.T) {
		for _, bytes := range []string{
			"\x00hello", "GET / HTTP/1.1\r\nHost: " + live + "\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
			"CONNECT " + live + " HTTP/1.1\r\n\r\n",
		} {
			said := p.raw("CONNECT "+live+" HTTP/1.1\r\nHost: "+live+"\r\n\r\n", bytes)
			if !strings.HasPrefix(said, "HTTP/1.1 200 ") || strings.Count(said, "200 ") != 1 {
				t.Errorf("%q is answered %q", bytes, said)
			}
		}
	})
}

// raw sends a CONNECT and, after the answer, bytes. It returns everything that comes back.
func (p *proxied) raw(connect, bytes string) string {
	p.tb.Helper()
	c := p.dial(connect)
	defer c.Close()
	head := make([]byte, len(established))
	n, err := io.ReadFull(c, head)
	if err != nil {
		return string(head[:n])
	}
	_, _ = io.WriteString(c, bytes)
	if !strings.Contains(bytes, "Connection: close") { // on an end of input servers abandon their answer
		_ = c.(*net.TCPConn).CloseWrite()
	}
	rest, _ := io.ReadAll(c)
	return string(head) + string(rest)
}

func TestProxyRefusesSocketsAndServiceWorkersPolitely(t *testing.T) {
	p := proxyOf(t, nil)
	for _, header := range [][]string{
		{"Connection", "Upgrade", "Upgrade", "websocket"},
		{"Service-Worker", "script"},
	} {
		if g := p.get(town, header...); g.StatusCode != 501 || !strings.Contains(g.body, "archive") && !strings.Contains(g.body, "replayed") {
			t.Errorf("%v: %d %q", header, g.StatusCode, g.body)
		}
	}
	said := p.raw("CONNECT www.riverbend.example:80 HTTP/1.1\r\n\r\n", // as browsers do for ws://
		"GET /chat HTTP/1.1\r\nHost: www.riverbend.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	if !strings.Contains(said, "501 Not Implemented") {
		t.Errorf("a socket through a tunnel: %q", said)
	}
}

func TestProxyAnswersPlainHTTPInATunnel(t *testing.T) {
	p := proxyOf(t, nil)
	said := p.raw("CONNECT www.riverbend.example:80 HTTP/1.1\r\n\r\n",
		"GET /history.html HTTP/1.1\r\nHost: www.riverbend.example\r\nConnection: close\r\n\r\n")
	if !strings.Contains(said, "HTTP/1.1 200 OK") || !strings.Contains(said, "www.riverbend.example/history.html\r\n") {
		t.Errorf("%.300q", said)
	}
}

func TestProxySpeaksHTTP(t *testing.T) {
	p := proxyOf(t, nil)
	const ts, pdf = "20160901092136", town + "files/report-2016.pdf"
	whole := p.get(pdf, "Accept-Datetime", acceptDatetime(ts))
	if whole.StatusCode != 200 || whole.body != p.captured(strings.Split(whole.Header.Get("Content-Location"), "/")[4], pdf) {
		t.Fatalf("%d, %d bytes", whole.StatusCode, len(whole.body))
	}
	at, tag := []string{"Accept-Datetime", acceptDatetime(ts)}, whole.Header.Get("Etag")
	with := func(h ...string) []string { return append(h, at...) }
	if g := p.get(pdf, with("Range", "bytes=10-19")...); g.StatusCode != 206 || g.body != whole.body[10:20] {
		t.Errorf("a range: %d %q", g.StatusCode, g.body)
	}
	if g := p.get(pdf, with("Range", "bytes=10-19", "If-Range", tag)...); g.StatusCode != 206 {
		t.Errorf("a range of this capture: %d", g.StatusCode)
	}
	if g := p.get(pdf, with("Range", "bytes=10-19", "If-Range", `"another"`)...); g.StatusCode != 200 || g.body != whole.body {
		t.Errorf("a range of another capture: %d", g.StatusCode)
	}
	if g := p.get(pdf, with("If-None-Match", `"x", `+tag)...); g.StatusCode != 304 || g.body != "" || g.Header.Get("Memento-Datetime") == "" {
		t.Errorf("what the client has: %d", g.StatusCode)
	}
	if g := p.get(pdf, with("If-None-Match", `"x"`)...); g.StatusCode != 200 {
		t.Errorf("what the client has of another capture: %d", g.StatusCode)
	}
	if g := p.get(pdf, with("If-Match", tag)...); g.StatusCode != 200 || g.body != whole.body {
		t.Errorf("only what the client has: %d", g.StatusCode)
	}
	g := p.get(pdf, with("If-Match", `"x"`)...)
	if g.StatusCode != 412 || g.Header.Get("Memento-Datetime")+g.Header.Get("Link") != "" || g.body == "" {
		t.Errorf("only what another capture has: %d %v", g.StatusCode, g.Header)
	}
	g = p.send(p.client(""), "HEAD", pdf, "", at...)
	if g.StatusCode != 200 || g.body != "" || g.ContentLength != int64(len(whole.body)) {
		t.Errorf("a head: %d, length %d, want %d", g.StatusCode, g.ContentLength, len(whole.body))
	}
	g = p.send(p.client(""), "OPTIONS", pdf, "", "Origin", "http://a.example", "Access-Control-Request-Method", "PUT",
		"Access-Control-Request-Headers", "x-y")
	if g.StatusCode != 204 || g.Header.Get("Access-Control-Allow-Origin") != "http://a.example" ||
		g.Header.Get("Access-Control-Allow-Headers") != "x-y" {
		t.Errorf("a preflight: %d %v", g.StatusCode, g.Header)
	}
}

func TestProxyStopsWithTunnelsOpen(t *testing.T) {
	p := proxyOf(t, nil)
	c := p.client("", "http/1.1")
	if g := p.send(c, "GET", "https://www.riverbend.example/", ""); g.StatusCode != 200 {
		t.Fatal(g.StatusCode)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get("https://www.riverbend.example/"); err == nil {
		t.Error("a tunnel outlives the proxy")
	}
}

// Configurations that NewProxy must refuse.
func TestNewProxyNamesTheWrongField(t *testing.T) {
	server, _ := replaytest.Serve(t)
	dir := t.TempDir()
	for name, cfg := range map[string]proxy.Config{
		"Dir":       {ServerURL: "http://a/"},
		"ServerURL": {Dir: dir},
		"Datetime":  {Dir: dir, ServerURL: "http://a/", Datetime: 20149901000000},
	} {
		if _, err := server.NewProxy(cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := proxy.New(proxy.Config{Dir: dir, ServerURL: "http://a/"}); err == nil || !strings.Contains(err.Error(), "Archive") {
		t.Errorf("without an archive: %v", err)
	}
}

// A CONNECT ends in the proxy, whatever it names: nothing of this machine or its network can be reached through it.
func TestTunnelsLeadNowhere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var reached atomic.Bool
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Store(true)
			c.Close()
		}
	}()
	p := proxyOf(t, nil)
	port := strings.TrimPrefix(l.Addr().String(), "127.0.0.1:")
	for _, name := range []string{
		l.Addr().String(), "localhost:" + port, "[::1]:" + port, "169.254.169.254:80", "0.0.0.0:" + port, "2130706433:" + port, "0x7f.1:" + port,
		"www.riverbend.example:22", "www.riverbend.example:" + port, "[::ffff:127.0.0.1]:" + port, "127.0.0.1.nip.example:" + port,
	} {
		said := p.raw("CONNECT "+name+" HTTP/1.1\r\nHost: "+name+"\r\n\r\n",
			"GET /secret HTTP/1.1\r\nHost: "+name+"\r\nConnection: close\r\n\r\n")
		if _, answer, ok := strings.Cut(said, "established\r\n\r\n"); ok && !strings.HasPrefix(answer, "HTTP/1.1 404") {
			t.Errorf("%s: %.200q", name, answer)
		}
		if g := p.get("http://" + name + "/secret"); g.StatusCode != 404 && g.StatusCode != 400 {
			t.Errorf("http://%s/: %d", name, g.StatusCode)
		}
	}
	for _, name := range []string{
		"", ":443", "a b:443", "..:443", "*.example:443", strings.Repeat("a", 300) + ":443", "\xff:443", "x:99999", "-:1",
	} {
		_ = p.raw("CONNECT "+name+" HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
	}
	if g := p.get(town); g.StatusCode != 200 {
		t.Errorf("afterwards: %d", g.StatusCode)
	}
	if reached.Load() {
		t.Error("the proxy connected to this machine")
	}
}

// A user and a password before the host of a URI-R (RFC 3986 §3.2.1) change neither what is answered nor who answers, and are repeated to
// nobody.
func TestProxiedURIsWithUserInfo(t *testing.T) {
	p := proxyOf(t, nil)
	for _, tt := range []struct{ uri, want string }{
		{"http://eve:hush@www.riverbend.example/history.html", "HTTP/1.1 200 OK"},
		{"http://eve:hush@WWW.riverbend.example:80/history.html", "HTTP/1.1 200 OK"},
		{"http://varve.proxy:hush@www.riverbend.example/history.html", "HTTP/1.1 200 OK"},
		{"http://www.riverbend.example:hush@varve.proxy/", "/-/choose"},
		{"http://www.riverbend.example:hush@varve.proxy/web/20160901092136/http://www.riverbend.example/history.html", "HTTP/1.1"},
		{"http://eve:hush@nowhere.example/", "HTTP/1.1 404"},
		{"http://eve:hush@127.0.0.1:1/", "HTTP/1.1 404"},
		{"http://eve:hu@sh@www.riverbend.example/", "HTTP/1.1"},
		{"http://:hush@/", "HTTP/1.1 4"},
		{"ftp://eve:hush@www.riverbend.example/history.html", "HTTP/1.1 200 OK"},
		{"ftp://eve:hush@www.riverbend.example/none.html", "HTTP/1.1 404"},
		{"ftp://eve:hush@varve.proxy/", "HTTP/1.1 404"},
	} {
		for _, accept := range []string{"text/html", "*/*"} {
			c := p.dial("")
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: h\r\nAccept: %s\r\nConnection: close\r\n\r\n", tt.uri, accept)
			said, err := io.ReadAll(c)
			if err != nil || !strings.Contains(string(said), tt.want) || strings.Contains(string(said), "HTTP/1.1 5") {
				t.Errorf("%s as %s: %.200q, %v", tt.uri, accept, said, err)
			}
			if at := strings.Index(string(said), "hush"); at >= 0 {
				t.Errorf("%s as %s: the password is repeated: %.100q", tt.uri, accept, said[max(0, at-50):])
			}
		}
	}
}
