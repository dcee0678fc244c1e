package e2e

import (
	"encoding/hex"
	"testing"

	traces "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/varve-archive/varve/internal/testkit/database"
	"github.com/varve-archive/varve/internal/testkit/otlptest"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A request for a memento is one trace, in that of whoever asked: with the round trips to the database and the ranges of object storage.
func TestAMementoIsOneTrace(t *testing.T) {
	collector := otlptest.Start(t)
	storage := s3test.Memory(t).Make("crawls")
	storage.Put("crawls", "a.warc.gz", databaseArchive())
	s := start(t, "serve", "--no-search", "--index", database.Start(t).Database(), "--s3-endpoint", storage.URL, "s3://crawls")
	eventually(t, "the file is indexed", func() bool { return s.get(t, "/web/timemap/link/http://page.example/").status == 200 })
	const id = "0af7651916cd43dd8448eb211c80319c"
	a := s.get(t, "/web/20060601000000/http://page.example/other?", "Traceparent: 00-"+id+"-b7ad6b7169203331-01")
	if a.status != 200 {
		t.Fatalf("%d\n%s", a.status, a.body)
	}
	binary, err := hex.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	var root *traces.Span
	below := map[string]int{}
	eventually(t, "spans of the request, the database and the storage", func() bool {
		clear(below)
		for _, span := range collector.Spans(string(binary)) {
			if span.Kind == traces.Span_SPAN_KIND_SERVER {
				root = span
			}
		}
		for _, span := range collector.Spans(string(binary)) {
			if root != nil && string(span.ParentSpanId) == string(root.SpanId) {
				below[span.Name]++
			}
		}
		return root != nil && below["database"] > 0 && below["object storage"] > 0
	})
	if root.Name != "memento" || hex.EncodeToString(root.ParentSpanId) != "b7ad6b7169203331" {
		t.Errorf("the request's span: %v", root)
	}
	t.Logf("below the request: %v", below)
}
