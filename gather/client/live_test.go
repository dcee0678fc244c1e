package client_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/client"
)

func newClient(t *testing.T, cfg client.Config) *client.Client {
	t.Helper()
	cfg.AllowPrivate = true
	if cfg.UserAgent == "" {
		cfg.UserAgent = "varve/test (+http://a.example/)"
	}
	c := client.New(cfg)
	t.Cleanup(c.Close)
	return c
}

func get(t *testing.T, c *client.Client, url string) *client.Exchange {
	t.Helper()
	e, err := c.Get(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func all(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A wire is a server that sends what is in a table, byte for byte, and closes the connection where it is told to.
func wire(t *testing.T, answers map[string]string) (url string, asked func() []string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	var requests []string
	serve := func(c net.Conn) {
		defer c.Close()
		for r := bufio.NewReader(c); ; {
			var request strings.Builder
			for !strings.HasSuffix(request.String(), "\r\n\r\n") {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				request.WriteString(line)
			}
			mu.Lock()
			requests = append(requests, request.String())
			mu.Unlock()
			answer, closed := strings.CutSuffix(answers[strings.Fields(request.String())[1]], "CLOSE")
			for i, part := range strings.Split(answer, "WAIT") {
				if i > 0 {
					time.Sleep(50 * time.Millisecond)
				}
				_, _ = io.WriteString(c, part)
			}
			if closed {
				return
			}
			if strings.HasSuffix(answer, "HANG") {
				_, _ = r.ReadByte() // until the client gives up
				return
			}
		}
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return "http://" + l.Addr().String(), func() []string { mu.Lock(); defer mu.Unlock(); return requests }
}

// Messages are kept byte for byte, one after the other on one connection.
func TestMessagesAreKeptAsTheyWere(t *testing.T) {
	answers := map[string]string{
		"/length":  "HTTP/1.1 200 Fine\r\ncontent-LENGTH:5\r\nX-Odd:  two\r\n\r\nhello",
		"/chunks":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhelloWAIT\r\n0\r\nTrailer: t\r\nWAIT\r\n",
		"/nothing": "HTTP/1.1 204 No Content\r\n\r\n",
		"/moved":   "HTTP/1.1 301 Moved\r\nLocation: /length\r\nContent-Length: 0\r\n\r\n",
		"/broken":  "HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno",
		"/closed":  "HTTP/1.0 200 OK\r\n\r\nuntil the endCLOSE",
	}
	server, asked := wire(t, answers)
	c := newClient(t, client.Config{})
	order := []string{"/length", "/chunks", "/nothing", "/moved", "/broken", "/length", "/closed", "/length"}
	for i, path := range order {
		e := get(t, c, server+path)
		want := strings.ReplaceAll(strings.TrimSuffix(answers[path], "CLOSE"), "WAIT", "")
		if got := all(t, e.Response()); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := all(t, e.Request()); got != asked()[i] || !strings.HasPrefix(got, "GET "+path+" HTTP/1.1\r\n") {
			t.Errorf("%s: %q was sent, %q came", path, got, asked()[i])
		}
		if e.Truncated != "" || e.IP != netip.MustParseAddr("127.0.0.1") || len(e.Protocols) != 1 || e.Time.IsZero() {
			t.Errorf("%+v", e)
		}
	}
	if n := len(asked()); n != len(order) {
		t.Errorf("%d requests: something was followed", n)
	}
}

// A path is sent as it is written: with a "|" in it net/url would make another resource of it.
func TestPathsAreSentAsTheyAreWritten(t *testing.T) {
	const answer = "HTTP/1.1 204 No Content\r\n\r\n"
	paths := []string{"/a|b%2Fc?d|e", "/%41|%7e", "//f|g%2Fh", "/i%2Fj", "/k'(l)*[m];n=o,p:q@r&s$t!u+v%20w", "/"}
	answers := map[string]string{}
	server, asked := wire(t, answers)
	for _, path := range paths {
		answers[path], answers[server+path] = answer, answer // the second is the absolute form (RFC 9112 §3.2.2)
	}
	c := newClient(t, client.Config{})
	for i, path := range paths {
		e := get(t, c, server+path)
		req, err := http.NewRequest(http.MethodGet, strings.Replace(server, "//", "//user@", 1)+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		other, err := c.Do(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if e.URL != server+path || other.URL != e.URL {
			t.Errorf("%s is recorded as %s, and as %s", path, e.URL, other.URL)
		}
		if got := strings.TrimPrefix(strings.Fields(asked()[2*i])[1], server); got != path {
			t.Errorf("%s is asked for as %s", path, got)
		}
	}
}

func TestWhatIsSaidOfTheCrawler(t *testing.T) {
	server, asked := wire(t, map[string]string{"/": "HTTP/1.1 204 No Content\r\n\r\n"})
	c := newClient(t, client.Config{UserAgent: "varve/1 (+mailto:a@b.example)"})
	host := strings.TrimPrefix(server, "http://")
	e, err := c.Get(t.Context(), "http://user:password@"+host+"/", http.Header{"If-None-Match": {`"x"`}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.URL != server+"/" {
		t.Errorf("the address is written as %s", e.URL)
	}
	want := "GET / HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: varve/1 (+mailto:a@b.example)\r\n" +
		"Accept: */*\r\nAccept-Encoding: gzip, deflate, br\r\nIf-None-Match: \"x\"\r\n\r\n"
	if diff := cmp.Diff(want, asked()[0]); diff != "" {
		t.Error(diff)
	}
}

// What browsers pass over in a head doesn't keep an answer out of the archive; the record has it.
func TestLinesThatAreNoField(t *testing.T) {
	const end = "Content-Length: 5\r\n\r\nhello"
	answers := map[string]string{
		"/line":   "HTTP/1.1 200 OK\r\nHSTS: max-age=1;\r\npreload\r\n" + end,
		"/name":   "HTTP/1.1 200 OK\r\nX Y: z\r\n: none\r\nA: b\r\n" + end,
		"/value":  "HTTP/1.1 200 OK\nX: \x01\nA: b\n" + end,
		"/folded": "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nnone\r\n d\r\n" + end,
		"/first":  "HTTP/1.1 200 OK\r\npreload\r\n" + end,
		"/before": "\r\n\nHTTP/1.1 200 OK\r\n" + end,
		"/early":  "HTTP/1.1 103 Early Hints\r\nnone\r\n\r\nHTTP/1.1 200 OK\r\nnone\r\n" + end,
		"/parts":  "HTTP/1.1 200 OK\r\nnoWAITne\r\nA: bWAIT\r\nContent-Length: 11\r\n\r\nnone\r\nWAIThello",
		"/body":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nnone\r\n\r\n0\r\nTrailer: t\r\n\r\n",
		"/twice":  "HTTP/1.1 200 OK\r\nContent-Length: 5 , 5,5\r\n" + end,
		"/length": "HTTP/1.1 200 OK\r\nContent-Length: -1\r\nContent-Length: bytes\r\nContent-Length:\r\n" + end,
		"/large":  "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n" + end,
		"/coding": "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: gzip\r\n" + end,
		"/again":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"/gzip":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"/closed": "HTTP/1.0 200 OK\r\nnone\r\n\r\nnone\r\nnone\r\nCLOSE",
		"/radio":  "ICY 200 OK\r\nicy-name: One\r\nContent-Type: audio/mpeg\r\n\r\nICY 200 OK\r\nCLOSE",
	}
	server, _ := wire(t, answers)
	c := newClient(t, client.Config{})
	for range 2 { // the second time on connections that were used
		for path, answer := range answers {
			e := get(t, c, server+path)
			whole := strings.ReplaceAll(strings.TrimSuffix(answer, "CLOSE"), "WAIT", "")
			if path == "/early" {
				_, whole, _ = strings.Cut(whole, "\r\n\r\n")
			}
			whole = strings.TrimLeft(whole, "\r\n")
			if got := all(t, e.Response()); got != whole || e.Status != 200 || e.Truncated != "" {
				t.Errorf("%s: %d %q %q", path, e.Status, e.Truncated, got)
			}
		}
	}
	cut, _ := wire(t, map[string]string{"/": "HTTP/1.1 200 OK\r\nA: bCLOSE"})
	if _, err := c.Get(t.Context(), cut+"/", nil); err == nil {
		t.Error("half a head is an answer")
	}
	two, _ := wire(t, map[string]string{"/": "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n" + end})
	if _, err := c.Get(t.Context(), two+"/", nil); err == nil {
		t.Error("two lengths are one")
	}
}

func TestAnswersBeforeTheAnswer(t *testing.T) {
	const final = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
	server, _ := wire(t, map[string]string{
		"/": "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + final,
	})
	e := get(t, newClient(t, client.Config{}), server+"/")
	if got := all(t, e.Response()); got != final || e.Status != 200 {
		t.Errorf("%q", got)
	}
	if b, err := e.Body(10); err != nil || string(b) != "x" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestAnswersThatAreCutOff(t *testing.T) {
	long := "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + strings.Repeat("x", 9000)
	server, _ := wire(t, map[string]string{
		"/long": long, "/hang": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHANG",
		"/gone":    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhelloCLOSE",
		"/chunk":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelCLOSE",
		"/rubbish": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n\r\n",
	})
	c := newClient(t, client.Config{MaxBytes: 8000, MaxTime: time.Second})
	for path, want := range map[string][2]string{
		"/long": {"length", long[:8000]}, "/hang": {"time", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHANG"},
		"/gone":    {"disconnect", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"},
		"/chunk":   {"disconnect", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"},
		"/rubbish": {"unspecified", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n\r\n"},
	} {
		e := get(t, c, server+path)
		if got := all(t, e.Response()); got != want[1] || e.Truncated != want[0] {
			t.Errorf("%s: %q, %.300q", path, e.Truncated, got)
		}
	}
}

// What a server sends behind its answer belongs to no answer.
func TestAnswersEndWhereTheirLengthSays(t *testing.T) {
	const behind = "\r\nand HTTP/1.1 more"
	want := map[string]string{
		"/length":   "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"/early":    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"/empty":    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"/nothing":  "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
		"/same":     "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
		"/until":    "HTTP/1.1 200 OK\r\n\r\nhello" + behind,
		"/too-long": "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello" + behind,
	}
	answers := map[string]string{}
	for path, answer := range want {
		answers[path] = strings.TrimSuffix(answer, behind) + behind + "CLOSE"
	}
	answers["/early"] = "HTTP/1.1 103 Early Hints\r\n\r\n" + answers["/early"]
	// On a connection that stays open, what is behind an answer is not taken for the next one.
	next := "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
	want["/open"], answers["/open"] = next+"open", next+"open"+next+"next"
	server, _ := wire(t, answers)
	c := newClient(t, client.Config{})
	for range 50 {
		for path, answer := range want {
			e := get(t, c, server+path)
			if got := all(t, e.Response()); got != answer || e.Truncated != "" {
				t.Fatalf("%s: %q, truncated %q", path, got, e.Truncated)
			}
		}
	}
	req, err := http.NewRequest(http.MethodHead, server+"/length", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Do(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got := all(t, e.Response()); got != "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" {
		t.Errorf("HEAD: %q", got)
	}
}

// Who reads an answer on its way gets all of it, while it comes in and also where no more is kept.
func TestAnswersAreShownOnTheirWay(t *testing.T) {
	const kept = 2000
	shown := make(chan string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Method+" "+string(body)+" "+r.Header.Get("X-Own")+r.Header.Get("User-Agent"))
		w.(http.Flusher).Flush()
		if got := <-shown; got != "POST sent mine" {
			t.Errorf("before the answer ended it was %q", got)
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 2*kept))
	}))
	defer server.Close()
	req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader("sent"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"X-Own": {"mine"}, "User-Agent": {""}}
	var whole int
	e, err := newClient(t, client.Config{AllowPrivate: true, MaxBytes: kept}).Do(t.Context(), req, func(r *http.Response) {
		start := make([]byte, len("POST sent mine"))
		_, _ = io.ReadFull(r.Body, start)
		shown <- string(start)
		rest, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		whole = len(start) + len(rest)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if whole != 2*kept+len("POST sent mine") {
		t.Errorf("%d bytes were shown", whole)
	}
	if got := all(t, e.Response()); len(got) != kept || e.Truncated != "length" {
		t.Errorf("%d bytes were kept, truncated %q", len(got), e.Truncated)
	}
	if got := all(t, e.Request()); !strings.HasPrefix(got, "POST / HTTP/1.1\r\n") || !strings.HasSuffix(got, "\r\n\r\nsent") {
		t.Errorf("the request is kept as %q", got)
	}
}

// Somebody who has enough of an answer keeps what came; before its head there is nothing to be kept.
func TestEnough(t *testing.T) {
	url, _ := wire(t, map[string]string{
		"/stream": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\nHANG", "/silent": "HANG",
		"/whole": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nall of it",
	})
	c := newClient(t, client.Config{})
	for _, tt := range []struct {
		path, want string
		cause      error
		truncated  string
	}{
		{"/stream", "data: one\n\n", client.ErrEnough, "time"},
		{"/stream", "data: one\n\n", client.ErrLeft, "disconnect"},
		{"/whole", "all of it", client.ErrLeft, ""}, // it was left when nothing lacked any more
		{"/whole", "all of it", client.ErrEnough, ""},
		{"/stream", "", context.Canceled, ""},
		{"/silent", "", client.ErrEnough, ""},
	} {
		req, err := http.NewRequest(http.MethodGet, url+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancelCause(t.Context())
		late := time.AfterFunc(time.Second, func() { stop(tt.cause) })
		e, err := c.Do(ctx, req, func(r *http.Response) {
			_, _ = io.ReadFull(r.Body, make([]byte, len(tt.want)))
			stop(tt.cause)
		})
		late.Stop()
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s, %v: there is an answer", tt.path, tt.cause)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := all(t, e.Response()); e.Truncated != tt.truncated || !strings.Contains(got, tt.want) {
			t.Errorf("%s, %v: truncated %q, %q", tt.path, tt.cause, e.Truncated, got)
		}
		_ = e.Close()
	}
}

// An exchange is written as it was asked for, with where it came from.
func TestWhatIsWritten(t *testing.T) {
	answers := map[string]string{"/%C3%A4": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}
	server, _ := wire(t, answers)
	e := get(t, newClient(t, client.Config{}), server+"/ä")
	e.Took = 1234 * time.Millisecond
	for via, want := range map[string]string{
		"": "[{fetchTimeMs 1234}]", "http://via.example/": "[{via http://via.example/} {fetchTimeMs 1234}]",
	} {
		x := e.Record(via)
		got := fmt.Sprintln(x.URI, x.IP, x.Protocols, x.Metadata, x.Time.Equal(e.Time), all(t, x.Response))
		want = server + "/ä 127.0.0.1 [http/1.1] " + want + " true HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\n"
		if diff := cmp.Diff(want, got); diff != "" || !strings.HasPrefix(all(t, x.Request), "GET /%C3%A4 HTTP/1.1\r\n") {
			t.Errorf("via %q (-want +got):\n%s", via, diff)
		}
	}
}

// A robots.txt that can't be read has no rules, one that breaks off those that came; who doesn't answer in time is told from who refuses.
func TestRobots(t *testing.T) {
	server, _ := wire(t, map[string]string{
		"/rules": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nrules",
		"/moved": "HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
		"/part":  "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nruleCLOSE", "/silent": "HANG",
		"/coded": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\n\x1f\x8b\b\x00\x00\x00\x00\x00\x00\x00\xff",
	})
	c := newClient(t, client.Config{HeadTime: 50 * time.Millisecond})
	taken := func(*client.Exchange) error { return nil }
	for url, want := range map[string]string{
		server + "/rules": "200  rule false", server + "/moved": "301 /x  false", server + "/part": "200  rule false",
		server + "/coded":  "200   false",
		server + "/silent": "0   true, an error", "http://127.0.0.1:1/robots.txt": "0   false, an error",
	} {
		f, err := c.Robots(t.Context(), url, 4, taken)
		got := fmt.Sprintf("%d %s %s %t", f.Status, f.Location, f.Body, f.Late)
		if f.Err != nil {
			got += ", an error"
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", url, got, err, want)
		}
	}
	public := client.New(client.Config{})
	defer public.Close()
	if _, err := public.Robots(t.Context(), server+"/rules", 4, taken); !errors.Is(err, client.ErrPrivate) {
		t.Errorf("on this machine: %v", err)
	}
	for _, path := range []string{"/rules", "/silent"} {
		f, err := c.Robots(t.Context(), server+path, 4, func(*client.Exchange) error { return io.EOF })
		if !errors.Is(err, io.EOF) || f.Status != 0 {
			t.Errorf("%s, for nobody: %+v, %v", path, f, err)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	server, _ := wire(t, map[string]string{
		"/head": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n", "/gone": "CLOSE", "/silent": "HANG",
		"/frames": "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64CLOSE",
		"/odd":    "SSH-2.0\r\n\r\nCLOSE", "/other": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nHANG",
	})
	c := newClient(t, client.Config{MaxTime: 2 * time.Second})
	for url, want := range map[string]string{
		server + "/head": "too long", server + "/gone": "EOF", server + "/odd": "malformed",
		server + "/frames": "HTTP/2 alone", server + "/other": "switched", "ftp://a.example/": "only http",
		"http://": "", "http://127.0.0.1:1/": "refused", "http://no.invalid/": "",
	} {
		e, err := c.Get(t.Context(), url, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", url, e, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, server+"/gone", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

func TestBodiesAndCodings(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, "hello")
	_ = z.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.(http.Flusher).Flush() // in chunks
		_, _ = w.Write(packed.Bytes())
	}))
	defer s.Close()
	e := get(t, newClient(t, client.Config{}), s.URL)
	if b, err := e.Body(100); err != nil || string(b) != "hello" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := e.Body(2); err != nil || string(b) != "he" {
		t.Errorf("%q, %v", b, err)
	}
	if raw := all(t, e.Response()); !strings.Contains(raw, packed.String()) {
		t.Error("the answer was decoded")
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := newClient(t, client.Config{TLS: s.Client().Transport.(*http.Transport).TLSClientConfig})
	for range 2 {
		e := get(t, c, s.URL+"/x")
		if got := all(t, e.Response()); !strings.HasSuffix(got, "\r\n\r\nHTTP/1.1") {
			t.Errorf("%q", got)
		}
		if got := all(t, e.Request()); !strings.HasPrefix(got, "GET /x HTTP/1.1\r\n") {
			t.Errorf("%q", got)
		}
		if diff := cmp.Diff([]string{"http/1.1", "tls/1.3"}, e.Protocols); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := newClient(t, client.Config{TLS: &tls.Config{}}).Get(t.Context(), s.URL, nil); err == nil {
		t.Error("a certificate that nobody vouches for is taken")
	}
	alone := httptest.NewUnstartedServer(http.NotFoundHandler())
	alone.Config.ErrorLog = log.New(io.Discard, "", 0)
	alone.TLS = &tls.Config{NextProtos: []string{"h2-14"}} // with h2, Go's server would speak HTTP/1.1 all the same
	alone.StartTLS()
	defer alone.Close()
	if _, err := c.Get(t.Context(), alone.URL, nil); err == nil || !strings.HasSuffix(err.Error(), "HTTP/2 alone") {
		t.Errorf("a server without HTTP/1.1: %v", err)
	}
}

// Old servers have certificates that nobody vouches for or that have expired, old versions of TLS and old ciphers.
func TestInsecureTLS(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]*tls.Config{
		"certificate": {}, "version": {MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10},
		"cipher": {MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "as ever") }))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.TLS = old
			s.StartTLS()
			defer s.Close()
			if _, err := newClient(t, client.Config{}).Get(t.Context(), s.URL, nil); err == nil || !strings.Contains(err.Error(), "insecure_tls") {
				t.Errorf("asked unless told: %v", err)
			}
			e := get(t, newClient(t, client.Config{InsecureTLS: true}), s.URL)
			if got := all(t, e.Response()); !strings.HasSuffix(got, "as ever") {
				t.Errorf("%q", got)
			}
		})
	}
}

// Who asks for less security already, or a server that has no TLS at all, is not told of the setting.
func TestWhatNoInsecureTLSHelps(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	shut, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer shut.Close()
	go func() {
		for {
			c, err := shut.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1000))
			_ = c.Close()
		}
	}()
	strange := httptest.NewUnstartedServer(http.NotFoundHandler())
	strange.Config.ErrorLog = log.New(io.Discard, "", 0)
	strange.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12} // which nobody gives
	strange.StartTLS()
	defer strange.Close()
	for address, insecure := range map[string]bool{
		strings.Replace(plain.URL, "http:", "https:", 1): false, "https://" + shut.Addr().String(): false, strange.URL: true,
	} {
		_, err := newClient(t, client.Config{InsecureTLS: insecure}).Get(t.Context(), address, nil)
		if err == nil || !strings.Contains(err.Error(), "no secure connection: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Many exchanges at once don't mix, also when idle connections are closed by the server.
func TestManyAtOnce(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "3") {
			w.Header().Set("Connection", "close")
		}
		fmt.Fprint(w, strings.Repeat(r.URL.Path, 500))
	}))
	defer s.Close()
	c := newClient(t, client.Config{Memory: 1000, Dir: t.TempDir()})
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for i := range 20 {
				path := fmt.Sprintf("/%d/%d", g, i)
				e, err := c.Get(t.Context(), s.URL+path, nil)
				if err != nil {
					t.Error(err)
					continue
				}
				if b, err := e.Body(1 << 20); err != nil || string(b) != strings.Repeat(path, 500) {
					t.Errorf("%s: %.80q, %v", path, b, err)
				}
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:2800:220:1::1": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "127.9.9.9": false, "0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "172.16.0.1": false,
		"172.32.0.1": true, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "224.0.0.1": false,
		"255.255.255.255": false, "198.18.0.1": false, "192.0.2.1": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "ff02::1": false,
		"fec0::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a00:1": false,
		"64:ff9b:1::808:808": false, "2002:7f00:1::": false, "2002:808:808::": false, "2001:0:1::": false, "2001:db8::1": false,
		"::127.0.0.1": false, "100::1": false,
	} {
		if got := client.Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
	if client.Public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// What isn't on the public Internet isn't asked, however it is named.
func TestPrivateAddressesAreNotAsked(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer s.Close()
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	c := client.New(client.Config{UserAgent: "varve/test"})
	defer c.Close()
	for _, host := range []string{
		"127.0.0.1", "localhost", "127.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433",
		"localhost.", "LOCALHOST", "a.localhost", "a.localhost.",
	} {
		e, err := c.Get(t.Context(), "http://"+host+port+"/", nil)
		if err == nil {
			t.Errorf("%s answers %d", host, e.Status)
			continue
		}
		literal := strings.HasPrefix(host, "127.0") || strings.HasPrefix(host, "[") // others are names for some resolvers
		literal = literal || strings.Contains(strings.ToLower(host), "localhost")
		if literal && !errors.Is(err, client.ErrPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("asked %d times", n)
	}
}

func Example() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer s.Close()
	c := client.New(client.Config{UserAgent: "example/1 (+mailto:me@a.example)", AllowPrivate: true}) // this server is on this machine
	defer c.Close()
	e, err := c.Get(context.Background(), s.URL, nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	body, err := e.Body(1 << 20)
	fmt.Println(e.Status, string(body), err)
	// Output: 200 hello <nil>
}
