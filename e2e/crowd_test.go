package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Connections that say nothing, or say it slowly, shut out nobody: neither from the server nor from the proxy.
func TestSlowClientsShutOutNobody(t *testing.T) {
	proxy := freeAddress(t)
	s := start(t, "demo", "--proxy", proxy)
	const page = "http://www.riverbend.example/"
	for name, address := range map[string]string{"server": strings.TrimPrefix(s.url, "http://"), "proxy": proxy} {
		for i := range 1100 {
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

// everyRoute are targets of each kind.
var everyRoute = []string{
	"/", "/web/", "/web/http://www.riverbend.example/", "/web/20160901092139/http://www.riverbend.example/",
	"/web/20160901092139id_/http://www.riverbend.example/", "/web/timemap/link/http://www.riverbend.example/",
	"/web/timemap/html/http://www.riverbend.example/", "/web/cdx?url=riverbend.example&matchType=domain",
	"/web/changes/http://www.riverbend.example/history.html", "/web/diff/http://www.riverbend.example/history.html",
	"/web/diff/2015/2017/http://www.riverbend.example/history.html", "/web/animate/2015/2017/http://www.riverbend.example/history.html",
	"/web/landing/2017/http://www.riverbend.example/gone", "/web/similar/2017/http://www.riverbend.example/", "/web/search?q=river",
	"/web/terms?change=deleted", "/web/*/http://www.riverbend.example/", "/web/*/http://www.riverbend.example/*", "/-/static/page.css",
	"/-/metrics", "/-/available?url=riverbend.example", "/nowhere",
}

// hurl sends n requests, some at a time, each on a connection of its own, and leaves before the answer. It returns when the
// server answers again.
func (s *server) hurl(t *testing.T, n int) {
	t.Helper()
	address := strings.TrimPrefix(s.url, "http://")
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
func TestAbortedRequestsLeaveNothing(t *testing.T) {
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

// A server under load on every route answers, or says when to come back, and stops when it is told to.
func TestLoadOnEveryRoute(t *testing.T) {
	s := start(t, "demo")
	stop := make(chan struct{})
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for worker := range 64 {
		all.Go(func() {
			for i := worker; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				a, err := s.try(http.MethodGet, everyRoute[i%len(everyRoute)], "", "Accept: text/html")
				if err != nil { // it was told to stop
					return
				}
				mu.Lock()
				statuses[a.status]++
				mu.Unlock()
			}
		})
	}
	time.Sleep(2 * time.Second)
	began := time.Now()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
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
	for status, n := range statuses {
		if status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("%d times %d", n, status)
		}
	}
	if statuses[200] == 0 {
		t.Error("nothing was answered")
	}
}
