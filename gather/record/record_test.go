package record_test

import (
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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/forward"
)

// A recording is a recorder with a browser that is set to it.
type recording struct {
	t       *testing.T
	browser *http.Client
	proxy   *record.Recorder
	dir     string
	over    chan error // receives what Serve returns
	stop    func() error
}

// start records with settings that may be changed. The origins that tests ask are on loopback.
func start(t *testing.T, change func(*record.Config, *client.Config), origins ...*httptest.Server) *recording {
	t.Helper()
	r := &recording{t: t, dir: t.TempDir()}
	ca, err := forward.LoadAuthority(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	for _, o := range origins {
		if o.Certificate() != nil {
			trusted.AddCert(o.Certificate())
		}
	}
	asking := client.Config{AllowPrivate: true, TLS: &tls.Config{RootCAs: trusted}}
	cfg := record.Config{
		CA: ca, Log: slog.New(slog.DiscardHandler),
		Page: func(w http.ResponseWriter, r *http.Request, list *record.List) {
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			totals, pages, _ := list.All()
			fmt.Fprintf(w, "%d exchanges, %d pages", totals.Exchanges, len(pages))
		},
	}
	if change != nil {
		change(&cfg, &asking)
	}
	cfg.Client = client.New(asking)
	if cfg.Out, err = write.New(write.Config{Dir: r.dir, Name: "recorded"}); err != nil {
		t.Fatal(err)
	}
	r.proxy = record.New(cfg)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r.over = make(chan error, 1)
	go func() { r.over <- r.proxy.Serve(ctx, l) }()
	stopped := false
	r.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		r.browser.CloseIdleConnections()
		cancel()
		err := <-r.over
		cfg.Client.Close()
		if closing := cfg.Out.Close(); err == nil {
			err = closing
		}
		return err
	}
	t.Cleanup(func() { _ = r.stop() })
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca.PEM)
	at := &url.URL{Scheme: "http", Host: l.Addr().String()}
	r.browser = &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyURL(at), TLSClientConfig: &tls.Config{RootCAs: roots}, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return r
}

