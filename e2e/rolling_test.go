package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/database"
)

// A balancer sends requests to servers in turn, and never twice. It asks each server now and then whether it is ready, as those of
// clusters do, so it notices late that one ends.
type balancer struct {
	mu   sync.Mutex
	all  []*server
	next int
	down map[*server]bool
	sent map[*server]int
}

const betweenProbes = 100 * time.Millisecond

func (b *balancer) add(s *server) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, s)
}

// probe asks all servers whether they are ready, until stop is closed.
func (b *balancer) probe(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(betweenProbes):
		}
		b.mu.Lock()
		all := append([]*server(nil), b.all...)
		b.mu.Unlock()
		for _, s := range all {
			ready := s.ready()
			b.mu.Lock()
			b.down[s] = !ready
			b.mu.Unlock()
		}
	}
}

// pick returns the next server that was ready when it was asked last.
func (b *balancer) pick() *server {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.all {
		b.next++
		if s := b.all[b.next%len(b.all)]; !b.down[s] {
			b.sent[s]++
			return s
		}
	}
	return b.all[0]
}

func (b *balancer) handler() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			at, _ := url.Parse(b.pick().url)
			r.Out.URL.Scheme, r.Out.URL.Host = at.Scheme, at.Host
			r.Out.Host = r.In.Host
		},
		Transport: &http.Transport{DisableKeepAlives: true}, // net/http would ask again where a connection turns out to be closed
	}
}

// Three servers on one index behind a balancer are replaced one by one, as by a new version, while readers go on: no request is lost.
func TestARollingUpdateLosesNoRequest_long(t *testing.T) {
	t.Parallel()
	at := database.Start(t).Database()
	flags := []string{"--index", at, "--no-search", "--drain", "1s"}
	first, _ := serve(t, map[string][]byte{"a.warc.gz": databaseArchive()}, flags...)
	b := &balancer{down: map[*server]bool{}, sent: map[*server]int{}}
	b.add(first)
	old := []*server{first}
	for range 2 {
		s := start(t, append([]string{"serve"}, flags...)...)
		b.add(s)
		old = append(old, s)
	}
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { b.probe(stop) })
	front := httptest.NewServer(b.handler())
	defer front.Close()
	var asked, lost atomic.Int64
	for reader := range 4 {
		running.Go(func() { read(t, front.URL, reader, stop, &asked, &lost) })
	}
	for _, s := range old {
		fresh := start(t, append([]string{"serve"}, flags...)...)
		b.add(fresh)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		before := asked.Load()
		eventually(t, "readers go on", func() bool { return asked.Load() > before+20 })
		s.over <- nil // it is stopped again when the test ends
	}
	close(stop)
	running.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, s := range b.all {
		if t.Logf("server %d answered %d requests", i, b.sent[s]); b.sent[s] == 0 {
			t.Errorf("server %d got no request", i)
		}
	}
	if t.Logf("%d requests, %d lost", asked.Load(), lost.Load()); lost.Load() > 0 {
		t.Errorf("%d of %d requests were lost", lost.Load(), asked.Load())
	}
}

// read asks for one thing after the other until stop is closed, and counts what it doesn't get.
func read(t *testing.T, front string, reader int, stop <-chan struct{}, asked, lost *atomic.Int64) {
	client := &server{url: front}
	for n := reader; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		year := 2001 + n%20
		target, says := fmt.Sprintf("/web/%d0601000000id_/http://page.example/", year), fmt.Sprintf("As it was in %d.", year)
		if n%2 == 0 {
			target, says = fmt.Sprintf("/web/cdx?url=http://page.example/&n=%d", n), "20200601000000"
		}
		a, err := client.try(http.MethodGet, target, "")
		asked.Add(1)
		if err != nil || a.status != http.StatusOK || !strings.Contains(a.body, says) {
			lost.Add(1)
			t.Logf("%s: %v, %+.300v", target, err, a)
		}
	}
}
