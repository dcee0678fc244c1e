package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// nextPort counts the ports that freeAddress has looked at. They are below those that systems give to whoever asks for any port, so
// that none is taken before a server begins to listen on it.
var nextPort atomic.Uint32

// freeAddress returns an address on loopback where nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		port := 20_000 + (uint32(os.Getpid())*50+nextPort.Add(1))%12_000
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		l.Close()
		return l.Addr().String()
	}
	t.Fatal("nowhere is a port free")
	return ""
}

// Connections that say nothing, or say it slowly, shut out nobody: neither from the server nor from the proxy.
func TestSlowClientsShutOutNobody(t *testing.T) {
	proxy := freeAddress(t)
	s := start(t, "demo", "--proxy", proxy)
	const page = "http://www.riverbend.example/"
	many := 1100
	if !testing.Short() {
		many = 5000
	}
	for name, address := range map[string]string{"server": strings.TrimPrefix(s.url, "http://"), "proxy": proxy} {
		t.Run(name, func(t *testing.T) {
			for i := range many {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if i%3 == 0 {
					fmt.Fprintf(c, "POST /web/%s HTTP/1.1\r\nHost: h\r\nContent-Length: 9000\r\n\r\nx", page)
				} else if i%3 == 1 {
					fmt.Fprint(c, "GET / HTTP/1.1\r\nHost")
				}
			}
			ask := "GET /web/20160901092139/" + page + " HTTP/1.0\r\nHost: h\r\n\r\n"
			if name == "proxy" {
				ask = "GET " + page + " HTTP/1.0\r\n\r\n"
			}
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(patience))
			fmt.Fprint(c, ask)
			if got, err := io.ReadAll(c); !strings.HasPrefix(string(got), "HTTP/1.0 200") {
				t.Errorf("the %s says %.60q: %v", name, got, err)
			}
		})
	}
}

// process tells what a process holds: open files, and memory in KiB.
func (s *server) process(t *testing.T) (files, memory int) {
	t.Helper()
	dir := "/proc/" + strconv.Itoa(s.cmd.Process.Pid)
	open, err := os.ReadDir(dir + "/fd")
	if err != nil {
		t.Skipf("the system doesn't tell: %v", err)
	}
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	memory, err = strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return len(open), memory
}

// everyRoute returns targets of each kind: an example of each path that is described (TestEveryKindOfPathIsDescribed), and some
// that lead nowhere.
func (s *server) everyRoute(t *testing.T) []string {
	t.Helper()
	d := described(t, s)
	targets := []string{
		"/nowhere", "/-/nothing", "/web/landing/2017/http://www.riverbend.example/gone", "/web/2014/http://nowhere.example/",
		"/web/*/http://www.riverbend.example/*",
	}
	for path, op := range d.Paths {
		target, _ := d.example(t, path, op["get"])
		targets = append(targets, target)
	}
	return targets
}

// hurl sends n requests, some at a time, each on a connection of its own, and leaves before the answer. It returns when the
// server answers again.
func (s *server) hurl(t *testing.T, n int) {
	t.Helper()
	address, everyRoute := strings.TrimPrefix(s.url, "http://"), s.everyRoute(t)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range n / 8 {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: h\r\nAccept: text/html\r\n\r\n", everyRoute[(worker+i)%len(everyRoute)])
				if i%2 == 0 {
					_, _ = c.Read(make([]byte, 100))
				}
				_ = c.(*net.TCPConn).SetLinger(0)
				c.Close()
			}
		})
	}
	all.Wait()
	s.get(t, "/-/healthz").expect(t, http.StatusOK)
}

// A client that leaves before the answer leaves nothing behind.
func TestAbortedRequestsLeaveNothing_long(t *testing.T) {
	s := start(t, "demo")
	s.hurl(t, 800)
	time.Sleep(200 * time.Millisecond)
	files, memory := s.process(t)
	requests := 4000
	if n, err := strconv.Atoi(os.Getenv("VARVE_ABORTS")); err == nil { // for an hour of it
		requests = n
	}
	s.hurl(t, requests)
	filesAfter, memoryAfter := 0, 0
	eventually(t, "the files are closed", func() bool {
		filesAfter, memoryAfter = s.process(t)
		return filesAfter <= files+20
	})
	t.Logf("%d requests: %d files, then %d; %d KiB, then %d", requests, files, filesAfter, memory, memoryAfter)
	if memoryAfter > 2*memory+64<<10 {
		t.Errorf("%d KiB before, %d after", memory, memoryAfter)
	}
}

// A server under load on every route, and through its proxy, answers, or says when to come back, and stops when it is told to.
// There are more requests at once than one address may have running, so the others wait.
func TestLoadOnEveryRoute(t *testing.T) {
	proxy := freeAddress(t)
	s := start(t, "demo", "--proxy", proxy)
	routes := s.everyRoute(t)
	through := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy}), MaxIdleConnsPerHost: 30}
	direct := &http.Transport{MaxIdleConnsPerHost: 300}
	ask := func(i int) (route string, a *http.Response, err error) {
		route, client := s.url+routes[i%len(routes)], direct
		if i/len(routes)%10 == 9 { // whatever the number of routes, each is asked for directly too
			route, client = "http://www.riverbend.example/history.html", through
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, route, nil)
		if err != nil {
			return route, nil, err
		}
		r.Header.Set("Accept", []string{"text/html", "*/*"}[i%2])
		if a, err = client.RoundTrip(r); err == nil {
			_, err = io.Copy(io.Discard, a.Body)
			a.Body.Close()
		}
		return route, a, err
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses, answered := map[int]int{}, map[string]bool{}
	for worker := range 300 {
		all.Go(func() {
			for i := worker * (len(routes) + 1); ; i++ { // one in ten begins with the proxy
				select {
				case <-stop:
					return
				default:
				}
				route, a, err := ask(i)
				if err != nil { // it was told to stop
					return
				}
				mu.Lock()
				statuses[a.StatusCode]++
				answered[route] = answered[route] || a.StatusCode < 500
				if a.StatusCode >= 500 && (a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "") {
					t.Errorf("%s: %d, Retry-After: %q", route, a.StatusCode, a.Header.Get("Retry-After"))
				}
				mu.Unlock()
			}
		})
	}
	eventually(t, "every route answers", func() bool {
		mu.Lock()
		defer mu.Unlock()
		n := 0
		for _, ok := range answered {
			if ok {
				n++
			}
		}
		return n == len(routes)+1
	})
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.over:
		s.over <- err
		if err != nil {
			t.Errorf("varve ended: %v", err)
		}
	case <-time.After(patience):
		t.Error("varve does not stop under load")
	}
	close(stop)
	all.Wait()
	t.Logf("%v; stopped after %v", statuses, time.Since(began))
}