// ask sends a request through the recorder and returns status and body.
func (r *recording) ask(method, uri, body string, head http.Header) (int, string) {
	r.t.Helper()
	req, err := http.NewRequest(method, uri, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for name, values := range head {
		req.Header[name] = values
	}
	answer, err := r.browser.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, string(got)
}

// A written record is what tests look at.
type written struct {
	kind, uri, block string
	head             warc.Fields
}

// records ends the recording and returns what was written, but for the first record of each file.
func (r *recording) records() []written {
	r.t.Helper()
	if err := r.stop(); err != nil {
		r.t.Fatal(err)
	}
	var all []written
	paths, _ := filepath.Glob(filepath.Join(r.dir, "*.warc.gz"))
	for _, path := range paths {
		f, err := warc.Open(r.t.Context(), warc.Local{}, path)
		if err != nil {
			r.t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range warc.Scan(r.t.Context(), f, path, 0) {
			if err != nil {
				r.t.Fatal(err)
			}
			block, err := io.ReadAll(rec.Block)
			if err != nil {
				r.t.Fatal(err)
			}
			if rec.Type != "warcinfo" {
				all = append(all, written{rec.Type, rec.TargetURI, string(block), append(warc.Fields(nil), rec.Header...)})
			}
		}
	}
	return all
}

func (r *recording) of(kind, uri string) *written {
	r.t.Helper()
	for _, w := range r.records() {
		if w.kind == kind && w.uri == uri {
			return &w
		}
	}
	r.t.Fatalf("there is no %s of %s", kind, uri)
	return nil
}

func origin(t *testing.T, secure bool, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func TestWhatPassesIsWritten(t *testing.T) {
	for name, secure := range map[string]bool{"http": false, "https": true} {
		t.Run(name, func(t *testing.T) {
			site := origin(t, secure, func(w http.ResponseWriter, r *http.Request) {
				sent, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, "<h1>%s %s %s", r.Method, r.RequestURI, sent)
			})
			r := start(t, nil, site)
			page := site.URL + "/a%2fb?q=1"
			if status, body := r.ask("GET", page, "", http.Header{"Accept": {"text/html"}}); status != 200 ||
				body != "<h1>GET /a%2fb?q=1 " {
				t.Errorf("the browser got %d %q", status, body)
			}
			if status, body := r.ask("POST", site.URL+"/api", "x=1", nil); status != 200 || body != "<h1>POST /api x=1" {
				t.Errorf("the browser got %d %q", status, body)
			}
			got := r.records()
			totals, pages, _ := r.proxy.List().All()
			if totals.Exchanges != 2 || len(pages) != 1 || pages[0].URI != page {
				t.Errorf("listed: %+v %+v", totals, pages)
			}
			if len(got) != 4 {
				t.Fatalf("%d records, want two answers with their requests", len(got))
			}
			if got[0].kind != "response" || got[0].uri != page || !strings.HasPrefix(got[0].block, "HTTP/1.1 200 OK\r\n") ||
				!strings.HasSuffix(got[0].block, "<h1>GET /a%2fb?q=1 ") || got[0].head.Get("WARC-IP-Address") != "127.0.0.1" {
				t.Errorf("%+v", got[0])
			}
			if got[1].kind != "request" || !strings.HasPrefix(got[1].block, "GET /a%2fb?q=1 HTTP/1.1\r\n") ||
				got[1].head.Get("WARC-Concurrent-To") != got[0].head.Get("WARC-Record-ID") {
				t.Errorf("%+v", got[1])
			}
			if !strings.HasSuffix(got[3].block, "\r\n\r\nx=1") {
				t.Errorf("%+v", got[3])
			}
		})
	}
}

func TestSecretsAreLeftOut(t *testing.T) {
	const secret = "hush-hush"
	sent := []struct {
		name, kind, body, stays string
	}{
		{"a form", "application/x-www-form-urlencoded", "user=anna&pass%77ord=" + secret + "&go=1", "user=anna&pass%77ord=&go=1"},
		{
			"a form in parts",
			"multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nanna\r\n--b\r\n" +
				"Content-Disposition: form-data; name=\"pwd\"\r\n\r\n" + secret + "\r\n--b--\r\n",
			"name=\"user\"\r\n\r\nanna\r\n--b",
		},
		{
			"JSON", "application/json", `{"user": "anna", "newPassword": "` + secret + `\"", "n": [1]}`,
			`{"user": "anna", "newPassword": "", "n": [1]}`,
		},
	}
	for _, secrets := range []bool{false, true} {
		for _, tt := range sent {
			t.Run(fmt.Sprintf("%s, kept %v", tt.name, secrets), func(t *testing.T) {
				site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
					got, _ := io.ReadAll(r.Body)
					if r.Header.Get("Cookie") != "sid="+secret+"; lang=de" || r.Header.Get("Authorization") != "Bearer "+secret ||
						string(got) != tt.body {
						t.Errorf("the site got %v %q", r.Header, got)
					}
					w.Header().Set("Set-Cookie", "sid="+secret+"; HttpOnly; Path=/")
					fmt.Fprint(w, "welcome")
				})
				r := start(t, func(c *record.Config, _ *client.Config) { c.Secrets = secrets }, site)
				r.ask("POST", site.URL+"/login", tt.body, http.Header{
					"Content-Type": {tt.kind}, "Cookie": {"sid=" + secret + "; lang=de"}, "Authorization": {"Bearer " + secret},
				})
				var all strings.Builder
				for _, w := range r.records() {
					all.WriteString(w.block)
				}
				if got := strings.Count(all.String(), secret); got > 0 != secrets {
					t.Errorf("%d secrets in\n%s", got, &all)
				}
				if secrets {
					return
				}
				for _, want := range []string{
					tt.stays, "Cookie: sid=; lang=\r\n", "sid=; HttpOnly; Path=/\r\n", "welcome", "left-out: authorization, cookies, passwords",
				} {
					if !strings.Contains(all.String(), want) {
						t.Errorf("no %q in\n%s", want, &all)
					}
				}
			})
		}
	}
}

func TestPrivateAddressesAreNotRecorded(t *testing.T) {
	asked := false
	site := origin(t, false, func(http.ResponseWriter, *http.Request) { asked = true })
	r := start(t, func(_ *record.Config, c *client.Config) { c.AllowPrivate = false })
	if status, body := r.ask("GET", site.URL, "", nil); status != http.StatusForbidden || !strings.Contains(body, "--allow-private") {
		t.Errorf("%d %q", status, body)
	}
	socket := http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}}
	if status, _ := r.ask("GET", site.URL+"/", "", socket); status != http.StatusForbidden {
		t.Errorf("a socket: %d", status)
	}
	if got := r.records(); asked || len(got) > 0 {
		t.Errorf("asked %v, written: %v", asked, got)
	}
	var listed []string
	_, _, failed := r.proxy.List().All()
	for _, f := range failed {
		listed = append(listed, strings.TrimPrefix(f.URI, site.URL)+" "+strings.Fields(f.Why)[0])
	}
	if want := []string{"/ dial", "/ this", "/ dial"}; !slices.Equal(listed, want) {
		t.Errorf("listed: %q, want %q", listed, want)
	}
}

