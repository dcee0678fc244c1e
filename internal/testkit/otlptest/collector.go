// Package otlptest has a collector of OpenTelemetry on loopback.
package otlptest

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A Collector keeps the spans that it is sent over HTTP.
type Collector struct {
	URL string

	mu    sync.Mutex
	spans []*traces.Span
}

// Start starts a collector, which ends with the test. The test's OTEL_… variables lead there, and spans are sent soon.
func Start(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	return c
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var from io.Reader = r.Body
	var err error
	if r.Header.Get("Content-Encoding") == "gzip" {
		from, err = gzip.NewReader(r.Body)
	}
	var sent collector.ExportTraceServiceRequest
	if err == nil {
		var body []byte
		if body, err = io.ReadAll(from); err == nil {
			err = proto.Unmarshal(body, &sent)
		}
	}
	if err != nil || r.URL.Path != "/v1/traces" {
		http.Error(w, "want spans in POST /v1/traces", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range sent.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// Spans returns the spans of a trace that have come so far.
func (c *Collector) Spans(trace string) (of []*traces.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if string(s.TraceId) == trace {
			of = append(of, s)
		}
	}
	return of
}
