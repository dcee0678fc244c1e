package proxy_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

// FuzzProxy sends arbitrary requests. The proxy must always give an answer that HTTP can send, and never an archived
// page in varve.proxy's name.
func FuzzProxy(f *testing.F) {
	for _, r := range []string{
		"GET http://www.riverbend.example/ HTTP/1.1\r\nHost: www.riverbend.example\r\nAccept: text/html\r\n",
		"GET http://varve.proxy/web/20160901092136/http://www.riverbend.example/ HTTP/1.1\r\nHost: varve.proxy\r\n" +
			"Referer: http://varve.proxy/\r\n",
		"GET http://varve.proxy/-/go/AA/web/2016/x.example HTTP/1.1\r\nHost: varve.proxy\r\nAccept: text/html\r\n",
		"GET http://varve.proxy/web/landing?url=http://www.riverbend.example/about.html&at=2015&go=1 HTTP/1.1\r\n" +
			"Host: varve.proxy\r\nCookie: varve-go=*\r\n",
		"POST http://varve.proxy/-/choose HTTP/1.1\r\nHost: varve.proxy\r\n" +
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic d2ViOng=\r\n",
		"GET ftp://varve.proxy HTTP/1.1\r\nHost: varve.proxy\r\n",
		"GET http://[::1%25]:99999/%zz?#a HTTP/1.1\r\nHost: [\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Headers: a\r\n",
		"HEAD http://www.riverbend.example/history.html HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n" +
			"Accept-Encoding: gzip;q=,*;q=0\r\nAccept-Datetime: Thu, 01 Sep 2016 09:21:36 GMT\r\n",
		"DELETE http://www.riverbend.example/ HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n",
	} {
		f.Add(r)
	}
	server, _ := replaytest.Serve(f)
	p, err := server.NewProxy(proxy.Config{Dir: filepath.Join(f.TempDir(), "proxy"), ServerURL: "http://archive.test", Banner: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, head string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head + "\r\na=b")))
		if err != nil || r.Method == http.MethodConnect { // CONNECT needs a connection
			return
		}
		r.RemoteAddr = "192.0.2.1:1"
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if w.Code < 200 || w.Code > 599 || w.Code == http.StatusInternalServerError {
			t.Errorf("status %d", w.Code)
		}
		for name, values := range w.Header() {
			for _, v := range values {
				if strings.ContainsAny(name+v, "\r\n\x00") {
					t.Errorf("%s: %q", name, v)
				}
			}
		}
		if strings.EqualFold(r.URL.Hostname(), "varve.proxy") && w.Header().Get("Memento-Datetime") != "" {
			t.Error("varve.proxy speaks with an archived page's tongue")
		}
	})
}