// What the browser has already is not in the archive, so the site is asked for all of it.
func TestWholeResourcesAreAskedFor(t *testing.T) {
	site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{
			"If-None-Match", "If-Modified-Since", "Range", "A-Im", "Available-Dictionary", "Dictionary-Id",
			"Proxy-Connection", "X-Hop", "Connection",
		} {
			if r.Header.Get(name) != "" {
				t.Errorf("the site was sent %s: %s", name, r.Header.Get(name))
			}
		}
		fmt.Fprint(w, "all of it")
	})
	r := start(t, nil, site)
	r.ask("GET", site.URL+"/", "", http.Header{
		"If-None-Match": {`"1"`}, "If-Modified-Since": {"Fri, 01 Jan 2010 00:00:00 GMT"}, "Range": {"bytes=0-"}, "A-Im": {"feed"},
		"Available-Dictionary": {":47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"}, "Dictionary-Id": {`"1"`},
		"Proxy-Connection": {"keep-alive"}, "Connection": {"X-Hop"}, "X-Hop": {"1"},
	})
	if got := r.of("response", site.URL+"/"); !strings.HasSuffix(got.block, "all of it") {
		t.Errorf("%q", got.block)
	}
}

// An answer that still arrives when the recorder is stopped is in the file as far as it came.
func TestWhatArrivesWhenTheRecorderStopsIsWritten(t *testing.T) {
	left := make(chan struct{})
	site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-left
	})
	t.Cleanup(func() { close(left) })
	r := start(t, func(c *record.Config, _ *client.Config) { c.Patience = time.Millisecond }, site)
	answer, err := r.browser.Get(site.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.ReadFull(answer.Body, make([]byte, 9)); err != nil {
		t.Fatal(err)
	}
	got := r.of("response", site.URL+"/events")
	if why := got.head.Get("WARC-Truncated"); why != "disconnect" || !strings.Contains(got.block, "data: 1") {
		t.Errorf("truncated %q: %q", why, got.block)
	}
}

func TestAnswersThatBreakOff(t *testing.T) {
	site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/nothing":
			panic(http.ErrAbortHandler)
		case "/part":
			w.Header().Set("Content-Length", "100")
		}
		fmt.Fprint(w, "the first part")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	r := start(t, nil, site)
	if status, _ := r.ask("GET", site.URL+"/nothing", "", nil); status != http.StatusBadGateway {
		t.Errorf("no answer at all is %d", status)
	}
	for n, path := range []string{"/part", "/chunk"} {
		answer, err := r.browser.Get(site.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("%s: the browser takes %q for whole", path, body)
		}
		answer.Body.Close()
		for range 100 { // the record is written when the site's answer has ended
			if totals, _, _ := r.proxy.List().All(); totals.Exchanges == n+1 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	got := r.records()
	for i, first := range []string{"the first part", "the first part\r\n"} {
		if w := got[2*i]; w.head.Get("WARC-Truncated") != "disconnect" || !strings.HasSuffix(w.block, first) {
			t.Errorf("%+v", w)
		}
	}
}

// A browser that goes away doesn't end the record.
func TestRecordsAreWholeWhateverTheBrowserDoes(t *testing.T) {
	begun := make(chan struct{})
	site := origin(t, false, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "begin")
		w.(http.Flusher).Flush()
		<-begun
		fmt.Fprint(w, strings.Repeat("x", 1<<20), "end")
	})
	r := start(t, nil, site)
	answer, err := r.browser.Get(site.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 5)
	if _, err := io.ReadFull(answer.Body, start); err != nil || string(start) != "begin" {
		t.Errorf("while the answer comes in: %q, %v", start, err)
	}
	answer.Body.Close()
	close(begun)
	if got := r.of("response", site.URL+"/"); !strings.Contains(got.block, "xend") || got.head.Get("WARC-Truncated") != "" {
		t.Errorf("%d bytes, truncated %q", len(got.block), got.head.Get("WARC-Truncated"))
	}
}

// What a browser breaks off is recorded as broken off: a download at once, what doesn't end or is long soon.
func TestDownloadsThatTheirClientBreaksOff(t *testing.T) {
	for path, disposition := range map[string]string{"/download": "attachment; filename=a", "/endless": "", "/long": ""} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			over := make(chan struct{})
			site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
				defer close(over)
				w.Header().Set("Content-Length", "1000000000")
				if disposition != "" {
					w.Header().Set("Content-Disposition", disposition)
				}
				fmt.Fprint(w, "begin")
				for r.Context().Err() == nil {
					if path == "/long" {
						_, _ = w.Write(make([]byte, 1<<16))
					} else {
						fmt.Fprint(w, ".")
						time.Sleep(time.Millisecond)
					}
					_ = http.NewResponseController(w).Flush()
				}
			})
			r := start(t, func(cfg *record.Config, _ *client.Config) {
				if path == "/endless" {
					cfg.Patience = 50 * time.Millisecond
				} else {
					cfg.Patience = time.Hour
				}
			}, site)
			answer, err := r.browser.Get(site.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(answer.Body, make([]byte, 5)); err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			<-over // the site sees it too
			got := r.of("response", site.URL+path)
			if got.head.Get("WARC-Truncated") != "disconnect" || !strings.Contains(got.block, "\r\n\r\nbegin") {
				t.Errorf("truncated %q, %.300q", got.head.Get("WARC-Truncated"), got.block)
			}
		})
	}
}

