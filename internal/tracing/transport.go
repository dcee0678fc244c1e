package tracing

import (
	"io"
	"net/http"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Transport returns a transport whose requests on behalf of traced ones have spans of a name, until their bodies were read.
func Transport(name string, next http.RoundTripper) http.RoundTripper { return &transport{next, name} }

type transport struct {
	http.RoundTripper
	name string
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, end, ok := Child(r.Context(), t.name, method(r), semconv.ServerAddress(r.URL.Hostname()))
	if !ok {
		return t.RoundTripper.RoundTrip(r)
	}
	answer, err := t.RoundTripper.RoundTrip(r.WithContext(ctx))
	if err != nil {
		end(err)
		return nil, err
	}
	trace.SpanFromContext(ctx).SetAttributes(semconv.HTTPResponseStatusCode(answer.StatusCode))
	answer.Body = &body{answer.Body, end}
	return answer, nil
}

// CloseIdleConnections lets [http.Client] close those of the wrapped transport.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// A body ends the span of its request.
type body struct {
	io.ReadCloser
	end func(error)
}

func (b *body) Close() error {
	b.end(nil)
	return b.ReadCloser.Close()
}
