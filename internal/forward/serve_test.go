package forward

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// start runs a proxy that answers with what it is asked for: the URI, its scheme and host, and the tunnel.
func start(t *testing.T) (at string, ca *Authority) {
	t.Helper()
	ca, err := LoadAuthority(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := New(ca, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		uri, scheme, host := URI(r)
		through := "none"
		if tunnel := TunnelOf(r); tunnel != nil {
			through = tunnel.Host
		}
		fmt.Fprintf(w, "%s %s %s %s", uri, scheme, host, through)
	}), slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), ca
}

// What is asked for is known byte for byte, plain and in tunnels, which are answered here whatever host they name.
func TestWhatAProxyIsAskedFor(t *testing.T) {
	at, ca := start(t)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca.PEM)
	for _, h2 := range []bool{false, true} {
		by := &http.Transport{
			Proxy:           http.ProxyURL(&url.URL{Scheme: "http", Host: at}),
			TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: h2,
		}
		defer by.CloseIdleConnections()
		for asked, want := range map[string]string{
			"http://A.example:81/a//b?c=%2F": "http://A.example:81/a//b?c=%2F http a.example none",
			"https://A.example/a//b":         "https://A.example/a//b https a.example A.example:443",
			"https://127.0.0.1:8443/":        "https://127.0.0.1:8443/ https 127.0.0.1 127.0.0.1:8443",
		} {
			resp, err := (&http.Client{Transport: by}).Get(asked)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(got) != want || (resp.ProtoMajor == 2) != (h2 && strings.HasPrefix(asked, "https")) {
				t.Errorf("%s: %s over %s, want %s", asked, got, resp.Proto, want)
			}
		}
	}
	const connect, end = "CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\n\r\n", "\r\nConnection: close\r\n\r\n"
	for sent, want := range map[string]string{
		"GET / HTTP/1.1\r\nHost: me" + end:                                  "   none",
		"GET HTTP://u:p@q@B.example/x HTTP/1.1\r\nHost: c.example" + end:    "HTTP://B.example/x http b.example none",
		"GET http://b.example?a@b HTTP/1.1\r\nHost: b.example" + end:        "http://b.example?a@b http b.example none",
		connect + "GET /y HTTP/1.1\r\nHost: B.example:80" + end:             "http://B.example:80/y http b.example a.example:80",
		connect + "GET /z HTTP/1.0\r\n\r\n":                                 "http://a.example:80/z http a.example a.example:80",
		connect + "GET http://c.example/ HTTP/1.1\r\nHost: c.example" + end: "http://c.example/ http c.example a.example:80",
	} {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, sent); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		if strings.HasPrefix(sent, connect) {
			if resp, err := http.ReadResponse(in, &http.Request{Method: "CONNECT"}); err != nil || resp.StatusCode != 200 {
				t.Fatalf("%q: %v", sent, err)
			}
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("%q: %v", sent, err)
		}
		got, _ := io.ReadAll(resp.Body)
		c.Close()
		if string(got) != want {
			t.Errorf("%q: %q, want %q", sent, got, want)
		}
	}
}

func TestTheCertificateIsServed(t *testing.T) {
	ca := &Authority{PEM: []byte("the text"), DER: []byte("bytes")}
	for _, tt := range []struct{ method, path, want, name string }{
		{"GET", PEMPath, "the text", ".pem"}, {"GET", DERPath, "bytes", ".crt"}, {"HEAD", DERPath, "", ".crt"},
	} {
		w := httptest.NewRecorder()
		ca.Serve(w, httptest.NewRequest(tt.method, "/", nil), tt.path)
		head := fmt.Sprintf("map[Cache-Control:[no-store] Content-Disposition:[attachment; filename=\"varve-proxy-ca%s\"] Content-Length:[%d] "+
			"Content-Type:[application/x-x509-ca-cert]]", tt.name, map[string]int{".pem": 8, ".crt": 5}[tt.name])
		if w.Body.String() != tt.want || fmt.Sprint(w.Header()) != head {
			t.Errorf("%s %s: %q %v", tt.method, tt.path, w.Body, w.Header())
		}
	}
}

// A host's certificate is signed once, and again when it is about to end or was forgotten. Failures are not remembered.
func TestCertificatesOfHosts(t *testing.T) {
	l, signed := newLeaves(), 0
	fetch := func(host string, valid time.Duration, failed error) {
		c, err := l.Fetch(host, func() (*tls.Certificate, error) {
			signed++
			return &tls.Certificate{Leaf: &x509.Certificate{NotAfter: time.Now().Add(valid)}}, failed
		})
		if !errors.Is(err, failed) || err == nil && c == nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, tt := range []struct {
		host   string
		valid  time.Duration
		failed error
		signed int
	}{
		{"a", 25 * time.Hour, nil, 1},
		{"a", 23 * time.Hour, nil, 1},
		{"b", 23 * time.Hour, nil, 2},
		{"b", 25 * time.Hour, nil, 3},
		{"c", 25 * time.Hour, errNoDialing, 4},
		{"c", 25 * time.Hour, nil, 5},
	} {
		if fetch(tt.host, tt.valid, tt.failed); signed != tt.signed {
			t.Errorf("%+v: %d were signed", tt, signed)
		}
	}
	for n := range 2000 - 3 {
		fetch(fmt.Sprint(n), time.Hour, nil)
	}
	signed = 0
	if fetch("a", 25*time.Hour, nil); signed != 0 {
		t.Error("forgotten though there is room")
	}
	fetch("one", time.Hour, nil)
	fetch("more", time.Hour, nil)
	if fetch("b", 25*time.Hour, nil); signed != 3 {
		t.Error("nothing was forgotten")
	}
}
