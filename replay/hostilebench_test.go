package replay_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// shuffled is a page of about so many bytes, whose paragraphs stand in an order of their own.
func shuffled(size int, order uint64) string {
	paragraphs := make([]string, size/200)
	for i := range paragraphs {
		paragraphs[i] = fmt.Sprintf("<p>%d %s", i, strings.Repeat(fmt.Sprintf("word%d ", i%997), 24))
	}
	random := rand.New(rand.NewPCG(order, 1))
	random.Shuffle(len(paragraphs), func(i, j int) { paragraphs[i], paragraphs[j] = paragraphs[j], paragraphs[i] })
	return "<!doctype html><title>shuffled</title>" + strings.Join(paragraphs, "")
}

// stamped is a datetime, so many hours after the first.
func stamped(hours int) string {
	return cdx.FromTime(cdx.Timestamp(2000_01_01_00_00_00).Time().AddDate(0, 0, hours/24)).String()[:8] + fmt.Sprintf("%02d0000", hours%24)
}

// squeezed codes so many bytes of the same.
func squeezed(coding string, size int) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	default:
		w, _ = zstd.NewWriter(&b) // fails for options alone
	}
	_, _ = io.CopyN(w, strings.NewReader(strings.Repeat("<p>a", size/4)), int64(size))
	_ = w.Close()
	return b.String()
}

// BenchmarkHostile asks for what is made to cost much, at n, 2n and 4n: each question once, on a server that was never asked. The figures
// in docs/isolation.md are from go test ./replay -run - -bench Hostile -benchtime 1x.
func BenchmarkHostile(b *testing.B) {
	const page = "http://hostile.example/"
	e := url.QueryEscape(page)
	serve := func(b *testing.B, records []replaytest.Record) http.Handler {
		return replaytest.Searchable(b, []string{replaytest.Write(b, records)}).Handler()
	}
	small := []replaytest.Record{
		{Date: "20140101000000", URI: page, Status: 200, Body: "<title>t</title>" + strings.Repeat("<div><p>river</p></div>", 2000)},
		{Date: "20150101000000", URI: page, Status: 200, Body: "<title>t</title><p>another river"},
	}
	for _, tt := range []struct {
		name string
		n    int
		ask  func(b *testing.B, n int) (h http.Handler, target string)
	}{
		{"operators", 25_000, func(b *testing.B, n int) (http.Handler, string) {
			return serve(b, small), "/web/search?q=" + strings.Repeat("a+OR+", n) + "river"
		}},
		{"parentheses", 25_000, func(b *testing.B, n int) (http.Handler, string) {
			return serve(b, small), "/web/search?q=" + strings.Repeat("(", n) + "river" + strings.Repeat(")", n)
		}},
		{"shuffled bytes", 1_250_000, func(b *testing.B, n int) (http.Handler, string) {
			return serve(b, []replaytest.Record{
				{Date: "20140101000000", URI: page, Status: 200, Body: shuffled(n, 1)},
				{Date: "20150101000000", URI: page, Status: 200, Body: shuffled(n, 2)},
			}), "/web/diff/2014/2015/" + page
		}},
		{"versions", 5000, func(b *testing.B, n int) (http.Handler, string) {
			records := make([]replaytest.Record, n)
			for i := range records {
				records[i] = replaytest.Record{Date: stamped(i), URI: page, Status: 200, Body: fmt.Sprintf("<title>t</title><p>version %d of many", i)}
			}
			return serve(b, records), "/web/diff/" + page
		}},
		{"selectors", 9, func(b *testing.B, n int) (http.Handler, string) {
			return serve(b, small), "/web/inspect?at=2014&output=json&url=" + e + "&css=" + url.QueryEscape(strings.Repeat("div p:not(x), ", n)+"p")
		}},
		{"steps of XPath", 20, func(b *testing.B, n int) (http.Handler, string) {
			return serve(b, small), "/web/inspect?at=2014&output=json&url=" + e + "&xpath=" + url.QueryEscape("//p"+strings.Repeat("/..//p", n))
		}},
	} {
		for _, times := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s/%d", tt.name, times*tt.n), func(b *testing.B) {
				h, target := tt.ask(b, times*tt.n)
				askedOnce(b, h, target)
			})
		}
	}
	for _, coding := range []string{"gzip", "br", "zstd"} {
		for _, times := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s bomb/%dMB", coding, 64*times), func(b *testing.B) {
				message := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: " + coding + "\r\n\r\n" + squeezed(coding, times<<26)
				bomb := []replaytest.Verbatim{{Date: "20140101000000", URI: page, Message: message}}
				s := replaytest.Searchable(b, []string{replaytest.WriteVerbatim(b, bomb)})
				askedOnce(b, s.Handler(), "/web/20140101000000/"+page)
			})
		}
	}
}

// nowhere is a client that reads everything and keeps nothing.
type nowhere struct {
	head   http.Header
	status int
}

func (n *nowhere) Header() http.Header         { return n.head }
func (n *nowhere) WriteHeader(status int)      { n.status = status }
func (n *nowhere) Write(p []byte) (int, error) { return len(p), nil }

func askedOnce(b *testing.B, h http.Handler, target string) {
	b.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://varve.example/", nil)
	r.RequestURI = target
	if _, query, ok := strings.Cut(target, "?"); ok {
		r.URL.RawQuery = query
	}
	r.Header.Set("Accept", "text/html")
	status := 0
	for b.Loop() {
		w := &nowhere{head: http.Header{}, status: http.StatusOK}
		h.ServeHTTP(w, r)
		status = w.status
	}
	b.ReportMetric(float64(status), "status")
	b.ReportAllocs()
}
