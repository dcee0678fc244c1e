package loadlimit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serve answers on loopback, with limits.
func serve(t *testing.T, limits Limits, h http.Handler) (address string) {
	t.Helper()
	return listen(t, limits, &http.Server{Handler: h})
}

func listen(t *testing.T, limits Limits, s *http.Server) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(Listen(l, limits)) }()
	t.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ask sends a request on a connection and returns the status of the answer, or 0 if the connection has ended.
func ask(c net.Conn) int {
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
		return 0
	}
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, a.Body)
	return a.StatusCode
}

// Clients that hold connections silently must not shut out others.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	const most = 8
	for name, limits := range map[string]Limits{
		"in all": {Conns: most, PerAddress: 1000}, "of an address": {Conns: 1000, PerAddress: most},
	} {
		t.Run(name, func(t *testing.T) {
			// Until a connection is accepted it does not count, and many that are accepted at once are all newer than the last word.
			accepted := make(chan bool, 4*most)
			address := listen(t, limits, &http.Server{
				Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
				ConnState: func(_ net.Conn, state http.ConnState) {
					if state == http.StateNew {
						accepted <- true
					}
				},
			})
			talking := dial(t, address)
			<-accepted
			var silent []net.Conn
			for i := range 3 * most {
				silent = append(silent, dial(t, address))
				<-accepted
				if got := ask(talking); got != 200 {
					t.Fatalf("after %d silent ones: %d", i+1, got)
				}
			}
			if got := ask(dial(t, address)); got != 200 {
				t.Errorf("a new one: %d", got)
			}
			closed := 0
			for _, c := range silent {
				_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
				if _, err := c.Read(make([]byte, 1)); errors.Is(err, io.EOF) || err != nil && strings.Contains(err.Error(), "reset") {
					closed++
				}
			}
			if closed < 2*most {
				t.Errorf("%d of %d silent ones were closed", closed, len(silent))
			}
		})
	}
}

// A client that reads nothing of a large answer must lose the connection; one that is merely slow must not.
func TestSlowReaders(t *testing.T) {
	const size = 16 << 20
	ended := make(chan error, 2)
	address := serve(t, Limits{Conns: 9, PerAddress: 9, Write: 2 * time.Second},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := io.Copy(w, io.LimitReader(zeros{}, size))
			ended <- err
		}))
	still := dial(t, address)
	fmt.Fprint(still, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
	if err := <-ended; err == nil {
		t.Error("who takes nothing is written to for ever")
	}
	slow := dial(t, address)
	fmt.Fprint(slow, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
	a, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := int64(0)
	for piece := int64(1 << 20); ; time.Sleep(50 * time.Millisecond) { // some 0.8 s in total
		n, err := io.CopyN(io.Discard, a.Body, piece)
		if got += n; err != nil {
			break
		}
	}
	if err := <-ended; err != nil || got != size {
		t.Errorf("who is slow gets %d bytes: %v", got, err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// A body that doesn't arrive must end the connection, whether the handler reads it or not. One that arrives must not.
func TestSlowBodies(t *testing.T) {
	const wait = 150 * time.Millisecond
	var cut atomic.Int32
	h := limitBodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/unread" {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			cut.Add(1)
			return
		}
		select {
		case <-time.After(3 * wait):
			fmt.Fprintf(w, "%s done", body)
		case <-r.Context().Done():
		}
	}), wait)
	address := serve(t, Limits{Conns: 9, PerAddress: 9}, h)
	for _, begin := range []string{"slow", strings.Repeat("x", readAhead)} {
		for _, path := range []string{"/", "/unread"} {
			c := dial(t, address)
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n%s", path, begin)
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			said, err := io.ReadAll(c)
			if err != nil && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%s after %d bytes: the connection stays open: %v", path, len(begin), err)
			}
			if late := strings.HasPrefix(string(said), "HTTP/1.1 408 Request Timeout\r\n"); late != (begin == "slow") {
				t.Errorf("%s after %d bytes: %q", path, len(begin), said)
			}
		}
	}
	if cut.Load() != 1 {
		t.Errorf("%d handlers learned that the body broke off, want 1", cut.Load())
	}
	for method, body := range map[string]string{"POST": strings.Repeat("x", readAhead+1), "PUT": "whole", "GET": ""} {
		req, err := http.NewRequest(method, "http://"+address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if b, _ := io.ReadAll(answer.Body); string(b) != body+" done" {
			t.Errorf("%s, an answer that takes longer than its request: %.20q", method, b)
		}
	}
}

