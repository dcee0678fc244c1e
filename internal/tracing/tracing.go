// Package tracing tells a collector of OpenTelemetry what requests waited for.
//
// A [Tracer] begins a span for each request. What is asked on its behalf (a database, object storage, a search engine) finds that
// span in the context and adds its own below: [Child], [Transport]. So nothing has to be handed down, what no traced request waits
// for has no spans, and where nothing is traced a question costs one look into its context.
//
// Spans have no addresses of archived pages, no queries and nothing of readers.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/varve-archive/varve"

// A Tracer begins traces, and sends them in the background. A nil one does nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// FromEnvironment returns the tracer that the variables of OpenTelemetry (OTEL_…) ask for, nil if they ask for none. Nothing is sent before
// there are spans. The caller closes it.
func FromEnvironment(ctx context.Context, version string, log *slog.Logger) (*Tracer, error) {
	if asked, err := asked(); !asked || err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_…: %w", err)
	}
	us, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(semconv.ServiceName("varve"), semconv.ServiceVersion(version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are lost", "error", err) }))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(us))
	return &Tracer{provider, provider.Tracer(scope)}, nil
}

// asked reports whether the environment asks for traces.
func asked() (bool, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return false, nil
	case "":
		if firstOf("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
			return false, nil
		}
	case "otlp":
	default:
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER=%.50q: it is otlp or none here", exporter)
	}
	switch protocol := firstOf("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); protocol {
	case "", "http/protobuf":
		return true, nil
	default:
		return false, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL=%.50q: only http/protobuf is spoken here, to which collectors listen at port 4318",
			protocol)
	}
}

func firstOf(variables ...string) string {
	for _, name := range variables {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// Close sends what was not sent yet.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Request begins the span of a request that came in, in the trace that the request names (W3C Trace Context), else in a new one. It returns
// the request with the span in its context, and what ends the span.
func (t *Tracer) Request(r *http.Request) (_ *http.Request, end func(route string, status int)) {
	if t == nil {
		return r, func(string, int) {}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(method(r)))
	return r.WithContext(ctx), func(route string, status int) {
		span.SetName(route)
		span.SetAttributes(semconv.HTTPRoute(route), semconv.HTTPResponseStatusCode(status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// method is the method of a request; what a client makes up is one value.
func method(r *http.Request) attribute.KeyValue {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch:
		return semconv.HTTPRequestMethodKey.String(r.Method)
	}
	return semconv.HTTPRequestMethodOther
}

// Child begins the span of something that is asked on behalf of a traced request. Without one in ctx it does nothing, and ok is false.
func Child(ctx context.Context, name string, about ...attribute.KeyValue) (_ context.Context, end func(error), ok bool) {
	of := trace.SpanFromContext(ctx)
	if !of.IsRecording() {
		return ctx, nil, false
	}
	ctx, span := of.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	return ctx, func(err error) {
		if err != nil && !errors.Is(err, context.Canceled) {
			span.SetStatus(codes.Error, "failed") // what failed is in the log: its text may have an address
		}
		span.End()
	}, true
}
