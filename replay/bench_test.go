package replay_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/replaytest"
)

// load sends b.N requests over loopback. It reports requests per second, and the median and 99th percentile in
// microseconds.
func load(b *testing.B, h http.Handler, paths ...string) float64 {
	b.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: replaytest.Clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	times := make([][]time.Duration, replaytest.Clients)
	var wg sync.WaitGroup
	b.ResetTimer()
	start := time.Now()
	for c := range replaytest.Clients {
		wg.Go(func() {
			for i := c; i < b.N; i += replaytest.Clients {
				began := time.Now()
				resp, err := client.Get(server.URL + paths[i%len(paths)])
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode >= 400 {
					b.Errorf("%s: %d %v", paths[i%len(paths)], resp.StatusCode, err)
					return
				}
				times[c] = append(times[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	all := slices.Concat(times...)
	slices.Sort(all)
	rate := float64(b.N) / took.Seconds()
	b.ReportMetric(rate, "req/s")
	if len(all) > 0 {
		b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
	}
	return rate
}

// BenchmarkReplay compares answers of the engine with http.FileServer sending the same bytes.
func BenchmarkReplay(b *testing.B) {
	s, _ := replaytest.Serve(b)
	h := s.Handler()
	for _, c := range []struct{ name, path string }{
		{"html-rewritten", "/web/20160901092136/http://www.riverbend.example/history.html"},
		{"html-raw", "/web/20160901092136id_/http://www.riverbend.example/history.html"},
		{"image", replaytest.FirstImage(b, h)},
	} {
		dir := b.TempDir()
		body := replaytest.Fetch(b, h, c.path)
		if err := os.WriteFile(filepath.Join(dir, "page.html"), body, 0o644); err != nil {
			b.Fatal(err)
		}
		var files, engine float64
		b.Run(c.name+"/fileserver", func(b *testing.B) { files = load(b, http.FileServer(http.Dir(dir)), "/page.html") })
		b.Run(c.name+"/varve", func(b *testing.B) {
			engine = load(b, h, c.path)
			b.ReportMetric(float64(len(body)), "bytes")
			if files > 0 {
				b.ReportMetric(engine/files, "of-fileserver")
			}
		})
	}
}

// BenchmarkTimeGate compares a TimeGate with a server that only answers 302.
func BenchmarkTimeGate(b *testing.B) {
	s, _ := replaytest.Serve(b)
	var empty float64
	b.Run("nothing", func(b *testing.B) {
		empty = load(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }), "/")
	})
	b.Run("varve", func(b *testing.B) {
		rate := load(b, s.Handler(), "/web/http://www.riverbend.example/history.html", "/web/2014/http://www.riverbend.example/")
		if empty > 0 {
			b.ReportMetric(rate/empty, "of-nothing")
		}
	})
}

// bigIndex returns an index with n captures, five of each URI-R.
func bigIndex(b *testing.B, n int) *index.Index {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "index")
	fill(b, dir, n)
	if err := badger.Compact(dir, nil); err != nil {
		b.Fatal(err)
	}
	return indextest.Open(b, dir)
}

// fill makes an index in dir with n captures.
func fill(b *testing.B, dir string, n int) {
	b.Helper()
	s, err := badger.OpenToFill(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	x, err := index.New(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	id, err := x.PutFile(b.Context(), index.File{Collection: "web", Name: "big.warc.gz"})
	if err != nil {
		b.Fatal(err)
	}
	w := x.Writer(b.Context(), "web")
	for i := range n {
		c := cdx.Capture{
			URL: urlOf(i / 5), Time: cdx.Timestamp(20100101000000 + uint64(i%5)*10000000000), Status: 200, MIME: "text/html",
			Digest: fmt.Sprintf("%032d", 0)[:24] + "ABCDEFGH", Location: cdx.Location{File: id, Offset: int64(i) * 1000, Length: 900},
		}
		c.Key = surt.Of(c.URL)
		if err := w.Add(&c); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if _, err := x.PutFile(b.Context(), index.File{
		ID: id, Collection: "web", Name: "big.warc.gz", Done: true,
		Scanned: int64(n) * 1000,
	}); err != nil {
		b.Fatal(err)
	}
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
}

func urlOf(i int) string {
	return fmt.Sprintf("http://www.site%d.example/folder%d/page-%d.html", i%997, i%101, i)
}

// BenchmarkMillion queries an index of a million captures over HTTP. The baseline only answers 200.
func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	x := bigIndex(b, n)
	h := replaytest.ServeIndex(b, x).Handler()
	var exact, prefix, gate []string
	for i := range 5000 {
		u := urlOf(i * 39 % (n / 5))
		exact = append(exact, "/web/cdx?url="+u)
		prefix = append(prefix, fmt.Sprintf("/web/cdx?url=http://www.site%d.example/*&limit=100", i%997))
		gate = append(gate, "/web/timemap/link/"+u)
	}
	var empty float64
	b.Run("nothing", func(b *testing.B) {
		empty = load(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }), "/")
	})
	for _, c := range []struct {
		name  string
		paths []string
	}{{"cdx-exact", exact}, {"cdx-prefix-100", prefix}, {"timemap", gate}} {
		b.Run(c.name, func(b *testing.B) { b.ReportMetric(load(b, h, c.paths...)/empty, "of-nothing") })
	}
	b.Run("nearest", func(b *testing.B) {
		for i := range b.N {
			for c, err := range x.Closest(context.Background(), "web", surt.Of(urlOf(i*39%(n/5))), 20200101000000) {
				if err != nil || c == nil {
					b.Fatal(err)
				}
				break
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
		runtime.GC()
		debug.FreeOSMemory()
		b.ReportMetric(float64(residentKB())/1024, "MB-resident")
	})
}

func residentKB() (kb int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			_, _ = fmt.Sscan(rest, &kb)
		}
	}
	return kb
}

// BenchmarkTimeMap streams TimeMaps of growing size; ttfb is the time to the first byte.
func BenchmarkTimeMap(b *testing.B) {
	x := indextest.Open(b, filepath.Join(b.TempDir(), "index"))
	id, _ := x.PutFile(b.Context(), index.File{Collection: "web", Name: "t.warc.gz", Done: true, Scanned: 1 << 40})
	w := x.Writer(b.Context(), "web")
	offset := int64(0)
	for _, n := range []int{1, 350, 1_000, 500_000} {
		for i := range n {
			t := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 20 * time.Minute)
			c := cdx.Capture{
				URL: fmt.Sprintf("http://t.example/%d", n), Time: cdx.FromTime(t), Status: 200,
				Location: cdx.Location{File: id, Offset: offset},
			}
			c.Key, offset = surt.Of(c.URL), offset+1000
			if err := w.Add(&c); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(replaytest.ServeIndex(b, x).Handler())
	defer server.Close()
	for _, n := range []int{1, 350, 1_000, 500_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var first time.Duration
			var bytes int64
			for b.Loop() {
				start := time.Now()
				resp, err := http.Get(fmt.Sprintf("%s/web/timemap/link/http://t.example/%d", server.URL, n))
				if err != nil {
					b.Fatal(err)
				}
				one := make([]byte, 1)
				_, _ = io.ReadFull(resp.Body, one)
				first += time.Since(start)
				m, _ := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				bytes += m + 1
			}
			b.ReportMetric(float64(first.Microseconds())/float64(b.N), "ttfb-µs")
			b.ReportMetric(float64(bytes)/1e6/b.Elapsed().Seconds(), "MB/s")
		})
	}
}