// Clients that keep their bodies back must not take the turns of others.
func TestSlowBodiesTakeNoTurn(t *testing.T) {
	const slow = 6
	q := Queue{Running: 4, Waiting: slow, Wait: 200 * time.Millisecond}
	h := limitBodies(q.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) })), time.Minute)
	address := serve(t, Limits{Conns: 2 * slow, PerAddress: 2 * slow}, h)
	for range slow {
		fmt.Fprint(dial(t, address), "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nslow")
	}
	time.Sleep(q.Wait) // until they would have their turns
	if got := ask(dial(t, address)); got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
}

// A client that has ended its input, as nc does, gets its answer all the same if there is a turn. Its context has ended.
func TestClientsThatEndTheirInputGetATurn(t *testing.T) {
	q := Queue{Running: 1, Waiting: 1, Wait: time.Second}
	h := q.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequestWithContext(gone, http.MethodGet, "/", nil)); w.Code != http.StatusOK {
			t.Fatal(w.Code)
		}
	}
}

func TestQueue(t *testing.T) {
	running, most := 0, 0
	var mu sync.Mutex
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		running += by
		most = max(most, running)
	}
	free := make(chan struct{})
	q := Queue{
		Running: 4, Waiting: 6, Wait: 200 * time.Millisecond,
	}
	h := q.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		count(1)
		defer count(-1)
		<-free
	}))
	get := func(from string) int {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.RemoteAddr = from + ":1"
		h.ServeHTTP(w, r)
		if w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != "1" {
			t.Errorf("Retry-After: %q", w.Header().Get("Retry-After"))
		}
		return w.Code
	}
	codes := make(chan int)
	for range 20 {
		go func() { codes <- get("192.0.2.1") }()
	}
	for range 17 { // all but its share
		if code := <-codes; code != http.StatusServiceUnavailable {
			t.Errorf("got %d", code)
		}
	}
	other := make(chan int)
	go func() { other <- get("192.0.2.2") }()
	for { // the other address gets its turn while the first has its full share
		mu.Lock()
		n := running
		mu.Unlock()
		if n == 4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(free)
	for range 3 {
		if code := <-codes; code != 200 {
			t.Errorf("got %d", code)
		}
	}
	if code := <-other; code != 200 || most != 4 {
		t.Errorf("another address got %d; %d at once", code, most)
	}
}

// A server that is given a port alone is for this machine.
func TestAPortAloneIsOfThisMachine(t *testing.T) {
	for addr, loopback := range map[string]bool{":0": true, "127.0.0.1:0": true, "0.0.0.0:0": false} {
		l, err := Local(addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Addr().(*net.TCPAddr).IP.IsLoopback(); got != loopback {
			t.Errorf("%s listens on %s", addr, l.Addr())
		}
		l.Close()
	}
	for _, addr := range []string{"nowhere", ""} { // net.Listen takes "" for all addresses
		if l, err := Local(addr); err == nil {
			l.Close()
			t.Errorf("%q, without a port, is an address", addr)
		}
	}
}

// Who names addresses of IPv4 has a firewall for them, and not for those of IPv6.
func TestAddressesOfIPv4AreNoOthers(t *testing.T) {
	l, err := At("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := l.Addr().String(); !strings.HasPrefix(got, "0.0.0.0:") {
		t.Errorf("listens on %s", got)
	}
}
