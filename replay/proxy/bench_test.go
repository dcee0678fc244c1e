package proxy_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// BenchmarkProxy compares the proxy with rewritten replay of the same capture.
func BenchmarkProxy(b *testing.B) {
	p := proxyOf(b, nil)
	const ts = "20160901092136"
	server := httptest.NewServer(p.server.Handler())
	defer server.Close()
	image := replaytest.FirstImage(b, p.server.Handler())
	for _, c := range []struct{ name, rewritten, uriR, dest string }{
		{"page-with-banner", "/web/" + ts + "/" + history, "www.riverbend.example/history.html", "document"},
		{"page-as-archived", "/web/" + ts + "mp_/" + history, "www.riverbend.example/history.html", "empty"},
		{"image", image, image[len("/web/20160901092136im_/http://"):], "image"},
	} {
		var rewritten float64
		b.Run(c.name+"/rewritten", func(b *testing.B) { rewritten = throughput(b, http.DefaultClient, server.URL+c.rewritten) })
		for _, via := range []struct {
			name, scheme string
			client       *http.Client
		}{{"http", "http", p.client("")}, {"https-h1", "https", p.client("", "http/1.1")}, {"https-h2", "https", p.client("")}} {
			via.client.Transport.(*http.Transport).MaxIdleConnsPerHost = replaytest.Clients
			b.Run(c.name+"/proxy-"+via.name, func(b *testing.B) {
				rate := throughput(b, via.client, via.scheme+"://"+c.uriR, "Accept-Datetime", acceptDatetime(ts), "Accept-Encoding", "gzip",
					"Sec-Fetch-Dest", c.dest)
				if rewritten > 0 {
					b.ReportMetric(rate/rewritten, "of-rewritten")
				}
			})
		}
	}
}

// throughput sends b.N requests, several at a time, and returns the answers per second.
func throughput(b *testing.B, client *http.Client, uri string, header ...string) float64 {
	var wg sync.WaitGroup
	b.ResetTimer()
	for c := range replaytest.Clients {
		wg.Go(func() {
			for i := c; i < b.N; i += replaytest.Clients {
				r, err := http.NewRequest(http.MethodGet, uri, nil)
				if err != nil {
					b.Error(err)
					return
				}
				for i := 0; i < len(header); i += 2 {
					r.Header.Set(header[i], header[i+1])
				}
				resp, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK {
					b.Errorf("%s: %d %v", uri, resp.StatusCode, err)
					return
				}
			}
		})
	}
	wg.Wait()
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "req/s")
	return rate
}
