package opensearch_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/search/searchtest"
	"github.com/varve-archive/varve/internal/testkit/opensearchtest"
)

// An engine is an index in the suite.
type engine struct{ *opensearch.Index }

func (e *engine) Bring(ctx context.Context, a search.Archive, anew bool) (failed int64, err error) {
	var p search.Progress
	b := opensearch.Build{Anew: anew, Rules: "rules", Unfit: "none", Same: func(mark string) bool { return mark == "rules" }}
	err = e.Update(ctx, a, b, &p, slog.New(slog.DiscardHandler))
	return p.Failed.Load(), err
}

func cluster(t *testing.T, address string) *opensearch.Cluster {
	t.Helper()
	c, err := opensearch.New(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestConformance(t *testing.T) { opensearchtest.Each(t, conformance) }

func conformance(t *testing.T, of opensearchtest.Engine) {
	c := cluster(t, opensearchtest.Start(t, of).URL)
	var n atomic.Int64
	searchtest.Run(t, func(_ *testing.T, set *fields.Set) searchtest.Engine {
		x := c.Index("archive", fmt.Sprint("web", n.Add(1)), "", "test")
		x.SetFields(set)
		return &engine{x}
	})
}
