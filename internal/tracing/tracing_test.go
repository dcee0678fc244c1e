package tracing_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	traces "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/varve-archive/varve/internal/testkit/otlptest"
	"github.com/varve-archive/varve/internal/tracing"
)

func TestWhetherTheEnvironmentAsksForTraces(t *testing.T) {
	for _, c := range []struct {
		name      string
		variables string
		traces    bool
		fails     string
	}{
		{"nothing is set", "", false, ""},
		{"an endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318", true, ""},
		{"an endpoint of traces", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces", true, ""},
		{"the exporter alone", "OTEL_TRACES_EXPORTER=otlp", true, ""},
		{"no exporter", "OTEL_TRACES_EXPORTER=none OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318", false, ""},
		{"an exporter that isn't here", "OTEL_TRACES_EXPORTER=zipkin", false, "it is otlp or none"},
		{"disabled", "OTEL_SDK_DISABLED=TRUE OTEL_TRACES_EXPORTER=zipkin", false, ""},
		{"a protocol", "OTEL_TRACES_EXPORTER=otlp OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", true, ""},
		{"another protocol", "OTEL_TRACES_EXPORTER=otlp OTEL_EXPORTER_OTLP_PROTOCOL=grpc", false, "only http/protobuf"},
		{"other metrics", "OTEL_METRICS_EXPORTER=otlp", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, pair := range strings.Fields(c.variables) {
				name, value, _ := strings.Cut(pair, "=")
				t.Setenv(name, value)
			}
			tracer, err := tracing.FromEnvironment(t.Context(), "v1", slog.New(slog.DiscardHandler))
			if (tracer != nil) != c.traces || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("tracer %v, error %v", tracer, err)
			}
			if err := tracer.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func tracer(t testing.TB) *tracing.Tracer {
	t.Helper()
	tracer, err := tracing.FromEnvironment(t.Context(), "v1", slog.New(slog.DiscardHandler))
	if err != nil || tracer == nil {
		t.Fatal(tracer, err)
	}
	return tracer
}

const (
	trace  = "0af7651916cd43dd8448eb211c80319c"
	parent = "b7ad6b7169203331"
)

// request returns one for an archived page, as part of a trace. flags say whether that is recorded.
func request(flags string) *http.Request {
	r := httptest.NewRequest("GET", "/web/2016/http://user:secret@page.example/?q=private", nil)
	r.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-"+flags)
	return r
}

// collected returns the spans that the collector has, by name, when the tracer has sent all.
func collected(t *testing.T, tracer *tracing.Tracer, from *otlptest.Collector) map[string]*traces.Span {
	t.Helper()
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	id, err := hex.DecodeString(trace)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*traces.Span{}
	for _, s := range from.Spans(string(id)) {
		by[s.Name] = s
	}
	return by
}

func TestARequestsTrace(t *testing.T) {
	collector := otlptest.Start(t)
	asked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "bytes") }))
	defer asked.Close()
	client := &http.Client{Transport: tracing.Transport("storage", http.DefaultTransport)}
	tracer := tracer(t)
	r, end := tracer.Request(request("01"))
	q, err := http.NewRequestWithContext(r.Context(), "GET", asked.URL+"/bucket/file?secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	_, failed, ok := tracing.Child(r.Context(), "database")
	if !ok {
		t.Fatal("a traced request has no child")
	}
	failed(errors.New("connecting to user:secret@host"))
	end("memento", 503)
	spans := collected(t, tracer, collector)
	root, storage, database := spans["memento"], spans["storage"], spans["database"]
	if root == nil || storage == nil || database == nil || len(spans) != 3 {
		t.Fatalf("spans: %v", spans)
	}
	if hex.EncodeToString(root.ParentSpanId) != parent || root.Kind != traces.Span_SPAN_KIND_SERVER {
		t.Errorf("the request's span: %v", root)
	}
	if !bytes.Equal(storage.ParentSpanId, root.SpanId) || !bytes.Equal(database.ParentSpanId, root.SpanId) {
		t.Errorf("spans are not below the request's: %v", spans)
	}
	if root.Status.GetCode() != traces.Status_STATUS_CODE_ERROR || database.Status.GetCode() != traces.Status_STATUS_CODE_ERROR ||
		storage.Status.GetCode() != traces.Status_STATUS_CODE_UNSET {
		t.Errorf("states: %v", spans)
	}
	for _, s := range spans {
		for _, private := range []string{"secret", "private", "page.example", "bucket"} {
			if strings.Contains(s.String(), private) {
				t.Errorf("a span has %q: %v", private, s)
			}
		}
	}
}

// What the caller doesn't record isn't recorded here either (W3C Trace Context §3.2.2.5.1).
func TestATraceThatIsNotRecorded(t *testing.T) {
	collector := otlptest.Start(t)
	tracer := tracer(t)
	r, end := tracer.Request(request("00"))
	if _, _, ok := tracing.Child(r.Context(), "database"); ok {
		t.Error("a span below one that is not recorded")
	}
	end("memento", 200)
	if spans := collected(t, tracer, collector); len(spans) > 0 {
		t.Errorf("spans: %v", spans)
	}
}

// Without a tracer a request is the same as before, and what is asked for it has no spans.
func TestNothingIsTraced(t *testing.T) {
	var none *tracing.Tracer
	r := request("01")
	same, end := none.Request(r)
	end("memento", 200)
	if same != r || none.Close(context.Background()) != nil {
		t.Error("a request is another when nothing is traced")
	}
	if allocated := testing.AllocsPerRun(100, func() { _, end := none.Request(r); end("memento", 200) }); allocated > 0 {
		t.Errorf("%v allocations for a request that isn't traced", allocated)
	}
	if allocated := testing.AllocsPerRun(100, func() { tracing.Child(r.Context(), "database") }); allocated > 0 {
		t.Errorf("%v allocations for a question that isn't traced", allocated)
	}
}

// BenchmarkRequest has a request with two questions, traced and not.
func BenchmarkRequest(b *testing.B) {
	one := func(tracer *tracing.Tracer) func(b *testing.B) {
		return func(b *testing.B) {
			in := request("01")
			for b.Loop() {
				r, end := tracer.Request(in)
				for range 2 {
					if _, done, ok := tracing.Child(r.Context(), "database"); ok {
						done(nil)
					}
				}
				end("memento", 200)
			}
		}
	}
	b.Run("off", one(nil))
	otlptest.Start(b)
	tracer := tracer(b)
	defer tracer.Close(context.Background())
	b.Run("on", one(tracer))
}