// An answer comes without a type that its site didn't name: browsers guess better, and a page's charset is its own.
func TestTypesAreNotGuessed(t *testing.T) {
	site := origin(t, true, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		fmt.Fprint(w, "<!doctype html><meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2")
	})
	r := start(t, nil, site)
	answer, err := r.browser.Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if kind, ok := answer.Header["Content-Type"]; ok {
		t.Errorf("%q", kind)
	}
}

// A protocol that the proxy doesn't speak is offered, not demanded (RFC 9110 §7.8), as curl --http2 does.
func TestOtherProtocolsAreIgnored(t *testing.T) {
	site := origin(t, false, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header["Upgrade"], r.Header["Http2-Settings"])
	})
	r := start(t, nil, site)
	status, body := r.ask("GET", site.URL, "", http.Header{
		"Connection": {"Upgrade, HTTP2-Settings"}, "Upgrade": {"h2c"}, "Http2-Settings": {"AAMAAABkAAQAAP__"},
	})
	if status != http.StatusOK || body != "[] []" {
		t.Errorf("%d %q", status, body)
	}
}

// A socket passes in both directions, in a tunnel too, and the list says that it isn't recorded.
func TestSocketsPass(t *testing.T) {
	for _, secure := range []bool{false, true} {
		site := origin(t, secure, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "websocket" || r.Header.Get("Origin") != "http://a.example" || r.URL.RawQuery != "x=1" {
				t.Errorf("the site was asked %s %v", r.URL, r.Header)
			}
			c, rw, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello ")
			said, _ := rw.ReadString('!')
			_, _ = io.WriteString(c, "you said "+said)
		})
		r := start(t, nil, site)
		req, err := http.NewRequest("GET", site.URL+"/chat?x=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Origin": {"http://a.example"}}
		answer, err := r.browser.Transport.RoundTrip(req)
		if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("secure %v: %+v, %v", secure, answer, err)
		}
		both := answer.Body.(io.ReadWriteCloser)
		_, _ = io.WriteString(both, "secret words!")
		if said, err := io.ReadAll(both); err != nil || string(said) != "hello you said secret words!" {
			t.Errorf("secure %v: %q, %v", secure, said, err)
		}
		both.Close()
		_, _, failed := r.proxy.List().All()
		if len(failed) != 1 || failed[0].URI != site.URL+"/chat?x=1" || !strings.Contains(failed[0].Why, "not recorded") {
			t.Errorf("secure %v: the list says %+v", secure, failed)
		}
		if got := r.records(); len(got) > 0 {
			t.Errorf("secure %v: written: %+v", secure, got)
		}
	}
}

// Whoever records is told what is written, with what was left out, and when nothing can be written any more.
func TestWhatIsToldOfWriting(t *testing.T) {
	site := origin(t, false, func(http.ResponseWriter, *http.Request) {})
	wrote := ""
	r := start(t, func(c *record.Config, _ *client.Config) {
		c.Wrote = func(x write.Exchange, w write.Written) { wrote = fmt.Sprint(x.URI, x.Metadata, w.Bytes > 0) }
	}, site)
	r.ask("GET", site.URL+"/", "", http.Header{"Cookie": {"a=b"}})
	if r.records(); wrote != site.URL+"/[{left-out cookies}] true" {
		t.Error(wrote)
	}
	r = start(t, nil, site)
	os.RemoveAll(r.dir)
	r.ask("GET", site.URL+"/", "", nil)
	if err := <-r.over; !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the recorder ended with %v", err)
	}
	r.over <- nil
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil || l.Close() != nil {
		t.Fatal(err)
	}
	if err := r.proxy.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("where nobody listens the recorder ended with %v", err)
	}
}

func TestOwnPages(t *testing.T) {
	r := start(t, nil)
	for uri, want := range map[string]string{
		"http://varve.proxy/": "0 exchanges, 0 pages", "http://varve.proxy/ca.pem": "BEGIN CERTIFICATE",
		"http://varve.proxy/other": "404 page not found",
		"https://varve.proxy/":     "0 exchanges, 0 pages",
	} {
		if _, body := r.ask("GET", uri, "", nil); !strings.Contains(body, want) {
			t.Errorf("%s: %q, want %q", uri, body, want)
		}
	}
	if got := r.records(); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
}
